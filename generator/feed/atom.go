package feed

import (
	"bytes"
	"encoding/xml"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/escape"
	"benchlet.com/incidentlib/generator/incident"
)

// Media types of what feeds link.
const (
	typeAtom = "application/atom+xml"
	typeJSON = "application/feed+json"
	typeHTML = "text/html"
)

// atom writes a document of RFC 4287.
func (m *maker) atom(dst *bytes.Buffer, ch channel, l incident.Lang) error {
	cases, other := ch.cases(), l.Other()
	b := append(dst.AvailableBuffer(), xml.Header+`<feed xmlns="http://www.w3.org/2005/Atom"`...)
	b = append(attribute(b, "xml:lang", string(l)), '>')
	b = element(b, "id", m.site.FileURL(l, address.Atom(ch.path)))
	b = element(b, "title", ch.title(l))
	b = element(b, "subtitle", m.order(l))
	b = element(b, "updated", stamp(cases[0].UpdatedAt))
	b = append(b, "<author>"...)
	b = element(b, "name", m.line(m.lib.Collection().Site.Title, l))
	b = element(b, "uri", m.site.URL(l, address.Home))
	b = append(b, "</author>"...)
	b = atomLink(b, "self", typeAtom, l, m.site.FileURL(l, address.Atom(ch.path)))
	b = atomLink(b, "alternate", typeHTML, l, m.site.URL(l, ch.path))
	b = atomLink(b, "alternate", typeJSON, l, m.site.FileURL(l, address.JSONFeed(ch.path)))
	b = atomLink(b, "alternate", typeAtom, other, m.site.FileURL(other, address.Atom(ch.path)))
	for _, c := range cases {
		b = m.atomEntry(b, c, l)
	}
	dst.Write(append(b, "</feed>\n"...))
	return nil
}

func (m *maker) atomEntry(b []byte, c *incident.Case, l incident.Lang) []byte {
	e := m.entry(c, l)
	b = append(b, "<entry>"...)
	b = element(b, "id", e.url)
	b = append(in(append(b, "<title"...), e.titleLang, l), '>')
	b = append(escape.XML(b, e.title), "</title>"...)
	b = element(b, "updated", stamp(c.UpdatedAt))
	for _, own := range c.PublishedIn() {
		rel, url := "related", m.site.URL(own, address.Case(c.ID)) // the same case in the other language
		if url == e.url {
			rel = "alternate"
		}
		b = atomLink(b, rel, typeHTML, own, url)
	}
	for _, t := range e.tags {
		b = attribute(append(b, "<category"...), "term", t.slug)
		b = attribute(attribute(b, "scheme", t.scheme), "label", t.label)
		b = append(b, "></category>"...)
	}
	b = in(append(b, "<content"...), e.htmlLang, l)
	b = append(attribute(b, "type", "html"), '>')
	return append(escape.XML(b, e.html), "</content></entry>"...)
}

func atomLink(b []byte, rel, kind string, l incident.Lang, href string) []byte {
	b = attribute(append(b, "<link"...), "rel", rel)
	b = attribute(attribute(b, "type", kind), "hreflang", string(l))
	return append(attribute(b, "href", href), "></link>"...)
}

// element appends an element with a text and nothing else.
func element(b []byte, name, text string) []byte {
	b = append(append(append(b, '<'), name...), '>')
	b = append(escape.XML(b, text), "</"...)
	return append(append(b, name...), '>')
}

func attribute(b []byte, name, value string) []byte {
	b = append(append(append(b, ' '), name...), `="`...)
	return append(escape.XML(b, value), '"')
}

// in appends a text's language to its element where it is not the feed's own.
func in(b []byte, text, feed incident.Lang) []byte {
	if text == feed {
		return b
	}
	return attribute(b, "xml:lang", string(text))
}
