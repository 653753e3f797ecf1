package generator_test

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/search"
)

// searchSays is what the script of the search reads beside the index.
type searchSays struct {
	Words map[string]string
	Axes  []struct {
		ID    string
		Terms []string
	}
	Foreign map[string]incident.Lang
}

func (s *site) searchSays(t *testing.T, lang string) searchSays {
	t.Helper()
	prefix := map[string]string{"ko": "ko/"}[lang]
	at := attr(find(s.page(prefix+"search/index.html").root, ".finder"), "data-words")
	var says searchSays
	if err := json.Unmarshal(s.bytes(s.resolve(t, "index.html", at).file), &says); err != nil {
		t.Fatal(err)
	}
	return says
}

// The script offers the filters that the index has, knows every term that a
// case can carry, and says the same things in both languages.
func TestSearchWords(t *testing.T) {
	t.Parallel()
	s, c := realSite(t), realCollection(t)
	en, ko := s.searchSays(t, "en"), s.searchSays(t, "ko")
	var offered []string
	for _, a := range en.Axes {
		offered = append(offered, a.ID)
		if axis := c.Vocabulary.Axis(incident.AxisID(a.ID)); axis != nil && len(a.Terms) != len(axis.Terms) {
			t.Errorf("%s has %d terms of %d", a.ID, len(a.Terms), len(axis.Terms))
		}
		if a.ID == search.FacetDuration && !slices.Equal(a.Terms, search.Durations()) {
			t.Errorf("the durations are %q, those of the index %q", a.Terms, search.Durations())
		}
	}
	if want := search.Facets(); !sameSet(offered, want) {
		t.Errorf("the filters are %q, those of the index %q", offered, want)
	}
	if !slices.Equal(sortedKeys(en.Words), sortedKeys(ko.Words)) {
		t.Error("the languages have other words")
	}
	for key, word := range ko.Words {
		if strings.Count(word, "{") != strings.Count(en.Words[key], "{") {
			t.Errorf("%s is %q and %q", key, en.Words[key], word)
		}
	}
	for _, d := range search.Durations() {
		if en.Words["duration-"+d] == "" {
			t.Errorf("the duration %s has no name", d)
		}
	}
}

// A label that the page's language lacks is known to be in the other one.
func TestSearchKnowsForeignLabels(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	foreign := s.searchSays(t, "ko").Foreign
	for _, a := range load(t, fullSeeds(t)).Vocabulary.Axes {
		for _, term := range a.Terms {
			lang := foreign[term.Ref().String()]
			if _, from := term.Label.Best(incident.KO); from == incident.EN && lang != from && slices.Contains(search.Facets(), string(a.ID)) {
				t.Errorf("%s is marked %q", term.Ref(), lang)
			}
		}
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// Without a script the search page leads to every axis, organisation and year.
func TestSearchPageLeadsOn(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	for _, lang := range []string{"", "ko/"} {
		page := s.page(lang + "search/index.html")
		var to []string
		for _, l := range page.links {
			if l.tag == "a" {
				to = append(to, strings.TrimPrefix(s.resolve(t, lang+"search/index.html", l.href).file, lang))
			}
		}
		for _, want := range []string{"topics/root-cause/index.html", "topics/components/database/index.html", "orgs/index.html", "years/index.html", "years/2023/index.html"} {
			if !slices.Contains(to, want) {
				t.Errorf("%ssearch/ does not lead to %s", lang, want)
			}
		}
	}
}

// Links to the filtered list name filters that there are.
func TestFilteredLinks(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	n := 0
	for _, file := range sortedKeys(s.pages) {
		for _, l := range s.page(file).links {
			u, err := url.Parse(l.href)
			if err != nil || u.RawQuery == "" || l.tag != "a" || path.Base(s.resolve(t, file, l.href).file) != "index.html" || u.Host != "" {
				continue
			}
			n++
			if !strings.HasSuffix(u.Path, "/cases/") {
				t.Errorf("%s: %s is no list of cases", file, l.href)
			}
			for axis, values := range u.Query() {
				if !slices.Contains(search.Facets(), axis) || values[0] == "" {
					t.Errorf("%s: %s asks for %s", file, l.href, axis)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no page leads to the filtered list")
	}
}

// Browsers are told how to search, in the language of the page that they show.
func TestOpenSearch(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	for _, lang := range []string{"", "ko/"} {
		var d struct {
			XMLName     xml.Name `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
			ShortName   string
			Description string
			URL         struct {
				Template string `xml:"template,attr"`
			} `xml:"Url"`
		}
		file := lang + "opensearch.xml"
		if err := xml.Unmarshal(s.bytes(file), &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if n := len([]rune(d.ShortName)); n == 0 || n > 16 || d.Description == "" {
			t.Errorf("%s: it is called %q, %q", file, d.ShortName, d.Description)
		}
		if want := s.base + "/" + lang + "search/?q={searchTerms}"; d.URL.Template != want {
			t.Errorf("%s leads to %s, not %s", file, d.URL.Template, want)
		}
		for _, page := range sortedKeys(s.pages) {
			if strings.HasPrefix(page, "ko/") != (lang == "ko/") {
				continue
			}
			links := findAll(find(s.page(page).root, "head"), "link")
			if !slices.ContainsFunc(links, func(n *html.Node) bool {
				return attr(n, "rel") == "search" && s.resolve(t, page, attr(n, "href")).file == file
			}) {
				t.Errorf("%s does not name %s", page, file)
			}
		}
	}
}
