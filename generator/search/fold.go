package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// gap is what stands between a run and the one before.
type gap uint8

const (
	apart      gap = iota // anything else, or the beginning
	attached              // nothing: the two are of different scripts
	spaced                // spaces only
	joined                // one hyphen or underscore
	apostrophe            // one apostrophe
)

// run is a piece of text without a separator, of one script: Hangul, or all
// other letters and digits.
type run struct {
	text   string // as written, but for its Unicode form
	hangul bool
	gap    gap
	at     int // where it begins in the normalised text, in bytes
}

// maxWord is the greatest number of characters of a word that counts as one.
// What is longer is no word that anybody types.
const maxWord = 64

// normal is a text in the Unicode form that is searched.
func normal(s string) string {
	if isPlainlyNormal(s) || norm.NFKC.IsNormalString(s) {
		return s
	}
	return norm.NFKC.String(s)
}

// isPlainlyNormal is true of texts of ASCII and Hangul syllables, which nearly
// all are; it saves most of the time that the Unicode tables take.
func isPlainlyNormal(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < utf8.RuneSelf {
			continue
		}
		if c < 0xEA || c > 0xED || i+2 >= len(s) || c == 0xEA && s[i+1] < 0xB0 || c == 0xED && s[i+1] > 0x9D {
			return false
		}
		i += 2
	}
	return true
}

// folded is a word of a normal text without case.
func folded(word string) string {
	for i := range len(word) {
		if c := word[i]; c >= utf8.RuneSelf {
			return normal(strings.Map(lower, word))
		} else if 'A' <= c && c <= 'Z' {
			return strings.Map(lower, word[:i]) + folded(strings.Map(lower, word[i:]))
		}
	}
	return word
}

// lower is the lower case of one character, with one sigma.
func lower(r rune) rune {
	if r == 'ς' || r == 'Σ' {
		return 'σ'
	}
	return unicode.ToLower(r)
}

type script uint8

const (
	separator script = iota
	space
	hangul
	letter
)

// scriptOf says what a character is. Letters beyond the first 65,536
// characters separate, and so do jamo that stand alone: a syllable that is
// being typed.
func scriptOf(r rune) script {
	switch {
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z':
		return letter
	case r == ' ' || '\t' <= r && r <= '\r':
		return space
	case r < utf8.RuneSelf:
		return separator
	case firstSyllable <= r && r <= lastSyllable:
		return hangul
	case r > 0xFFFF || isJamo(r):
		return separator
	case unicode.In(r, unicode.L, unicode.N, unicode.M):
		return letter
	}
	return separator
}

const (
	firstSyllable, lastSyllable = 0xAC00, 0xD7A3
	finals, vowels              = 28, 21 // of a syllable, with none
)

func isJamo(r rune) bool {
	return 0x1100 <= r && r <= 0x11FF || 0xA960 <= r && r <= 0xA97F || 0xD7B0 <= r && r <= 0xD7FF || 0x3130 <= r && r <= 0x318F
}

// eachRun calls do with the runs of a normal text, in order.
func eachRun(s string, do func(run)) {
	end := 0      // of the run before
	kind := apart // of the gap before the next run
	for at := 0; at < len(s); {
		is, size := scriptAt(s, at)
		if is < hangul {
			r, _ := utf8.DecodeRuneInString(s[at:])
			kind = kind.and(r, is, at == end && end > 0)
			at += size
			continue
		}
		start := at
		at = runEnd(s, at+size, is)
		do(run{s[start:at], is == hangul, kind, start})
		kind, end = attached, at
	}
}

// runEnd is where the characters of one script end that a text goes on with.
func runEnd(s string, at int, of script) int {
	for at < len(s) {
		switch {
		case of == letter && (s[at]|0x20-'a' < 26 || s[at]-'0' < 10):
			at++
			continue
		case of == hangul && isSyllable(s, at):
			at += syllable
			continue
		}
		is, size := scriptAt(s, at)
		if is != of {
			return at
		}
		at += size
	}
	return at
}

// isSyllable is true of all of U+B000 to U+CFFF, which most syllables are in.
func isSyllable(s string, at int) bool {
	return s[at]-0xEB < 2 && at+2 < len(s) && s[at+1]&0xC0 == 0x80 && s[at+2]&0xC0 == 0x80
}

// scriptAt says what the character at a byte of a text is, and how many bytes it
// takes.
func scriptAt(s string, at int) (is script, size int) {
	if c := s[at]; c < utf8.RuneSelf {
		return scriptOf(rune(c)), 1
	}
	if isSyllable(s, at) {
		return hangul, syllable
	}
	r, size := utf8.DecodeRuneInString(s[at:])
	return scriptOf(r), size
}

// and is the gap with one more character; first where that is its only one.
func (g gap) and(r rune, is script, first bool) gap {
	switch {
	case is == space && (first || g == spaced):
		return spaced
	case !first:
		return apart
	case r == '-' || r == '_':
		return joined
	case r == '\'' || r == '’':
		return apostrophe
	}
	return apart
}
