package search

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/seed"
)

// readSeeds reads a folder of seeds.
func readSeeds(tb testing.TB, dir string) *incident.Collection {
	tb.Helper()
	r := seed.Read(os.DirFS(dir), dir, 2)
	for _, p := range r.Problems {
		tb.Fatal(p)
	}
	return r.Collection
}

// realLibrary is the library of the repository's own seeds.
func realLibrary(tb testing.TB) *library.Library {
	tb.Helper()
	return library.New(readSeeds(tb, "../../seeds"))
}

// rendered are the bytes of the files of an index, by their names.
func rendered(tb testing.TB, x *Index) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	for _, f := range x.Files() {
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			tb.Fatal(err)
		}
		if _, twice := out[f.Path]; twice {
			tb.Errorf("two files are %s", f.Path)
		}
		if kind := output.Asset; (f.Kind == kind) == (f.Path == "search/index.json") {
			tb.Errorf("%s is a file of kind %s", f.Path, f.Kind)
		}
		out[f.Path] = b.Bytes()
	}
	return out
}

// readerOf reads an index in memory.
func readerOf(files map[string][]byte) *Reader {
	return NewReader(func(_ context.Context, name string) ([]byte, error) {
		body, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return body, nil
	})
}

// asked is a question of testdata/queries.json, as the browser's engine takes it.
type asked struct {
	Q        string              `json:"q"`
	Lang     incident.Lang       `json:"lang"`
	Filters  map[string][]string `json:"filters"`
	Org      []string            `json:"org"`
	Year     []string            `json:"year"`
	Duration []string            `json:"duration"`
	Since    string              `json:"since"`
	Until    string              `json:"until"`
	Sort     string              `json:"sort"`
	Offset   int                 `json:"offset"`
	Limit    *int                `json:"limit"`
}

func (a *asked) query() Query {
	q := Query{Text: a.Q, Lang: a.Lang, Filters: map[string][]string{FacetOrg: a.Org, FacetYear: a.Year, FacetDuration: a.Duration},
		Since: a.Since, Until: a.Until, Sort: a.Sort, Offset: a.Offset, Limit: 10, Facets: true}
	for name, slugs := range a.Filters {
		q.Filters[name] = slugs
	}
	if a.Limit != nil {
		q.Limit = *a.Limit
	}
	return q
}

// expectedEnv names a folder that TestExpected writes an index and its answers
// to, for the browser's tests: generator/webtest/search.test.mjs.
const expectedEnv = "INCIDENTLIB_SEARCH_EXPECTED"

// Every question of the set can be answered, most of them by something. What the
// answers are is compared with those of the browser's engine, which make model
// does.
func TestExpected(t *testing.T) {
	t.Parallel()
	files := rendered(t, New(realLibrary(t), nil))
	r := readerOf(files)
	body, err := os.ReadFile("testdata/queries.json")
	if err != nil {
		t.Fatal(err)
	}
	var questions []asked
	if err := json.Unmarshal(body, &questions); err != nil {
		t.Fatal(err)
	}
	langs := map[incident.Lang]int{}
	var answers []Result
	found := 0
	for _, a := range questions {
		result, err := r.Search(t.Context(), a.query())
		if err != nil {
			t.Fatalf("%+v: %v", a, err)
		}
		if result.Total > 0 {
			found++
		}
		langs[a.Lang]++
		answers = append(answers, result)
	}
	if langs[incident.EN] < 100 || langs[incident.KO] < 100 || found < len(questions)*3/4 {
		t.Errorf("%d questions, %v of a language, %d found something", len(questions), langs, found)
	}
	if dir := os.Getenv(expectedEnv); dir != "" {
		files["answers.json"] = encoded(answers)
		for name, body := range files {
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
