package address

import (
	"net/url"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// Search is the page of the full-text search.
const Search Path = "search/"

// SearchWordsFile is the output file with what the script of the search says in
// a language.
func SearchWordsFile(l incident.Lang, content []byte) string {
	return AssetFile("search-"+string(l)+".json", content)
}

// CaseDocs is what the addresses of the case documents begin with, as links of
// the site's own pages: ID.json follows.
func (s Site) CaseDocs() string { return s.Asset(MirrorRoot + string(CaseList) + "/") }

// Filter is one thing that the list of all cases can be narrowed by. Its zero
// value is none.
type Filter struct{ by, value string }

// ByTerm keeps the cases that carry a term.
func ByTerm(t incident.TermRef) Filter { return Filter{string(t.Axis), t.Slug} }

// ByOrg keeps the cases of an organisation.
func ByOrg(slug string) Filter { return Filter{"org", slug} }

// ByYear keeps the cases of a year.
func ByYear(year int) Filter { return Filter{"year", strconv.Itoa(year)} }

// Filtered is the list of all cases, narrowed, as a link of the site's own
// pages: "/cases/?root_cause=bug&components=database". It works by a script:
// without one it leads to the whole list.
func (s Site) Filtered(l incident.Lang, by ...Filter) string {
	query := make([]string, len(by))
	for i, f := range by {
		query[i] = url.QueryEscape(f.by) + "=" + url.QueryEscape(f.value)
	}
	return s.Href(l, cases) + "?" + strings.Join(query, "&")
}

// OpenSearchFile is the output file that tells browsers how to search the site
// in a language.
func (s Site) OpenSearchFile(l incident.Lang) string { return s.lang(l) + "opensearch.xml" }

// OpenSearch is the address of [Site.OpenSearchFile] as a link of the site's own pages.
func (s Site) OpenSearch(l incident.Lang) string { return s.Asset(s.OpenSearchFile(l)) }
