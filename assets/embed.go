// Package assets holds the files that pages link: the style sheet and the icon.
package assets

import "embed"

//go:embed style.css icon.svg
var files embed.FS

// Files are the assets, by name.
func Files() embed.FS { return files }
