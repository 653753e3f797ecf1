package generator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/incident"
)

// documents are the JSON files of a site.
func (s *site) documents() []string {
	return slices.DeleteFunc(sortedKeys(s.files), func(f string) bool { return !strings.HasPrefix(f, "api/v1/") || path.Ext(f) != ".json" })
}

// Every document is JSON without a name given twice or bad UTF-8, in one line;
// no list is null, no number is written as 1e5, nothing is escaped for HTML.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(testing.TB) *site{"real": realSite, "full": fullSite, "many": manySite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := of(t)
			for _, file := range s.documents() {
				if name == "many" && strings.HasPrefix(file, "api/v1/cases/IL-") {
					continue // as in the others
				}
				b := s.bytes(file)
				if v := jsontext.Value(bytes.TrimSuffix(b, []byte("\n"))); !v.IsValid(jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false)) {
					t.Errorf("%s is not strict JSON", file)
				}
				if bytes.Count(b, []byte("\n")) != 1 || b[len(b)-1] != '\n' {
					t.Errorf("%s is not one line with one line end", file)
				}
				if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) || regexp.MustCompile(`\\u00(3c|3e|26|3C|3E)`).Match(b) {
					t.Errorf("%s begins with a byte-order mark or is escaped for HTML", file)
				}
				if found := regexp.MustCompile(`[:\[,]-?[0-9.]+[eE][0-9+-]+[,}\]]`).Find(b); found != nil {
					t.Errorf("%s has the number %s", file, found)
				}
				if !describes(file) {
					checkLists(t, file, b)
				}
			}
		})
	}
}

// checkLists holds that what is a list is one, and counts add up.
func checkLists(t *testing.T, file string, b []byte) {
	t.Helper()
	lists := []string{"docs", "domain", "related", "sources", "symptoms", "components", "remediation", "action_items", "contributing",
		"items", "terms", "axes", "see_also", "seen_with", "why", "words"}
	eachObject(t, file, b, func(o map[string]any) {
		for _, key := range lists {
			if v, ok := o[key]; ok && v == nil {
				t.Errorf("%s: %s is null", file, key)
			}
		}
		items, ok := o["items"].([]any)
		if _, changes := o["from"]; !ok || changes {
			return
		}
		total, counts := o["total"].(float64)
		if o["count"] != float64(len(items)) || counts == strings.Contains(file, "/pages/") || counts && total < float64(len(items)) {
			t.Errorf("%s: %d items, count %v, total %v", file, len(items), o["count"], o["total"])
		}
	})
}

func eachObject(t *testing.T, file string, b []byte, f func(map[string]any)) {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			f(v)
			for _, key := range sortedKeys(v) {
				walk(v[key])
			}
		}
	}
	walk(v)
}

// A case's document is the editor's own JSON, without the space between its
// values: same keys, same order, same numbers.
func TestCaseDocumentIsTheSeed(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	seeds, err := fs.Glob(realSeeds(), "cases/*.json")
	if err != nil || len(seeds) == 0 {
		t.Fatal("no seeds", err)
	}
	for _, name := range seeds {
		b, err := fs.ReadFile(realSeeds(), name)
		if err != nil {
			t.Fatal(err)
		}
		v := jsontext.Value(b)
		if err := v.Compact(jsontext.PreserveRawStrings(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
			t.Fatal(name, err)
		}
		if got := s.bytes("api/v1/" + name); string(got) != string(v)+"\n" {
			t.Errorf("api/v1/%s is not the seed: %s", name, firstDifference(string(got), string(v)+"\n"))
		}
	}
	for _, id := range []string{"IL-0119", "IL-0123"} {
		b, err := os.ReadFile("testdata/given/" + id + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.bytes("api/v1/cases/" + id + ".json"); string(got) != string(b)+"\n" {
			t.Errorf("%s is not the published document: %s", id, firstDifference(string(got), string(b)+"\n"))
		}
	}
}

// A case in a list has its values as the seed writes them.
func TestSummariesKeepTheSeedsTime(t *testing.T) {
	t.Parallel()
	const written = "2026-01-02T03:04:05.120+09:00"
	s := newSiteOf(t, load(t, newSeeds(t, newSite(), newVocab(nil), newCase("IL-0001", "2024", object{"updated_at": written}))), false)
	if list := string(s.bytes("api/v1/cases.json")); !strings.Contains(list, `"updated_at":"`+written+`"`) {
		t.Errorf("the list has another time: %s", list)
	}
}

// The page of the API names no field that no document has, and every address
// that the description of the API has, but for pages, which links lead to.
func TestAPIPageTellsTheTruth(t *testing.T) {
	t.Parallel()
	fields := map[string]bool{"null": true, "wording": true, "incidentlib": true} // and two values, and the program
	for _, s := range []*site{fullSite(t), realSite(t)} {
		for _, file := range slices.DeleteFunc(s.documents(), describes) {
			eachObject(t, file, s.bytes(file), func(o map[string]any) {
				for key := range o {
					fields[key] = true
				}
			})
		}
	}
	s := fullSite(t)
	for _, file := range []string{"api/index.html", "ko/api/index.html"} {
		main := find(s.page(file).root, "main")
		for _, code := range findAll(main, "code") {
			if name := rawText(code); regexp.MustCompile(`^[a-z_]+$`).MatchString(name) && !fields[name] {
				t.Errorf("%s names %q, which no document has", file, name)
			}
		}
		for _, p := range sortedKeys(s.paths(t)) {
			if !strings.Contains(p, "/pages/") && !strings.HasPrefix(p, "/dumps/{file}") && !strings.Contains(visible(main), s.base+"/api/v1"+p) {
				t.Errorf("%s does not name %s", file, p)
			}
		}
	}
}

// listDoc is a list of the mirror.
type listDoc struct {
	Total, Count int
	Items        []struct {
		ID   string `json:"id"`
		Date string `json:"date"`
	}
	Links struct{ Self, First, Prev, Next, Last string }
}

func (s *site) list(t *testing.T, file string) listDoc {
	t.Helper()
	var d struct {
		listDoc
		Cases *listDoc
	}
	if err := json.Unmarshal(s.bytes(file), &d); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if d.Cases != nil {
		return *d.Cases
	}
	return d.listDoc
}

// The pages of a list hold all cases once, in ascending order of ids, 100 to a
// page; the list itself holds the newest 100 and leads to the first and last.
func TestPagesOfLists(t *testing.T) {
	t.Parallel()
	s := manySite(t)
	for _, head := range []string{"api/v1/cases.json", "api/v1/topics/root_cause/common.json", "api/v1/topics/components/shared-part.json"} {
		d := s.list(t, head)
		if d.Total != manySize || d.Count != 100 || !slices.IsSortedFunc(d.Items, func(a, b struct {
			ID   string `json:"id"`
			Date string `json:"date"`
		}) int {
			return strings.Compare(b.Date, a.Date)
		}) {
			t.Errorf("%s: total %d, count %d", head, d.Total, d.Count)
		}
		var ids []string
		prev, last := "", ""
		for page := d.Links.First; page != ""; {
			file := s.resolve(t, head, page).file
			p := s.list(t, file)
			if p.Total != 0 || p.Links.Self != page || p.Links.Prev != prev || p.Links.First != d.Links.First || p.Links.Last != "" {
				t.Errorf("%s: total %d, links %+v", file, p.Total, p.Links)
			}
			for _, e := range p.Items {
				ids = append(ids, e.ID)
			}
			prev, last, page = page, page, p.Links.Next
		}
		if last != d.Links.Last {
			t.Errorf("%s: the walk ends at %q, not %q", head, last, d.Links.Last)
		}
		if len(ids) != manySize || !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != manySize {
			t.Errorf("%s: the pages hold %d cases", head, len(ids))
		}
	}
}

// A list of 100 is whole in its own document and in one page, one of 101 is in
// two; a topic has pages from 101 on.
func TestListsAtTheirBounds(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]struct{ pages, ofTopic int }{0: {0, 0}, 1: {1, 0}, 100: {1, 0}, 101: {2, 2}} {
		s := newSiteOf(t, manyCases(t, n), false)
		for head, pages := range map[string]int{"api/v1/cases": want.pages, "api/v1/topics/root_cause/common": want.ofTopic} {
			d := s.list(t, head+".json")
			if d.Total != n || d.Count != min(n, 100) || len(d.Items) != d.Count {
				t.Errorf("%d cases: %s has total %d, count %d, %d items", n, head, d.Total, d.Count, len(d.Items))
			}
			for page := range 4 {
				file := fmt.Sprintf("%s/pages/%04d.json", head, page)
				if there := s.files[file] != nil; there != (page >= 1 && page <= pages) {
					t.Errorf("%d cases: %s is there: %t", n, file, there)
				}
			}
			for link, page := range map[string]int{d.Links.First: min(1, pages), d.Links.Last: pages} {
				if want := fmt.Sprintf("%s/%s/pages/%04d.json", s.base, head, page); (page == 0) != (link == "") || page > 0 && link != want {
					t.Errorf("%d cases: %s leads to %q, want page %d", n, head, link, page)
				}
			}
		}
	}
}

// The numbers of the mirror and of the pages agree with each other.
func TestCountsAgree(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	cases := realCollection(t).Cases
	if d := s.list(t, "api/v1/cases.json"); d.Total != len(cases) {
		t.Errorf("cases.json says %d, there are %d", d.Total, len(cases))
	}
	eachObject(t, "api/v1/vocab.json", s.bytes("api/v1/vocab.json"), func(o map[string]any) {
		axis, isTerm := o["axis"].(string)
		if !isTerm {
			return
		}
		slug := o["slug"].(string)
		n := 0
		for i := range cases {
			for _, a := range cases[i].Terms(incident.AxisID(axis)) {
				if a == slug {
					n++
				}
			}
		}
		topic := s.list(t, "api/v1/topics/"+axis+"/"+slug+".json")
		page := visible(find(s.page("topics/"+strings.ReplaceAll(axis, "_", "-")+"/"+slug+"/index.html").root, ".count"))
		if o["count"] != float64(n) || topic.Total != n || !strings.HasPrefix(page, fmt.Sprint(n)+" case") {
			t.Errorf("%s/%s has %d cases; vocab.json says %v, its document %d, its page %q", axis, slug, n, o["count"], topic.Total, page)
		}
	})
}
