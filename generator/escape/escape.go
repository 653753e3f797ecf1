// Package escape writes text into documents that are put together by hand,
// because there are so many of them that encoding/xml and encoding/json would
// be most of what they cost. It writes, byte for byte, what those write.
package escape

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// XML appends the text of an element or an attribute, as [xml.EscapeText] does.
func XML(b []byte, s string) []byte {
	if !utf8.ValidString(s) || strings.Contains(s, "\uFFFE") || strings.Contains(s, "\uFFFF") {
		return slowXML(b, s)
	}
	for {
		n := plain(s, format{1, '\'', 2, '>'}) // & and ' differ in their lowest bit, < and > in the one above
		b = append(b, s[:n]...)
		if n == len(s) {
			return b
		}
		b = append(b, entity(s[n])...)
		s = s[n+1:]
	}
}

// entity is what XML has in place of a special character.
func entity(c byte) string {
	switch c {
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '\t':
		return "&#x9;"
	case '\n':
		return "&#xA;"
	case '\r':
		return "&#xD;"
	}
	return "\uFFFD" // a control character, which is no character of XML
}

// slowXML is for text with what is no character of XML.
func slowXML(b []byte, s string) []byte {
	var w bytes.Buffer
	_ = xml.EscapeText(&w, []byte(s)) // into memory: nothing fails
	return append(b, w.Bytes()...)
}

// JSON appends a string with its quotes, as encoding/json writes it where it
// does not escape for HTML.
func JSON(b []byte, s string) []byte {
	if !utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029") {
		return slowJSON(b, s)
	}
	return append(CleanJSON(append(b, '"'), s), '"')
}

// CleanJSON appends what stands between the quotes of a string that is known to
// be UTF-8, and to hold neither U+2028 nor U+2029.
func CleanJSON(b []byte, s string) []byte {
	for {
		n := plain(s, format{0, '\\', 0, '\\'})
		b = append(b, s[:n]...)
		if n == len(s) {
			return b
		}
		b = escaped(b, s[n])
		s = s[n+1:]
	}
}

// escaped appends a quote, a backslash or a control character.
func escaped(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\t':
		return append(b, `\t`...)
	case '\r':
		return append(b, `\r`...)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	}
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// slowJSON is for text that is no UTF-8, and for what ends lines in JavaScript.
func slowJSON(b []byte, s string) []byte {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string into memory: nothing fails
	return append(b, bytes.TrimSuffix(w.Bytes(), []byte("\n"))...)
}

// format says which characters are special besides control characters and the
// double quote: those that are is once the bits of or are set.
type format struct{ orA, isA, orB, isB uint64 }

// Eight bytes are looked at at once, each in its part of a number.
const (
	each = 0x0101010101010101
	tops = each << 7
)

// plain is how many bytes s begins with before one that is special.
func plain(s string, f format) int {
	n := 0
	for ; n+8 <= len(s); n += 8 {
		if m := f.special(binary.LittleEndian.Uint64([]byte(s[n : n+8]))); m != 0 {
			return n + bits.TrailingZeros64(m)/8
		}
	}
	rest := uint64(each * 'a')
	for i := len(s) - 1; i >= n; i-- {
		rest = rest<<8 | uint64(s[i])
	}
	if m := f.special(rest); m != 0 {
		return n + bits.TrailingZeros64(m)/8
	}
	return len(s)
}

// special sets the top bit of every byte that is special, or only of the first
// and of some that follow it: taking from one byte may borrow from the next.
func (f format) special(x uint64) uint64 {
	return ((x-each*' ')&^x | zero(x^each*'"') | zero((x|each*f.orA)^each*f.isA) | zero((x|each*f.orB)^each*f.isB)) & tops
}

func zero(x uint64) uint64 { return (x - each) &^ x }
