package page

import (
	"html/template"

	"benchlet.com/incidentlib/generator/incident"
)

// headingLevel is the level that the headings of texts stand under.
const headingLevel = 2

// block renders a text of several paragraphs. A text that the page's language
// lacks shows in the other one, marked as such and with its lang.
func (m *maker) block(t incident.Text) (template.HTML, error) {
	if t.IsZero() {
		return m.set.execute("none", nil)
	}
	text, from := t.Best(m.lang)
	body := trusted(m.markup.Block(nil, text, headingLevel))
	if from == m.lang {
		return body, nil
	}
	return m.foreign("foreign", body, from)
}

// inline renders a text of one line; one that is not known is a dash.
func (m *maker) inline(t incident.Text) (template.HTML, error) {
	if t.IsZero() {
		return m.set.execute("none", nil)
	}
	text, from := t.Best(m.lang)
	body := trusted(m.markup.Inline(nil, text, true))
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
	return trusted(m.markup.Inline(nil, text, false)), from
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
