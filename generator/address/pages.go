package address

import (
	"maps"
	"slices"
	"time"

	"benchlet.com/incidentlib/generator/incident"
)

// Page is a page that a search engine is shown and a text may link.
type Page struct {
	Path    Path
	Langs   []incident.Lang // that it exists in; in the others it is a fallback
	Updated time.Time       // when it last changed; zero where that is not known
}

// Pages are the pages of a library that stand for themselves: no error page, no
// older page of a list, no withdrawn case. The order is always the same.
func Pages(c *incident.Collection) []Page {
	both := incident.Langs()
	out := make([]Page, 0, 2*len(c.Cases)+64)
	add := func(paths ...Path) {
		for _, p := range paths {
			out = append(out, Page{Path: p, Langs: both})
		}
	}
	add(Home, Search, cases, Topics, Orgs, Years, API, About, Contribute)
	orgs, years := map[string]bool{}, map[int]bool{}
	for _, one := range c.Cases {
		out = append(out, Page{Case(one.ID), one.PublishedIn(), one.UpdatedAt})
		orgs[one.OrgSlug], years[one.Date.Year] = true, true
	}
	if c.Vocabulary != nil {
		for _, a := range c.Vocabulary.Axes {
			add(Axis(a.ID))
			for i := range a.Terms {
				add(Topic(a.Terms[i].Ref(), 0))
			}
		}
	}
	if len(c.Articles) > 0 {
		add(Articles)
	}
	for i := range c.Articles {
		out = append(out, Page{Path: Article(c.Articles[i].Slug), Langs: c.Articles[i].PublishedIn()})
	}
	for _, slug := range slices.Sorted(maps.Keys(orgs)) {
		add(Org(slug, 0))
	}
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(years))) {
		add(Year(year, 0))
	}
	return out
}

// Fallback is the language that a reader of neither language is led to
// (x-default), of those that a page exists in: the site's own where it can be.
func (s Site) Fallback(langs []incident.Lang) incident.Lang {
	if slices.Contains(langs, s.def) {
		return s.def
	}
	return langs[0]
}
