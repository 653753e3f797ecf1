package search

import (
	"slices"
	"strconv"
)

// encoder writes entries.
type encoder struct {
	index    *Index
	postings []posting
	impacts  []uint8
	sorted   []uint32
	ends     [maxImpact + 1]uint32 // by impact, in sorted
}

// encoder is one that nobody uses.
func (x *Index) encoder() *encoder {
	if e, ok := x.encoders.Get().(*encoder); ok {
		return e
	}
	return &encoder{index: x}
}

// canBeJoined is true of a term that may be two words: one that does not begin
// with Hangul.
func canBeJoined(term string) bool { return term[0] < 0xEA }

// read merges the documents that have a term with those that have a pair of words
// that are it.
func (e *encoder) read(term, pair []byte) {
	e.postings = slices.Grow(e.postings[:0], len(term)+len(pair)) // each has a byte at least
	b := postings{rest: pair}
	more := b.next()
	for a := (postings{rest: term}); a.next(); {
		for ; more && b.number < a.number; more = b.next() {
			e.postings = append(e.postings, b.posting)
		}
		if more && b.number == a.number {
			a.count = uint8(min(int(a.count)+int(b.count), maxCount))
			more = b.next()
		}
		e.postings = append(e.postings, a.posting)
	}
	for ; more; more = b.next() {
		e.postings = append(e.postings, b.posting)
	}
}

// entry appends a term with its documents as a shard holds it: the impacts from
// high to low, each with how many documents have it and their numbers, the first
// one whole and the others as the distance from the one before.
func (e *encoder) entry(to []byte, i int) []byte {
	x := e.index
	term := x.terms.keys[i]
	var pair []byte
	if canBeJoined(term) {
		pair = x.pairs.find(digestOf(term))
	}
	e.read(x.terms.list(i), pair)
	to = append(append(append(to, '"'), term...), `":[`...)
	start := uint32(0)
	for is := e.sort(); is > 0; is-- {
		end := e.ends[is]
		if docs := e.sorted[start:end]; len(docs) > 0 {
			to = append(strconv.AppendUint(to, uint64(is), 10), ',')
			to = append(strconv.AppendUint(to, uint64(len(docs)), 10), ',')
			to = appendGaps(to, docs)
		}
		start, e.ends[is] = end, 0
	}
	to[len(to)-1] = ']'
	return to
}

// sort puts the documents in the order of their impacts. Those of one impact end
// where those of the next lower one begin. It returns the greatest.
func (e *encoder) sort() (top int) {
	x, n := e.index, len(e.postings)
	rarity := x.scale.rarity(n)
	e.impacts, e.sorted = slices.Grow(e.impacts[:0], n)[:n], slices.Grow(e.sorted[:0], n)[:n]
	for i, p := range e.postings {
		is := impact(rarity, x.frequencies[x.step(p.number)][p.count])
		e.impacts[i] = uint8(is)
		e.ends[is]++
		top = max(top, is)
	}
	start := uint32(0)
	for is := top; is > 0; is-- {
		start, e.ends[is] = start+e.ends[is], start
	}
	for i, p := range e.postings {
		end := &e.ends[e.impacts[i]]
		e.sorted[*end] = p.number
		*end++
	}
	return top
}

// appendGaps appends ascending numbers as distances, each with a comma.
func appendGaps(b []byte, numbers []uint32) []byte {
	before := uint32(0)
	for _, n := range numbers {
		b = append(strconv.AppendUint(b, uint64(n-before), 10), ',')
		before = n
	}
	return b
}
