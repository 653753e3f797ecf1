package generator_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/templates"
)

// Whatever is edited after whatever, a file of a name and a key has the same
// bytes, and the search index made from the one before is the one made without.
// INCIDENTLIB_WALK is how many steps to walk, where these few are not enough.
func TestKeysAlongAWalk(t *testing.T) {
	t.Parallel()
	steps, _ := strconv.Atoi(os.Getenv("INCIDENTLIB_WALK"))
	steps = max(steps, 6)
	w := walker{rng: rand.New(rand.NewPCG(3, uint64(steps))), cases: mixedCases(120), next: 120}
	for i := range w.cases { // of one organisation, so that its lists have pages
		w.set(i, object{"org": "Café org-0", "org_slug": "org-0"})
	}
	type named struct {
		path string
		key  output.Key
	}
	seen := map[named][sha256.Size]byte{}
	var memory []byte
	for step := 0; step < steps && !t.Failed(); step++ {
		plan := planOf(t, w.cases)
		plan.Recall(memory, "program")
		if got, want := indexOf(t, plan), indexOf(t, planOf(t, w.cases)); !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("step %d (%s): the search index is another one than that made without the one before", step, w.did)
		}
		memory = plan.Memory("program")
		for path, f := range keyedFiles(t, mixedSeeds(t, w.cases)) {
			at, sum := named{path, f.key}, sha256.Sum256(f.bytes)
			if was, ok := seen[at]; ok && was != sum {
				t.Errorf("step %d (%s): %s has other bytes and a key that it had before", step, w.did, path)
			}
			seen[at] = sum
		}
		if step == 0 {
			w.spell(0) // which chance seldom brings about
		} else {
			w.edit()
		}
	}
}

func planOf(t *testing.T, cases []object) *generator.Plan {
	t.Helper()
	design, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files(), NoCards: true})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := generator.NewPlan(library.New(load(t, mixedSeeds(t, cases))), design)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// walker edits cases at random.
type walker struct {
	rng   *rand.Rand
	cases []object
	next  int // the number of the next case
	did   string
}

func (w *walker) set(i int, edit object) {
	w.cases[i] = maps.Clone(w.cases[i])
	maps.Copy(w.cases[i], edit)
}

func (w *walker) edit() {
	w.cases = slices.Clone(w.cases)
	for range 1 + w.rng.IntN(2) {
		w.once()
	}
}

func (w *walker) once() {
	i := w.rng.IntN(len(w.cases))
	other := w.mixed()
	copied := func(fields ...string) {
		for _, f := range fields {
			w.set(i, object{f: other[f]})
		}
		w.did = fmt.Sprint(fields, " of ", w.cases[i]["id"])
	}
	switch w.rng.IntN(14) {
	case 0:
		copied("date")
	case 1:
		copied("root_cause")
	case 2:
		copied("components", "symptoms")
	case 3:
		copied("domain")
	case 4:
		copied("lessons")
	case 5:
		copied("timeline")
	case 6:
		copied("org", "org_slug")
	case 7:
		w.set(i, object{"title": both(fmt.Sprint("Title ", w.rng.IntN(1000)), fmt.Sprint("제목 ", w.rng.IntN(1000)))})
		w.did = "title"
	case 8:
		w.set(i, object{"updated_at": fmt.Sprintf("2026-01-%02dT03:04:05Z", 1+w.rng.IntN(28))})
		w.did = "updated_at"
	case 9:
		w.rename(w.cases[i]["org_slug"])
	case 10:
		w.spell(i)
	case 11, 12:
		id := fmt.Sprintf("IL-%04d", 1000+w.next)
		other["id"], other["url"] = id, "https://h.example/lib/cases/"+id
		w.next++
		w.cases = append(w.cases, other)
		w.did = "added"
	default:
		w.drop(i)
	}
}

func (w *walker) mixed() object {
	year := 2019 + w.rng.IntN(4)
	c := mixedCase(w.rng, 1, fmt.Sprintf("%d-%02d-%02d", year, 1+w.rng.IntN(12), 1+w.rng.IntN(28)))
	if w.rng.IntN(2) == 0 {
		c["org_slug"] = "org-0"
	}
	c["org"] = fmt.Sprint("Café ", c["org_slug"])
	for _, other := range w.cases { // as it is called by now
		if other["org_slug"] == c["org_slug"] {
			c["org"] = other["org"]
		}
	}
	return c
}

// rename gives an organisation another name in all of its cases.
func (w *walker) rename(slug any) {
	name := fmt.Sprintf("Café %s %d", slug, w.rng.IntN(9))
	for i, c := range w.cases {
		if c["org_slug"] == slug {
			w.set(i, object{"org": name})
		}
	}
	w.did = "organisation renamed"
}

// spell writes an organisation's name with the accents apart in one case, and in
// the newest, which names its lists.
func (w *walker) spell(i int) {
	newest := 0
	for at, c := range w.cases {
		if c["date"].(string) >= w.cases[newest]["date"].(string) {
			newest = at
		}
	}
	w.apart(newest)
	w.apart(i)
	w.did = "organisation spelt apart"
}

func (w *walker) apart(i int) {
	name := strings.ReplaceAll(w.cases[i]["org"].(string), "é", "e\u0301")
	w.set(i, object{"org": name})
}

// drop takes a case away, and what leads to it.
func (w *walker) drop(i int) {
	id := w.cases[i]["id"]
	if id == "IL-1003" {
		return // a chain begins there
	}
	w.cases = slices.Delete(w.cases, i, i+1)
	w.did = fmt.Sprint("dropped ", id)
}
