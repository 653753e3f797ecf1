package library

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"benchlet.com/incidentlib/generator/incident"
)

const (
	maxSimilar = 10
	// maxWordsShown is how many shared words a language explains a score with.
	maxWordsShown = 5
	// textFactor sets the wording against the terms.
	textFactor = 3
	// maxRarity is how many levels of rarity add to a term's weight.
	maxRarity = 3
)

// AxisWeight says what a shared term of an axis counts, before its rarity.
type AxisWeight struct {
	Axis   incident.AxisID
	Weight int
}

// SimilarityAxes are the axes that [Library.Similar] compares and what they
// count, in the order in which they explain a score.
func SimilarityAxes() []AxisWeight {
	return []AxisWeight{
		{incident.RootCause, 4},
		{incident.Components, 4},
		{incident.Symptoms, 3},
		{incident.Contributing, 2},
		{incident.Domain, 2},
		{incident.Detection, 1},
	}
}

// Similar is a case near to another, with the reasons.
type Similar struct {
	Case  *incident.Case
	Score int    // the sum of the parts' scores
	Parts []Part // in the order of [SimilarityAxes], the wording last; none with score 0

	// The rarest of the distinctive words that the two share in a language, at
	// most 5, as the texts spell them. They may stand here while the other
	// language, which agrees more, makes the score.
	WordsEN, WordsKO []string
}

// Words are the shared distinctive words in a language.
func (s *Similar) Words(lang incident.Lang) []string {
	if lang == incident.KO {
		return s.WordsKO
	}
	return s.WordsEN
}

// Part is one reason for a score: the terms shared on an axis, in the order of
// the page's case, or, where Axis is "", the wording.
type Part struct {
	Axis  incident.AxisID
	Terms []string
	Score int
}

// Similar are the up to ten cases nearest to c: the greatest score first, then
// newest, then by id. The score of two cases is the same from either side:
//
//   - A term that both have counts its axis's weight of [SimilarityAxes], times
//     one to four by its rarity: one more for each level that separates the
//     number of cases that have it from the number of all. A level is a power of
//     four, so that numbers change without changing weights.
//   - A distinctive word that both have in title, summary or symptoms counts one
//     to four by its rarity ([wordWeight]). The wording counts three times the
//     square root of the sum, in the language in which the two agree more: so a
//     text that one language lacks costs nothing, and length counts less and less.
//
// In a library of up to 512 cases the ten are exactly the greatest scores. In a
// larger one they are the greatest among the cases that share a distinctive word
// and those that share rare terms or rare combinations of two and three terms,
// up to 1,024 of these: the cost a case does not grow with the library.
func (l *Library) Similar(c *incident.Case) []Similar {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return nil
	}
	x := l.similar()
	var out []Similar
	for _, near := range x.nearest(rank) {
		s := Similar{Case: l.newest[near.rank], Score: near.score}
		s.Parts = x.termParts(c, near.rank)
		x.explainWording(&s, rank, near.rank)
		out = append(out, s)
	}
	return out
}

// similarIndex is what finding similar cases takes.
type similarIndex struct {
	terms   *termIndex
	weight  []uint16 // by term; 0 where its axis is not compared
	rare    combinations
	en, ko  *wording
	scratch sync.Pool // of *scratch
	all     int
}

func newSimilarIndex(newest []*incident.Case, terms *termIndex) *similarIndex {
	x := &similarIndex{terms: terms, weight: make([]uint16, len(terms.refs)), all: len(newest)}
	for id, ref := range terms.refs {
		for _, a := range SimilarityAxes() {
			if a.Axis == ref.Axis {
				rarity := min(maxRarity, max(0, level(x.all)-level(len(terms.cases[id]))))
				x.weight[id] = uint16(a.Weight * (1 + rarity))
			}
		}
	}
	x.scratch.New = func() any {
		return &scratch{words: make([]uint32, x.all), wanted: make([]uint16, len(terms.refs))}
	}
	var both sync.WaitGroup
	both.Go(func() { x.en = newWording(newest, incident.EN) })
	both.Go(func() { x.ko = newWording(newest, incident.KO) })
	if x.all > maxExact {
		x.rare = newCombinations(x.all, terms, x.weight)
	}
	both.Wait()
	return x
}

// scored is a case with its score.
type scored struct {
	rank  uint32
	score int
}

// scratch is the memory of one search. It is all zeros between two.
type scratch struct {
	// By rank: a mark that the case was met, and the sums of the weights of the
	// words that it shares, English above Korean. maxWords words of at most four
	// fit into either half.
	words   []uint32
	touched []uint32
	wanted  []uint16 // by term: what sharing it with the case counts
}

const (
	met     = 1 << 31
	english = 16
	half    = 1<<15 - 1
)

func (s *scratch) touch(ranks []uint32, weight uint32) {
	for _, r := range ranks {
		if s.words[r] == 0 {
			s.words[r] = met
			s.touched = append(s.touched, r)
		}
		s.words[r] += weight
	}
}

// nearest finds the greatest scores, in order.
func (x *similarIndex) nearest(rank uint32) []scored {
	s, ok := x.scratch.Get().(*scratch)
	if !ok {
		return nil // cannot be: the pool makes nothing else
	}
	defer x.scratch.Put(s)
	for _, w := range x.en.of.of(rank) {
		s.touch(x.en.cases.of(w), uint32(x.en.weight[w])<<english)
	}
	for _, w := range x.ko.of.of(rank) {
		s.touch(x.ko.cases.of(w), uint32(x.ko.weight[w]))
	}
	if x.all <= maxExact {
		for r := range uint32(x.all) {
			s.touch([]uint32{r}, 0)
		}
	} else {
		x.rare.visit(rank, func(ranks []uint32) { s.touch(ranks, 0) })
	}
	for _, t := range x.terms.of.of(rank) {
		s.wanted[t] = x.weight[t]
	}
	best := make([]scored, 0, maxSimilar+1)
	for _, r := range s.touched {
		if r != rank {
			best = keep(best, scored{r, x.score(s, r)})
		}
		s.words[r] = 0
	}
	s.touched = s.touched[:0]
	for _, t := range x.terms.of.of(rank) {
		s.wanted[t] = 0
	}
	return best
}

func (x *similarIndex) score(s *scratch, r uint32) int {
	sum := s.words[r]
	n := textScore(int(max(sum>>english&half, sum&half)))
	for _, t := range x.terms.of.of(r) {
		n += int(s.wanted[t])
	}
	return n
}

// textScore is what words count together.
func textScore(sum int) int { return textFactor * sqrt(sum) }

// sqrt is the whole part of a square root, in integers so that every machine
// agrees.
func sqrt(n int) int {
	root := 0
	for bit := 1 << (bits.Len(uint(n)) / 2); bit > 0; bit >>= 1 {
		if next := root | bit; next*next <= n {
			root = next
		}
	}
	return root
}

// keep puts a case among the best, if it is one of them.
func keep(best []scored, s scored) []scored {
	if s.score == 0 || len(best) == maxSimilar && nearer(best[maxSimilar-1], s) < 0 {
		return best
	}
	i, _ := slices.BinarySearchFunc(best, s, nearer)
	best = slices.Insert(best, i, s)
	return best[:min(len(best), maxSimilar)]
}

func nearer(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank))
}

// termParts are the terms of c that another case has too, axis by axis.
func (x *similarIndex) termParts(c *incident.Case, other uint32) []Part {
	has := x.terms.of.of(other)
	var parts []Part
	for _, a := range SimilarityAxes() {
		part := Part{Axis: a.Axis}
		for _, slug := range c.Terms(a.Axis) {
			id, ok := x.terms.ids[incident.TermRef{Axis: a.Axis, Slug: slug}]
			if !ok || slices.Contains(part.Terms, slug) {
				continue
			}
			if _, shared := slices.BinarySearch(has, id); shared {
				part.Terms = append(part.Terms, slug)
				part.Score += int(x.weight[id])
			}
		}
		if part.Score > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

func (x *similarIndex) explainWording(s *Similar, a, b uint32) {
	en, ko := x.en.shared(a, b), x.ko.shared(a, b)
	if score := textScore(max(x.en.sum(en), x.ko.sum(ko))); score > 0 {
		s.Parts = append(s.Parts, Part{Score: score})
	}
	s.WordsEN, s.WordsKO = x.en.spelt(en), x.ko.spelt(ko)
}

// spelt are the first few of words as the texts spell them.
func (x *wording) spelt(words []uint32) []string {
	var out []string
	for _, w := range words[:min(len(words), maxWordsShown)] {
		out = append(out, x.shown[w])
	}
	return out
}
