package search

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"slices"
	"sync"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/output"
)

// Index is the search index of a library. It is never changed once made. Of the
// files it holds what they are made from, in fewer bytes than they have.
type Index struct {
	vocabulary  *incident.Vocabulary
	plain       *markup.Renderer
	docs        []document // by number
	steps       []uint8    // of the documents' lengths by number; nil where numbers are far apart
	scale       scale
	frequencies *[steps][maxCount + 1]int64

	terms  *table[string]
	pairs  *table[uint64] // digests of the pairs of words that may be one
	sizes  []uint32       // of the terms' entries, in bytes
	shards []shard
	runs   [2][]docRun // by language
	files  []output.File

	encoders sync.Pool // of *encoder: a long list of one shard is long enough for most
}

// New makes the index of a library. What did not change since an earlier index,
// prev, is taken from there: what the cases have that are the same, and the shards
// none of whose terms changed. The index is the same with and without; prev may be
// nil.
func New(lib *library.Library, prev *Index) *Index {
	x := &Index{vocabulary: lib.Collection().Vocabulary, plain: markup.New(markup.Options{})}
	if x.vocabulary == nil {
		x.vocabulary = incident.NewVocabulary(nil)
	}
	if prev == nil {
		prev = &Index{terms: &table[string]{}, pairs: &table[uint64]{}}
	}
	changedTerms, changedPairs := x.read(lib.Cases(), prev)
	total := uint64(0)
	for i := range x.docs {
		total += x.docs[i].length
	}
	x.scale = newScale(len(x.docs), total)
	x.frequencies = x.scale.frequencies()
	if prev.scale == x.scale {
		x.cut(prev, x.changes(changedTerms, changedPairs))
	} else {
		x.cut(prev, nil)
	}
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

// read makes the documents and what they have, of which prev may have most, and
// returns the terms and pairs that changed.
func (x *Index) read(cases []*incident.Case, prev *Index) (terms []string, pairs []uint64) {
	all := labelsOf(x.vocabulary)
	x.docs = make([]document, len(cases))
	for i, c := range cases {
		x.docs[i] = all.document(c, x.vocabulary)
	}
	slices.SortFunc(x.docs, func(a, b document) int { return cmp.Compare(a.number, b.number) })
	fresh := x.recall(prev)
	l := newLexica()
	termsOf, pairsOf := x.tokenize(fresh, l)
	e := edited(prev.docs, x.docs, fresh)
	x.terms, terms = prev.terms.edited(e, turned(termsOf, l.terms.keys))
	x.pairs, pairs = prev.pairs.edited(e, turned(pairsOf, l.pairs.keys))
	if n := len(x.docs); n > 0 && !farApart(x.docs[n-1].number, n) {
		x.steps = make([]uint8, x.docs[n-1].number+1)
		for i := range x.docs {
			x.steps[x.docs[i].number] = x.docs[i].step
		}
	}
	return terms, pairs
}

// recall takes from prev what is known of the documents, and returns the places of
// those that have to be read.
func (x *Index) recall(prev *Index) (fresh []int) {
	for i := range x.docs {
		d := &x.docs[i]
		if at, ok := byNumber(prev.docs, d.number); ok && prev.docs[at].key == d.key && d.key != (output.Key{}) {
			d.length, d.step = prev.docs[at].length, prev.docs[at].step
		} else {
			fresh = append(fresh, i)
		}
	}
	return fresh
}

// tokenize reads the documents at some places.
func (x *Index) tokenize(places []int, l *lexica) (terms, pairs []reading) {
	terms, pairs = make([]reading, len(places)), make([]reading, len(places))
	each(len(places), func() func(int) {
		t := newTokenizer(x.vocabulary, x.plain, l)
		return func(i int) {
			d := &x.docs[places[i]]
			a, b, length := t.document(d.of)
			terms[i], pairs[i] = reading{d.number, a}, reading{d.number, b}
			d.length, d.step = length, stepOf(length)
		}
	})
	return terms, pairs
}

// edited is what happened to the documents of an index before; fresh are the
// places of those that were read anew.
func edited(before, after []document, fresh []int) edit {
	e := edit{moved: map[uint32]bool{}}
	for i := range before {
		at, stays := byNumber(after, before[i].number)
		_, again := slices.BinarySearch(fresh, at)
		if !stays || again {
			e.gone = append(e.gone, before[i].number)
		}
		if stays && again && after[at].step != before[i].step {
			e.moved[before[i].number] = true
		}
	}
	return e
}

// changes says by term whether its entry may be another than before. A pair of
// words that may be one counts for the term of that spelling.
func (x *Index) changes(terms []string, pairs []uint64) []bool {
	changed := make([]bool, len(x.terms.keys))
	for _, term := range terms {
		if i, ok := slices.BinarySearch(x.terms.keys, term); ok {
			changed[i] = true
		}
	}
	if len(pairs) == 0 {
		return changed
	}
	for i, term := range x.terms.keys {
		if canBeJoined(term) {
			_, ok := slices.BinarySearch(pairs, digestOf(term))
			changed[i] = changed[i] || ok
		}
	}
	return changed
}

// step is the step of the length of a document.
func (x *Index) step(number uint32) uint8 {
	if x.steps != nil {
		return x.steps[number]
	}
	at, _ := byNumber(x.docs, number)
	return x.docs[at].step
}
