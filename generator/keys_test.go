package generator_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/templates"
)

// A file whose bytes an edit changes has another key, whatever the edit. The
// cases are mixed so that each way from one case to another counts alone: those
// next to each other in time, for one, are mostly neither related nor similar.
func TestKeysTellOfEveryChange(t *testing.T) {
	t.Parallel()
	const n = 130 // enough for lists of several pages
	cases := mixedCases(n)
	before := keyedFiles(t, mixedSeeds(t, cases))
	for name, edit := range keyEdits() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told, keyed := 0, keyedFiles(t, mixedSeeds(t, edit(cases)))
			for path, now := range keyed {
				was, there := before[path]
				if !there || bytes.Equal(was.bytes, now.bytes) {
					continue
				}
				told++
				if was.key == now.key {
					t.Errorf("%s has other bytes and the same key", path)
				}
			}
			if told < 4 {
				t.Errorf("only %d files changed: nothing is tested", told)
			}
			if kept := unchangedKeys(before, keyed); told < len(keyed)/5 && kept < (len(keyed)-told)/2 {
				t.Errorf("%d files changed and only %d of %d keys are as they were", told, kept, len(keyed))
			}
		})
	}
}

// keyEdits are edits of a library by what they are.
func keyEdits() map[string]func([]object) []object {
	one := func(i int, edit object) func([]object) []object {
		return func(cases []object) []object {
			out := append([]object(nil), cases...)
			out[i] = maps.Clone(out[i])
			maps.Copy(out[i], edit)
			return out
		}
	}
	without := func(i int) func([]object) []object {
		return func(cases []object) []object { return append(append([]object(nil), cases[:i]...), cases[i+1:]...) }
	}
	added := func(dates ...string) func([]object) []object {
		return func(cases []object) []object {
			out := append([]object(nil), cases...)
			for i, date := range dates {
				out = append(out, mixedCase(rand.New(rand.NewPCG(9, uint64(i))), len(out), date))
			}
			return out
		}
	}
	edits := map[string]func([]object) []object{
		"chain title":     one(17, object{"title": both("Another title", "다른 제목")}),
		"chain gone":      without(62),
		"title":           one(30, object{"title": both("Another title", "다른 제목")}),
		"oldest title":    one(0, object{"title": both("Another title", "다른 제목")}),
		"newest title":    one(129, object{"title": both("Another title", "다른 제목")}),
		"summary":         one(64, object{"summary": both("Another summary.", "다른 요약.")}),
		"organisation":    one(129, object{"org": "Newcomer", "org_slug": "newcomer"}),
		"cause":           one(40, object{"root_cause": "cause-1"}),
		"no cause":        one(41, object{"root_cause": nil}),
		"components":      one(42, object{"components": []string{"part-0", "part-1", "part-2"}}),
		"date":            one(10, object{"date": "2024-05-05"}),
		"recovery":        one(50, object{"timeline": object{"detected_after": nil, "resolved_after": "55m"}}),
		"chosen":          one(60, object{"related": []string{"IL-1003", "IL-1090"}}),
		"recurrence":      one(70, object{"recurrence_of": "IL-1005"}),
		"new":             added("2029-01-01"),
		"a page of new":   added(slices.Repeat([]string{"2029-01-01"}, 50)...),
		"no recurrence":   one(17, object{"recurrence_of": nil}),
		"late recurrence": one(128, object{"recurrence_of": "IL-1003"}),
		"old":             added("2001-01-01"),
		"gone":            without(77),
		"newest gone":     without(129),
	}
	for n := range 6 { // one of these makes a list of related cases complete
		edits[fmt.Sprint("fewer alike ", n)] = func(cases []object) []object { return unlike(cases, n+1) }
	}
	return edits
}

// unlike gives the n oldest of the cases that are alike another cause.
func unlike(cases []object, n int) []object {
	out := append([]object(nil), cases...)
	for i := range n {
		out[4*i] = maps.Clone(out[4*i])
		out[4*i]["root_cause"] = "cause-7"
	}
	return out
}

func mixedSeeds(t *testing.T, cases []object) fstest.MapFS {
	t.Helper()
	return newSeeds(t, newSite(), newVocab(mixedVocab()), cases...)
}

// The terms that mixed cases have of each axis.
const mixedTerms = 9

func mixedVocab() map[incident.AxisID][]object {
	terms := map[incident.AxisID][]object{}
	for axis, name := range map[incident.AxisID]string{incident.Domain: "area", incident.RootCause: "cause", incident.Components: "part", incident.Symptoms: "sign"} {
		for i := range mixedTerms {
			slug := fmt.Sprintf("%s-%d", name, i)
			terms[axis] = append(terms[axis], newTerm(slug, both("The "+slug, slug+" 용어"), both("About "+slug+".", slug+" 설명.")))
		}
	}
	return terms
}

// mixedCases are n cases, a week apart, with terms, words and organisations by
// chance, the same in every run.
func mixedCases(n int) []object {
	rng := rand.New(rand.NewPCG(1, 2))
	var out []object
	for i := range n {
		out = append(out, mixedCase(rng, i, fmt.Sprintf("%d-%02d-%02d", 2019+i/48, i/4%12+1, i%4*7+1)))
	}
	return out
}

func mixedCase(rng *rand.Rand, i int, date string) object {
	some := func(name string, n int) []string {
		var out []string
		for _, at := range rng.Perm(mixedTerms)[:n] {
			out = append(out, fmt.Sprintf("%s-%d", name, at))
		}
		return out
	}
	words := func() string {
		var w []string
		for range 12 {
			w = append(w, fmt.Sprintf("word%d", rng.IntN(400)))
		}
		return strings.Join(w, " ")
	}
	org := rng.IntN(5)
	cause, parts := some("cause", 1)[0], some("part", 2)
	if i%4 == 0 { // so many alike that a page does not name all of them
		cause, parts = "cause-0", []string{"part-0"}
	}
	var again any // of one incident, a long chain
	if i%9 == 8 {
		again = "IL-1003"
	}
	return newCase(fmt.Sprintf("IL-%04d", 1000+i), date, object{
		"recurrence_of": again,
		"org":           fmt.Sprintf("Org %d", org), "org_slug": fmt.Sprintf("org-%d", org),
		"root_cause": cause, "components": parts, "domain": some("area", 1), "symptoms": some("sign", 2),
		"lessons":  both("They learned "+words()+".", words()+" 를 배웠다."),
		"timeline": object{"detected_after": nil, "resolved_after": fmt.Sprintf("%dh", 1+rng.IntN(23))},
	})
}

type keyedFile struct {
	bytes []byte
	key   output.Key
}

func unchangedKeys(before, now map[string]keyedFile) (n int) {
	for path, f := range now {
		if before[path].key == f.key {
			n++
		}
	}
	return n
}

func keyedFiles(t *testing.T, seeds fstest.MapFS) map[string]keyedFile {
	t.Helper()
	design, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files(), NoCards: true})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := generator.NewPlan(library.New(load(t, seeds)), design)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]keyedFile{}
	for _, f := range plan.Keyed(generator.Fingerprint{}.Origin("program", "settings")) {
		if f.Key == nil {
			continue
		}
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			t.Fatal(err)
		}
		files[f.Path] = keyedFile{b.Bytes(), f.Key()}
	}
	return files
}
