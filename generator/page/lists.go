package page

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

const (
	perPage     = 50  // cases on a page of a list
	orgsPerPage = 200 // organisations on a page of theirs: a line is short
	homeNewest  = 8
	homeTerms   = 12
	filterFrom  = 5 // cases of a list that is worth narrowing
)

// caseList is one page of a list of cases.
type caseList struct {
	Cases []template.HTML
	Old   bool // not the newest page: it says nothing that a new case changes
	Pager pager
}

// pager leads to the neighbours of a page of a list.
type pager struct {
	Prev, Next *navLink
	Range      string
}

// counted is an entry of a list with how many cases it has.
type counted struct {
	Href  string
	Label template.HTML
	Lang  incident.Lang
	Axis  template.HTML // of a term among those of other axes
	Count string
	Bar   template.HTML // where it stands among bars
}

// pages cuts a list that runs from new to old into pages that are filled from
// the oldest: page 0 is the newest, with what is left over, and page n counts
// from the oldest, so that a case added on top changes page 0 alone.
func pages(n, size int) (spans []span) {
	full := (n - 1) / size // pages besides the newest
	first := n - full*size
	spans = append(spans, span{0, 0, first})
	for p := full; p >= 1; p-- {
		spans = append(spans, span{p, first, first + size})
		first += size
	}
	return spans
}

// span is a page's number and its part of the list.
type span struct{ page, from, to int }

// paged plans the pages of a list of cases. show makes a page's view from its
// part of the list and, for the newest, from the whole list, and from
// nothing else of the cases.
func (m *maker) paged(cases []*incident.Case, at func(page int) address.Path, show func(list caseList) (view, error)) []output.File {
	if len(cases) == 0 {
		return []output.File{m.page(at(0), func() (view, error) { return show(caseList{}) })}
	}
	spans := pages(len(cases), perPage)
	out := make([]output.File, len(spans))
	for i, s := range spans {
		out[i] = m.page(at(s.page), func() (view, error) {
			list := caseList{Cases: m.linesOf(cases[s.from:s.to]), Old: s.page > 0, Pager: pager{Range: m.countedFromOldest(s, len(cases))}}
			if i > 0 {
				list.Pager.Prev = &navLink{Href: m.href(at(spans[i-1].page)), Label: m.word("newer")}
			}
			if i+1 < len(spans) {
				list.Pager.Next = &navLink{Href: m.href(at(spans[i+1].page)), Label: m.word("older")}
			}
			v, err := show(list)
			if list.Old {
				v.title += " · " + list.Pager.Range
				v.about = ""
			}
			return v, err
		})
		out[i].Data = func() output.Key { return partKey(cases, spans, i) }
	}
	return out
}

// partKey is what of the cases a page of a list is made from.
func partKey(cases []*incident.Case, spans []span, i int) output.Key {
	s := spans[i]
	if s.page == 0 {
		sum := incident.SumOfAll(cases)
		return output.KeyOf(string(sum[:]))
	}
	sum := incident.SumOfAll(cases[s.from:s.to])
	return output.KeyOf(string(sum[:]), strconv.Itoa(spans[i-1].page)) // its path says the rest
}

func (m *maker) rangeText(s span, n int) string {
	if m.lang == incident.KO {
		return fmt.Sprintf("%s건 중 %s–%s", group(n), group(s.from+1), group(s.to))
	}
	return fmt.Sprintf("%s–%s of %s", group(s.from+1), group(s.to), group(n))
}

// countedFromOldest says which cases of n a page holds, so that it stays true
// while newer ones are added.
func (m *maker) countedFromOldest(s span, n int) string {
	from, to := group(n-s.to+1), group(n-s.from)
	if m.lang == incident.KO {
		return "오래된 순으로 " + from + "–" + to
	}
	return from + "–" + to + ", counted from the oldest"
}

// listData is a page of a list of cases.
type listData struct {
	Heading string
	Count   string // of the whole list; "" on a page of older cases
	Filter  string // the same list where it can be narrowed; "" likewise
	Finder  *finder
	Feeds   []fileLink
	List    caseList
}

func (m *maker) listData(heading string, count int, list caseList) listData {
	d := listData{Heading: heading, List: list}
	if !list.Old {
		d.Count = countText(count, nounCase(), m.lang)
	}
	return d
}

// filterable is [maker.listData] of a list that can also be had by a filter.
func (m *maker) filterable(heading string, count int, list caseList, by address.Filter) listData {
	d := m.listData(heading, count, list)
	d.Filter = m.filterOf(by, count, list)
	return d
}

// filterOf leads to a list where it can be narrowed further; "" on a page of
// older cases, and where there is little to narrow.
func (m *maker) filterOf(by address.Filter, count int, list caseList) string {
	if list.Old || count < filterFrom {
		return ""
	}
	return m.site.Filtered(m.lang, by)
}

func (m *maker) caseLists() []output.File {
	all := m.lib.Newest()
	return m.paged(all, address.Cases, func(list caseList) (view, error) {
		d := m.listData(m.word("all-cases"), len(all), list)
		if !list.Old {
			d.Finder = m.finder("cases")
		}
		d.Feeds = m.feedsOf(address.Home, "", len(all), list)
		return view{template: "caselist", title: m.word("all-cases"), section: address.Cases(0), files: d.Feeds,
			data:   d,
			crumbs: m.trail(crumb{Label: m.word("cases")})}, nil
	})
}

// trail is the way from the home page to a page.
func (m *maker) trail(steps ...crumb) []crumb {
	return append([]crumb{{Href: m.href(address.Home), Label: m.word("home")}}, steps...)
}

// step is a crumb with the label of an axis or a term.
func (m *maker) step(href string, label incident.Text) crumb {
	c := crumb{Href: href, Label: m.plainLine(label)}
	if _, from := label.Best(m.lang); from != m.lang {
		c.Lang = from
	}
	return c
}

func (m *maker) orgPages() []output.File {
	var out []output.File
	orgs := m.lib.Orgs()
	for from, page := 0, 0; from < max(1, len(orgs)); from, page = from+orgsPerPage, page+1 {
		part := orgs[from:min(len(orgs), from+orgsPerPage)]
		out = append(out, m.page(address.OrgList(page), func() (view, error) { return m.orgsPage(part, page, len(orgs)) }))
	}
	for _, o := range orgs {
		out = append(out, m.paged(o.Cases, func(p int) address.Path { return address.Org(o.Slug, p) }, func(list caseList) (view, error) {
			d := m.filterable(o.Name, len(o.Cases), list, address.ByOrg(o.Slug))
			d.Feeds = m.feedsOf(address.Org(o.Slug, 0), o.Name, len(o.Cases), list)
			return view{template: "caselist", title: o.Name, section: address.Orgs, about: m.about(o.Name, o.Cases), files: d.Feeds,
				data:   d,
				crumbs: m.trail(crumb{Href: m.href(address.Orgs), Label: m.word("orgs")}, crumb{Label: o.Name})}, nil
		})...)
	}
	return out
}

type orgsData struct {
	Count string
	Orgs  []counted
	Pager pager
}

func (m *maker) orgsPage(part []library.Org, page, total int) (view, error) {
	d := orgsData{Count: countText(total, nounOrg(), m.lang), Orgs: m.orgCounts(part)}
	d.Pager.Range = m.rangeText(span{page, page * orgsPerPage, page*orgsPerPage + len(part)}, total)
	if page > 0 {
		d.Pager.Prev = &navLink{Href: m.href(address.OrgList(page - 1)), Label: m.word("previous")}
	}
	if (page+1)*orgsPerPage < total {
		d.Pager.Next = &navLink{Href: m.href(address.OrgList(page + 1)), Label: m.word("next")}
	}
	return view{template: "orgs", title: m.word("orgs"), section: address.Orgs, data: d, crumbs: m.trail(crumb{Label: m.word("orgs")})}, nil
}

// orgCounts are organisations with how many cases each has.
func (m *maker) orgCounts(orgs []library.Org) []counted {
	out := make([]counted, len(orgs))
	for i, o := range orgs {
		out[i] = counted{Href: m.href(address.Org(o.Slug, 0)), Label: m.escaped(o.Name), Count: group(len(o.Cases))}
	}
	return out
}

// yearCounts are the years, newest first, with how many cases each has.
func (m *maker) yearCounts() []counted {
	years := m.lib.Years()
	out := make([]counted, len(years))
	for i, y := range years {
		out[i] = counted{Href: m.href(address.Year(y.Year, 0)), Label: m.escaped(yearText(y.Year, m.lang)), Count: group(len(y.Cases))}
	}
	return out
}

func (m *maker) yearPages() []output.File {
	out := []output.File{m.page(address.Years, func() (view, error) {
		return view{template: "years", title: m.word("years"), section: address.Years, data: m.yearBars(), crumbs: m.trail(crumb{Label: m.word("years")})}, nil
	})}
	for _, y := range m.lib.Years() {
		out = append(out, m.paged(y.Cases, func(p int) address.Path { return address.Year(y.Year, p) }, func(list caseList) (view, error) {
			heading := yearText(y.Year, m.lang)
			return view{template: "caselist", title: heading, section: address.Years, about: m.about(heading, y.Cases),
				data:   m.filterable(heading, len(y.Cases), list, address.ByYear(y.Year)),
				crumbs: m.trail(crumb{Href: m.href(address.Years), Label: m.word("years")}, crumb{Label: heading})}, nil
		})...)
	}
	return out
}

func yearText(year int, l incident.Lang) string { return dateText(incident.Date{Year: year}, l) }

// about describes a list of cases by its newest ones.
func (m *maker) about(name string, cases []*incident.Case) string {
	parts := make([]string, 0, 3)
	for _, c := range cases[:min(len(cases), 2)] {
		parts = append(parts, m.plainLine(c.Title))
	}
	return name + ": " + countText(len(cases), nounCase(), m.lang) + ". " + strings.Join(parts, ". ")
}

// escaped is a plain string as HTML.
func (m *maker) escaped(s string) template.HTML {
	return trusted([]byte(template.HTMLEscapeString(s)))
}
