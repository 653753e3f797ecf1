package page

import (
	"html/template"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// chip is a term as it stands in pages: its label, linked to its topic.
func (m *maker) chip(ref incident.TermRef) (template.HTML, error) {
	t := m.lib.Collection().Vocabulary.Term(ref.Axis, ref.Slug)
	label, lang := m.label(t.Label)
	return m.set.execute("chip", struct {
		Href  string
		Lang  incident.Lang
		Label template.HTML
	}{m.href(address.Topic(t.Ref(), 0)), lang, label})
}

// termLabel is a term's label as plain text.
func (m *maker) termLabel(a incident.AxisID, slug string) string {
	if t := m.lib.Collection().Vocabulary.Term(a, slug); t != nil {
		return m.plainLine(t.Label)
	}
	return slug
}

func (m *maker) chipsOf(a incident.AxisID, slugs []string) []template.HTML {
	out := make([]template.HTML, len(slugs))
	for i, s := range slugs {
		out[i] = m.chips.of(incident.TermRef{Axis: a, Slug: s})
	}
	return out
}

// chipOr is the chip of a term, or a dash where there is none.
func (m *maker) chipOr(a incident.AxisID, slug string) (template.HTML, error) {
	if slug == "" {
		return m.set.execute("none", nil)
	}
	return m.chips.of(incident.TermRef{Axis: a, Slug: slug}), nil
}

// line is a case as it stands in lists.
func (m *maker) line(id string) (template.HTML, error) {
	c := m.lib.Case(id)
	title, lang := m.label(c.Title)
	return m.set.execute("caseline", struct {
		Href, ID  string
		Lang      incident.Lang
		Title     template.HTML
		Org, Year string
	}{m.href(address.Case(c.ID)), c.ID, lang, title, c.Org, c.Date.YearString()})
}

func (m *maker) linesOf(cases []*incident.Case) []template.HTML {
	out := make([]template.HTML, len(cases))
	for i, c := range cases {
		out[i] = m.lines.of(c.ID)
	}
	return out
}

// link maps a link that an editor wrote in a text. A fragment stays on the page,
// a path from the site's root in the page's language; all else is refused.
func (m *maker) link(dest string) (string, bool) {
	if strings.HasPrefix(dest, "#") {
		return dest, true
	}
	return m.site.TextHref(m.lang, dest)
}
