package seed

import (
	"strings"
	"testing"
	"testing/fstest"
)

// A store reads the data of a figure again when it is told that it changed.
func TestFiguresAreReadAgain(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"figures/retry-storm.json": {Data: []byte("1")}, "figures/Bad Name.json": {Data: []byte("1")}}
	s := NewStore(fsys, "seeds", 1)
	first := s.Read(t.Context())
	fsys["figures/retry-storm.json"] = &fstest.MapFile{Data: []byte("2")}
	s.Forget([]string{"figures/retry-storm.json"})
	second := s.Read(t.Context())
	if a, b := first.Collection.Figure("retry-storm"), second.Collection.Figure("retry-storm"); a == nil || b == nil || string(a.Data) != "1" || string(b.Data) != "2" || a.File != "seeds/figures/retry-storm.json" {
		t.Errorf("the figures are %v, then %v", a, b)
	}
	if first.Collection.Figure("other") != nil {
		t.Error("there is a figure of another name")
	}
	for _, p := range first.Problems {
		if strings.Contains(p.File, "Bad Name") {
			return
		}
	}
	t.Error("a bad name is not reported")
}
