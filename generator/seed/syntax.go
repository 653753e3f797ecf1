package seed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// syntaxFault is where a document breaks, what a person did wrong there, and what to
// write: the JSON reader's own words name bytes, not habits.
type syntaxFault struct {
	offset       int
	what, remedy string
}

// explainSyntax says why the JSON reader gave up.
func (d *decoder) explainSyntax(err error) syntaxFault {
	token, offset := d.at(), len(d.src)
	syn := (*jsontext.SyntacticError)(nil)
	isSyntax := errors.As(err, &syn)
	if isSyntax {
		offset = min(int(syn.ByteOffset), len(d.src))
	}
	inString := token < offset && d.src[token] == '"'
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || offset == len(d.src):
		if inString {
			return syntaxFault{token, "the string that begins here has no end", `close it with "`}
		}
		return syntaxFault{len(d.src), "the document ends before it is complete", "close what is open with " + d.closers()}
	case inString:
		return inStringFault(d.src, offset)
	case token < offset && isLetter(d.src[token]):
		offset = token // a misspelt literal: name it from its first letter
	}
	if f := d.explainToken(offset); f.what != "" {
		return f
	}
	reason := "it ends in the wrong place"
	if isSyntax && syn.Err != nil {
		reason = syn.Err.Error()
	}
	return syntaxFault{offset, "this is not JSON: " + reason, "check the quotes, commas and brackets around it"}
}

// closers are the brackets that would complete the document.
func (d *decoder) closers() string {
	var b strings.Builder
	for i := d.json.StackDepth(); i > 0 && b.Len() < 20; i-- {
		k, _ := d.json.StackIndex(i)
		b.WriteByte(byte(k) + 2) // in ASCII a bracket is closed by the one two places on
	}
	return b.String()
}

func inStringFault(src []byte, offset int) syntaxFault {
	switch c := src[offset]; {
	case c == '\n' || c == '\r':
		return syntaxFault{offset, "the line ends inside a string", `close the string with ", or write a line break as \n`}
	case c == '\t':
		return syntaxFault{offset, "a tab stands inside a string", `write a tab as \t, or a space`}
	case c < ' ':
		return syntaxFault{offset, fmt.Sprintf("the control character U+%04X stands inside a string", c), "delete it"}
	case bytes.HasPrefix(src[offset:], []byte(`\u`)):
		return syntaxFault{offset, `\u stands without four hexadecimal digits`, `write \u00e9, say, or a backslash as \\`}
	}
	return syntaxFault{offset, "this escape does not exist in JSON", `write a backslash as \\`}
}

// explainToken explains a character that cannot stand where it does.
func (d *decoder) explainToken(offset int) syntaxFault {
	next, _ := utf8.DecodeRune(d.src[offset:])
	last := lastByte(d.src[:offset])
	after := firstByte(d.src[offset+1:])
	at := func(what, remedy string) syntaxFault { return syntaxFault{offset, what, remedy} }
	switch {
	case next == ',' && strings.IndexByte(",[{", last) >= 0:
		return at("there is a comma too many", "delete it")
	case next == ',' && (after == '}' || after == ']'):
		return at("there is a comma after the last entry", "delete it")
	case last == ':' && strings.ContainsRune(",}]", next):
		return at("the value is missing after the colon", "write it, or null where that is allowed")
	case next == '/' || next == '#':
		return at("JSON has no comments", "delete it")
	case next == '\'' || next == '`':
		return at("this is no double quote", `write strings as "…"`)
	case unicode.In(next, unicode.Pi, unicode.Pf) || next == '„':
		return at("this is a typographic quote", `write strings with straight quotes, as "…"`)
	case next == '=':
		return at("there is an equals sign", "write a colon between a key and its value")
	case next == ';':
		return at("there is a semicolon", "write a comma between entries")
	case next == '}' || next == ']':
		return at(fmt.Sprintf("%q closes what is not open here", string(next)), "delete it, or check which bracket is missing before it")
	case next > ' ' && (unicode.IsSpace(next) || forbidden(next)):
		return at(fmt.Sprintf("the character U+%04X stands between values", next), "write a plain space, or nothing")
	case last == '"' && (unicode.IsLetter(next) || next == '\\') && !d.keyNext():
		return at("the string before this ended at a double quote inside it", `write a double quote inside a string as \"`)
	}
	return d.explainWord(offset, next)
}

// explainWord explains a value that is not JSON's, or that stands where no
// value can.
func (d *decoder) explainWord(offset int, next rune) syntaxFault {
	at := func(what, remedy string) syntaxFault { return syntaxFault{offset, what, remedy} }
	end := offset
	for end < len(d.src) && (isLetter(d.src[end]) || d.src[end] >= '0' && d.src[end] <= '9' || d.src[end] == '_') {
		end++
	}
	word, last := string(d.src[offset:end]), lastByte(d.src[:offset])
	switch {
	case isLetter(byte(next)) && next < utf8.RuneSelf && d.keyNext():
		return at("this key has no quotes", `write it as "`+shorten(word)+`"`)
	case strings.EqualFold(word, "true") && word != "true", strings.EqualFold(word, "false") && word != "false":
		return at(quote(word)+" is no JSON", "write "+strings.ToLower(word))
	case word != "null" && (strings.EqualFold(word, "null") || word == "nil" || word == "None" || word == "undefined" || word == "NaN"):
		return at(quote(word)+" is no JSON", "write null")
	case d.keyNext():
		return at("this is no key", `write keys as "…"`)
	case d.after('{', 1) && last != ':':
		return at("a colon is missing before this", "write it after the key")
	case strings.IndexByte(":,[{", last) < 0 && (strings.ContainsRune(`"{[-`, next) || next >= '0' && next <= '9' || word == "true" || word == "false" || word == "null"):
		if b := d.src[:offset]; len(b) > 0 && b[len(b)-1] == '0' && next >= '0' && next <= '9' {
			return at("this number has a zero before it", "delete the zero, or write a string")
		}
		return at("a comma is missing before this", "write it after the entry before")
	case word != "":
		return at(quote(shorten(word))+" is no JSON", `write strings as "…"`)
	}
	return syntaxFault{}
}

// keyNext reports whether a key of an object is expected next.
func (d *decoder) keyNext() bool {
	if !d.after('{', 0) {
		return false
	}
	last := lastByte(d.src[:d.at()])
	return last == '{' || last == ','
}

// after reports whether the innermost value that is open is of kind k and an
// even (0) or odd (1) number of keys and values of it have been read.
func (d *decoder) after(k jsontext.Kind, odd int64) bool {
	kind, n := d.json.StackIndex(d.json.StackDepth())
	return kind == k && n%2 == odd
}

func lastByte(b []byte) byte {
	if b = bytes.TrimRight(b, " \t\r\n"); len(b) > 0 {
		return b[len(b)-1]
	}
	return 0
}

func firstByte(b []byte) byte {
	if b = bytes.TrimLeft(b, " \t\r\n"); len(b) > 0 {
		return b[0]
	}
	return 0
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
