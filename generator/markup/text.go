package markup

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// appendEscaped appends s as the content of an element.
func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	const escaped = 1<<'&' | 1<<'<' | 1<<'>'
	from := 0
	for i := range len(s) {
		c := s[i]
		if c > '>' || uint64(escaped)>>c&1 == 0 {
			continue
		}
		dst = append(dst, s[from:i]...)
		switch from = i + 1; c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		default:
			dst = append(dst, "&gt;"...)
		}
	}
	return append(dst, s[from:]...)
}

// appendAttribute appends s as the value of an attribute in double quotes.
func appendAttribute[T string | []byte](dst []byte, s T) []byte {
	from := 0
	for i := range len(s) {
		if s[i] == '"' {
			dst = appendEscaped(dst, s[from:i])
			dst = append(dst, "&quot;"...)
			from = i + 1
		}
	}
	return appendEscaped(dst, s[from:])
}

// unescape resolves the backslash escapes and entities of src.
func unescape(src []byte) []byte {
	var dst []byte
	eachPart(src, func(part string) { dst = append(dst, part...) })
	return dst
}

// eachPart calls emit with src in pieces whose backslash escapes and entities
// are resolved.
func eachPart(src []byte, emit func(string)) {
	from := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			if i+1 < len(src) && util.IsPunct(src[i+1]) {
				emit(util.BytesToReadOnlyString(src[from:i]))
				from = i + 1
				i++
			}
		case '&':
			if s, n := entity(src[i:]); n > 0 {
				emit(util.BytesToReadOnlyString(src[from:i]))
				emit(s)
				from = i + n
				i = from - 1
			}
		}
	}
	emit(util.BytesToReadOnlyString(src[from:]))
}

// entity decodes the character reference that src starts with; n is its
// length, 0 if there is none. A reference to a character that nobody can see
// and that the seed reader refuses in its own form, such as a bidirectional
// override or a zero-width space, is no reference: the reader sees its source.
func entity(src []byte) (s string, n int) {
	const longest = len("&CounterClockwiseContourIntegral;")
	end := strings.IndexByte(util.BytesToReadOnlyString(src[:min(len(src), longest)]), ';')
	if end < 2 {
		return "", 0
	}
	name := string(src[1:end])
	if name[0] == '#' {
		s = numericEntity(name[1:])
	} else if e, ok := util.LookUpHTML5EntityByName(name); ok {
		s = string(e.Characters)
	}
	switch {
	case s == "\t" || s == "\n":
		s = " " // as it looks; a line of ours stays one line
	case s == "" || strings.ContainsFunc(s, isHidden):
		return "", 0
	}
	return s, end + 1
}

// numericEntity decodes "65" or "x41". CommonMark allows 7 decimal or 6
// hexadecimal digits.
func numericEntity(digits string) string {
	base, limit := 10, 7
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		base, limit, digits = 16, 6, digits[1:]
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > limit {
		return ""
	}
	if r := rune(v); v != 0 && v <= unicode.MaxRune && utf8.ValidRune(r) {
		return string(r)
	}
	return "\uFFFD"
}

// isHidden reports control and format characters, and code points that are no
// characters, which HTML forbids.
func isHidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.IsControl(r) ||
		0xFDD0 <= r && r <= 0xFDEF || r&0xFFFE == 0xFFFE
}

// collapsed is strings.Fields joined by spaces; it returns s itself when that
// changes nothing.
func collapsed(s string) string {
	var out strings.Builder
	from := 0 // what is still to be copied begins here
	for i := 0; i < len(s); {
		end := i
		if mayBeSpace(s[i]) {
			end += spaceAt(s, i)
		}
		if end == i {
			i++
			continue
		}
		for n := 1; n > 0 && end < len(s); end += n {
			n = spaceAt(s, end)
		}
		if i > 0 && end < len(s) && s[i:end] == " " {
			i = end
			continue
		}
		if from == 0 {
			out.Grow(len(s))
		}
		out.WriteString(s[from:i])
		if out.Len() > 0 && end < len(s) {
			out.WriteByte(' ')
		}
		from, i = end, end
	}
	if from == 0 {
		return s
	}
	out.WriteString(s[from:])
	return out.String()
}

// mayBeSpace reports whether a byte begins a white space character, of which
// there are few beyond ASCII.
func mayBeSpace(c byte) bool { return c <= ' ' || c == 0xC2 || 0xE1 <= c && c <= 0xE3 }

// spaceAt is the length of the white space character at i, 0 when there is none.
func spaceAt(s string, i int) int {
	if s[i] == ' ' {
		return 1
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// collapse makes each run of white space one space, in place.
func collapse(b []byte) []byte {
	out := b[:0]
	gap := false
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if unicode.IsSpace(r) {
			gap = true
		} else {
			if gap && len(out) > 0 {
				out = append(out, ' ')
			}
			gap = false
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

func decimal(n int) string { return strconv.Itoa(n) }
