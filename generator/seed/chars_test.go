package seed

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
)

// What the reader knows of most characters at once is what is true of them.
func TestCleanKnowsEveryCharacter(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		if utf8.ValidRune(r) && clean("a"+string(r)+"가") != (incident.WhyForbidden(r) == "") {
			t.Errorf("clean is wrong about %U", r)
		}
	}
	for _, s := range []string{"\xea\x80", "\xeb\x80a", "\xec\x80\xc0", "\xed\xa0\x80"} {
		if clean(s) {
			t.Errorf("clean takes %q for text", s)
		}
	}
}
