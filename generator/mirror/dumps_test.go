package mirror

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/gzip"

	"benchlet.com/incidentlib/generator/incident"
)

// heavy are n cases, 7 ids apart, of size bytes each that cannot be compressed.
func heavy(n, size int) []*incident.Case {
	var out []*incident.Case
	rng := rand.NewChaCha8([32]byte{1})
	for i := range n {
		b := make([]byte, size)
		rng.Read(b)
		b = bytes.ReplaceAll(b, []byte("\n"), []byte("n"))
		out = append(out, &incident.Case{ID: fmt.Sprintf("IL-%04d", 1+i*7), JSON: incident.NewDocument(string(b), nil, size)})
	}
	return out
}

// read makes a part and returns its size and how many lines are in it.
func read(t *testing.T, d *dump) (size, lines int) {
	t.Helper()
	var b, raw bytes.Buffer
	if err := d.render(&b); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return b.Len(), bytes.Count(raw.Bytes(), []byte("\n"))
}

// However much is in cases, and however little it can be compressed, no part is
// larger than hosts take, and all parts together hold every case once.
func TestPartsStayBelowTheLimit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n, size int
		names   []string
	}{
		{0, 0, nil},
		{285, 1000, []string{"cases-00.ndjson.gz"}},
		{290, 1000, []string{"cases-00.ndjson.gz", "cases-01.ndjson.gz"}},
		{285, 100_000, []string{"cases-00-0.ndjson.gz", "cases-00-1.ndjson.gz"}},
		{40, 1_000_000, []string{"cases-00-0-0-0-0.ndjson.gz", "cases-00-0-0-0-1.ndjson.gz", "cases-00-0-0-1.ndjson.gz"}},
	} {
		parts, lines := cutCases(heavy(tt.n, tt.size)), 0
		var names []string
		for _, d := range parts {
			names = append(names, d.name)
			size, n := read(t, d)
			lines += n
			if size > 20<<20 || n != d.count {
				t.Errorf("%s has %d bytes and %d lines, of %d cases", d.name, size, n, d.count)
			}
		}
		if fmt.Sprint(names) != fmt.Sprint(tt.names) || lines != tt.n {
			t.Errorf("%d cases of %d bytes: %q hold %d", tt.n, tt.size, names, lines)
		}
	}
}

// A dump that is asked for again has the same bytes.
func TestDumpTwice(t *testing.T) {
	t.Parallel()
	d := cutCases(heavy(3, 100))[0]
	var first, again bytes.Buffer
	if d.render(&first) != nil || d.render(&again) != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Error("the second time differs from the first")
	}
}

// Pages of changes end at entries that say so: whatever is taken from the middle,
// the pages from some way behind it are the same.
func TestPagesOfChangesComeBackIntoStep(t *testing.T) {
	t.Parallel()
	var all []moment
	for i := range 20_000 {
		all = append(all, moment{change: change{ID: fmt.Sprintf("IL-%05d", 20_000-i), edited: &edited{UpdatedAt: "2026-01-02T03:04:05Z"}}})
	}
	names := func(all []moment) map[string]bool {
		out := map[string]bool{}
		next := 0
		for _, r := range cut(all) {
			if r.from != next || r.to <= r.from || r.to-r.from > maxChanges {
				t.Fatalf("a page from %d to %d follows one that ends at %d", r.from, r.to, next)
			}
			next = r.to
			out[all[r.from].ID+all[r.to-1].ID] = true
		}
		if next != len(all) {
			t.Fatalf("the pages end at %d", next)
		}
		return out
	}
	before := names(all)
	for _, at := range []int{5000, 10_001, 19_999} {
		moved := append([]moment{all[at]}, all[:at]...)
		moved = append(moved, all[at+1:]...)
		changed := 0
		for name := range names(moved) {
			if !before[name] {
				changed++
			}
		}
		if changed > 8 {
			t.Errorf("with entry %d on top, %d of %d pages are others", at, changed, len(before))
		}
	}
}
