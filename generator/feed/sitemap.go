// Package feed turns a library into the files that machines look for on a site
// beside its pages and its API: the sitemap and robots.txt.
package feed

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// maxURLs is how many addresses a sitemap may hold (sitemaps.org).
const maxURLs = 50_000

// Files are the sitemap, in parts where it is long, and robots.txt.
func Files(lib *library.Library, site address.Site) []output.File {
	return append(sitemaps(lib, site), output.Bytes("robots.txt", output.Data, []byte("User-agent: *\nAllow: /\nSitemap: "+site.Root("sitemap.xml")+"\n")))
}

type urlSet struct {
	XMLName xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	XHTML   string     `xml:"xmlns:xhtml,attr"`
	URLs    []urlEntry `xml:"url"`
}

type urlEntry struct {
	Loc      string     `xml:"loc"`
	LastMod  string     `xml:"lastmod,omitempty"`
	Variants []xhtmlRef `xml:"xhtml:link"`
}

type xhtmlRef struct {
	Rel  string `xml:"rel,attr"`
	Lang string `xml:"hreflang,attr"`
	Href string `xml:"href,attr"`
}

type sitemapIndex struct {
	XMLName xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []urlEntry `xml:"sitemap"`
}

// entry is a page in the sitemap: its path, the languages that it exists in and
// when it last changed, where that is known.
type entry struct {
	path    address.Path
	langs   []incident.Lang
	lastMod string
}

// entries are the pages that a search engine is shown: no error page, no
// further pages of lists, no page that is only the other language's text.
func entries(lib *library.Library) []entry {
	both := incident.Langs()
	out := []entry{{path: address.Home, langs: both}, {path: address.Cases(0), langs: both}, {path: address.Topics, langs: both},
		{path: address.Orgs, langs: both}, {path: address.Years, langs: both}, {path: address.API, langs: both}, {path: address.About, langs: both}}
	for _, c := range lib.Cases() {
		out = append(out, entry{address.Case(c.ID), c.PublishedIn(), c.UpdatedAt.Format("2006-01-02T15:04:05Z07:00")})
	}
	for _, a := range lib.Collection().Vocabulary.Axes {
		out = append(out, entry{path: address.Axis(a.ID), langs: both})
		for i := range a.Terms {
			out = append(out, entry{path: address.Topic(a.Terms[i].Ref(), 0), langs: both})
		}
	}
	if articles := lib.Collection().Articles; len(articles) > 0 {
		out = append(out, entry{path: address.Articles, langs: both})
		for i := range articles {
			out = append(out, entry{path: address.Article(articles[i].Slug), langs: articles[i].PublishedIn()})
		}
	}
	for _, o := range lib.Orgs() {
		out = append(out, entry{path: address.Org(o.Slug, 0), langs: both})
	}
	for _, y := range lib.Years() {
		out = append(out, entry{path: address.Year(y.Year, 0), langs: both})
	}
	return out
}

func sitemaps(lib *library.Library, site address.Site) []output.File {
	list := entries(lib)
	n := 0
	for _, e := range list {
		n += len(e.langs)
	}
	if n > maxURLs {
		return splitSitemap(urlEntries(list, site), site)
	}
	return []output.File{xmlFile("sitemap.xml", func() any { return urlSet{XHTML: xhtml, URLs: urlEntries(list, site)} })}
}

// urlEntries are the entries of the pages, each language with its alternates.
func urlEntries(list []entry, site address.Site) []urlEntry {
	var urls []urlEntry
	for _, e := range list {
		var variants []xhtmlRef
		for _, l := range e.langs {
			variants = append(variants, xhtmlRef{"alternate", string(l), site.URL(l, e.path)})
		}
		def := e.langs[0]
		if slices.Contains(e.langs, site.Default()) {
			def = site.Default()
		}
		variants = append(variants, xhtmlRef{"alternate", "x-default", site.URL(def, e.path)})
		for _, l := range e.langs {
			urls = append(urls, urlEntry{site.URL(l, e.path), e.lastMod, variants})
		}
	}
	return urls
}

const xhtml = "http://www.w3.org/1999/xhtml"

// splitSitemap writes parts of 50,000 and an index of them.
func splitSitemap(urls []urlEntry, site address.Site) []output.File {
	var out []output.File
	index := sitemapIndex{}
	for part := range slices.Chunk(urls, maxURLs) {
		name := fmt.Sprintf("sitemap-%d.xml", len(out)+1)
		out = append(out, xmlFile(name, func() any { return urlSet{XHTML: xhtml, URLs: part} }))
		index.Maps = append(index.Maps, urlEntry{Loc: site.Root(name)})
	}
	return append(out, xmlFile("sitemap.xml", func() any { return index }))
}

func xmlFile(name string, make func() any) output.File {
	return output.File{Path: name, Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		dst.WriteString(xml.Header)
		if err := xml.NewEncoder(dst).Encode(make()); err != nil {
			return err
		}
		return dst.WriteByte('\n')
	}}
}
