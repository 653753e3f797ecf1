// Package feed turns a library into the files that machines look for on a site
// beside its pages and its API: the sitemap, robots.txt, and the feeds that say
// what was added or changed, as Atom and as JSON Feed.
package feed

import (
	"bytes"
	"encoding/json"
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

// Files are the feeds, the sitemap, in parts where it is long, and robots.txt.
// order says, in a language, in which order a feed has its entries.
func Files(lib *library.Library, site address.Site, order func(l incident.Lang) string) []output.File {
	return append(slices.Concat(feeds(lib, site, order), sitemaps(lib, site), openSearches(lib, site), ids(lib, site)), output.Bytes("robots.txt", output.Data, []byte("User-agent: *\nAllow: /\nSitemap: "+site.Root("sitemap.xml")+"\n")))
}

// ids is the list of all cases' ids, as short as can be, for the scripts of
// pages; none where there is no case.
func ids(lib *library.Library, site address.Site) []output.File {
	if len(lib.Cases()) == 0 {
		return nil
	}
	return []output.File{{Path: site.Output(site.Default(), address.CaseIDs), Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		list := make([]string, len(lib.Cases()))
		for i, c := range lib.Cases() {
			list[i] = c.ID
		}
		return json.NewEncoder(dst).Encode(list)
	}}}
}

type sitemapIndex struct {
	XMLName xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []urlEntry `xml:"sitemap"`
}

type urlEntry struct {
	Loc string `xml:"loc"`
}

func sitemaps(lib *library.Library, site address.Site) []output.File {
	pages := address.Pages(lib.Collection())
	n := 0
	for _, p := range pages {
		n += len(p.Langs)
	}
	if n > maxURLs {
		return splitSitemap(pages, site)
	}
	return []output.File{sitemap("sitemap.xml", pages, site)}
}

// sitemap is a file of pages, each in its languages, with its alternates.
func sitemap(name string, pages []address.Page, site address.Site) output.File {
	return output.File{Path: name, Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		dst.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`)
		var b, rest []byte // of a page: its entries, and what is the same in all of them
		for _, p := range pages {
			rest = rest[:0]
			if !p.Updated.IsZero() {
				rest = element(rest, "lastmod", stamp(p.Updated))
			}
			for _, l := range p.Langs {
				rest = variant(rest, string(l), site.URL(l, p.Path))
			}
			rest = variant(rest, "x-default", site.URL(site.Fallback(p.Langs), p.Path))
			b = b[:0]
			for _, l := range p.Langs {
				b = element(append(b, "<url>"...), "loc", site.URL(l, p.Path))
				b = append(append(b, rest...), "</url>"...)
			}
			dst.Write(b)
		}
		dst.WriteString("</urlset>\n")
		return nil
	}}
}

// variant appends where a page is in a language.
func variant(b []byte, lang, href string) []byte {
	b = attribute(append(b, "<xhtml:link"...), "rel", "alternate")
	return append(attribute(attribute(b, "hreflang", lang), "href", href), "></xhtml:link>"...)
}

// splitSitemap writes parts of at most 50,000 addresses and an index of them. A
// page's languages stay together.
func splitSitemap(pages []address.Page, site address.Site) []output.File {
	var out []output.File
	index := sitemapIndex{}
	for from := 0; from < len(pages); {
		to, n := from, 0
		for to < len(pages) && n+len(pages[to].Langs) <= maxURLs {
			n += len(pages[to].Langs)
			to++
		}
		part, name := pages[from:to], fmt.Sprintf("sitemap-%d.xml", len(out)+1)
		out = append(out, sitemap(name, part, site))
		index.Maps = append(index.Maps, urlEntry{Loc: site.Root(name)})
		from = to
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
