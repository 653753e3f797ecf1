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
	shown  []string // by number of a distinctive word
	weight []uint8  // by number
	of     lists    // by rank: numbers, ascending
	cases  lists    // by number: ranks, ascending

	// What the wording after the next edit is made from.
	lang   incident.Lang
	all    int
	tally  tally
	texts  lists    // by rank: the words that at most maxSeen cases have
	number []uint32 // by word: its number; noWord where it does not count
}

// newWording reads title, summary and symptoms of every case in a language. The
// words of an organisation's own name are left out: they tell who had an
// incident, not what it was like.
func newWording(newest []*incident.Case, lang incident.Lang) *wording {
	x := &wording{lang: lang, all: len(newest), tally: tally{lex: newLexicon()}}
	for i := range newest {
		x.texts.append(x.read(newest, uint32(i)))
	}
	x.tally.lex.first = len(x.tally.lex.spellings)
	x.choose()
	for rank := range newest {
		x.of.append(x.distinctive(uint32(rank)))
	}
	x.cases = x.of.inverted(len(x.shown))
	return x
}

// read counts the words of a case, and returns those that are not too common
// already: keeping these would be most of the memory.
func (x *wording) read(newest []*incident.Case, rank uint32) []uint32 {
	words := x.tally.count(newest[rank], x.lang)
	return slices.DeleteFunc(words, func(w uint32) bool { return x.tally.seen[w] > maxSeen })
}

// after is what newWording returns for other cases, made from the wording of
// those that came before. from says for each rank which rank the case had; alone
// for one that is new. gone are the cases that are no more. It is not ok when so
// much changed that nothing is saved.
func (x *wording) after(newest []*incident.Case, from []uint32, gone []*incident.Case) (next *wording, ok bool) {
	x.tally.lex.mu.Lock()
	defer x.tally.lex.mu.Unlock()
	next = &wording{lang: x.lang, all: len(newest), tally: x.tally.clone()}
	if level(next.all) != level(x.all) || next.tally.lex.grown() {
		return nil, false
	}
	for _, c := range gone {
		next.tally.discount(c, x.lang)
	}
	for rank, old := range from {
		if old == alone {
			next.texts.append(next.read(newest, uint32(rank)))
		} else {
			next.texts.append(x.texts.of(old))
		}
	}
	changed, ok := x.reweighed(next)
	if !ok {
		return nil, false
	}
	next.choose()
	// Where no word of a case changed what it counts, the same words in the same
	// order are its distinctive ones. Only their numbers may be others.
	renumbered := make([]uint32, len(x.shown))
	for w, n := range x.number {
		if n != noWord {
			renumbered[n] = next.number[w]
		}
	}
	var buf []uint32
	for rank, old := range from {
		if old == alone || slices.ContainsFunc(next.texts.of(uint32(rank)), func(w uint32) bool { return changed[w] }) {
			next.of.append(next.distinctive(uint32(rank)))
			continue
		}
		buf = buf[:0]
		for _, n := range x.of.of(old) {
			buf = append(buf, renumbered[n])
		}
		next.of.append(buf)
	}
	next.cases = next.of.inverted(len(next.shown))
	return next, true
}

// reweighed says by word which count otherwise in next. It is not ok when a word
// that was too common is that no more: x did not keep which cases have it.
func (x *wording) reweighed(next *wording) (changed []bool, ok bool) {
	changed = make([]bool, len(next.tally.seen))
	for w, now := range next.tally.seen {
		was := uint32(0)
		if w < len(x.tally.seen) {
			was = x.tally.seen[w]
		}
		if was == now {
			continue
		}
		if was > maxSeen && now <= maxSeen {
			return nil, false
		}
		changed[w] = x.counts(was) != next.counts(now)
	}
	return changed, true
}

// counts is what a word counts that two cases or more share.
func (x *wording) counts(seen uint32) int {
	if seen < 2 {
		return 0
	}
	return wordWeight(int(seen), x.all)
}

// choose numbers the words that count and that two cases share: by weight,
// greatest first, then in the order of their stems. So the numbers do not depend
// on which case was read first, and ascending lists start with what matters
// most.
func (x *wording) choose() {
	type entry struct {
		stem   string
		word   uint32
		weight int
	}
	var kept []entry
	for w, seen := range x.tally.seen {
		if weight := x.counts(seen); weight > 0 {
			kept = append(kept, entry{x.tally.lex.stem(uint32(w)), uint32(w), weight})
		}
	}
	slices.SortFunc(kept, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.stem, b.stem))
	})
	x.number = slices.Repeat([]uint32{noWord}, len(x.tally.seen))
	for i, e := range kept {
		x.number[e.word] = uint32(i)
		x.shown = append(x.shown, x.tally.shown(e.word))
		x.weight = append(x.weight, uint8(e.weight))
	}
}

// distinctive are the numbers of the words of a case that count.
func (x *wording) distinctive(rank uint32) []uint32 {
	var buf []uint32
	for _, w := range x.texts.of(rank) {
		if x.number[w] != noWord {
			buf = append(buf, x.number[w])
		}
	}
	slices.Sort(buf)
	return buf[:min(len(buf), maxWords)]
}

// shared are the rarest of the words that two cases have in common, as the
// texts spell them, and what all of them count together.
func (x *wording) shared(a, b uint32) (words []string, sum int) {
	var rarest [maxWordsShown]string
	n := 0
	for w := range common(x.of.of(a), x.of.of(b)) {
		sum += int(x.weight[w])
		if n < maxWordsShown {
			rarest[n] = x.shown[w]
			n++
		}
	}
	return slices.Clone(rarest[:n:n]), sum
}
