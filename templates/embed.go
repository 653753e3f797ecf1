// Package templates holds the page templates and the words that pages print.
// A template's name is the page or part that it makes; its data is a struct of
// the page package.
package templates

import "embed"

//go:embed *.html words.json
var files embed.FS

// Files are the templates and words.json.
func Files() embed.FS { return files }
