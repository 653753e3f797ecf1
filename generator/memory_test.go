package generator_test

import (
	"bytes"
	"testing"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/templates"
)

// A plan that recalls what one before it left has the search index that it has
// without.
func TestRecalledSearchIsTheSame(t *testing.T) {
	t.Parallel()
	design, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files(), NoCards: true})
	if err != nil {
		t.Fatal(err)
	}
	planned := func(cases []object) *generator.Plan {
		plan, err := generator.NewPlan(library.New(load(t, mixedSeeds(t, cases))), design)
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	cases := mixedCases(40)
	before := planned(cases)
	if before.Memory("") != nil {
		t.Error("a plan remembers what it did not make")
	}
	indexOf(t, before)
	memory := before.Memory("program")
	cases[7]["title"] = both("Another title", "다른 제목")
	want := indexOf(t, planned(cases))
	for _, program := range []string{"program", "another"} {
		warm := planned(cases)
		warm.Recall(memory, program)
		got := indexOf(t, warm)
		for name, body := range want {
			if !bytes.Equal(got[name], body) {
				t.Errorf("recalled from %s, %s is another file", program, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("recalled from %s, there are %d files, not %d", program, len(got), len(want))
		}
	}
}

// indexOf are the bytes of the files of a plan's search index.
func indexOf(t *testing.T, p *generator.Plan) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, f := range p.Search() {
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			t.Fatal(err)
		}
		out[f.Path] = b.Bytes()
	}
	return out
}
