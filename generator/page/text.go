package page

import (
	"html/template"

	"benchlet.com/incidentlib/generator/incident"
)

// The levels of the headings that texts stand under: the page's own for what
// comes straight below it, else that of a section.
const (
	titleLevel   = 1
	headingLevel = 2
)

// block renders a text of several paragraphs under a heading of a section.
func (m *maker) block(t incident.Text) (template.HTML, error) { return m.blockUnder(t, headingLevel) }

// blockUnder renders a text of several paragraphs under a heading of some level.
// A text that the page's language lacks shows in the other one, marked as such
// and with its lang.
func (m *maker) blockUnder(t incident.Text, level int) (template.HTML, error) {
	if t.IsZero() {
		return m.none, nil
	}
	text, from := t.Best(m.lang)
	body := m.rendered(func(to []byte) []byte { return m.markup.Block(to, text, level) })
	if from == m.lang {
		return body, nil
	}
	return m.foreign("foreign", body, from)
}

// inline renders a text of one line; one that is not known is a dash.
func (m *maker) inline(t incident.Text) (template.HTML, error) {
	if t.IsZero() {
		return m.none, nil
	}
	text, from := t.Best(m.lang)
	body := m.rendered(func(to []byte) []byte { return m.markup.Inline(to, text, true) })
	if from == m.lang {
		return body, nil
	}
	return m.foreign("foreign-inline", body, from)
}

func (m *maker) foreign(name string, body template.HTML, from incident.Lang) (template.HTML, error) {
	note := m.word("only-en")
	if from == incident.KO {
		note = m.word("only-ko")
	}
	return m.set.execute(name, struct {
		Lang, PageLang incident.Lang
		Note           string
		HTML           template.HTML
	}{from, m.lang, note, body})
}

// label renders a text that stands inside a link or a heading: no links in it.
// lang is "" when it is in the page's language.
func (m *maker) label(t incident.Text) (html template.HTML, lang incident.Lang) {
	text, from := t.Best(m.lang)
	if from == m.lang {
		from = ""
	}
	return m.rendered(func(to []byte) []byte { return m.markup.Inline(to, text, false) }), from
}

// rendered is HTML that a function of the markup package appends, for a page.
func (m *maker) rendered(appendTo func(to []byte) []byte) template.HTML {
	h, ok := m.halves.Get().(*halves)
	if !ok {
		h = &halves{}
	}
	defer m.halves.Put(h)
	h.marked = appendTo(h.marked[:0])
	html := bound(h.bound[:0], h.marked)
	if len(html) > len(h.marked) { // what is bound gets longer
		h.bound = html
	}
	return trusted(html)
}

// halves is memory for a text on its way to a page, which has some twenty: as the
// markup package makes it, and as [bound] does.
type halves struct{ marked, bound []byte }

// marked is a label as it stands among other words: in an element with its lang
// where it is not in the page's language.
func (m *maker) marked(t incident.Text) (template.HTML, error) {
	html, lang := m.label(t)
	if lang == "" {
		return html, nil
	}
	return m.set.execute("marked", struct {
		Lang incident.Lang
		HTML template.HTML
	}{lang, html})
}

// plain is a text of paragraphs without markup, for descriptions.
func (m *maker) plain(t incident.Text) string {
	text, _ := t.Best(m.lang)
	return m.markup.Plain(text)
}

// plainLine is a text of one line without markup, for titles and labels.
func (m *maker) plainLine(t incident.Text) string {
	text, _ := t.Best(m.lang)
	return m.markup.PlainLine(text)
}

func (m *maker) blocks(ts []incident.Text) ([]template.HTML, error) {
	out := make([]template.HTML, len(ts))
	for i, t := range ts {
		var err error
		if out[i], err = m.block(t); err != nil {
			return nil, err
		}
	}
	return out, nil
}
