package page

import (
	"html/template"
	"slices"
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
		d := topicsData{Matrix: m.matrix(matrixRows, matrixColumns)}
		for i := range axes {
			d.Axes = append(d.Axes, m.axisCounts(&axes[i], 0))
		}
		return view{template: "topics", title: m.word("topics"), about: m.word("topics-lead"), section: address.Topics, data: d,
			crumbs: m.trail(crumb{Label: m.word("topics")})}, nil
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

type topicsData struct {
	Matrix *matrixView
	Axes   []axisCounts
}

type axisData struct {
	Label template.HTML
	Count string
	Terms []termEntry
}

type termEntry struct {
	counted
	Summary template.HTML
}

func (m *maker) axisPage(a *incident.Axis) (view, error) {
	d := axisData{Label: m.axes.of(a.ID), Count: countText(len(a.Terms), nounTerm(), m.lang)}
	for i := range a.Terms {
		t := &a.Terms[i]
		summary, err := m.inline(t.Summary)
		if err != nil {
			return view{}, err
		}
		d.Terms = append(d.Terms, termEntry{m.counted(t, m.lib.Count(t.Ref())), summary})
	}
	step := m.step("", a.Label)
	return view{template: "axis", title: step.Label, section: address.Topics, data: d,
		crumbs: m.trail(crumb{Href: m.href(address.Topics), Label: m.word("topics")}, step)}, nil
}

type topicData struct {
	Axis      template.HTML
	AxisHref  string
	Label     template.HTML
	LabelLang incident.Lang
	Summary   template.HTML
	Aliases   string
	SeeAlso   []template.HTML
	Prose     template.HTML
	Articles  []articleLine
	Years     *drawing
	With      *barsView
	Count     string // of all cases; "" on a page of older ones, as in [listData]
	Filter    string // as in [listData]
	Feeds     []fileLink
	List      caseList
}

// topicPage is a topic with its newest cases, or, for a page of older ones, just
// those: what is said of the topic as a whole stands on its first page.
func (m *maker) topicPage(a *incident.Axis, t *incident.Term, count int, list caseList) (view, error) {
	d := topicData{Axis: m.axes.of(a.ID), AxisHref: m.href(address.Axis(a.ID)), Filter: m.topicFilter(t.Ref(), count, list), List: list}
	d.Label, d.LabelLang = m.label(t.Label)
	var e errs
	d.Summary = keep[template.HTML](&e)(m.inline(t.Summary))
	if !list.Old {
		d.Count = countText(count, nounCase(), m.lang)
		d.Prose = keep[template.HTML](&e)(m.prose(t.Ref()))
		m.aroundTopic(t, &d)
	}
	step := m.step("", t.Label)
	d.Feeds = m.feedsOf(address.Topic(t.Ref(), 0), step.Label, count, list)
	return view{template: "topic", files: d.Feeds, title: step.Label, about: m.plain(t.Summary), section: address.Topics, data: d, reads: d.Prose != "", storms: hasStorm(d.Prose),
		crumbs: m.trail(crumb{Href: m.href(address.Topics), Label: m.word("topics")}, m.step(d.AxisHref, a.Label), step)}, e.first
}

// topicFilter is [maker.filterOf] for a topic; "" on an axis that cases are not
// narrowed by.
func (m *maker) topicFilter(ref incident.TermRef, count int, list caseList) string {
	if !slices.Contains(searchAxes(), ref.Axis) {
		return ""
	}
	return m.filterOf(address.ByTerm(ref), count, list)
}

// aroundTopic names a topic's other words and the topics near it.
func (m *maker) aroundTopic(t *incident.Term, d *topicData) {
	d.Aliases = strings.Join(t.Aliases(m.lang), ", ")
	d.Articles = m.articles.topics[t.Ref()]
	for _, ref := range t.SeeAlso {
		d.SeeAlso = append(d.SeeAlso, m.terms.at(ref).chip)
	}
	d.Years = m.topicYears(t.Ref())
	d.With = m.seenWith(t.Ref())
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

// checksOf are the check sections of a case's topics, the cause first; without
// any, the chips of those topics.
func (m *maker) checksOf(c *incident.Case) (checks []checkView, chips []template.HTML) {
	for _, a := range []incident.AxisID{incident.RootCause, incident.Contributing, incident.Components, incident.Symptoms} {
		for _, slug := range c.Terms(a) {
			ref := incident.TermRef{Axis: a, Slug: slug}
			t := m.terms.at(ref)
			chips = append(chips, t.chip)
			if k := m.checks.at(ref); k.html != "" && len(checks) < maxChecks {
				checks = append(checks, checkView{t.name, t.href, k.html, k.storms})
			}
		}
	}
	return checks, chips
}

// checkHTML is the check section of a topic as it stands on a case's page; "" when
// it has none.
type checkHTML struct {
	html   template.HTML
	storms bool // it has the figure of a retry storm
}

func (m *maker) check(ref incident.TermRef) (checkHTML, error) {
	t := m.topicText(ref)
	if t == nil {
		return checkHTML{}, nil
	}
	html := trusted(bound(nil, m.markup.Part(t.Text, checkSection, headingLevel, func(dest string) (string, bool) {
		if strings.HasPrefix(dest, "#") {
			return m.href(address.Topic(ref, 0)) + dest, true
		}
		return m.link(dest)
	})))
	k := checkHTML{html, hasStorm(html)}
	if html == "" || t.Lang == m.lang {
		return k, nil
	}
	var err error
	k.html, err = m.foreign("foreign", html, t.Lang)
	return k, err
}
