package feed

import (
	"bytes"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/escape"
	"benchlet.com/incidentlib/generator/incident"
)

// json writes a document of JSON Feed 1.1, compact, with one final newline. The
// format has no field for the same feed in another language, and lets anyone
// add one that begins with "_".
func (m *maker) json(dst *bytes.Buffer, ch channel, l incident.Lang) error {
	other := l.Other()
	b := append(dst.AvailableBuffer(), '{')
	b = member(b, "version", "https://jsonfeed.org/version/1.1")
	b = member(b, "title", ch.title(l))
	b = member(b, "home_page_url", m.site.URL(l, ch.path))
	b = member(b, "feed_url", m.site.FileURL(l, address.JSONFeed(ch.path)))
	b = member(b, "description", m.order(l))
	b = member(b, "language", string(l))
	b = append(b, `,"authors":[{`...)
	b = member(b, "name", m.line(m.lib.Collection().Site.Title, l))
	b = member(b, "url", m.site.URL(l, address.Home))
	b = append(b, `}],"items":[`...)
	for i, c := range ch.cases() {
		if i > 0 {
			b = append(b, ',')
		}
		b = m.jsonItem(b, c, l)
	}
	b = append(b, `],"_other_language":{`...)
	b = member(b, "language", string(other))
	b = member(b, "feed_url", m.site.FileURL(other, address.JSONFeed(ch.path)))
	dst.Write(append(b, "}}\n"...))
	return nil
}

func (m *maker) jsonItem(b []byte, c *incident.Case, l incident.Lang) []byte {
	e := m.entry(c, l)
	b = append(b, '{')
	b = member(b, "id", e.url)
	b = member(b, "url", e.url)
	b = member(b, "title", e.title)
	b = member(b, "content_html", e.html)
	b = member(b, "date_modified", stamp(c.UpdatedAt))
	for i, t := range e.tags {
		if i == 0 {
			b = append(b, `,"tags":[`...)
		} else {
			b = append(b, ',')
		}
		b = escape.JSON(b, t.label)
	}
	if len(e.tags) > 0 {
		b = append(b, ']')
	}
	if e.htmlLang != l {
		b = member(b, "language", string(e.htmlLang))
	}
	return append(b, '}')
}

// member appends a member with a string to an object.
func member(b []byte, name, value string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), name...), `":`...)
	return escape.JSON(b, value)
}
