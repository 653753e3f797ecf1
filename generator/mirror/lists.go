package mirror

import (
	"slices"
	"strconv"
	"sync"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// perPage is how many summaries a document holds.
const perPage = 100

// list is a document that lists something, or the first part of a long list:
// how many there are in all, how many are in this document, and where the
// others are.
type list[T any] struct {
	Total int   `json:"total" doc:"How many there are in all."`
	Count int   `json:"count" doc:"How many are in this document."`
	Items []T   `json:"items" doc:"The entries."`
	Links links `json:"links" doc:"Where the list and its pages are."`
}

// links are absolute addresses; null where there is no such document.
type links struct {
	pageLinks
	Last *string `json:"last" is:"uri" doc:"The last page; null where there are no pages."`
}

// listPage is a numbered page of a long list. It says nothing of the whole, so
// that a page that is full keeps its bytes while the list grows.
type listPage[T any] struct {
	Count int       `json:"count" doc:"How many are in this page."`
	Items []T       `json:"items" doc:"The entries."`
	Links pageLinks `json:"links" doc:"Where the other pages are."`
}

type pageLinks struct {
	Self  string  `json:"self" is:"uri" doc:"This document."`
	First *string `json:"first" is:"uri" doc:"The first page; null where there are no pages."`
	Prev  *string `json:"prev" is:"uri" doc:"The page before; null where there is none."`
	Next  *string `json:"next" is:"uri" doc:"The page after; null where there is none."`
}

// alone are the links of a list that is whole.
func (m *Mirror) alone(self address.Doc) links {
	return links{pageLinks: pageLinks{Self: m.site.Mirror(self)}}
}

// whole is a list in one document.
func whole[T any](m *Mirror, self address.Doc, items []T) list[T] {
	return list[T]{len(items), len(items), filled(items), m.alone(self)}
}

// summary is a case in a list (MIRROR 2.4).
type summary struct {
	ID         string   `json:"id" is:"id" doc:"The case's id."`
	Org        string   `json:"org" doc:"The organisation."`
	OrgSlug    string   `json:"org_slug" is:"slug" doc:"The organisation's slug."`
	Date       string   `json:"date" is:"date" doc:"When it happened, or was published: a day, a month or a year."`
	DateKind   string   `json:"date_kind" is:"slug" doc:"What the date stands for: a term of the axis date_kind."`
	Title      text     `json:"title" doc:"Mechanism and effect in one sentence, as Markdown."`
	Domain     []string `json:"domain" is:"slug" doc:"Fields of technology: terms of the axis domain."`
	RootCause  *string  `json:"root_cause" is:"slug" doc:"The root cause, a term of the axis root_cause; null where it is not known."`
	Components []string `json:"components" is:"slug" doc:"Parts of the system that failed: terms of the axis components."`
	UpdatedAt  string   `json:"updated_at" is:"time" doc:"When the case was last changed, as its document has it."`
	URL        string   `json:"url" is:"uri" doc:"The case's page, for people."`
	APIURL     string   `json:"api_url" is:"uri" doc:"The case's document."`
}

func (m *Mirror) summary(c *incident.Case) summary {
	return summary{ID: c.ID, Org: c.Org, OrgSlug: c.OrgSlug, Date: c.Date.String(), DateKind: c.DateKind, Title: textOf(c.Title),
		Domain: filled(c.Domain), RootCause: nullable(c.RootCause), Components: filled(c.Components),
		UpdatedAt: c.Updated, URL: m.site.URL(m.site.Default(), address.Case(c.ID)), APIURL: m.site.Mirror(address.CaseDoc(c.ID))}
}

// filled is a list that JSON writes as [] when it is empty.
func filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// lists are the newest cases, and all of them in ascending order of ids, so
// that a page that is full never changes but by an edit of its cases.
func (m *Mirror) lists() []output.File {
	newest := m.lib.Newest()
	out := []output.File{m.listing(address.CaseList, headOf(newest), func() any {
		l := m.cases(newest, constant(address.CaseList))
		l.Links = m.headLinks(address.CaseList, address.CaseListPage, len(newest))
		return l
	})}
	return append(out, m.pages(len(newest), m.lib.Cases, address.CaseListPage)...)
}

func constant(d address.Doc) func(page int) address.Doc {
	return func(int) address.Doc { return d }
}

// headOf are the first of some cases, as many as a document holds.
func headOf(cases []*incident.Case) func() []*incident.Case {
	return func() []*incident.Case { return cases[:min(perPage, len(cases))] }
}

// cases are the newest of some cases, within another document, which is a
// [Mirror.listing]; where there are more than fit, they have pages of their own.
// at is the address of that document at 0 and of its pages.
func (m *Mirror) cases(newest []*incident.Case, at func(page int) address.Doc) list[summary] {
	l := list[summary]{len(newest), len(headOf(newest)()), []summary{}, m.alone(at(0))}
	if len(newest) > perPage {
		l.Links = m.headLinks(at(0), at, len(newest))
	}
	return l
}

// ofCases is a document that is made from some cases and nothing else of them.
func ofCases(f output.File, cases []*incident.Case) output.File {
	f.Data = func() output.Key {
		sum := incident.SumOfAll(cases)
		return output.KeyOf(string(sum[:]))
	}
	return f
}

// morePages are the pages of some cases where [Mirror.cases] needs them.
func (m *Mirror) morePages(newest []*incident.Case, at func(page int) address.Doc) []output.File {
	if len(newest) <= perPage {
		return nil
	}
	return m.pages(len(newest), sync.OnceValue(func() []*incident.Case { return byID(newest) }), at)
}

// byID sorts cases by ascending id, so that full pages keep their cases.
func byID(cases []*incident.Case) []*incident.Case {
	return slices.SortedFunc(slices.Values(cases), func(a, b *incident.Case) int { return incident.CompareIDs(a.ID, b.ID) })
}

// pages cuts n cases into documents of 100, from 1. The cases are asked for when
// the first document is.
func (m *Mirror) pages(n int, cases func() []*incident.Case, at func(page int) address.Doc) []output.File {
	var out []output.File
	for from, page := 0, 1; from < n; from, page = from+perPage, page+1 {
		part := func() []*incident.Case { return cases()[from:min(n, from+perPage)] }
		f := m.listing(at(page), part, func() any { return listPage[summary]{len(part()), []summary{}, m.pageLinks(at, page, n)} })
		f.Data = func() output.Key {
			sum := incident.SumOfAll(part())
			return output.KeyOf(string(sum[:]), strconv.FormatBool(from+perPage < n))
		}
		out = append(out, f)
	}
	return out
}

// headLinks lead from the document before the pages of n entries to the first
// and the last of them.
func (m *Mirror) headLinks(self address.Doc, at func(page int) address.Doc, n int) links {
	l := m.alone(self)
	l.First, l.Last = m.pageLink(at, 1, n), m.pageLink(at, (n+perPage-1)/perPage, n)
	return l
}

func (m *Mirror) pageLinks(at func(page int) address.Doc, page, n int) pageLinks {
	return pageLinks{m.site.Mirror(at(page)), m.pageLink(at, 1, n), m.pageLink(at, page-1, n), m.pageLink(at, page+1, n)}
}

// pageLink is the address of a page of n entries; nil when there is none.
func (m *Mirror) pageLink(at func(page int) address.Doc, page, n int) *string {
	if page < 1 || (page-1)*perPage >= n {
		return nil
	}
	return nullable(m.site.Mirror(at(page)))
}
