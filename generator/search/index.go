package search

import (
	"bytes"
	"context"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// Index is the search index of a library. It is never changed once made.
type Index struct {
	vocabulary *incident.Vocabulary
	lexicon    *lexicon
	terms      []string    // by number, as far as this index knows them
	docs       []*document // by number
	scale      scale
	entries    [][]byte // by term: as a shard holds it; nil for a term of no case
	order      []uint32 // the terms of a case, by their spelling
	shards     []shard
	runs       [2][]docRun // by language
	files      []output.File
}

// New makes the index of a library. What did not change since an earlier index
// of the same seeds, prev, is taken from there: the cases that are the same
// pointers, and the shards none of whose terms changed. The index is the same
// with and without; prev may be nil.
func New(lib *library.Library, prev *Index) *Index {
	x := &Index{vocabulary: lib.Collection().Vocabulary}
	if x.vocabulary == nil {
		x.vocabulary = incident.NewVocabulary(nil)
	}
	if prev != nil && !prev.grown() {
		x.lexicon = prev.lexicon
	} else {
		prev = nil
		x.lexicon = &lexicon{numbers: map[string]uint32{}}
	}
	x.read(lib.Cases(), prev)
	x.terms = x.lexicon.known() // others may be learning more at the same time
	if prev == nil {
		x.lexicon.first = len(x.terms)
	}
	total := uint64(0)
	for _, d := range x.docs {
		total += d.length
	}
	x.scale = newScale(len(x.docs), total)
	changed := x.changes(prev)
	x.encode(prev, changed)
	x.cut(prev, changed)
	x.publish(lib, prev)
	return x
}

// Files are the files of the index.
func (x *Index) Files() []output.File { return x.files }

// Reader reads the index where it is, in memory.
func (x *Index) Reader() *Reader {
	files := map[string]*output.File{}
	for i := range x.files {
		files[x.files[i].Path] = &x.files[i]
	}
	return NewReader(func(_ context.Context, name string) ([]byte, error) {
		f, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		var b bytes.Buffer
		err := f.Render(&b)
		return b.Bytes(), err
	})
}

// grown reports whether most of what the lexicon knows was met in edits, and
// may be gone again.
func (x *Index) grown() bool { return len(x.terms) > 2*x.lexicon.first+10_000 }

// read makes the documents, by number, of which prev may have most.
func (x *Index) read(cases []*incident.Case, prev *Index) {
	known := map[*incident.Case]*document{}
	if prev != nil && prev.vocabulary == x.vocabulary {
		for _, d := range prev.docs {
			known[d.of] = d
		}
	}
	x.docs = make([]*document, len(cases))
	var fresh []int
	for i, c := range cases {
		if x.docs[i] = known[c]; x.docs[i] == nil {
			fresh = append(fresh, i)
		}
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(fresh)) {
		wait.Go(func() {
			t := newTokenizer(x.vocabulary, x.lexicon)
			for n := next.Add(1); int(n) <= len(fresh); n = next.Add(1) {
				x.docs[fresh[n-1]] = t.document(cases[fresh[n-1]])
			}
		})
	}
	wait.Wait()
	slices.SortFunc(x.docs, func(a, b *document) int { return int(a.number) - int(b.number) })
}

// changes says by term whether its entry may be another than in prev; nil when
// all are to be made.
func (x *Index) changes(prev *Index) []bool {
	if prev == nil || prev.scale != x.scale {
		return nil
	}
	changed := make([]bool, len(x.terms))
	joined := map[uint64]bool{}
	touch := func(was, is *document) {
		for _, d := range []*document{was, is} {
			if d == nil {
				continue
			}
			other := was
			if d == was {
				other = is
			}
			for i, t := range d.terms {
				changed[t] = changed[t] || !other.has(d, i)
			}
			for _, digest := range d.joined {
				if other == nil || other.step != d.step {
					joined[digest] = true
				} else if _, ok := slices.BinarySearch(other.joined, digest); !ok {
					joined[digest] = true
				}
			}
		}
	}
	eachPair(prev.docs, x.docs, touch)
	if len(joined) > 0 {
		for t, term := range x.terms {
			changed[t] = changed[t] || joined[digestOf([]byte(term))]
		}
	}
	return changed
}

// has reports whether a document counts the term at a place in another just as
// that one does.
func (d *document) has(other *document, i int) bool {
	if d == nil || d.step != other.step {
		return false
	}
	at, ok := slices.BinarySearch(d.terms, other.terms[i])
	return ok && d.counts[at] == other.counts[i]
}

// eachPair calls do with the documents of a number before and after an edit,
// where they differ; nil where there was or is none.
func eachPair(before, after []*document, do func(was, is *document)) {
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].number < after[0].number:
			do(before[0], nil)
			before = before[1:]
		case len(before) == 0 || after[0].number < before[0].number:
			do(nil, after[0])
			after = after[1:]
		default:
			if before[0] != after[0] {
				do(before[0], after[0])
			}
			before, after = before[1:], after[1:]
		}
	}
}

// encode makes the entries that changed, and the order of all.
func (x *Index) encode(prev *Index, changed []bool) {
	terms := x.terms
	p := x.collect(changed)
	x.entries = make([][]byte, len(terms))
	if changed != nil {
		copy(x.entries, prev.entries)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	const batch = 256
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			e := newEncoder(x)
			for from := int(next.Add(batch)) - batch; from < len(terms); from = int(next.Add(batch)) - batch {
				for t := from; t < min(from+batch, len(terms)); t++ {
					if changed == nil || changed[t] {
						x.entries[t] = e.entry(terms[t], p.of(t))
					}
				}
			}
		})
	}
	wait.Wait()
	x.sort(prev, changed)
}

// sort puts the terms that a case has in order.
func (x *Index) sort(prev *Index, changed []bool) {
	terms := x.terms
	bySpelling := func(a, b uint32) int { return strings.Compare(terms[a], terms[b]) }
	if changed == nil {
		for t := range terms {
			if x.entries[t] != nil {
				x.order = append(x.order, uint32(t))
			}
		}
		slices.SortFunc(x.order, bySpelling)
		return
	}
	var added []uint32
	for t := range terms {
		if x.entries[t] != nil && (t >= len(prev.entries) || prev.entries[t] == nil) {
			added = append(added, uint32(t))
		}
	}
	slices.SortFunc(added, bySpelling)
	x.order = make([]uint32, 0, len(prev.order)+len(added))
	for _, t := range prev.order {
		for len(added) > 0 && bySpelling(added[0], t) < 0 {
			x.order, added = append(x.order, added[0]), added[1:]
		}
		if x.entries[t] != nil {
			x.order = append(x.order, t)
		}
	}
	x.order = append(x.order, added...)
}
