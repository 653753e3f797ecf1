package page

import (
	"html/template"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// checkSection is the id of the section of a topic's prose that says how to
// check one's own system.
const checkSection = "check"

// maxChecks is how many topics' check sections a case page shows.
const maxChecks = 6

func (m *maker) topicPages() []output.File {
	axes := m.lib.Collection().Vocabulary.Axes
	out := []output.File{m.page(address.Topics, func() (view, error) {
		var d []axisCounts
		for i := range axes {
			d = append(d, m.axisCounts(&axes[i], 0))
		}
		return view{template: "topics", title: m.word("topics"), about: m.word("topics-lead"), section: address.Topics, data: d,
			crumbs: m.trail(crumb{"", m.word("topics")})}, nil
	})}
	for i := range axes {
		a := &axes[i]
		out = append(out, m.page(address.Axis(a.ID), func() (view, error) { return m.axisPage(a) }))
		for j := range a.Terms {
			t := &a.Terms[j]
			cases := m.lib.Topic(t.Ref())
			out = append(out, m.paged(cases, func(p int) address.Path { return address.Topic(t.Ref(), p) },
				func(list caseList) (view, error) { return m.topicPage(a, t, len(cases), list) })...)
		}
	}
	return out
}

type axisData struct {
	Label, Count string
	Terms        []termEntry
}

type termEntry struct {
	counted
	Summary template.HTML
}

func (m *maker) axisPage(a *incident.Axis) (view, error) {
	label := m.plainLine(a.Label)
	d := axisData{Label: label, Count: countText(len(a.Terms), nounTerm(), m.lang)}
	for i := range a.Terms {
		t := &a.Terms[i]
		summary, err := m.inline(t.Summary)
		if err != nil {
			return view{}, err
		}
		d.Terms = append(d.Terms, termEntry{m.counted(t, m.lib.Count(t.Ref())), summary})
	}
	return view{template: "axis", title: label, section: address.Topics, data: d,
		crumbs: m.trail(crumb{m.href(address.Topics), m.word("topics")}, crumb{"", label})}, nil
}

type topicData struct {
	Axis, AxisHref string
	Label          template.HTML
	LabelLang      incident.Lang
	Summary        template.HTML
	Aliases        string
	SeeAlso        []template.HTML
	Prose          template.HTML
	Articles       []articleLine
	With           []counted
	Count          string
	List           caseList
}

func (m *maker) topicPage(a *incident.Axis, t *incident.Term, count int, list caseList) (view, error) {
	d := topicData{Axis: m.plainLine(a.Label), AxisHref: m.href(address.Axis(a.ID)), Count: countText(count, nounCase(), m.lang), List: list,
		Aliases: strings.Join(t.Aliases(m.lang), ", ")}
	d.Articles = m.articles.topics[t.Ref()]
	d.Label, d.LabelLang = m.label(t.Label)
	for _, ref := range t.SeeAlso {
		d.SeeAlso = append(d.SeeAlso, m.chips[ref])
	}
	for _, tc := range m.lib.CoOccurring(t.Ref()) {
		if other := m.lib.Collection().Vocabulary.Term(tc.Term.Axis, tc.Term.Slug); other != nil {
			d.With = append(d.With, m.counted(other, tc.Count))
		}
	}
	var e errs
	d.Summary = keep[template.HTML](&e)(m.inline(t.Summary))
	d.Prose = keep[template.HTML](&e)(m.prose(t.Ref()))
	label := m.plainLine(t.Label)
	return view{template: "topic", title: label, about: m.plain(t.Summary), section: address.Topics, data: d,
		crumbs: m.trail(crumb{m.href(address.Topics), m.word("topics")}, crumb{d.AxisHref, d.Axis}, crumb{"", label})}, e.first
}

// topicText is a topic's prose in the page's language, else in the other.
func (m *maker) topicText(ref incident.TermRef) *incident.TopicText {
	if t := m.lib.TopicText(ref, m.lang); t != nil {
		return t
	}
	return m.lib.TopicText(ref, m.lang.Other())
}

// prose is a topic's text with its sections; "" when nobody has written one.
func (m *maker) prose(ref incident.TermRef) (template.HTML, error) {
	t := m.topicText(ref)
	if t == nil {
		return "", nil
	}
	html, err := m.set.execute("sections", m.sections(t.Text, 1))
	if err != nil || t.Lang == m.lang {
		return html, err
	}
	return m.foreign("foreign", html, t.Lang)
}

// checks are the check sections of a case's topics, the cause first; without
// any, the chips of those topics.
func (m *maker) checks(c *incident.Case) (checks []checkView, chips []template.HTML) {
	for _, a := range []incident.AxisID{incident.RootCause, incident.Contributing, incident.Components, incident.Symptoms} {
		for _, slug := range c.Terms(a) {
			ref := incident.TermRef{Axis: a, Slug: slug}
			chips = append(chips, m.chips[ref])
			if html, ok := m.checkOf[ref]; ok && len(checks) < maxChecks {
				checks = append(checks, checkView{m.termLabel(a, slug), m.href(address.Topic(ref, 0)), html})
			}
		}
	}
	return checks, chips
}

// checkSections are the check sections of all topics that have one.
func (m *maker) checkSections() (map[incident.TermRef]template.HTML, error) {
	out := map[incident.TermRef]template.HTML{}
	for _, a := range m.lib.Collection().Vocabulary.Axes {
		for i := range a.Terms {
			ref := a.Terms[i].Ref()
			t := m.topicText(ref)
			if t == nil {
				continue
			}
			for _, s := range m.sections(t.Text, headingLevel) {
				if s.ID != checkSection {
					continue
				}
				html := s.HTML
				var err error
				if t.Lang != m.lang {
					if html, err = m.foreign("foreign", html, t.Lang); err != nil {
						return nil, err
					}
				}
				out[ref] = html
			}
		}
	}
	return out, nil
}
