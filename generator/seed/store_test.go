package seed

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// during is a file system that does something else once a file was read.
type during struct {
	fstest.MapFS
	name string
	then func(fstest.MapFS)
}

func (d *during) Open(name string) (fs.File, error) {
	f, err := d.MapFS.Open(name)
	if name == d.name && d.then != nil {
		then := d.then
		d.then = nil
		then(d.MapFS)
	}
	return f, err
}

func (d *during) Stat(name string) (fs.FileInfo, error) { return fs.Stat(d.MapFS, name) }

func caseOf(id string, edits ...string) string {
	src := strings.ReplaceAll(baseCase, "IL-0123", id)
	return strings.NewReplacer(append([]string{`["IL-0119"]`, `[]`}, edits...)...).Replace(src)
}

func put(name, text string) func(fstest.MapFS) {
	return func(m fstest.MapFS) { m[name] = &fstest.MapFile{Data: []byte(text)} }
}

func drop(names ...string) func(fstest.MapFS) {
	return func(m fstest.MapFS) {
		for _, name := range names {
			delete(m, name)
		}
	}
}

// sameAsRead holds that a store returns what reading everything anew does.
func sameAsRead(t *testing.T, when string, s *Store, fsys fs.FS) {
	t.Helper()
	got, want := s.Read(t.Context()), Read(fsys, "seeds", 3)
	problem.Sort(got.Problems)
	problem.Sort(want.Problems)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.AllowUnexported(incident.Vocabulary{})); diff != "" {
		t.Errorf("%s: the store differs from reading anew (-anew +store)\n%s", when, diff)
	}
}

// What a store returns after any change that it was told of is what reading
// everything anew returns.
func TestStoreIsInStep(t *testing.T) {
	t.Parallel()
	bad := strings.Replace(caseOf("IL-0002"), `"crash-loop"`, `"crash-lop"`, 1)
	brokenVocab := strings.Replace(baseVocab, `"axes"`, `"axis"`, 1)
	moreVocab := strings.ReplaceAll(baseVocab, "crash-loop", "crash-lop")
	steps := []struct {
		what   string
		change func(fstest.MapFS)
		forget []string
	}{
		{"nothing", func(fstest.MapFS) {}, nil},
		{"an edit", put("cases/IL-0001.json", caseOf("IL-0001", "A deploy.", "An edit.")), []string{"cases/IL-0001.json"}},
		{"a fault", put("cases/IL-0002.json", bad), []string{"cases/IL-0002.json"}},
		{"another case beside the fault", put("cases/IL-0001.json", caseOf("IL-0001")), []string{"cases/IL-0001.json"}},
		{"the fault mended by the vocabulary", put("vocab.json", moreVocab), []string{"vocab.json"}},
		{"the vocabulary as before", put("vocab.json", baseVocab), []string{"vocab.json"}},
		{"the vocabulary broken", put("vocab.json", brokenVocab), []string{"vocab.json"}},
		{"an edit meanwhile", put("cases/IL-0002.json", caseOf("IL-0002")), []string{"cases/IL-0002.json"}},
		{"the vocabulary gone", drop("vocab.json"), []string{"vocab.json"}},
		{"the vocabulary mended", put("vocab.json", baseVocab), []string{"vocab.json"}},
		{"a new case", put("cases/a/IL-0003.json", caseOf("IL-0003")), []string{"cases/a/IL-0003.json"}},
		{"a second of its name", put("cases/b/IL-0003.json", caseOf("IL-0003", "A deploy.", "The second.")), []string{"cases/b/IL-0003.json"}},
		{"the second edited", put("cases/b/IL-0003.json", caseOf("IL-0003", "A deploy.", "Again.")), []string{"cases/b/IL-0003.json"}},
		{"the first gone", drop("cases/a/IL-0003.json"), []string{"cases/a/IL-0003.json"}},
		{"a folder replaced, told by its name", put("cases/b/IL-0003.json", caseOf("IL-0003", "A deploy.", "Replaced.")), []string{"cases/b"}},
		{"a folder gone, told by its name", drop("cases/b/IL-0003.json"), []string{"cases/b"}},
		{"a new file, then a folder", func(m fstest.MapFS) {
			put("cases/IL-0009.json", caseOf("IL-0009"))(m)
			put("cases/c/IL-0004.json", caseOf("IL-0004"))(m)
		}, []string{"cases/IL-0009.json", "cases/c"}},
		{"both edited, told the same way", func(m fstest.MapFS) {
			put("cases/IL-0009.json", caseOf("IL-0009", "A deploy.", "Nine."))(m)
			put("cases/c/IL-0004.json", caseOf("IL-0004", "A deploy.", "Four."))(m)
			delete(m, "cases/IL-0002.json")
		}, []string{"cases/IL-0002.json", "cases/IL-0009.json", "cases/c"}},
		{"a topic", put("topics/symptoms/crash-loop.en.md", "Text."), []string{"topics/symptoms/crash-loop.en.md"}},
		{"a topic's folder replaced", put("topics/symptoms/crash-loop.en.md", "Other text."), []string{"topics"}},
		{"an article", put("articles/a.en.md", "---\ntitle: A\nsummary: B\npublished: 2026-01-01\n---\nText."), []string{"articles"}},
		{"the site broken", put("site.json", `{`), []string{"site.json"}},
		{"the site mended", put("site.json", strings.Replace(baseSite, "/app", "/other", 1)), []string{"site.json"}},
		{"withdrawn", put("withdrawn.json", `{"withdrawn":[{"id":"IL-0077","since":"2026-01-01","reason":{"en":"Merged."},"replaced_by":null}]}`), []string{"withdrawn.json"}},
		{"withdrawn broken", put("withdrawn.json", `{"withdrawn":[{"id":"IL-0077"}]}`), []string{"withdrawn.json"}},
		{"withdrawn gone", drop("withdrawn.json"), []string{"withdrawn.json"}},
		{"all replaced, told by the root", func(m fstest.MapFS) {
			clear(m)
			for name, f := range library(map[string]string{"cases/IL-0001.json": caseOf("IL-0001", "A deploy.", "The root.")}) {
				m[name] = f
			}
		}, []string{"."}},
	}
	fsys := library(map[string]string{"cases/IL-0001.json": caseOf("IL-0001"), "cases/IL-0002.json": caseOf("IL-0002")})
	s := NewStore(fsys, "seeds", 3)
	sameAsRead(t, "at first", s, fsys)
	for _, step := range steps {
		step.change(fsys)
		s.Forget(step.forget)
		sameAsRead(t, step.what, s, fsys)
	}
}

// A vocabulary that is saved while it is read does not lend its name to what was
// read by the one before.
func TestStoreVocabularySavedMeanwhile(t *testing.T) {
	t.Parallel()
	fsys := &during{MapFS: library(map[string]string{"cases/IL-0001.json": caseOf("IL-0001")})}
	s := NewStore(fsys, "seeds", 3)
	s.Read(t.Context())
	fsys.name, fsys.then = "vocab.json", put("vocab.json", strings.ReplaceAll(baseVocab, "crash-loop", "crash-lop"))
	s.Read(t.Context())
	s.Forget([]string{"vocab.json"})
	sameAsRead(t, "after the save", s, fsys)
}
