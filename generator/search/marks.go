package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marker finds the words of a question in texts, to mark them. It is never
// changed once made.
type Marker struct {
	question question
}

// NewMarker reads a question.
func NewMarker(text string) *Marker { return &Marker{parse(text)} }

// letters is a normal text that knows for each of its bytes where its character
// stands in the text that it was made from.
type letters struct {
	text     string
	from, to []int
}

// newLetters normalises a text, one character with what joins it after the
// other.
func newLetters(text string) *letters {
	l := &letters{}
	var b strings.Builder
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		end := at + size
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !unicode.Is(unicode.M, r) && !(0x1160 <= r && r <= 0x11FF) {
				break
			}
			end += size
		}
		piece := normal(text[at:end])
		b.WriteString(piece)
		for range len(piece) {
			l.from, l.to = append(l.from, at), append(l.to, end)
		}
		at = end
	}
	l.text = b.String()
	return l
}

// placed is a form where it stands.
type placed struct {
	form
	gap    gap
	at     int
	before *placed // nil where the two are not neighbours
}

func (p *placed) end() int { return p.at + len(p.run.text) }

func place(text string) []*placed {
	var out []*placed
	next := false
	eachRun(text, func(r run) {
		f := &placed{newForm(r), r.gap, r.at, nil}
		if !f.counts(r.gap) {
			next = false
			return
		}
		if next {
			f.before = out[len(out)-1]
		}
		next = true
		out = append(out, f)
	})
	return out
}

// Marks are the places of the words of the question in a text, in bytes: from
// and to, in order, apart from one another.
func (m *Marker) Marks(text string) [][2]int {
	l := newLetters(text)
	var found [][2]int
	for _, f := range m.marks(l.text) {
		found = append(found, [2]int{l.from[f.from], l.to[f.to-1]})
	}
	slices.SortFunc(found, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var out [][2]int
	for _, f := range found {
		if n := len(out); n > 0 && f[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], f[1])
			continue
		}
		out = append(out, f)
	}
	return out
}

// mark is a place in a normal text that has a word of the question.
type mark struct{ from, to, word int }

func (m *Marker) marks(text string) []mark {
	forms := place(text)
	var out []mark
	for i := range m.question.words {
		w := &m.question.words[i]
		var found [][2]int
		if w.hangul {
			found = hangulMarks(forms, w, m.question.loose != nil && i == len(m.question.words)-1)
		} else {
			found = latinMarks(forms, w)
		}
		for _, f := range found {
			out = append(out, mark{f[0], f[1], i})
		}
	}
	return out
}

// latinMarks are the words that have the stem of a word, that begin like one
// that is being typed, or that are it in two.
func latinMarks(forms []*placed, w *word) (out [][2]int) {
	key := w.parts[0][0].term
	for _, f := range forms {
		if f.run.hangul {
			continue
		}
		if f.before != nil && pairs(&f.before.form, &f.form, f.gap) && string(pairStem(nil, &f.before.form, &f.form)) == key {
			out = append(out, [2]int{f.before.at, f.end()})
		}
		for _, t := range f.terms {
			if t.term == key || t.term == w.pair || len(w.parts[0]) > 1 && strings.HasPrefix(t.term, w.word) {
				out = append(out, [2]int{f.at, f.end()})
				break
			}
		}
	}
	return out
}

// hangulMarks are the places of a word without its ending, with or without
// spaces in it. One that is being typed may lack its last syllable, or the last
// consonant of that.
func hangulMarks(forms []*placed, w *word, typing bool) [][2]int {
	target := core(w.word)
	if len(target) == syllable {
		if out := singles(forms, target); len(out) > 0 || !typing {
			return out
		}
	}
	out := sequences(forms, target)
	if len(out) == 0 && len(target) == 2*syllable && listed(objects, target[syllable:]) {
		out = singles(forms, target[:syllable])
	}
	if len(out) > 0 || !typing || len(target) == syllable {
		return out
	}
	last, _ := utf8.DecodeLastRuneInString(target)
	cut := target[:len(target)-syllable]
	if out = sequences(forms, cut+string(last-(last-firstSyllable)%finals)); len(out) == 0 && len(cut) >= 2*syllable {
		out = sequences(forms, cut)
	}
	return out
}

// singles are the places of a word of one syllable, with a particle or none.
func singles(forms []*placed, target string) (out [][2]int) {
	for _, f := range forms {
		if rest, ok := strings.CutPrefix(f.run.text, target); ok && (rest == "" || isParticle(rest)) {
			out = append(out, [2]int{f.at, f.at + syllable})
		}
	}
	return out
}

// sequences are the places of syllables that follow one another in a run of
// Hangul or in several with spaces between them.
func sequences(forms []*placed, target string) (out [][2]int) {
	var text strings.Builder // of one chain of runs
	var at []int             // where each of its bytes stands
	flush := func() {
		for from := 0; from < text.Len(); {
			i := strings.Index(text.String()[from:], target)
			if i < 0 {
				break
			}
			last := from + i + len(target)
			out = append(out, [2]int{at[from+i], at[last-1] + 1})
			from = last
		}
		text.Reset()
		at = at[:0]
	}
	for _, f := range forms {
		if !f.run.hangul || f.gap != spaced || f.before == nil || !f.before.run.hangul {
			flush()
		}
		if f.run.hangul {
			text.WriteString(f.run.text)
			for i := range len(f.run.text) {
				at = append(at, f.at+i)
			}
		}
	}
	flush()
	return out
}
