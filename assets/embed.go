// Package assets holds the files that pages link: the style sheet, the
// icon, and the script of a figure.
package assets

import "embed"

//go:embed style.css icon.svg storm.js
var files embed.FS

// Files are the assets, by name.
func Files() embed.FS { return files }
