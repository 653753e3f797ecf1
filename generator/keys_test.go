package generator_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/templates"
)

// A file of a case whose bytes an edit changes has another key. The library has
// more cases than a page names, so that each way to another case counts alone.
func TestKeysTellOfEveryChange(t *testing.T) {
	t.Parallel()
	seeds := newSeeds(t, newSite(), newVocab(manyVocab()), many(60)...)
	before := keyedFiles(t, seeds)
	told := 0
	for name, now := range keyedFiles(t, edited(t, seeds, 30, "Another title")) {
		was, there := before[name]
		if !there || bytes.Equal(was.bytes, now.bytes) {
			continue
		}
		told++
		if was.key == now.key {
			t.Errorf("%s has other bytes and the same key", name)
		}
	}
	if told < 4 {
		t.Errorf("only %d files changed: nothing is tested", told)
	}
}

type keyedFile struct {
	bytes []byte
	key   output.Key
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
