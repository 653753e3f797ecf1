// Package escape writes text into documents that are put together by hand,
// because there are so many of them that encoding/xml and encoding/json would
// be most of what they cost. It writes, byte for byte, what those write.
package escape

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"unicode/utf8"
)

// The characters below 64 that a format does not have as they are, a bit each.
const (
	specialXML  = uint64(1<<32 - 1 | 1<<'"' | 1<<'&' | 1<<'\'' | 1<<'<' | 1<<'>')
	specialJSON = uint64(1<<32 - 1 | 1<<'"')
)

// XML appends the text of an element or an attribute, as [xml.EscapeText] does.
func XML(b []byte, s string) []byte {
	if !utf8.ValidString(s) || strings.Contains(s, "\uFFFE") || strings.Contains(s, "\uFFFF") {
		return slowXML(b, s)
	}
	done := 0 // so much of s is written
	for i := range len(s) {
		c := s[i]
		if specialXML>>c&1 == 0 {
			continue
		}
		b = append(append(b, s[done:i]...), entity(c)...)
		done = i + 1
	}
	return append(b, s[done:]...)
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
	return "\uFFFD"
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
	b = append(b, '"')
	done := 0 // so much of s is written
	for i := range len(s) {
		c := s[i]
		if specialJSON>>c&1 == 0 && c != '\\' {
			continue
		}
		switch b = append(b, s[done:i]...); c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		default:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		done = i + 1
	}
	return append(append(b, s[done:]...), '"')
}

// slowJSON is for text that is no UTF-8, and for what ends lines in JavaScript.
func slowJSON(b []byte, s string) []byte {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string into memory: nothing fails
	return append(b, bytes.TrimSuffix(w.Bytes(), []byte("\n"))...)
}
