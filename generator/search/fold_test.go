package search

import (
	"testing"
	"unicode"
)

// What is plain to see of a character is what its script is.
func TestSyllablesAreHangul(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		if isSyllable(string(r), 0) && scriptOf(r) != hangul {
			t.Errorf("%U is taken for a syllable", r)
		}
	}
}
