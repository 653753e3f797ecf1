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
	Kind, Action      string
	Index, Words      string
	CasesAt, TopicsAt string
	Docs              string
	Ways              []navLink // that need no script
}

func (m *maker) finder(kind string) *finder {
	return &finder{Kind: kind, Action: m.href(address.Search), Index: m.site.Search(), Words: m.site.Asset(address.SearchWordsFile(m.lang, m.says())),
		CasesAt: m.href(address.Cases(0)), TopicsAt: m.href(address.Topics), Docs: m.site.CaseDocs(),
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

// searchWords is what the script of the search says. What axes and terms are
// called, the index holds.
type searchWords struct {
	Words   map[string]string        `json:"words"`
	Axes    []searchAxis             `json:"axes"`              // that cases can be narrowed by, in the order in which they are offered
	Foreign map[string]incident.Lang `json:"foreign,omitempty"` // the languages of labels that are not in the page's, by "axis/slug"
}

// searchAxis is an axis and its terms, by which an address is known to ask for
// what there is. What is named by itself, a year or an organisation, has none.
type searchAxis struct {
	ID    string   `json:"id"` // also the name of the parameter in an address
	Terms []string `json:"terms,omitempty"`
}

// sayWords are the [searchWords] as the script reads them.
func (m *maker) sayWords() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(m.searchWords()) // strings alone do not fail
	return b.Bytes()
}

func (m *maker) searchWordsFile() output.File {
	return output.Bytes(address.SearchWordsFile(m.lang, m.says()), output.Asset, m.says())
}

func (m *maker) searchWords() searchWords {
	w := searchWords{Words: m.searchSays(), Foreign: map[string]incident.Lang{}}
	for _, id := range searchAxes() {
		axis := m.lib.Collection().Vocabulary.Axis(id)
		if axis == nil {
			continue
		}
		a := searchAxis{ID: string(id), Terms: make([]string, len(axis.Terms))}
		for i := range axis.Terms {
			t := &axis.Terms[i]
			a.Terms[i] = t.Slug
			if _, from := t.Label.Best(m.lang); from != m.lang {
				w.Foreign[t.Ref().String()] = from
			}
		}
		w.Axes = append(w.Axes, a)
	}
	w.Axes = append(w.Axes, searchAxis{ID: "duration", Terms: []string{"10m", "1h", "4h", "1d", "7d", "longer", "unknown"}},
		searchAxis{ID: "year"}, searchAxis{ID: "org"})
	return w
}

// searchSays are the words of the script, by the names that it has for them.
func (m *maker) searchSays() map[string]string {
	return map[string]string{
		"topics": m.word("topics"), "results": m.word("search-results"), "result": m.word("search-result"),
		"cases": m.word("search-cases"), "case": m.word("search-case"),
		"busy": m.word("search-busy"), "none": m.word("search-none"), "close": m.word("search-close"), "closeToo": m.word("search-close-too"), "ignored": m.word("search-ignored"),
		"tryFewer": m.word("search-try-fewer"), "tryOther": m.word("search-try-other"), "tryFilters": m.word("search-try-filters"),
		"tryWithout": m.word("search-try-without"), "tryBrowse": m.word("search-try-browse"),
		"filters": m.word("search-filters"), "remove": m.word("search-remove"), "clear": m.word("search-clear"),
		"more": m.word("search-more"), "moreValues": m.word("search-more-values"),
		"everything": m.word("search-everything"), "within": m.word("search-within"),
		"sort": m.word("search-sort"), "relevance": m.word("search-sort-relevance"), "newest": m.word("search-sort-newest"),
		"oldest": m.word("search-sort-oldest"), "changed": m.word("search-sort-changed"),
		"failed": m.word("search-failed"), "offline": m.word("search-offline"), "retry": m.word("search-retry"),
		"summary": m.word("summary"), "symptoms_text": m.word("symptoms"), "trigger": m.word("trigger"), "lessons": m.word("lessons"),
		"duration": m.word("search-duration"), "year": m.word("year"), "org": m.word("org"),
		"duration-10m": m.word("duration-10m"), "duration-1h": m.word("duration-1h"), "duration-4h": m.word("duration-4h"),
		"duration-1d": m.word("duration-1d"), "duration-7d": m.word("duration-7d"), "duration-longer": m.word("duration-longer"),
		"duration-unknown": m.word("duration-unknown"),
		"remediation":      m.word("remediation"), "action_items": m.word("action-items"),
	}
}
