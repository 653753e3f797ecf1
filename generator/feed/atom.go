package feed

import (
	"bytes"
	"encoding/xml"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// The documents of RFC 4287. encoding/xml escapes what stands in them, and puts
// U+FFFD where a character may not be in XML at all.
type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string      `xml:"xml:lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle"`
	Updated  string      `xml:"updated"`
	Author   atomPerson  `xml:"author"`
	Icon     string      `xml:"icon,omitempty"`
	Links    []atomLink  `xml:"link"`
	Entries  []atomEntry `xml:"entry"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Lang string `xml:"hreflang,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      atomText       `xml:"title"`
	Updated    string         `xml:"updated"`
	Links      []atomLink     `xml:"link"`
	Categories []atomCategory `xml:"category"`
	Content    atomText       `xml:"content"`
}

type atomText struct {
	Lang string `xml:"xml:lang,attr,omitempty"`
	Type string `xml:"type,attr,omitempty"`
	Text string `xml:",chardata"`
}

type atomCategory struct {
	Term   string `xml:"term,attr"`
	Scheme string `xml:"scheme,attr"`
	Label  string `xml:"label,attr"`
}

// Media types of what feeds link.
const (
	typeAtom = "application/atom+xml"
	typeJSON = "application/feed+json"
	typeHTML = "text/html"
)

func (m *maker) atom(dst *bytes.Buffer, ch channel, l incident.Lang) error {
	cases := ch.cases()
	other := l.Other()
	f := atomFeed{Lang: string(l), ID: m.site.FileURL(l, address.Atom(ch.path)), Title: ch.title(l), Subtitle: m.order(l), Updated: stamp(cases[0].UpdatedAt),
		Author: atomPerson{m.line(m.lib.Collection().Site.Title, l), m.site.URL(l, address.Home)},
		Links: []atomLink{
			{"self", typeAtom, string(l), m.site.FileURL(l, address.Atom(ch.path))},
			{"alternate", typeHTML, string(l), m.site.URL(l, ch.path)},
			{"alternate", typeJSON, string(l), m.site.FileURL(l, address.JSONFeed(ch.path))},
			{"alternate", typeAtom, string(other), m.site.FileURL(other, address.Atom(ch.path))},
		}}
	for _, c := range cases {
		f.Entries = append(f.Entries, m.atomEntry(c, l))
	}
	dst.WriteString(xml.Header)
	if err := xml.NewEncoder(dst).Encode(f); err != nil {
		return err
	}
	return dst.WriteByte('\n')
}

func (m *maker) atomEntry(c *incident.Case, l incident.Lang) atomEntry {
	e := m.entry(c, l)
	out := atomEntry{ID: e.url, Title: atomText{Lang: unlike(e.titleLang, l), Text: e.title}, Updated: e.updated,
		Content: atomText{Lang: unlike(e.htmlLang, l), Type: "html", Text: e.html}}
	for _, in := range c.PublishedIn() {
		rel := "related" // the same case in the other language
		if url := m.site.URL(in, address.Case(c.ID)); url == e.url {
			rel = "alternate"
		}
		out.Links = append(out.Links, atomLink{rel, typeHTML, string(in), m.site.URL(in, address.Case(c.ID))})
	}
	for _, t := range e.tags {
		out.Categories = append(out.Categories, atomCategory{t.slug, t.scheme, t.label})
	}
	return out
}

// unlike is a text's language where it is not the feed's own.
func unlike(text, feed incident.Lang) string {
	if text == feed {
		return ""
	}
	return string(text)
}
