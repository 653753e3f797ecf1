// Package assets holds the files that pages link: style sheets, which are
// joined into one, scripts, and pictures. readme.png is for the README only.
package assets

import "embed"

//go:embed *.css *.js *.svg
var files embed.FS

// Files are the assets, by name.
func Files() embed.FS { return files }
