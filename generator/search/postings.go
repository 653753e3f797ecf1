package search

import (
	"slices"
	"strconv"
)

// posting is a document by its place, with what it counts for a term.
type posting struct {
	doc   uint32
	count uint8
}

// postings are the documents of each term, in ascending order.
type postings struct {
	ends  []uint32
	items []posting
}

func (p *postings) of(term int) []posting {
	start := uint32(0)
	if term > 0 {
		start = p.ends[term-1]
	}
	return p.items[start:p.ends[term]]
}

// collect turns the documents around, for the terms that changed. A pair of
// words that may be one counts for the term of that spelling, where a document
// has it otherwise.
func (x *Index) collect(changed []bool) *postings {
	terms := x.terms
	p := &postings{ends: make([]uint32, len(terms))}
	wanted := func(t uint32) bool { return changed == nil || changed[t] }
	for _, d := range x.docs {
		for _, t := range d.terms {
			if wanted(t) {
				p.ends[t]++
			}
		}
	}
	byDigest := map[uint64]uint32{}
	for t, term := range terms {
		if p.ends[t] > 0 && term[0] < 0xEA { // which begins Hangul
			byDigest[digestOf([]byte(term))] = uint32(t)
		}
	}
	joined := x.joinedTerms(byDigest)
	for i, d := range x.docs {
		for _, t := range joined[i] {
			if !has(d.terms, t) {
				p.ends[t]++
			}
		}
	}
	at := make([]uint32, len(terms)) // where the next one of a term goes
	total := uint32(0)
	for t, n := range p.ends {
		at[t] = total
		total += n
		p.ends[t] = total
	}
	p.items = make([]posting, total)
	put := func(t uint32, of posting) {
		p.items[at[t]] = of
		at[t]++
	}
	for i, d := range x.docs {
		for n, t := range d.terms {
			if wanted(t) {
				put(t, posting{uint32(i), d.counts[n]})
			}
		}
		for _, t := range joined[i] {
			if has(d.terms, t) {
				own := &p.items[at[t]-1]
				own.count = uint8(min(int(own.count)+part, maxCount))
			} else {
				put(t, posting{uint32(i), part})
			}
		}
	}
	return p
}

func has(sorted []uint32, t uint32) bool {
	_, ok := slices.BinarySearch(sorted, t)
	return ok
}

// joinedTerms are by document the terms that pairs of its words make.
func (x *Index) joinedTerms(byDigest map[uint64]uint32) [][]uint32 {
	out := make([][]uint32, len(x.docs))
	for i, d := range x.docs {
		for _, digest := range d.joined {
			if t, ok := byDigest[digest]; ok {
				out[i] = append(out[i], t)
			}
		}
	}
	return out
}

// encoder writes entries.
type encoder struct {
	index       *Index
	frequencies *[steps][maxCount + 1]int64
	byImpact    [maxImpact + 1][]uint32
	buf         []byte
}

func newEncoder(x *Index) *encoder {
	return &encoder{index: x, frequencies: x.scale.frequencies()}
}

// entry is a term with its documents as a shard holds it: the impacts from high
// to low, each with how many documents have it and their numbers, the first one
// whole and the others as the distance from the one before. It is nil for a term
// of no document.
func (e *encoder) entry(term string, of []posting) []byte {
	if len(of) == 0 {
		return nil
	}
	rarity := e.index.scale.rarity(len(of))
	for _, p := range of {
		d := e.index.docs[p.doc]
		i := impact(rarity, e.frequencies[d.step][p.count])
		e.byImpact[i] = append(e.byImpact[i], d.number)
	}
	e.buf = append(append(append(e.buf[:0], '"'), term...), `":[`...)
	for i := maxImpact; i > 0; i-- {
		docs := e.byImpact[i]
		if len(docs) == 0 {
			continue
		}
		e.buf = append(strconv.AppendInt(e.buf, int64(i), 10), ',')
		e.buf = append(strconv.AppendInt(e.buf, int64(len(docs)), 10), ',')
		e.buf = appendGaps(e.buf, docs)
		e.byImpact[i] = docs[:0]
	}
	e.buf[len(e.buf)-1] = ']'
	return slices.Clone(e.buf)
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
