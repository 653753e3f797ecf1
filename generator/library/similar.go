package library

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/incident"
)

const (
	maxSimilar = 10
	// comparedAxes is how many axes count.
	comparedAxes = 6
	// maxWordsShown is how many shared words a language explains a score with.
	maxWordsShown = 5
	// textFactor sets the wording against the terms.
	textFactor = 3
	// leadWeight is the least weight of a word that leads to candidates: at most
	// 16 cases have it.
	leadWeight = 2
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
func SimilarityAxes() [comparedAxes]AxisWeight {
	return [...]AxisWeight{
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
//     to three by its rarity: three if at most 4 cases have it, two up to 16, one
//     up to 64, and one less in a library of at most 256, two less of at most 64.
//     The 64 rarest of a case count in a language, and not the organisation's
//     name. The wording counts three times the square root of the sum, in the
//     language in which the two agree more: so a text that one language lacks
//     costs nothing, and length counts less and less.
//
// In a library of up to 1,024 cases the ten are exactly the greatest scores. In a
// larger one they are the greatest among the cases that share a word that at most
// 16 have, and those that share the rarest terms and combinations of two and
// three terms, of which up to 1,024 entries are read: what a case costs does not
// grow with the library.
//
// The list is shared: it is not to be changed.
func (l *Library) Similar(c *incident.Case) []Similar {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return nil
	}
	return l.lastSimilar.of(rank, l.findSimilar)
}

func (l *Library) findSimilar(rank uint32) []Similar {
	x := l.similar.index()
	nearest := x.nearest(rank)
	out := make([]Similar, len(nearest))
	own := x.compared(l.newest[rank])
	for i, near := range nearest {
		out[i].Case, out[i].Score = l.newest[near.rank], int(near.score)
		out[i].Parts = x.termParts(own, near.rank)
		x.explainWording(&out[i], rank, near.rank)
	}
	return out
}

// similarIndex is what finding similar cases takes.
type similarIndex struct {
	newest  []*incident.Case
	terms   *termIndex
	weight  []uint16                           // by term; 0 where its axis is not compared
	text    [maxWords*(maxWordLevel-1) + 1]int // by sum of the weights of words: what it counts
	rare    combinations
	en, ko  *wording
	scratch sync.Pool // of *scratch
	all     int
}

// newSimilarIndex makes the index of cases, from the one of a library before an
// edit, where there is one.
func newSimilarIndex(newest []*incident.Case, terms *termIndex, before *similarIndex) *similarIndex {
	x := &similarIndex{newest: newest, terms: terms, weight: make([]uint16, len(terms.refs)), all: len(newest)}
	for id, ref := range terms.refs {
		for _, a := range SimilarityAxes() {
			if a.Axis == ref.Axis {
				rarity := min(maxRarity, max(0, level(x.all)-level(len(terms.cases[id]))))
				x.weight[id] = uint16(a.Weight * (1 + rarity))
			}
		}
	}
	for sum := range x.text {
		x.text[sum] = textFactor * sqrt(sum)
	}
	x.scratch.New = func() any {
		return &scratch{words: make([]uint32, x.all), wanted: make([]uint16, len(terms.refs))}
	}
	var from []uint32
	var gone []*incident.Case
	if before != nil {
		from, gone = before.moved(newest)
	}
	var both sync.WaitGroup
	both.Go(func() { x.en = wordingAfter(before.wording(incident.EN), newest, from, gone, incident.EN) })
	both.Go(func() { x.ko = wordingAfter(before.wording(incident.KO), newest, from, gone, incident.KO) })
	switch {
	case x.all <= maxExact:
	case before != nil && sameList(before.terms.of.items, terms.of.items): // the weights are the same too
		x.rare = before.rare
	default:
		x.rare = newCombinations(x.all, terms, x.weight)
	}
	both.Wait()
	return x
}

func wordingAfter(before *wording, newest []*incident.Case, from []uint32, gone []*incident.Case, lang incident.Lang) *wording {
	if before != nil {
		if next, ok := before.after(newest, from, gone); ok {
			return next
		}
	}
	return newWording(newest, lang)
}

func (x *similarIndex) wording(l incident.Lang) *wording {
	switch {
	case x == nil:
		return nil
	case l == incident.KO:
		return x.ko
	}
	return x.en
}

// moved says for each of the cases after an edit which rank it had, alone for one
// that is new, and which cases are gone.
func (x *similarIndex) moved(newest []*incident.Case) (from []uint32, gone []*incident.Case) {
	rank := make(map[*incident.Case]uint32, len(x.newest))
	for r, c := range x.newest {
		rank[c] = uint32(r)
	}
	from = make([]uint32, len(newest))
	for r, c := range newest {
		old, ok := rank[c]
		if !ok {
			old = alone
		}
		from[r] = old
		delete(rank, c)
	}
	for _, c := range x.newest {
		if _, left := rank[c]; left {
			gone = append(gone, c)
		}
	}
	return from, gone
}

func sameList(a, b []uint32) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// lateSimilar is an index that is made when somebody asks for it.
type lateSimilar struct {
	once   sync.Once
	make   func(before *similarIndex) *similarIndex
	made   atomic.Pointer[similarIndex]
	before atomic.Pointer[similarIndex] // to make it from; nil once it is made
}

// similarAfter is the index of l, to be made from that of a library before.
func (l *Library) similarAfter(before *similarIndex) *lateSimilar {
	s := &lateSimilar{make: func(before *similarIndex) *similarIndex {
		return newSimilarIndex(l.newest, &l.terms, before)
	}}
	s.before.Store(before)
	return s
}

func (s *lateSimilar) index() *similarIndex {
	s.once.Do(func() {
		s.made.Store(s.make(s.before.Load()))
		s.before.Store(nil)
	})
	return s.made.Load()
}

// base is the newest index that is made, of l or of a library before it. It does
// not wait for one that is being made.
func (l *Library) base() *similarIndex {
	before := l.similar.before.Load() // first: it goes when the other comes
	return cmp.Or(l.similar.made.Load(), before)
}

// scored is a case with its score.
type scored struct {
	rank  uint32
	score int32
}

// scratch is the memory of one search. It is all zeros between two.
type scratch struct {
	// By rank: a mark that the case was met, and the sums of the weights of the
	// words that it shares, English above Korean. maxWords words fit into
	// either half.
	words   []uint32
	touched []uint32
	wanted  []uint16 // by term: what sharing it with the case counts
}

const (
	met     = 1 << 31
	english = 16
	korean  = 0
	half    = 1<<15 - 1
)

func (s *scratch) touch(ranks []uint32) {
	for _, r := range ranks {
		if s.words[r] == 0 {
			s.words[r] = met
			s.touched = append(s.touched, r)
		}
	}
}

// nearest are the greatest scores, in order.
func (x *similarIndex) nearest(rank uint32) []scored {
	s, ok := x.scratch.Get().(*scratch)
	if !ok {
		return nil // cannot be: the pool makes nothing else
	}
	defer x.scratch.Put(s)
	x.meet(s, rank)
	x.addWords(s, x.en, rank, english)
	x.addWords(s, x.ko, rank, korean)
	for _, t := range x.terms.of.of(rank) {
		s.wanted[t] = x.weight[t]
	}
	best := make([]scored, 0, maxSimilar+1)
	least := int32(1) // what a case has to reach to be one of them
	for _, r := range s.touched {
		if n := x.score(s, r); n >= least && r != rank {
			if best = keep(best, scored{r, n}); len(best) == maxSimilar {
				least = best[maxSimilar-1].score
			}
		}
		s.words[r] = 0
	}
	s.touched = s.touched[:0]
	for _, t := range x.terms.of.of(rank) {
		s.wanted[t] = 0
	}
	return best
}

// meet marks the candidates: all of a small library, else those that share a
// rare word or a rare combination of terms.
func (x *similarIndex) meet(s *scratch, rank uint32) {
	if x.all <= maxExact {
		for r := range uint32(x.all) {
			s.touched = append(s.touched, r)
			s.words[r] = met
		}
		return
	}
	for _, words := range [...]*wording{x.en, x.ko} {
		for _, w := range words.of.of(rank) {
			if words.weight[w] < leadWeight {
				break // the rest weigh no more
			}
			s.touch(words.cases.of(w))
		}
	}
	x.rare.visit(rank, s.touch)
}

// addWords sums up the words that the candidates share.
func (x *similarIndex) addWords(s *scratch, words *wording, rank uint32, shift int) {
	for _, w := range words.of.of(rank) {
		weight := uint32(words.weight[w]) << shift
		for _, r := range words.cases.of(w) {
			if s.words[r] != 0 {
				s.words[r] += weight
			}
		}
	}
}

func (x *similarIndex) score(s *scratch, r uint32) int32 {
	sum := s.words[r]
	n := x.text[max(sum>>english&half, sum&half)]
	for _, t := range x.terms.of.of(r) {
		n += int(s.wanted[t])
	}
	return int32(n)
}

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
	if len(best) == maxSimilar && nearer(best[maxSimilar-1], s) < 0 {
		return best
	}
	i, _ := slices.BinarySearchFunc(best, s, nearer)
	best = slices.Insert(best, i, s)
	return best[:min(len(best), maxSimilar)]
}

func nearer(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank))
}

// comparedTerm is a term of a case, on an axis that is compared.
type comparedTerm struct {
	axis incident.AxisID
	slug string
	id   uint32
}

// compared are the terms of a case in the order in which they explain a score.
func (x *similarIndex) compared(c *incident.Case) []comparedTerm {
	var own []comparedTerm
	for _, a := range SimilarityAxes() {
		for _, slug := range c.Terms(a.Axis) {
			id, known := x.terms.ids[incident.TermRef{Axis: a.Axis, Slug: slug}]
			again := slices.ContainsFunc(own, func(t comparedTerm) bool { return t.id == id }) // a slug given twice counts once
			if known && !again {
				own = append(own, comparedTerm{a.Axis, slug, id})
			}
		}
	}
	return own
}

// termParts are those of a case's terms that another case has too, axis by axis.
func (x *similarIndex) termParts(own []comparedTerm, other uint32) []Part {
	has := x.terms.of.of(other)
	slugs, from := make([]string, 0, len(own)), 0 // of all parts, and where those of the last begin
	parts := make([]Part, 0, comparedAxes+1)
	for _, t := range own {
		if _, shared := slices.BinarySearch(has, t.id); !shared {
			continue
		}
		if n := len(parts); n == 0 || parts[n-1].Axis != t.axis {
			parts, from = append(parts, Part{Axis: t.axis}), len(slugs)
		}
		slugs = append(slugs, t.slug)
		part := &parts[len(parts)-1]
		part.Terms, part.Score = slugs[from:len(slugs):len(slugs)], part.Score+int(x.weight[t.id])
	}
	return parts
}

func (x *similarIndex) explainWording(s *Similar, a, b uint32) {
	en, sumEN := x.en.shared(a, b)
	ko, sumKO := x.ko.shared(a, b)
	if score := x.text[max(sumEN, sumKO)]; score > 0 {
		s.Parts = append(s.Parts, Part{Score: score})
	}
	s.WordsEN, s.WordsKO = en, ko
}
