package page

import (
	"fmt"
	"html/template"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
)

// termView is a term in every form in which pages show it.
type termView struct {
	label string // plain
	href  string // of its topic
	name  template.HTML
	chip  template.HTML // its name, linked to its topic
	md    string        // the same as Markdown
}

func (m *maker) termView(ref incident.TermRef) (termView, error) {
	t := m.lib.Collection().Vocabulary.Term(ref.Axis, ref.Slug)
	if t == nil {
		return termView{}, fmt.Errorf("the vocabulary has no term %s", ref)
	}
	at := address.Topic(ref, 0)
	v := termView{label: m.plainLine(t.Label), href: m.href(at)}
	v.md = "[" + string(markup.EscapeMarkdown(nil, v.label)) + "](<" + m.site.URL(m.lang, at) + ">)"
	var e errs
	v.name = keep[template.HTML](&e)(m.marked(t.Label))
	label, lang := m.label(t.Label)
	v.chip = keep[template.HTML](&e)(m.set.execute("chip", struct {
		Href  string
		Lang  incident.Lang
		Label template.HTML
	}{v.href, lang, label}))
	return v, e.first
}

func (m *maker) term(a incident.AxisID, slug string) *termView {
	return m.terms.at(incident.TermRef{Axis: a, Slug: slug})
}

func (m *maker) chipsOf(a incident.AxisID, slugs []string) []template.HTML {
	out := make([]template.HTML, len(slugs))
	for i, s := range slugs {
		out[i] = m.term(a, s).chip
	}
	return out
}

// chipOr is the chip of a term, or a dash where there is none.
func (m *maker) chipOr(a incident.AxisID, slug string) (template.HTML, error) {
	if slug == "" {
		return m.none, nil
	}
	return m.term(a, slug).chip, nil
}

// line is a case as it stands in lists.
func (m *maker) line(c *incident.Case) (template.HTML, error) {
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
		out[i] = m.lines.of(c)
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
