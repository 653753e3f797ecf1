package mirror

import (
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// perPage is how many summaries a document holds.
const perPage = 100

// list is a document that lists something, or the first part of a long list:
// how many there are in all, how many are in this document, and where the
// others are.
type list struct {
	Total int   `json:"total"`
	Count int   `json:"count"`
	Items any   `json:"items"`
	Links links `json:"links"`
}

// links are absolute addresses; null where there is no such document.
type links struct {
	pageLinks
	Last *string `json:"last"`
}

// listPage is a numbered page of a long list. It says nothing of the whole, so
// that a page that is full keeps its bytes while the list grows.
type listPage struct {
	Count int       `json:"count"`
	Items any       `json:"items"`
	Links pageLinks `json:"links"`
}

type pageLinks struct {
	Self  string  `json:"self"`
	First *string `json:"first"`
	Prev  *string `json:"prev"`
	Next  *string `json:"next"`
}

// alone are the links of a list that is whole.
func (m *Mirror) alone(self address.Doc) links {
	return links{pageLinks: pageLinks{Self: m.site.Mirror(self)}}
}

// summary is a case in a list (MIRROR 2.4).
type summary struct {
	ID         string   `json:"id"`
	Org        string   `json:"org"`
	OrgSlug    string   `json:"org_slug"`
	Date       string   `json:"date"`
	DateKind   string   `json:"date_kind"`
	Title      *text    `json:"title"`
	Domain     []string `json:"domain"`
	RootCause  *string  `json:"root_cause"`
	Components []string `json:"components"`
	UpdatedAt  string   `json:"updated_at"`
	URL        string   `json:"url"`
	APIURL     string   `json:"api_url"`
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

func (m *Mirror) summaries(cases []*incident.Case) []summary {
	out := make([]summary, len(cases))
	for i, c := range cases {
		out[i] = m.summary(c)
	}
	return out
}

// lists are the newest cases, and all of them in ascending order of ids, so
// that a page that is full never changes but by an edit of its cases.
func (m *Mirror) lists() []output.File {
	newest := m.lib.Newest()
	out := []output.File{document(address.CaseList, func() any {
		head := newest[:min(perPage, len(newest))]
		return list{len(newest), len(head), m.summaries(head), m.headLinks(address.CaseList, address.CaseListPage, len(newest))}
	})}
	return append(out, m.pages(len(newest), m.lib.Cases, address.CaseListPage)...)
}

// pages cuts n cases into documents of 100, from 1. The cases are asked for when
// the first document is.
func (m *Mirror) pages(n int, cases func() []*incident.Case, at func(page int) address.Doc) []output.File {
	var out []output.File
	for from, page := 0, 1; from < n; from, page = from+perPage, page+1 {
		out = append(out, document(at(page), func() any {
			part := cases()[from:min(n, from+perPage)]
			return listPage{len(part), m.summaries(part), m.pageLinks(at, page, n)}
		}))
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

// near is a case that resembles another, with the parts of its score.
type near struct {
	summary
	Score int    `json:"score"`
	Why   []part `json:"why"`
}

// part is one reason: the terms of an axis that both cases carry, or, where
// axis is "wording", the distinctive words that both texts use.
type part struct {
	Axis  string              `json:"axis"`
	Terms []string            `json:"terms"`
	Words map[string][]string `json:"words,omitempty"` // by language
	Score int                 `json:"score"`
}

func (m *Mirror) similar(c *incident.Case) list {
	found := m.lib.Similar(c)
	items := make([]near, len(found))
	for i := range found {
		items[i] = near{m.summary(found[i].Case), found[i].Score, parts(&found[i])}
	}
	return list{len(items), len(items), items, m.alone(address.SimilarDoc(c.ID))}
}

func parts(s *library.Similar) []part {
	out := make([]part, len(s.Parts))
	for i, p := range s.Parts {
		out[i] = part{Axis: string(p.Axis), Terms: filled(p.Terms), Score: p.Score}
		if p.Axis == "" {
			out[i].Axis = "wording"
			out[i].Words = map[string][]string{}
			for _, l := range incident.Langs() {
				out[i].Words[string(l)] = filled(s.Words(l))
			}
		}
	}
	return out
}
