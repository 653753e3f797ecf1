package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Scores are whole numbers: the impact of a term times fullWeight, or
// looseWeight where the term only begins like the word.
const (
	fullWeight  = 60
	looseWeight = 36

	blanks = " \t\r\n"

	maxQuestion = 200 // characters that are read
	maxWords    = 16
	maxTerms    = 64 // of those that begin alike
	maxShards   = 3  // that those are taken from
	fewHits     = 5  // below it, looser ways are tried
)

// choice is a term, or all terms from one to another, that satisfy a part.
type choice struct {
	term, to string // to is "" for one term
	weight   int
}

// word is one word of a question: its parts, each of which a case must have by
// one of its choices, and terms that only add to the score.
type word struct {
	parts   [][]choice
	extra   []string
	bigrams int    // at least 1: the more there are, the less each counts
	pair    string // the term that this word and the one before make as one
	strict  bool   // the two were written with a hyphen: where the one is known, no other will do
	shown   string // as it was typed
	word    string // folded
	hangul  bool
}

// question is what a reader typed.
type question struct {
	words []word
	loose *word // the last word as one that is still being typed; nil when that is no other
	id    string
}

// parse reads a question.
func parse(text string) question {
	text, initial := cutJamo(firstRunes(text, maxQuestion))
	text = normal(text)
	q := question{id: idIn(text)}
	type spelled struct {
		form
		gap gap
		end int
	}
	var forms []spelled
	eachRun(text, func(r run) {
		if f := newForm(r); f.counts(r.gap) && len(forms) < maxWords {
			forms = append(forms, spelled{f, r.gap, r.at + len(r.text)})
		}
	})
	meant := slices.DeleteFunc(slices.Clone(forms), func(f spelled) bool { return isStopWord(f.word) })
	if len(meant) == 0 {
		meant = forms
	}
	for i := range meant {
		f := &meant[i]
		last := i == len(meant)-1 && f.end == len(text)
		var before *form
		if i > 0 {
			before = &meant[i-1].form
		}
		w := latinWord(&f.form, last)
		if f.run.hangul {
			w = hangulWord(&f.form)
			if before != nil {
				if pair := across(before, &f.form, f.gap); pair != "" {
					w.extra = append(w.extra, pair)
				}
			}
			if last {
				q.loose = typed(w, &f.form, initial)
			}
		} else if before != nil && pairs(before, &f.form, f.gap) {
			w.pair, w.strict = string(pairStem(nil, before, &f.form)), f.gap == joined
		}
		q.words = append(q.words, w)
	}
	return q
}

func firstRunes(s string, n int) string {
	for at := range s {
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}

// cutJamo takes off the letters of a syllable that is being typed, and returns
// the number of the initial consonant of the first, or -1.
func cutJamo(s string) (rest string, initial int) {
	rest = strings.TrimRightFunc(s, func(r rune) bool { return 0x3131 <= r && r <= 0x3163 })
	r, _ := utf8.DecodeRuneInString(s[len(rest):])
	const initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
	if at := strings.IndexRune(initials, r); at >= 0 && rest != s {
		return rest, at / syllable
	}
	return rest, -1
}

// idIn is the number of the id that a question is: IL-0371, il371; "" for any
// other question.
func idIn(s string) string {
	s = strings.ToLower(strings.Trim(s, blanks))
	digits, ok := strings.CutPrefix(s, "il")
	digits = strings.TrimPrefix(strings.TrimPrefix(digits, "-"), " ")
	if !ok || digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}

func latinWord(f *form, last bool) word {
	key := stemOf(f.word)
	w := word{shown: f.run.text, word: f.word, bigrams: 1, parts: [][]choice{{{term: key, weight: fullWeight}}}}
	if key != f.word {
		w.extra = []string{f.word}
	}
	if last && utf8.RuneCountInString(f.word) >= 3 {
		w.parts[0] = append(w.parts[0], choice{f.word, f.word + "\uffff", looseWeight})
	}
	return w
}

// hangulWord asks for the word without its ending: what a noun carries says
// nothing of what it means, and the terms of endings are the longest.
func hangulWord(f *form) word {
	w := word{shown: f.word, word: f.word, hangul: true, bigrams: 1}
	if len(f.word) == syllable {
		w.parts = [][]choice{{{term: f.word, weight: fullWeight}}}
		return w
	}
	kept := core(f.word)
	for at := syllable; at < len(kept); at += syllable {
		w.parts = append(w.parts, []choice{{term: kept[at-syllable : at+syllable], weight: fullWeight}})
	}
	w.bigrams = len(w.parts)
	if len(f.word) == 2*syllable && listed(objects, f.word[syllable:]) {
		w.parts[0] = append(w.parts[0], choice{term: f.word[:syllable], weight: fullWeight})
	}
	return w
}

// typed is the last word as one that is still being typed: its last syllable may
// get a final consonant, or lose the one it has to the next syllable, of which
// the initial consonant may be there already. It is nil where that is no other
// word.
func typed(w word, f *form, initial int) *word {
	w.parts = slices.Clone(w.parts)
	switch {
	case core(f.word) != f.word:
		return nil // asks for less already
	case initial >= 0:
		from := rune(firstSyllable + initial*vowels*finals)
		w.parts = append(w.parts, []choice{between(string(f.last), from, from+vowels*finals-1)})
		if f.first == f.last && len(f.word) == syllable {
			w.parts = w.parts[1:]
		}
	case len(f.word) == syllable:
		w.parts[0] = append(w.parts[0], between(f.word, firstSyllable, lastSyllable))
	default:
		before := f.word[len(f.word)-2*syllable : len(f.word)-syllable]
		open := f.last - (f.last-firstSyllable)%finals
		at := len(w.parts) - 1
		loose := choice{term: before + string(open), weight: looseWeight}
		if open == f.last {
			loose = between(before, open, open+finals-1)
		}
		w.parts[at] = append(slices.Clone(w.parts[at]), loose)
	}
	return &w
}

// between are the terms of two syllables, of which the second is in a range.
func between(first string, from, to rune) choice {
	return choice{first + string(from), first + string(to), looseWeight}
}
