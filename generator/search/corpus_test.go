package search

import (
	"benchlet.com/incidentlib/generator/output"
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/seed"
)

func seeds(tb testing.TB, dir string) *incident.Collection {
	tb.Helper()
	r := seed.Read(os.DirFS(dir), dir, 2)
	for _, p := range r.Problems {
		tb.Fatal(p)
	}
	return r.Collection
}

func TestTemp(t *testing.T) {
	c := seeds(t, os.Getenv("INCIDENTLIB_CORPUS"))
	lib := library.New(c)
	start := time.Now()
	x := New(lib, nil)
	t.Log(time.Since(start), len(x.files), len(x.order), len(x.shards))
	n := 0
	for _, d := range x.docs {
		n += len(d.terms)
	}
	t.Log(n, len(x.docs), x.scale)
}

func memory(x *Index) func(context.Context, string) ([]byte, error) {
	files := map[string]output.File{}
	for _, f := range x.Files() {
		files[f.Path] = f
	}
	return func(_ context.Context, name string) ([]byte, error) {
		f, ok := files[name]
		if !ok {
			return nil, os.ErrNotExist
		}
		var b bytes.Buffer
		err := f.Render(&b)
		return b.Bytes(), err
	}
}

func TestTry(t *testing.T) {
	lib := library.New(seeds(t, "../../seeds"))
	r := NewReader(memory(New(lib, nil)))
	for _, q := range strings.Split(os.Getenv("Q"), "|") {
		start := time.Now()
		res, err := r.Search(context.Background(), Query{Text: q, Limit: 5, Lang: incident.KO, Facets: q == "facets"})
		t.Log(q, "→", res.Total, res.Exact, res.Relaxed, err, time.Since(start))
		for _, h := range res.Hits {
			t.Log("   ", h.ID, h.Score, h.Close, h.Title, h.Matched)
		}
		if len(res.Facets) > 0 {
			t.Logf("%+v", res.Facets[3:])
		}
	}
}
