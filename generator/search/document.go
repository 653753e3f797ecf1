package search

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strconv"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// The weight of a word by where it stands.
const (
	weightTitle = 4
	weightID    = 8
	weightOrg   = 3
	weightLabel = 2
	weightText  = 1
)

// document is what the index has of one case, beside its terms.
type document struct {
	of     *incident.Case
	number uint32
	key    output.Key // of what its terms come from; zero where that is not known
	length uint64     // the sum of all counts, in whole words
	step   uint8      // of the length
}

// Number is the number of an id, which is the number of its document: IL-0371
// is 371. No two cases have one number.
func Number(id string) (uint32, bool) {
	if !incident.ValidID(id) {
		return 0, false
	}
	n, err := strconv.ParseUint(id[len("IL-"):], 10, 32)
	return uint32(n), err == nil
}

// stepOf is the step of a length.
func stepOf(length uint64) uint8 { return uint8(min(step(length), steps-1)) }

// byNumber finds the document of a number.
func byNumber(docs []document, number uint32) (at int, found bool) {
	return slices.BinarySearchFunc(docs, number, func(d document, n uint32) int { return cmp.Compare(d.number, n) })
}

// labels are the terms that classify cases, each with a digest of what it is
// called.
type labels map[*incident.Term][sha256.Size]byte

func labelsOf(v *incident.Vocabulary) labels {
	all := labels{}
	for i := range v.Axes {
		if !isFacet(v.Axes[i].ID) {
			continue
		}
		for j := range v.Axes[i].Terms {
			var b []byte
			term := &v.Axes[i].Terms[j]
			for _, text := range names(term) {
				b = append(strconv.AppendQuote(b, text), '\n')
			}
			all[term] = sha256.Sum256(b)
		}
	}
	return all
}

// names are what a term is called.
func names(t *incident.Term) []string {
	var all []string
	for _, l := range incident.Langs() {
		all = append(append(all, t.Label.In(l)), t.Aliases(l)...)
	}
	return all
}

// document is what can be told of a case's document without reading it.
func (all labels) document(c *incident.Case, v *incident.Vocabulary) document {
	d := document{of: c}
	d.number, _ = Number(c.ID)
	if c.Sum == (incident.Sum{}) {
		return d
	}
	b := append(make([]byte, 0, 1<<9), c.Sum[:]...)
	eachLabel(c, v, func(t *incident.Term) {
		sum := all[t]
		b = append(b, sum[:]...)
	})
	sum := sha256.Sum256(b)
	copy(d.key[:], sum[:])
	return d
}

// eachLabel calls do with the terms whose names a case is found by.
func eachLabel(c *incident.Case, v *incident.Vocabulary, do func(*incident.Term)) {
	for _, axis := range incident.AxisIDs() {
		if !isFacet(axis) {
			continue
		}
		for _, slug := range c.Terms(axis) {
			if term := v.Term(axis, slug); term != nil {
				do(term)
			}
		}
	}
}
