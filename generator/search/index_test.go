package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// made is a library of cases of words, for edits.
func made(cases ...*incident.Case) *library.Library {
	return madeWith(testVocabulary("Software defect"), cases)
}

func madeWith(v *incident.Vocabulary, cases []*incident.Case) *library.Library {
	slices.SortFunc(cases, func(a, b *incident.Case) int { return incident.CompareIDs(a.ID, b.ID) })
	return library.New(&incident.Collection{Vocabulary: v, Cases: cases})
}

func testVocabulary(bug string) *incident.Vocabulary {
	return incident.NewVocabulary([]incident.Axis{{ID: incident.RootCause, Label: incident.Text{EN: "Root cause", KO: "원인"}, Terms: []incident.Term{
		{Axis: incident.RootCause, Slug: "bug", Label: incident.Text{EN: bug, KO: "결함"}, AliasesEN: []string{"latent bug"}, AliasesKO: []string{"잠복 버그"}},
		{Axis: incident.RootCause, Slug: "memory", Label: incident.Text{EN: "Memory limit", KO: "메모리 한도"}, AliasesKO: []string{"메모리 부족"}}}}})
}

func newCase(id, title, text string) *incident.Case {
	n, _ := Number(id)
	return summed(&incident.Case{ID: id, Org: "Acme " + id[3:5], OrgSlug: "acme-" + id[3:5], Date: incident.Date{Year: 2000 + int(n%20), Month: 1 + int(n%12)},
		Title: incident.Text{EN: title, KO: title}, Summary: incident.Text{EN: text}, RootCause: []string{"", "bug", "memory"}[n%3]})
}

// summed gives a case the sum that tells it from others.
func summed(c *incident.Case) *incident.Case {
	c.Sum = incident.Sum{}
	c.Sum = sha256.Sum256(fmt.Appendf(nil, "%+v", c))
	return c
}

func manyCases(n int) []*incident.Case {
	nouns := strings.Fields("database cache queue 데이터베이스가 데이터베이스를 헬스체크 헬스 체크 crash looping crashloop CrashLoopBackOff retries retried network 네트워크 장애 복구했다 락을 timeout certificates")
	var out []*incident.Case
	for i := range n {
		text := ""
		for j := range 12 {
			text += nouns[(i*7+j*j*3+i*j)%len(nouns)] + " "
		}
		out = append(out, newCase(fmt.Sprintf("IL-%04d", i+1), fmt.Sprintf("Case w%d of v%d", i, i%50), text))
	}
	return out
}

func differs(t testing.TB, cold, warm *Index) string {
	t.Helper()
	want, got := rendered(t, cold), rendered(t, warm)
	for name, body := range want {
		if !bytes.Equal(got[name], body) {
			return fmt.Sprintf("%s is %.200q, made anew %.200q", name, got[name], body)
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d files, made anew %d", len(got), len(want))
	}
	return ""
}

// edits are libraries, each an edit of the one before: of a title, a text, a term
// of the vocabulary or what it is called, or of which cases there are.
func edits(r *rapid.T) func() *library.Library {
	all := manyCases(60)
	bug := "Software defect"
	cases := slices.Clone(all[:rapid.IntRange(0, 40).Draw(r, "cases")])
	edit := func(c *incident.Case) *incident.Case {
		edited := *c
		words := strings.Repeat(all[rapid.IntRange(0, 59).Draw(r, "text")].Summary.EN, rapid.IntRange(0, 3).Draw(r, "times"))
		switch rapid.IntRange(0, 3).Draw(r, "what") {
		case 0:
			edited.Title.EN = words + "Crash loop"
		case 1:
			edited.Summary.KO = words
		case 2:
			edited.Org = []string{"Acme", "Crashloop"}[rapid.IntRange(0, 1).Draw(r, "org")]
		default:
			edited.RootCause = []string{"", "bug", "memory"}[rapid.IntRange(0, 2).Draw(r, "cause")]
		}
		return summed(&edited)
	}
	return func() *library.Library {
		i := rapid.IntRange(0, 60).Draw(r, "case")
		at := slices.IndexFunc(cases, func(c *incident.Case) bool { return i < 60 && c.ID == all[i].ID })
		cases = slices.Clone(cases)
		switch {
		case i == 60:
			bug = []string{"Software defect", "Fault", "Crashloop"}[rapid.IntRange(0, 2).Draw(r, "label")]
		case at < 0:
			cases = append(cases, all[i])
		case rapid.Bool().Draw(r, "delete"):
			cases = slices.Delete(cases, at, at+1)
		default:
			cases[at] = edit(cases[at])
		}
		return madeWith(testVocabulary(bug), slices.Clone(cases))
	}
}

// After any edits, an index made from the one before is the one made anew.
func TestWarmIsCold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		next := edits(r)
		x := New(next(), nil)
		for range rapid.IntRange(1, 6).Draw(r, "edits") {
			lib := next()
			x = New(lib, x)
			if d := differs(t, New(lib, nil), x); d != "" {
				r.Fatal(d)
			}
		}
	})
}

// The real seeds give the same bytes each time, with and without an index
// before, and every file is JSON.
func TestRealIndex(t *testing.T) {
	t.Parallel()
	lib := realLibrary(t)
	x := New(lib, nil)
	if d := differs(t, x, New(lib, x)); d != "" {
		t.Error(d)
	}
	if d := differs(t, x, New(realLibrary(t), nil)); d != "" {
		t.Error(d)
	}
	for name, body := range rendered(t, x) {
		if !json.Valid(body) || bytes.Count(body, []byte("\n")) != 1 || body[len(body)-1] != '\n' {
			t.Errorf("%s is no JSON in one line", name)
		}
	}
}

// shards counts the term shards that are in one index and not in the other.
func newShards(t *testing.T, before, after *Index) (n, all int) {
	t.Helper()
	was := rendered(t, before)
	for name := range rendered(t, after) {
		if strings.HasPrefix(name, "search/s/t/") {
			all++
			if was[name] == nil {
				n++
			}
		}
	}
	return n, all
}

// An edit touches the shards of its own terms, and an added case moves no other.
func TestEditsTouchFewShards(t *testing.T) {
	t.Parallel()
	cases := manyCases(3000)
	before := New(made(cases...), nil)
	edited := slices.Clone(cases)
	one := *edited[1234]
	one.Summary.EN += "zebra"
	edited[1234] = summed(&one)
	n, all := newShards(t, before, New(made(edited...), before))
	if n > 2 || all < 10 {
		t.Errorf("a word more changes %d of %d shards", n, all)
	}
	n, all = newShards(t, before, New(made(append(slices.Clone(cases), newCase("IL-3500", "zebra", "unicorn"))...), before))
	if n > 12 { // each of its dozen terms may be in another
		t.Errorf("a case more changes %d of %d shards", n, all)
	}
}

// Numbers far apart cost no memory, and are found as well as others.
func TestFarApart(t *testing.T) {
	t.Parallel()
	lib := made(newCase("IL-0001", "database stopped", "one"), newCase("IL-999999999", "database stopped", "two"), newCase("IL-123456", "queue", "three"))
	r := readerOf(rendered(t, New(lib, nil)))
	for i, q := range []Query{{Text: "database", Facets: true}, {}, {Filters: map[string][]string{FacetOrg: {"acme-99", "acme-00"}}}, {Text: "databases database stopped", Sort: SortDateAsc}} {
		q.Limit = 10
		got, err := r.Search(t.Context(), q)
		if err != nil || got.Total != []int{2, 3, 2, 2}[i] || got.Hits[0].Title == "" || q.Facets && len(got.Facets) != len(Facets()) {
			t.Errorf("%+v: %+v, %v", q, got, err)
		}
	}
	got, err := r.Search(t.Context(), Query{Text: "IL-999999999", Limit: 1})
	if err != nil || got.Total != 1 || got.Hits[0].ID != "IL-999999999" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A library without a case has an index, and nothing in it.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, lib := range []*library.Library{made(), library.New(&incident.Collection{})} {
		x := New(lib, nil)
		r := readerOf(rendered(t, x))
		for _, text := range []string{"", "database", "IL-0001"} {
			got, err := r.Search(t.Context(), Query{Text: text, Limit: 10, Facets: true})
			if err != nil || got.Total != 0 || got.Hits != nil {
				t.Errorf("%q: %+v, %v", text, got, err)
			}
		}
		if d := differs(t, New(made(manyCases(3)...), nil), New(made(manyCases(3)...), x)); d != "" {
			t.Error(d)
		}
	}
}
