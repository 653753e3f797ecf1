package seed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// decoder reads one JSON document by its shape and collects every fault in it.
// After a fault of syntax the rest of the document cannot be known: dead is set
// and every further read does nothing.
type decoder struct {
	file     string
	src      []byte
	text     string // src again: what the strings that are read are parts of
	json     *jsontext.Decoder
	vocab    *incident.Vocabulary // nil while the vocabulary itself is read, or broken
	path     []step
	problems []problem.Problem
	dead     bool

	// Whether src is the decoder's own, to hold texts in place of the strings
	// that they are written as; and those that it holds.
	own  bool
	held []incident.HeldText
}

// maxFaults bounds the faults reported of one file.
const maxFaults = 200

// step is one part of the path from the document to the value being read: a
// name, or an index where the name is empty and index is 0 or more.
type step struct {
	name  string
	index int
}

func newDecoder(file string, src []byte, vocab *incident.Vocabulary) *decoder {
	// What was read of a document is never changed, so its strings need no
	// memory of their own.
	return &decoder{file: file, src: src, text: unsafe.String(unsafe.SliceData(src), len(src)), vocab: vocab,
		json: jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
}

// at is the offset at which the next token begins.
func (d *decoder) at() int {
	i := d.pastSpace(int(d.json.InputOffset()))
	if i < len(d.src) && (d.src[i] == ',' || d.src[i] == ':') {
		i = d.pastSpace(i + 1)
	}
	return i
}

func (d *decoder) pastSpace(i int) int {
	for i < len(d.src) && (d.src[i] == ' ' || d.src[i] == '\n' || d.src[i] == '\t' || d.src[i] == '\r') {
		i++
	}
	return i
}

// fault reports what is wrong at an offset of the document, for the value that
// is being read. A file that is wrong throughout gets maxFaults, and no more.
func (d *decoder) fault(offset int, what, remedy string) {
	if len(d.problems) > maxFaults {
		return
	}
	if len(d.problems) == maxFaults {
		d.dead = true
		what, remedy = fmt.Sprintf("the file has more than %d faults", maxFaults), "mend the others first"
	}
	line, col := position(d.src, offset)
	d.problems = append(d.problems, problem.Problem{File: d.file, Line: line, Column: col,
		Pointer: d.pointer(), What: what, Remedy: remedy})
}

func (d *decoder) advise(offset int, what, remedy string) {
	d.fault(offset, what, remedy)
	d.problems[len(d.problems)-1].Advice = true // only ever the first problem of a file
}

func (d *decoder) pointer() string {
	var b strings.Builder
	for _, s := range d.path {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escapePointer(s.name))
		}
	}
	return b.String()
}

// escapePointer writes a name as RFC 6901 has it; a name from a hostile seed
// shows its control characters as escapes, and only its beginning.
func escapePointer(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, forbidden) || len(name) > 80 {
		name = strings.Trim(strconv.QuoteToASCII(shorten(name)), `"`)
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= 60 {
		return s
	}
	return string([]rune(s)[:57]) + "..."
}

// quote shows a value from a seed in a message: its control characters as
// escapes, and only its beginning.
func quote(s string) string {
	q := strconv.Quote(shorten(s))
	if strings.ContainsFunc(q, forbidden) {
		q = strconv.QuoteToASCII(shorten(s))
	}
	return q
}

// broken turns an error of the JSON reader into a fault and ends the reading.
func (d *decoder) broken(err error) {
	if d.dead {
		return
	}
	d.dead = true
	f := d.explainSyntax(err)
	d.fault(f.offset, f.what, f.remedy)
}

// kindAt peeks at the next value; 0 when the document is broken there.
func (d *decoder) kindAt() jsontext.Kind {
	if d.dead {
		return 0
	}
	k := d.json.PeekKind()
	if k == 0 {
		_, err := d.json.ReadToken()
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		d.broken(err)
	}
	return k
}

// nextIs reports whether the next value is this string, however it is escaped.
func (d *decoder) nextIs(word string) bool {
	if d.kindAt() != '"' {
		return false
	}
	rest := d.src[d.at()+1:]
	if len(rest) > len(word) && string(rest[:len(word)]) == word && rest[len(word)] == '"' {
		return true
	}
	for i := 0; i < len(rest) && i <= 6*len(word); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == '"':
			got, err := jsontext.AppendUnquote(nil, d.src[d.at():d.at()+i+2])
			return err == nil && string(got) == word // word, written with escapes
		}
	}
	return false
}

// skip passes over the next value, whatever it is.
func (d *decoder) skip() {
	if d.dead {
		return
	}
	if err := d.json.SkipValue(); err != nil {
		d.broken(err)
	}
}

// wrongType reports a value of another type than the shape has, and skips it.
func (d *decoder) wrongType(k jsontext.Kind, want string) {
	switch k {
	case 0:
		return
	case '}', ']':
		d.skip() // which reports that there is no value
		return
	}
	d.fault(d.at(), "this is "+kindName(k), "write "+want)
	d.skip()
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	}
	return "a list"
}

// str reads a string and checks its characters; ok is false when it was not a
// string or cannot be used.
func (d *decoder) str(want string) (s string, offset int, ok bool) {
	k := d.kindAt()
	offset = d.at()
	if k != '"' {
		d.wrongType(k, want)
		return "", offset, false
	}
	raw, err := d.json.ReadValue()
	if err != nil {
		d.broken(err)
		return "", offset, false
	}
	s, ok = d.unquote(raw, offset)
	return s, offset, ok
}

// unquote decodes a JSON string and reports bytes that are no UTF-8, escapes
// that are no character, and characters that no text may hold.
func (d *decoder) unquote(raw []byte, offset int) (string, bool) {
	s, ok := d.text[offset+1:offset+len(raw)-1], true
	if strings.IndexByte(s, '\\') >= 0 {
		if d.own && usual(s) && clean(s) {
			return d.hold(offset, len(raw)), true
		}
		s, ok = unescaped(raw)
	}
	if !ok || !clean(s) {
		d.badRunes(raw, offset)
		return "", false
	}
	return s, true
}

// usual reports whether all escapes of a string are those that [escape.JSON]
// would write for what they stand for.
func usual(s string) bool {
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return true
		}
		if c := s[i+1]; c != 'n' && c != '"' && c != '\\' {
			return false
		}
		s = s[i+2:]
	}
}

// hold puts what a string says in its place in the document, and returns it. Its
// escapes are usual.
func (d *decoder) hold(offset, size int) string {
	rest := d.src[offset+1 : offset+size-1]
	to := offset
	for {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			break
		}
		to += copy(d.src[to:], rest[:i])
		d.src[to] = rest[i+1]
		if rest[i+1] == 'n' {
			d.src[to] = '\n'
		}
		to++
		rest = rest[i+2:]
	}
	to += copy(d.src[to:], rest)
	d.held = append(d.held, incident.HeldText{From: uint32(offset), To: uint32(to), After: uint32(offset + size)})
	return d.text[offset:to]
}

// unescaped is what a JSON string says that has escapes; false when there is no
// saying what. Nearly all are line breaks and quotes.
func unescaped(raw []byte) (string, bool) {
	var b strings.Builder
	b.Grow(len(raw))
	for rest := raw[1 : len(raw)-1]; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			b.Write(rest)
			return b.String(), true
		}
		b.Write(rest[:i])
		switch c := rest[i+1]; c {
		case 'n':
			b.WriteByte('\n')
		case '"', '\\', '/':
			b.WriteByte(c)
		default:
			s, err := jsontext.AppendUnquote(nil, raw)
			return string(s), err == nil
		}
		rest = rest[i+2:]
	}
}

// badRunes reports what no string may hold, each character where it stands
// first.
func (d *decoder) badRunes(raw []byte, offset int) {
	seen := map[rune]bool{}
	for i, r := range runes(raw) {
		if seen[r] {
			continue
		}
		switch {
		case r == notUTF8:
			d.fault(offset+i, "this byte is not UTF-8", "save the file as UTF-8")
		case r == loneSurrogate:
			d.fault(offset+i, "this escape is half a character (a lone surrogate)", `write the character itself, or both halves as in "\ud83d\ude00"`)
		case forbidden(r):
			d.fault(offset+i, fmt.Sprintf("the string holds the character U+%04X, which %s", r, incident.WhyForbidden(r)), instead(r))
		default:
			continue
		}
		seen[r] = true
	}
}

// end reports anything that follows the document.
func (d *decoder) end() {
	if d.dead {
		return
	}
	offset := d.pastSpace(int(d.json.InputOffset()))
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		d.dead = true
		d.fault(offset, "something follows the end of the document", "delete it, or a bracket that closes too much before it: a file holds one JSON value")
	}
}

// position turns an offset into a line and a column in characters, from 1.
func position(src []byte, offset int) (line, col int) {
	before := src[:min(offset, len(src))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte{'\n'}) + 1, utf8.RuneCount(before[start:]) + 1
}
