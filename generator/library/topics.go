package library

import (
	"cmp"
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// TermCount is a term and how many cases carry it.
type TermCount struct {
	Term  incident.TermRef
	Count int
}

// maxCoOccurring bounds what a topic page lists beside its topic.
const maxCoOccurring = 12

// Topic are the cases that carry a term, newest first.
func (l *Library) Topic(ref incident.TermRef) []*incident.Case {
	id, ok := l.terms.ids[ref]
	if !ok {
		return nil
	}
	return l.terms.cases[id]
}

// Count is how many cases carry a term.
func (l *Library) Count(ref incident.TermRef) int { return len(l.Topic(ref)) }

// TopicText is the prose of a topic page in a language; nil when there is none.
func (l *Library) TopicText(ref incident.TermRef, lang incident.Lang) *incident.TopicText {
	return l.terms.texts[topicKey{ref, lang}]
}

// CoOccurring are the terms of the given axes that are most often seen together
// with a term: the most frequent first, then in the order of the vocabulary, at
// most 12. Without axes it looks at all that [SimilarityAxes] names.
func (l *Library) CoOccurring(ref incident.TermRef, axes ...incident.AxisID) []TermCount {
	if len(axes) == 0 {
		for _, a := range SimilarityAxes() {
			axes = append(axes, a.Axis)
		}
	}
	counts := make([]int, len(l.terms.refs))
	for _, c := range l.Topic(ref) {
		for _, t := range l.terms.of.of(l.ranks[c.ID]) {
			counts[t]++
		}
	}
	var found []TermCount
	for id, n := range counts {
		if t := l.terms.refs[id]; n > 0 && t != ref && slices.Contains(axes, t.Axis) {
			found = append(found, TermCount{t, n})
		}
	}
	slices.SortStableFunc(found, func(a, b TermCount) int { return cmp.Compare(b.Count, a.Count) })
	return found[:min(len(found), maxCoOccurring)]
}

type topicKey struct {
	ref  incident.TermRef
	lang incident.Lang
}

// termIndex numbers the terms, in the order of the vocabulary, and says which
// case carries which.
type termIndex struct {
	refs  []incident.TermRef
	ids   map[incident.TermRef]uint32
	of    lists              // by rank: the case's terms, ascending, each once
	cases [][]*incident.Case // by term: newest first
	texts map[topicKey]*incident.TopicText
}

func newTermIndex(c *incident.Collection, newest []*incident.Case) termIndex {
	x := termIndex{ids: map[incident.TermRef]uint32{}, texts: textsOf(c)}
	if c.Vocabulary != nil {
		for _, a := range c.Vocabulary.Axes {
			for i := range a.Terms {
				x.number(a.Terms[i].Ref())
			}
		}
	}
	// Terms that only a case knows come last. The checks let none pass; numbering
	// them here means that no index has to ask whether a term exists.
	axes := incident.AxisIDs()
	known := make([]map[string]uint32, len(axes)) // what a look-up by both costs adds up
	for i := range axes {
		known[i] = map[string]uint32{}
	}
	var buf []uint32
	for _, c := range newest {
		buf = buf[:0]
		for i, a := range axes {
			for _, slug := range c.Terms(a) {
				id, ok := known[i][slug]
				if !ok {
					id = x.number(incident.TermRef{Axis: a, Slug: slug})
					known[i][slug] = id
				}
				buf = append(buf, id)
			}
		}
		slices.Sort(buf)
		buf = slices.Compact(buf)
		x.of.append(buf)
		for len(x.cases) < len(x.refs) {
			x.cases = append(x.cases, nil)
		}
		for _, t := range buf {
			x.cases[t] = append(x.cases[t], c)
		}
	}
	for len(x.cases) < len(x.refs) {
		x.cases = append(x.cases, nil)
	}
	return x
}

func (x *termIndex) number(ref incident.TermRef) uint32 {
	id, ok := x.ids[ref]
	if !ok {
		id = uint32(len(x.refs))
		x.ids[ref] = id
		x.refs = append(x.refs, ref)
	}
	return id
}

// onAxis appends those of a case's terms that are on an axis.
func (x *termIndex) onAxis(buf []uint32, rank uint32, a incident.AxisID) []uint32 {
	for _, t := range x.of.of(rank) {
		if x.refs[t].Axis == a {
			buf = append(buf, t)
		}
	}
	return buf
}
