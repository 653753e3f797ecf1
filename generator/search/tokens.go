package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a word of a text adds to its term, and what a stem or a joined pair of
// words adds, in fifths of the weight of its field.
const (
	whole = 5
	part  = 2
)

// form is what one spelling adds to a text, wherever it stands.
type form struct {
	run   run
	terms []weighted
	first rune   // of Hangul
	last  rune   // of Hangul
	word  string // folded; "" for one that nobody searches
	joins bool   // may be one word with its neighbour
}

type weighted struct {
	term   string
	weight int
}

func newForm(r run) form {
	if r.hangul {
		return hangulForm(r)
	}
	f := form{run: r, word: folded(r.text)}
	n := utf8.RuneCountInString(f.word)
	if n > maxWord {
		return form{run: r}
	}
	f.add(f.word)
	parts := camel(r.text)
	if len(parts) == 1 {
		parts = nil
	}
	for i, p := range parts {
		if len(p) > 1 {
			f.add(p)
		}
		if i > 0 && len(parts) > 2 {
			f.add(parts[i-1] + p)
		}
	}
	f.joins = n > 1 && !strings.ContainsFunc(f.word, unicode.IsDigit)
	return f
}

// add adds a word and its stem.
func (f *form) add(word string) {
	f.terms = append(f.terms, weighted{word, whole})
	if s := stemOf(word); s != word {
		f.terms = append(f.terms, weighted{s, part})
	}
}

func stemOf(word string) string { return string(stem([]byte(word))) }

// hangulForm has every two syllables that follow one another, and the one
// syllable of a word that has no more but a particle. A particle that stands
// alone (Redis를, PITR 을) is no word.
func hangulForm(r run) form {
	if len(r.text) == syllable && isParticle(r.text) {
		return form{run: r}
	}
	f := form{run: r, word: r.text}
	first, size := utf8.DecodeRuneInString(r.text)
	f.first, f.last = first, first
	for at := size; at < len(r.text); at += syllable {
		f.last, _ = utf8.DecodeRuneInString(r.text[at:])
		f.terms = append(f.terms, weighted{r.text[at-syllable : at+syllable], whole})
	}
	if len(r.text) == syllable || isParticle(r.text[syllable:]) {
		f.terms = append(f.terms, weighted{r.text[:syllable], whole})
	}
	return f
}

// camel are the parts of a word in camel case, folded: CrashLoopBackOff has
// four, HTTPServer has two, crash has one. APIs is API and an s. A word with a
// digit is an id and has one.
func camel(word string) []string {
	var parts []string
	start := 0
	for i := 1; i < len(word); i++ {
		switch {
		case !isASCIILetter(word[i]) || !isASCIILetter(word[i-1]):
			return []string{word}
		case i == len(word)-1 && word[i] == 's' && i > 1 && isUpper(word[i-1]):
			parts = append(parts, folded(word[start:i]))
			start = i
		case i == len(word)-2 && word[i+1] == 's' && isUpper(word[i-1]):
			// the last letter of an acronym
		case isUpper(word[i]) && (!isUpper(word[i-1]) || i+1 < len(word) && isASCIILetter(word[i+1]) && !isUpper(word[i+1])):
			parts = append(parts, folded(word[start:i]))
			start = i
		}
	}
	return append(parts, folded(word[start:]))
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// counts reports whether a form adds anything at its place: not the letter after
// an apostrophe.
func (f *form) counts(g gap) bool {
	return f.word != "" && (f.run.hangul || g != apostrophe || utf8.RuneCountInString(f.word) > 1)
}

// across is the pair of syllables over the space between two forms, which makes
// 헬스 체크 and 헬스체크 the same; "" where there is none.
func across(before, f *form, g gap) string {
	if g != spaced || !before.run.hangul || !f.run.hangul {
		return ""
	}
	return string([]rune{before.last, f.first})
}

// pairs reports whether two words may be meant as one: crash loop, crash-loop.
func pairs(before, f *form, g gap) bool {
	return (g == spaced || g == joined) && before.joins && f.joins && !before.run.hangul && !f.run.hangul &&
		utf8.RuneCountInString(before.word)+utf8.RuneCountInString(f.word) >= 5
}

// pairStem is the key of two words as one, in buf.
func pairStem(buf []byte, before, f *form) []byte {
	return stem(append(append(buf[:0], before.word...), f.word...))
}

// digestOf is the FNV-1a digest of a term.
func digestOf[T string | []byte](term T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	return h
}

// Tokens are the terms that a text is found by, in the order in which they
// stand in it, and the joined forms that count where they are a word of the
// library. The browser makes the same; tests compare the two.
func Tokens(text string) (terms, joined []string) {
	var before *form
	eachRun(normal(text), func(r run) {
		f := newForm(r)
		if !f.counts(r.gap) {
			before = nil
			return
		}
		for _, w := range f.terms {
			terms = append(terms, w.term)
		}
		if before != nil {
			if pair := across(before, &f, r.gap); pair != "" {
				terms = append(terms, pair)
			}
			if pairs(before, &f, r.gap) {
				joined = append(joined, string(pairStem(nil, before, &f)))
			}
		}
		before = &f
	})
	return terms, joined
}
