package page

import (
	"cmp"
	"html/template"
	"slices"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

type homeData struct {
	Tagline, Description template.HTML
	Finder               *finder
	Numbers              []number
	Newest               []template.HTML
	AllCases             string
	Charts               homeCharts
	Axes                 []axisCounts
	Random               *randomView
}

type number struct{ Href, Label, Count string }

func (m *maker) home() (view, error) {
	site := m.lib.Collection().Site
	d := homeData{Finder: m.finder("home"), AllCases: m.href(address.Cases(0)), Random: m.random(), Charts: m.homeCharts(),
		Newest: m.linesOf(m.lib.Newest()[:min(homeNewest, len(m.lib.Newest()))])}
	var e errs
	d.Tagline = keep[template.HTML](&e)(m.marked(site.Tagline))
	if d.Tagline == "" {
		d.Tagline = m.escaped(m.name)
	}
	if !site.Description.IsZero() {
		d.Description = keep[template.HTML](&e)(m.inline(site.Description))
	}
	terms := 0
	for _, a := range m.lib.Collection().Vocabulary.Axes {
		terms += len(a.Terms)
	}
	for _, n := range []struct {
		path  address.Path
		word  string
		count int
	}{{address.Cases(0), m.word("cases"), len(m.lib.Cases())}, {address.Orgs, m.word("orgs"), len(m.lib.Orgs())},
		{address.Years, m.word("years"), len(m.lib.Years())}, {address.Topics, m.word("terms"), terms}} {
		d.Numbers = append(d.Numbers, number{m.href(n.path), n.word, group(n.count)})
	}
	for _, a := range []incident.AxisID{incident.Symptoms, incident.Components, incident.Contributing} {
		d.Axes = append(d.Axes, m.axisCounts(m.lib.Collection().Vocabulary.Axis(a), homeTerms))
	}
	v := view{template: "home", data: d, about: m.plain(site.Description), chances: d.Random != nil}
	if len(m.lib.Cases()) > 0 {
		v.files = m.feedLinks(address.Home, "")
	}
	return v, e.first
}

// axisCounts is an axis with its terms and how many cases each has.
type axisCounts struct {
	ID, Href string
	Label    template.HTML
	Terms    []counted
}

// axisCounts lists an axis's terms: all in the editor's order, or with a limit
// the most frequent first.
func (m *maker) axisCounts(a *incident.Axis, limit int) axisCounts {
	out := axisCounts{ID: address.AxisSlug(a.ID), Href: m.href(address.Axis(a.ID)), Label: m.axes.of(a.ID)}
	terms := make([]*incident.Term, 0, len(a.Terms))
	for i := range a.Terms {
		if limit == 0 || m.lib.Count(a.Terms[i].Ref()) > 0 {
			terms = append(terms, &a.Terms[i])
		}
	}
	if limit > 0 {
		slices.SortStableFunc(terms, func(x, y *incident.Term) int {
			return cmp.Compare(m.lib.Count(y.Ref()), m.lib.Count(x.Ref()))
		})
		terms = terms[:min(limit, len(terms))]
	}
	for _, t := range terms {
		out.Terms = append(out.Terms, m.counted(t, m.lib.Count(t.Ref())))
	}
	return out
}

func (m *maker) counted(t *incident.Term, n int) counted {
	label, lang := m.label(t.Label)
	return counted{Href: m.href(address.Topic(t.Ref(), 0)), Label: label, Lang: lang, Count: group(n)}
}

func (m *maker) aboutPage() (view, error) {
	return m.textPage("about", m.word("about"), address.About, struct{ Contribute string }{m.href(address.Contribute)})
}

// textPage is a page whose body is written out in a template of its language.
func (m *maker) textPage(name, title string, path address.Path, data any) (view, error) {
	return view{template: name + "-" + string(m.lang), title: title, section: path, data: data, reads: true, crumbs: m.trail(crumb{Label: title})}, nil
}
