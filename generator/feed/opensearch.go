package feed

import (
	"encoding/xml"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/output"
)

// The longest that a browser takes (OpenSearch 1.1).
const (
	maxShortName   = 16
	maxDescription = 1024
)

type openSearch struct {
	XMLName       xml.Name      `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
	ShortName     string        `xml:"ShortName"`
	Description   string        `xml:"Description"`
	InputEncoding string        `xml:"InputEncoding"`
	Language      incident.Lang `xml:"Language"`
	URL           openSearchURL `xml:"Url"`
}

type openSearchURL struct {
	Type     string `xml:"type,attr"`
	Method   string `xml:"method,attr"`
	Template string `xml:"template,attr"`
}

// openSearches tell browsers how to search the site, in each language.
func openSearches(lib *library.Library, site address.Site) []output.File {
	var out []output.File
	of := lib.Collection().Site
	plain := markup.New(markup.Options{})
	for _, l := range incident.Langs() {
		out = append(out, xmlFile(site.OpenSearchFile(l), func() any {
			title, _ := of.Title.Best(l)
			tagline, _ := of.Tagline.Best(l)
			name, about := plain.PlainLine(title), plain.PlainLine(tagline)
			if about == "" {
				about = name
			}
			return openSearch{ShortName: cut(name, maxShortName), Description: cut(about, maxDescription),
				InputEncoding: "UTF-8", Language: l,
				URL: openSearchURL{"text/html", "get", site.URL(l, address.Search) + "?q={searchTerms}"}}
		}))
	}
	return out
}

// cut is the first n characters of a text.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
