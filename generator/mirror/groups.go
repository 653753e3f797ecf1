package mirror

import (
	"strconv"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// orgSummary is an organisation in the list of all.
type orgSummary struct {
	Slug   string `json:"slug" is:"slug" doc:"The organisation's slug: the org_slug of its cases."`
	Name   string `json:"name" doc:"Its name."`
	Count  int    `json:"count" doc:"How many cases it has."`
	URL    string `json:"url" is:"uri" doc:"Its page, for people."`
	APIURL string `json:"api_url" is:"uri" doc:"Its document."`
}

// orgDoc is an organisation with its newest cases, and where all are.
type orgDoc struct {
	orgSummary
	Cases list[summary] `json:"cases" doc:"Its newest cases, at most 100; links lead to pages of all where there are more."`
}

func (m *Mirror) org(o *library.Org) orgSummary {
	return orgSummary{o.Slug, o.Name, len(o.Cases), m.site.URL(m.site.Default(), address.Org(o.Slug, 0)), m.site.Mirror(address.OrgDoc(o.Slug, 0))}
}

func (m *Mirror) orgs() []output.File {
	orgs := m.lib.Orgs()
	out := []output.File{document(address.OrgsDoc, func() any {
		items := make([]orgSummary, len(orgs))
		for i := range orgs {
			items[i] = m.org(&orgs[i])
		}
		return whole(m, address.OrgsDoc, items)
	})}
	for i := range orgs {
		o := &orgs[i]
		at := func(page int) address.Doc { return address.OrgDoc(o.Slug, page) }
		out = append(out, ofCases(m.listing(at(0), headOf(o.Cases), func() any { return orgDoc{m.org(o), m.cases(o.Cases, at)} }), o.Cases))
		out = append(out, m.morePages(o.Cases, at)...)
	}
	return out
}

// yearSummary is a year in the list of all.
type yearSummary struct {
	Year   int    `json:"year" doc:"The year of the cases' dates."`
	Count  int    `json:"count" doc:"How many cases it has."`
	URL    string `json:"url" is:"uri" doc:"Its page, for people."`
	APIURL string `json:"api_url" is:"uri" doc:"Its document."`
}

// yearDoc is a year with its newest cases, and where all are.
type yearDoc struct {
	yearSummary
	Cases list[summary] `json:"cases" doc:"Its newest cases, at most 100; links lead to pages of all where there are more."`
}

func yearAt(year int) func(page int) address.Doc {
	return func(page int) address.Doc { return address.YearDoc(strconv.Itoa(year), page) }
}

func (m *Mirror) year(y *library.Year) yearSummary {
	return yearSummary{y.Year, len(y.Cases), m.site.URL(m.site.Default(), address.Year(y.Year, 0)), m.site.Mirror(yearAt(y.Year)(0))}
}

func (m *Mirror) years() []output.File {
	years := m.lib.Years()
	out := []output.File{document(address.YearsDoc, func() any {
		items := make([]yearSummary, len(years))
		for i := range years {
			items[i] = m.year(&years[i])
		}
		return whole(m, address.YearsDoc, items)
	})}
	for i := range years {
		y := &years[i]
		out = append(out, ofCases(m.listing(yearAt(y.Year)(0), headOf(y.Cases), func() any { return yearDoc{m.year(y), m.cases(y.Cases, yearAt(y.Year))} }), y.Cases))
		out = append(out, m.morePages(y.Cases, yearAt(y.Year))...)
	}
	return out
}
