package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

const (
	searchTerms = 12 // terms of an axis that the search page begins with
	searchOrgs  = 24 // organisations likewise
)

// finder is what the script of the search needs to know of its page: what kind
// it is ("home", "search" or "cases") and where its data is.
type finder struct {
	Kind, Action  string
	Index, Words  string
	CasesAt, Docs string
	Ways          []navLink // that need no script
}

func (m *maker) finder(kind string) *finder {
	return &finder{Kind: kind, Action: m.href(address.Search), Index: m.site.SearchIndex(), Words: m.site.SearchWords(m.lang),
		CasesAt: m.href(address.Cases(0)), Docs: m.site.CaseDocs(),
		Ways: m.nav(view{}, []address.Path{address.Cases(0), address.Topics, address.Orgs, address.Years})}
}

// hasOwnBox are the pages that hold the search box themselves, so that the frame
// has none.
func hasOwnBox(v view) bool {
	return v.path == address.Search || v.path == address.Home && v.file == ""
}

type searchData struct {
	Finder    *finder
	Axes      []axisCounts
	Orgs      []counted
	OrgsHref  string
	Years     []counted
	YearsHref string
}

// searchPage is the search, and beneath it the indexes that lead to every case
// without one.
func (m *maker) searchPage() (view, error) {
	d := searchData{Finder: m.finder("search"), OrgsHref: m.href(address.Orgs), YearsHref: m.href(address.Years), Years: m.yearCounts()}
	for _, a := range searchAxes() {
		if axis := m.lib.Collection().Vocabulary.Axis(a); axis != nil {
			d.Axes = append(d.Axes, m.axisCounts(axis, searchTerms))
		}
	}
	orgs := slices.Clone(m.lib.Orgs())
	slices.SortStableFunc(orgs, func(a, b library.Org) int { return cmp.Compare(len(b.Cases), len(a.Cases)) })
	d.Orgs = m.orgCounts(orgs[:min(len(orgs), searchOrgs)])
	return view{template: "search", title: m.word("search"), about: m.word("search-hint"), section: address.Search, data: d,
		crumbs: m.trail(crumb{Label: m.word("search")})}, nil
}

// searchAxes are the axes that cases can be narrowed by, in the order in which
// readers are offered them.
func searchAxes() []incident.AxisID {
	return []incident.AxisID{incident.RootCause, incident.Symptoms, incident.Components, incident.Contributing, incident.Domain,
		incident.Detection, incident.Severity}
}

// searchWords is what the script of the search says: its own words, and the
// labels of what cases can be narrowed by.
type searchWords struct {
	Words map[string]string `json:"words"`
	Axes  []searchAxis      `json:"axes"`
}

type searchAxis struct {
	ID    string       `json:"id"` // also the name of the parameter in an address
	Label string       `json:"label"`
	Terms []searchTerm `json:"terms,omitempty"` // none of what is named by itself: a year, an organisation
}

// searchTerm is a term's slug and label, and the label's language where it is
// not the page's.
type searchTerm struct {
	Slug  string        `json:"slug"`
	Label string        `json:"label"`
	Lang  incident.Lang `json:"lang,omitempty"`
}

func (m *maker) searchWordsFile() output.File {
	return output.File{Path: address.SearchWordsFile(m.lang), Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		e := json.NewEncoder(dst)
		e.SetEscapeHTML(false)
		return e.Encode(m.searchWords())
	}}
}

func (m *maker) searchWords() searchWords {
	w := searchWords{Words: m.searchSays()}
	for _, id := range searchAxes() {
		axis := m.lib.Collection().Vocabulary.Axis(id)
		if axis == nil {
			continue
		}
		a := searchAxis{ID: string(id), Label: m.plainLine(axis.Label), Terms: make([]searchTerm, len(axis.Terms))}
		for i := range axis.Terms {
			label := axis.Terms[i].Label
			a.Terms[i] = searchTerm{Slug: axis.Terms[i].Slug, Label: m.plainLine(label)}
			if _, from := label.Best(m.lang); from != m.lang {
				a.Terms[i].Lang = from
			}
		}
		w.Axes = append(w.Axes, a)
	}
	w.Axes = append(w.Axes, searchAxis{ID: "duration", Label: m.word("search-duration"), Terms: []searchTerm{
		{Slug: "10m", Label: m.word("duration-10m")}, {Slug: "1h", Label: m.word("duration-1h")}, {Slug: "4h", Label: m.word("duration-4h")},
		{Slug: "1d", Label: m.word("duration-1d")}, {Slug: "7d", Label: m.word("duration-7d")},
		{Slug: "longer", Label: m.word("duration-longer")}, {Slug: "unknown", Label: m.word("duration-unknown")}}},
		searchAxis{ID: "year", Label: m.word("year")}, searchAxis{ID: "org", Label: m.word("org")})
	return w
}

// searchSays are the words of the script, by the names that it has for them.
func (m *maker) searchSays() map[string]string {
	return map[string]string{
		"results": m.word("search-results"), "result": m.word("search-result"),
		"cases": m.word("search-cases"), "case": m.word("search-case"),
		"busy": m.word("search-busy"), "none": m.word("search-none"), "relaxed": m.word("search-relaxed"), "ignored": m.word("search-ignored"),
		"tryFewer": m.word("search-try-fewer"), "tryOther": m.word("search-try-other"), "tryFilters": m.word("search-try-filters"),
		"tryWithout": m.word("search-try-without"), "tryBrowse": m.word("search-try-browse"),
		"filters": m.word("search-filters"), "remove": m.word("search-remove"), "clear": m.word("search-clear"),
		"more": m.word("search-more"), "moreValues": m.word("search-more-values"),
		"everything": m.word("search-everything"), "within": m.word("search-within"),
		"sort": m.word("search-sort"), "relevance": m.word("search-sort-relevance"), "newest": m.word("search-sort-newest"),
		"oldest": m.word("search-sort-oldest"), "longest": m.word("search-sort-longest"), "shortest": m.word("search-sort-shortest"),
		"failed": m.word("search-failed"), "offline": m.word("search-offline"), "retry": m.word("search-retry"),
		"summary": m.word("summary"), "symptoms_text": m.word("symptoms"), "trigger": m.word("trigger"), "lessons": m.word("lessons"),
		"remediation": m.word("remediation"), "action_items": m.word("action-items"), "topics": m.word("topics"),
	}
}
