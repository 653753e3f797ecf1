// Package assets holds the files that pages link: style sheets, which are
// joined into one, scripts, and pictures. readme.png is for the README only.
// What is in fonts is for drawing cards, and is not published.
package assets

import "embed"

//go:embed *.css *.js *.svg fonts
var files embed.FS

// Files are the assets, by name.
func Files() embed.FS { return files }
