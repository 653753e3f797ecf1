package seed

import (
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
)

// forbidden reports a character that no string of a seed may hold: what cannot
// be seen, reorders what can, or is no character at all. Such text could say
// one thing to a reviewer and another to a reader, a feed or an AI agent.
// A line break and a tab are text.
func forbidden(r rune) bool {
	if r >= ' ' && r < 0x7f || r >= 0xac00 && r <= 0xd7a3 {
		return false // nearly all of a seed: ASCII and Hangul
	}
	return incident.WhyForbidden(r) != ""
}

// clean reports whether s is UTF-8 without a forbidden character. It is the
// reader's innermost loop, and knows at once that none is from U+A000 to U+CFFF,
// where most of Hangul is.
func clean(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		if c >= 0xea && c <= 0xec && i+2 < len(s) && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80 {
			i += 3
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || forbidden(r) {
			return false
		}
		i += size
	}
	return true
}

// instead is what to write in place of a forbidden character.
func instead(r rune) string {
	if r == '\r' || r == 0x2028 || r == 0x2029 {
		return `write a line break as \n`
	}
	return "delete it"
}

// What [runes] yields where a JSON string holds no character.
const (
	notUTF8       rune = -1
	loneSurrogate rune = -2
)

// runes walks the characters of a JSON string as it stands in the file, between
// its quotes, with the offset of each.
func runes(raw []byte) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		for i := 1; i < len(raw)-1; {
			r, size := utf8.DecodeRune(raw[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				r = notUTF8
			case r == '\\':
				r, size = escaped(raw[i:])
			}
			if !yield(i, r) {
				return
			}
			i += size
		}
	}
}

// escaped reads the escape, or the pair of escapes, that b begins with; the
// JSON reader has made sure that it is one.
func escaped(b []byte) (r rune, size int) {
	if b[1] != 'u' {
		switch b[1] {
		case 'n':
			return '\n', 2
		case 't':
			return '\t', 2
		case 'r':
			return '\r', 2
		case 'b':
			return '\b', 2
		case 'f':
			return '\f', 2
		}
		return rune(b[1]), 2
	}
	r = hexRune(b)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if pair := utf16.DecodeRune(r, hexRune(b[6:])); pair != utf8.RuneError {
		return pair, 12
	}
	return loneSurrogate, 6
}

// hexRune reads an escape of four hexadecimal digits; 0 when b does not begin with one.
func hexRune(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n)
}
