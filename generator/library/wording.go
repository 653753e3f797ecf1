package library

import (
	"cmp"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

const (
	// maxWords is how many distinctive words of a case count in a language: the
	// rarest, so that a long text is not near to everything.
	maxWords = 64
	// maxWordLevel bounds how common a distinctive word may be: below this level,
	// so that maxSeen cases have it at most.
	maxWordLevel = 4
	maxSeen      = 64
)

// level is a number in powers of four: 0 for 1, 1 up to 4, 2 up to 16, 3 up to
// 64. Rarity is taken from levels, not from the numbers, so that one more case
// hardly ever changes the weight of a word, and with it lists that have nothing
// to do with the case.
func level(n int) int {
	l := 0
	for top := 1; top < n; top *= 4 {
		l++
	}
	return l
}

// wordWeight is what a word counts that seen of all cases have: 3 at most, the
// less the more common it is, nothing when more than about a quarter of a small
// library or 64 cases of a large one have it.
func wordWeight(seen, all int) int {
	return max(0, min(maxWordLevel, level(all)-1)-level(seen))
}

// wording is which distinctive words the cases have in one language.
type wording struct {
	shown  []string // by word
	weight []uint8  // by word
	of     lists    // by rank: words, ascending
	cases  lists    // by word: ranks, ascending
}

// newWording reads title, summary and symptoms of every case in a language. The
// words of an organisation's own name are left out: they tell who had an
// incident, not what it was like.
func newWording(newest []*incident.Case, lang incident.Lang) *wording {
	lex := newLexicon()
	var texts lists
	var buf, name []uint32
	for i, c := range newest {
		name = lex.read(name[:0], uint32(i), c.Org)
		buf = lex.read(buf[:0], uint32(i), c.Title.In(lang))
		buf = lex.read(buf, uint32(i), c.Summary.In(lang))
		buf = lex.read(buf, uint32(i), c.SymptomsText.In(lang))
		for _, w := range name {
			lex.seen[w]-- // read only so that the texts do not count it
		}
		// Too common already: keeping these would be most of the memory.
		buf = slices.DeleteFunc(buf, func(w uint32) bool { return lex.seen[w] > maxSeen })
		texts.append(buf)
	}
	return lex.distinctive(texts, len(newest))
}

// distinctive keeps the words that count and that two cases share. They are
// numbered by weight, greatest first, then in the order of their stems: so the
// numbers do not depend on which case was read first, and ascending lists start
// with what matters most.
func (l *lexicon) distinctive(texts lists, all int) *wording {
	type entry struct {
		stem   string
		id     uint32
		weight int
	}
	var kept []entry
	for stem, id := range l.stems {
		if w := wordWeight(int(l.seen[id]), all); w > 0 && l.seen[id] > 1 {
			kept = append(kept, entry{stem, id, w})
		}
	}
	slices.SortFunc(kept, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.stem, b.stem))
	})
	x := &wording{}
	number := slices.Repeat([]uint32{noWord}, len(l.shown))
	for i, e := range kept {
		number[e.id] = uint32(i)
		x.shown = append(x.shown, l.shown[e.id])
		x.weight = append(x.weight, uint8(e.weight))
	}
	var buf []uint32
	for i := range texts.ends {
		buf = buf[:0]
		for _, id := range texts.of(uint32(i)) {
			if number[id] != noWord {
				buf = append(buf, number[id])
			}
		}
		slices.Sort(buf)
		x.of.append(buf[:min(len(buf), maxWords)])
	}
	x.cases = x.of.inverted(len(kept))
	return x
}

// shared are the rarest of the words that two cases have in common, as the
// texts spell them, and what all of them count together.
func (x *wording) shared(a, b uint32) (words []string, sum int) {
	for w := range common(x.of.of(a), x.of.of(b)) {
		sum += int(x.weight[w])
		if len(words) < maxWordsShown {
			words = append(words, x.shown[w])
		}
	}
	return words, sum
}
