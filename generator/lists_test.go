package generator_test

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// manySize is the length of a list of several pages, the newest not full.
const manySize = 260

func manyCases(t testing.TB, n int) *incident.Collection {
	t.Helper()
	return load(t, newSeeds(t, newSite(), newVocab(manyVocab()), many(n)...))
}

var manySite = shared(func(t testing.TB) *site { return newSiteOf(t, manyCases(t, manySize), false) })

// listsOfMany are the first pages of the lists that hold every case of manySite.
func listsOfMany() []string {
	return []string{"cases/", "orgs/many/", "topics/root-cause/common/", "topics/components/shared-part/", "topics/domain/area/", "ko/cases/"}
}

// A long list is walked from its newest page by "older", and back by "newer":
// no page has more than 50 cases, and each case is met once, newest first.
func TestLongLists(t *testing.T) {
	t.Parallel()
	s := manySite(t)
	for _, list := range listsOfMany() {
		t.Run(list, func(t *testing.T) {
			t.Parallel()
			there, ids := s.walk(t, list+"index.html", "next")
			if len(ids) != manySize || !slices.IsSortedFunc(ids, func(a, b string) int { return strings.Compare(b, a) }) {
				t.Errorf("%d cases, want %d from the newest on", len(ids), manySize)
			}
			if n := len(slices.Compact(slices.Clone(ids))); n != len(ids) {
				t.Errorf("%d cases are there twice", len(ids)-n)
			}
			back, _ := s.walk(t, there[len(there)-1], "prev")
			slices.Reverse(back)
			if !slices.Equal(there, back) {
				t.Errorf("there by %v, back by %v", there, back)
			}
		})
	}
}

// walk follows the links of a relation from a page on, and returns the pages
// and the ids of the cases that they list.
func (s *site) walk(t *testing.T, file, rel string) (files, ids []string) {
	t.Helper()
	for file != "" {
		if slices.Contains(files, file) || s.page(file) == nil {
			t.Fatalf("the walk %v leads to %q", files, file)
		}
		files = append(files, file)
		onPage := idsIn(find(s.page(file).root, "main"))
		if len(onPage) == 0 || len(onPage) > 50 {
			t.Errorf("%s lists %d cases", file, len(onPage))
		}
		ids = append(ids, onPage...)
		from := file
		file = ""
		for _, a := range findAll(find(s.page(from).root, ".pager"), "a") {
			if attr(a, "rel") == rel {
				file = s.resolve(t, from, attr(a, "href")).file
			}
		}
	}
	return files, ids
}

// idsIn are the ids of the cases that an element lists.
func idsIn(n *html.Node) []string {
	var out []string
	for _, list := range findAll(n, ".cases") {
		for _, id := range findAll(list, ".id") {
			out = append(out, visible(id))
		}
	}
	return out
}

// A case that is added as the newest changes only what shows the newest or
// counts; pages of older cases keep their bytes.
func TestAddedCase(t *testing.T) {
	t.Parallel()
	before, after := manySite(t), newSiteOf(t, manyCases(t, manySize+1), false)
	added := manyCase(manySize)["id"].(string)
	changes := []*regexp.Regexp{
		regexp.MustCompile(`^(ko/)?cases/` + added + `/index\.html$`),
		regexp.MustCompile(`^(ko/)?(|search/|cases/|topics/|orgs/|years/)index\.html$`),
		regexp.MustCompile(`^(ko/)?topics/(root-cause/(common/)?|components/(shared-part/)?|domain/(area/)?|date-kind/(incident/)?)index\.html$`),
		regexp.MustCompile(`^(ko/)?orgs/many/index\.html$`),
		regexp.MustCompile(`^(ko/)?years/2020/index\.html$`),
		regexp.MustCompile(`^(sitemap\.xml|cases/ids\.json)$`),
		regexp.MustCompile(`^(ko/)?cases/` + added + `\.md$`),
		regexp.MustCompile(`^api/v1/(index|cases|vocab|orgs|orgs/many|years|years/2020|changes|topics/[a-z_]+|dumps/index)\.json$`),
		regexp.MustCompile(`^api/v1/(manifest\.ndjson|dumps/(cases-00|summaries)\.ndjson\.gz|dumps/summaries\.csv)$`),
		regexp.MustCompile(`^api/v1/openapi\.(json|yaml)$`), // its example of what is similar: all are here
		regexp.MustCompile(`^api/v1/topics/(root_cause/common|components/shared-part|domain/area|date_kind/incident)\.json$`),
		regexp.MustCompile(`/pages/0003\.json$`), // the last of 261, which is not full
		regexp.MustCompile(`^api/v1/cases/` + added + `(/similar)?\.json$`),
	}
	// Who is related or similar to whom is another question: see below.
	// What an edit does to the search index is that package's to test: its files
	// are named by their content.
	passed := regexp.MustCompile(`^(ko/)?cases/IL-1\d{3}/index\.html$|/similar\.json$|^search/`)
	for _, file := range sortedKeys(after.files) {
		same := bytes.Equal(before.bytes(file), after.bytes(file))
		expected := passed.MatchString(file) || slices.ContainsFunc(changes, func(r *regexp.Regexp) bool { return r.MatchString(file) })
		if !same && !expected {
			t.Errorf("%s changed", file)
		}
		if strings.Contains(file, "/page/") && path.Ext(file) == ".html" && !same {
			t.Errorf("%s, a page of older cases, changed", file)
		}
	}
	for _, file := range sortedKeys(before.files) {
		if _, kept := after.files[file]; !kept && !strings.HasPrefix(file, "search/s/") {
			t.Errorf("%s is gone", file)
		}
	}
}

// A case that is added changes the pages of those cases alone whose lists of
// related cases have it, and the documents of those that it is similar to.
func TestAddedCaseBesideOthers(t *testing.T) {
	t.Parallel()
	terms := manyVocab()
	terms[incident.Components] = append(terms[incident.Components], newTerm("second", both("Second", "둘째"), both("Another part.", "다른 부품.")))
	cases := many(80)
	for i, c := range cases[:40] {
		c["components"] = []string{"shared-part", "second"}
		cases[40+i]["root_cause"] = nil // these show what is similar
	}
	added := manyCase(80) // the newest, and shares one component of two
	before := load(t, newSeeds(t, newSite(), newVocab(terms), cases...))
	after := load(t, newSeeds(t, newSite(), newVocab(terms), append(cases, added)...))
	was, is := newSiteOf(t, before, false), newSiteOf(t, after, false)
	libWas, libIs := library.New(before), library.New(after)
	kept := 0
	for _, c := range before.Cases {
		relatedWas, similarWas := besides(libWas, c.ID)
		relatedIs, similarIs := besides(libIs, c.ID)
		for _, file := range []string{"cases/" + c.ID + "/index.html", "ko/cases/" + c.ID + "/index.html"} {
			same := bytes.Equal(was.bytes(file), is.bytes(file))
			if !same && relatedWas == relatedIs && (relatedIs != "" || similarWas == similarIs) {
				t.Errorf("%s changed: %s", file, firstDifference(string(is.bytes(file)), string(was.bytes(file))))
			}
			if same {
				kept++
			}
		}
		file := "api/v1/cases/" + c.ID + "/similar.json"
		if same := bytes.Equal(was.bytes(file), is.bytes(file)); same != (similarWas == similarIs) {
			t.Errorf("%s: the same: %t, and who is similar: %t", file, same, similarWas == similarIs)
		}
	}
	if kept < 80 {
		t.Errorf("only %d pages kept their bytes", kept)
	}
}

// besides writes down what a library puts beside a case.
func besides(l *library.Library, id string) (related, similar string) {
	r := l.Related(l.Case(id))
	for _, c := range r.Chosen {
		related += c.ID + " "
	}
	for _, s := range r.Shared {
		related += fmt.Sprint(s.Case.ID, s.Components, " ")
	}
	for _, s := range l.Similar(l.Case(id)) {
		similar += fmt.Sprint(s.Case.ID, s.Score, s.Parts, s.WordsEN, s.WordsKO, " ")
	}
	return related, similar
}

// However often an incident came back, the page of a case shows a part of the
// chain, and says how many it leaves out.
func TestLongChain(t *testing.T) {
	t.Parallel()
	cases := many(400)
	for i := 1; i < len(cases); i++ {
		cases[i]["recurrence_of"] = cases[i-1]["id"]
	}
	s := newSiteOf(t, load(t, newSeeds(t, newSite(), newVocab(manyVocab()), cases...)), false)
	for file, want := range map[string]string{"cases/IL-1200/index.html": "195 more between", "ko/cases/IL-1200/index.html": "그 사이 195건"} {
		chain := find(s.page(file).root, "#recurrence")
		if n := len(idsIn(chain)); n != 11 {
			t.Errorf("%s shows %d cases of the chain", file, n)
		}
		if !strings.Contains(visible(chain), want) {
			t.Errorf("%s does not say %q: %s", file, want, visible(chain))
		}
		if n := len(s.bytes(file)); n > 40_000 {
			t.Errorf("%s has %d bytes", file, n)
		}
	}
}
