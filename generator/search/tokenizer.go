package search

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
)

// lexicon numbers keys as they are met.
type lexicon[K comparable] struct {
	mu      sync.Mutex
	numbers map[K]uint32
	keys    []K
}

func (l *lexicon[K]) number(key K) uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.numbers[key]
	if !ok {
		n = uint32(len(l.keys))
		l.numbers[key] = n
		l.keys = append(l.keys, key)
	}
	return n
}

// lexica are the terms and the digests of the pairs of words that may be one, for
// all tokenizers that make documents at the same time.
type lexica struct {
	terms lexicon[string]
	pairs lexicon[uint64]
}

func newLexica() *lexica {
	return &lexica{lexicon[string]{numbers: map[string]uint32{}}, lexicon[uint64]{numbers: map[uint64]uint32{}}}
}

// numberSet is a set of small numbers.
type numberSet []uint64

func (s *numberSet) add(n uint32) {
	for int(n/64) >= len(*s) {
		*s = append(*s, make([]uint64, 1+len(*s))...)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

// drain calls do with the numbers, ascending, and takes them out.
func (s numberSet) drain(do func(n uint32)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			do(uint32(i*64 + bits.TrailingZeros64(word)))
		}
		s[i] = 0
	}
}

// numbered is a form whose terms have their numbers.
type numbered struct {
	form
	number uint32 // its own
	counts []counted
}

// counted is a term with what it counts.
type counted struct{ term, count uint32 }

// label is what one of the vocabulary's terms adds to a case.
type label struct {
	terms []counted
	pairs []uint32
}

// tokenizer makes documents, one after another.
type tokenizer struct {
	vocabulary *incident.Vocabulary
	plain      *markup.Renderer
	*lexica
	labels map[*incident.Term]label
	forms  map[string]*numbered // by spelling
	across map[uint64]uint32    // the terms of pairs of syllables
	joined map[uint64]uint32    // the pairs that forms make, by their numbers; notPair for none

	counts   []uint16 // by term, of the document being made
	met      numberSet
	pairsMet numberSet
	buf      []byte
}

const (
	notPair = 1<<32 - 1

	// maxJoined bounds what a tokenizer remembers of pairs, which are as many as
	// there is text.
	maxJoined = 1 << 16
)

func newTokenizer(v *incident.Vocabulary, plain *markup.Renderer, l *lexica) *tokenizer {
	t := &tokenizer{vocabulary: v, plain: plain, lexica: l, labels: map[*incident.Term]label{},
		forms: map[string]*numbered{}, across: map[uint64]uint32{}, joined: map[uint64]uint32{}}
	for term := range labelsOf(v) {
		for _, name := range names(term) {
			t.read(name, weightLabel)
		}
		var of label
		t.drain(func(term, count uint32) { of.terms = append(of.terms, counted{term, count}) })
		t.pairsMet.drain(func(pair uint32) { of.pairs = append(of.pairs, pair) })
		t.labels[term] = of
	}
	return t
}

// document reads a case. The lists are what it has of terms and of pairs, as
// those of a [table] are.
func (t *tokenizer) document(c *incident.Case) (terms, pairs []byte, length uint64) {
	t.read(c.ID, weightID)
	t.read(c.Org, weightOrg)
	t.read(c.OrgSlug, weightOrg)
	for _, l := range incident.Langs() {
		t.read(t.plain.PlainLine(c.Title.In(l)), weightTitle)
		for _, text := range []incident.Text{c.Summary, c.SymptomsText, c.Trigger, c.Lessons, c.Impact.Scope, c.Impact.Users, c.Impact.Region} {
			t.read(t.block(text.In(l)), weightText)
		}
		for _, list := range [][]incident.Text{c.Remediation, c.ActionItems} {
			for _, text := range list {
				t.read(t.block(text.In(l)), weightText)
			}
		}
		for i := range c.Docs {
			t.read(t.plain.PlainLine(c.Docs[i].Title.In(l)), weightText)
		}
	}
	eachLabel(c, t.vocabulary, func(term *incident.Term) {
		of := t.labels[term]
		for _, one := range of.terms {
			t.count(one.term, one.count)
		}
		for _, pair := range of.pairs {
			t.pairsMet.add(pair)
		}
	})
	return t.finish()
}

// block is a text without its markup. Most have none that hides a word.
func (t *tokenizer) block(text string) string {
	if strings.ContainsAny(text, "`*_[]<>&\\#|~!") {
		return t.plain.Plain(text)
	}
	return text
}

// read counts the terms of a text.
func (t *tokenizer) read(text string, weight uint32) {
	var before *numbered
	eachRun(normal(text), func(r run) {
		f := t.forms[r.text]
		if f == nil {
			f = t.learn(r)
		}
		if !f.form.counts(r.gap) {
			before = nil
			return
		}
		for _, one := range f.counts {
			t.count(one.term, one.count*weight)
		}
		if before != nil {
			t.pair(before, f, r.gap, weight)
		}
		before = f
	})
}

func (t *tokenizer) pair(before, f *numbered, g gap, weight uint32) {
	switch {
	case before.run.hangul && f.run.hangul && g == spaced:
		key := uint64(before.last)<<32 | uint64(f.first)
		n, ok := t.across[key]
		if !ok {
			n = t.terms.number(across(&before.form, &f.form, g))
			t.across[key] = n
		}
		t.count(n, whole*weight)
	case before.joins && f.joins && (g == spaced || g == joined):
		key := uint64(before.number)<<32 | uint64(f.number)
		n, ok := t.joined[key]
		if !ok {
			n = t.learnPair(key, before, f, g)
		}
		if n != notPair {
			t.pairsMet.add(n)
		}
	}
}

func (t *tokenizer) learn(r run) *numbered {
	r.text = strings.Clone(r.text) // a part of a text would keep all of it
	f := &numbered{form: newForm(r), number: uint32(len(t.forms))}
	for _, w := range f.terms {
		f.counts = append(f.counts, counted{t.terms.number(w.term), uint32(w.weight)})
	}
	t.forms[r.text] = f
	return f
}

func (t *tokenizer) learnPair(key uint64, before, f *numbered, g gap) uint32 {
	n := uint32(notPair)
	if pairs(&before.form, &f.form, g) {
		t.buf = pairStem(t.buf, &before.form, &f.form)
		n = t.pairs.number(digestOf(t.buf))
	}
	if len(t.joined) >= maxJoined {
		clear(t.joined)
	}
	t.joined[key] = n
	return n
}

func (t *tokenizer) count(term, n uint32) {
	for int(term) >= len(t.counts) {
		t.counts = append(t.counts, make([]uint16, 1+len(t.counts))...)
	}
	if t.counts[term] == 0 {
		t.met.add(term)
	}
	t.counts[term] = uint16(min(uint32(t.counts[term])+n, 1<<16-1))
}

// drain calls do with what was counted, by ascending numbers, and forgets it.
func (t *tokenizer) drain(do func(term, count uint32)) {
	t.met.drain(func(term uint32) {
		do(term, uint32(t.counts[term]))
		t.counts[term] = 0
	})
}

// finish moves what was counted into lists.
func (t *tokenizer) finish() (terms, pairs []byte, length uint64) {
	t.buf = t.buf[:0]
	before := uint32(0)
	t.drain(func(term, count uint32) {
		length += uint64(count)
		t.buf = appendPosting(t.buf, before, posting{term, uint8(min(count, maxCount))})
		before = term
	})
	end := len(t.buf)
	before = 0
	t.pairsMet.drain(func(pair uint32) {
		t.buf = appendPosting(t.buf, before, posting{pair, part})
		before = pair
	})
	both := slices.Clone(t.buf)
	return both[:end:end], both[end:], length / whole
}
