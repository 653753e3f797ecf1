package seed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/problem"
)

// Formatted is what a run of the formatter found.
type Formatted struct {
	Files    int               // that are in canonical form, or could be
	Changes  []Change          // what differs from its canonical form, sorted by name
	Problems []problem.Problem // of the files that have no canonical form; not sorted
}

// Change is a seed file and the canonical form that it does not have yet.
type Change struct {
	Name  string // within the seeds folder
	Shown string // as the editor knows it
	Text  []byte
}

// Format finds the JSON seeds below the root of fsys that are not in canonical
// form, and writes nothing. dir is the root's name, for messages.
//
// In canonical form the members of an object stand in the order of the shape,
// those that it does not have behind them; every entry and member has a line,
// indented by two spaces; lines end in "\n". Only the space between values and
// the order of members ever change: strings, keys and numbers keep the spelling
// that they have. A file that is no JSON, and one with a key that stands twice
// in an object, where order is meaning, has no canonical form.
func Format(fsys fs.FS, dir string) Formatted {
	r := &reader{fsys: fsys, dir: dir}
	r.readVocabulary()
	r.problems = nil // those of a vocabulary that cannot be formatted come again
	shape := caseShape()
	var files []formattable
	for _, name := range r.caseFiles() {
		files = append(files, formattable{name, maxCase, shape.layout, func(src []byte) []problem.Problem {
			return r.decodeCase(name, src, shape, &memory{}).problems
		}})
	}
	for _, f := range []formattable{whole(r, "site.json", siteShape()), whole(r, "vocab.json", vocabShape()), whole(r, "withdrawn.json", withdrawnShape())} {
		if exists(fsys, f.name) {
			files = append(files, f)
		}
	}
	var out Formatted
	for _, f := range files {
		src := r.read(f.name, f.limit)
		if src == nil {
			continue
		}
		text, ok := r.format(f, src)
		if !ok {
			continue
		}
		out.Files++
		if !bytes.Equal(src, text) {
			out.Changes = append(out.Changes, Change{f.name, r.shown(f.name), text})
		}
	}
	out.Problems = problem.Errors(r.problems)
	return out
}

// formattable is a file that can be formatted, and how the reader reads it.
type formattable struct {
	name   string
	limit  int64
	layout *layout
	read   func(src []byte) []problem.Problem
}

func whole[T any](r *reader, name string, k kind[T]) formattable {
	return formattable{name, maxFile, k.layout, func(src []byte) []problem.Problem {
		d := newDecoder(r.shown(name), src, r.vocab)
		readDocument(d, k)
		return d.problems
	}}
}

// format returns the canonical form of a file. Where there is none it reports
// what the reader reports; that passes over the fields that it does not know,
// so a fault inside one of them is added.
func (r *reader) format(f formattable, src []byte) ([]byte, bool) {
	text, err := canonicalForm(src, f.layout, int(f.limit))
	if err == nil {
		return text, true
	}
	found := problem.Errors(f.read(src))
	if own := formatFault(r.shown(f.name), src, err, f.limit); own.What != "" && !reported(found, own) {
		found = append(found, own)
	}
	r.problems = append(r.problems, found...)
	return nil, false
}

// reported reports whether the reader has found what keeps a file from being
// formatted: a fault at the same place; or any, where it is the file as a whole.
func reported(found []problem.Problem, own problem.Problem) bool {
	return slices.ContainsFunc(found, func(p problem.Problem) bool {
		return own.Line == 0 || p.Line == own.Line && p.Column == own.Column
	})
}

var (
	errNotUTF8 = errors.New("this is not UTF-8")
	errTooLong = errors.New("the canonical form is too long")
)

// formatFault explains what the reader may pass over. Any other error is one of
// syntax, and those the reader reports all.
func formatFault(file string, src []byte, err error, limit int64) problem.Problem {
	src = bytes.TrimPrefix(src, []byte(byteOrderMark))
	p := problem.Problem{File: file}
	offset := 0
	syn := (*jsontext.SyntacticError)(nil)
	switch {
	case errors.Is(err, errTooLong):
		p.What, p.Remedy = fmt.Sprintf("with its lines and indents the file has more than %d bytes", limit), "make it shorter"
		return p
	case errors.Is(err, errNotUTF8):
		offset = len(validPrefix(src))
		p.What, p.Remedy = "this byte is not UTF-8", "save the file as UTF-8"
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syn):
		offset = int(syn.ByteOffset)
		p.Pointer = printable(string(syn.JSONPointer))
		p.What, p.Remedy = "this key stands twice in its object", "keep one of the two"
	}
	p.Line, p.Column = position(src, offset)
	return p
}

func validPrefix(src []byte) []byte {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return src[:i]
		}
		i += size
	}
	return src
}

// canonicalForm writes a document anew as its layout has it. The error says
// why that cannot be done; limit bounds the result, since the indents of a file
// that is nested without measure grow with its square.
func canonicalForm(src []byte, l *layout, limit int) ([]byte, error) {
	src = bytes.TrimPrefix(src, []byte(byteOrderMark))
	if !utf8.Valid(src) {
		return nil, errNotUTF8
	}
	f := &formatter{limit: limit, out: make([]byte, 0, len(src)+len(src)/4)}
	// Half a character that is written as an escape is a fault of a text, not of
	// the document: it is kept as it is, for check to report.
	f.json = jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowInvalidUTF8(true))
	if err := f.value(l, 0); err != nil {
		return nil, err
	}
	if _, err := f.json.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.Join(errors.New("something follows the document"), err)
	}
	return append(f.out, '\n'), nil
}

// formatter writes what a decoder reads.
type formatter struct {
	json  *jsontext.Decoder
	out   []byte
	limit int
}

// value writes the next value, which stands at a depth of the document.
func (f *formatter) value(l *layout, depth int) error {
	switch f.json.PeekKind() {
	case '{':
		return f.object(l, depth)
	case '[':
		return f.list(l.entry(), depth)
	}
	return f.raw()
}

// raw writes the next string, number or word as the file spells it.
func (f *formatter) raw() error {
	raw, err := f.json.ReadValue()
	if err != nil {
		return err
	}
	return f.put(raw)
}

// put writes what the file spells; one byte is kept for the end of the last line.
func (f *formatter) put(raw []byte) error {
	f.out = append(f.out, raw...)
	if len(f.out) >= f.limit {
		return errTooLong
	}
	return nil
}

// written is a member that stands in the output already.
type written struct{ rank, start, end int }

func (f *formatter) object(l *layout, depth int) error {
	if err := f.bracket('{'); err != nil {
		return err
	}
	var members []written
	for f.json.PeekKind() != '}' {
		f.nextLine(len(members), depth+1)
		start := len(f.out)
		if err := f.raw(); err != nil {
			return err
		}
		rank, inner := l.member(f.out[start:])
		f.out = append(f.out, ": "...)
		if err := f.value(inner, depth+1); err != nil {
			return err
		}
		members = append(members, written{rank, start, len(f.out)})
	}
	f.arrange(members, depth+1)
	return f.end('}', len(members), depth)
}

func (f *formatter) list(l *layout, depth int) error {
	if err := f.bracket('['); err != nil {
		return err
	}
	n := 0
	for ; f.json.PeekKind() != ']'; n++ {
		f.nextLine(n, depth+1)
		if err := f.value(l, depth+1); err != nil {
			return err
		}
	}
	return f.end(']', n, depth)
}

// bracket passes over a bracket of the file and writes it.
func (f *formatter) bracket(c byte) error {
	if _, err := f.json.ReadToken(); err != nil {
		return err
	}
	return f.put([]byte{c})
}

// end closes what holds n members or entries; an empty one keeps its line.
func (f *formatter) end(c byte, n, depth int) error {
	if n > 0 {
		f.out = append(f.out, lineBreak(depth)...)
	}
	return f.bracket(c)
}

// nextLine begins the line of the member or entry that follows n others.
func (f *formatter) nextLine(n, depth int) {
	if n > 0 {
		f.out = append(f.out, ',')
	}
	f.out = append(f.out, lineBreak(depth)...)
}

func lineBreak(depth int) string { return "\n" + strings.Repeat("  ", depth) }

// arrange puts the members that were written last in the order of their ranks;
// members of one rank stay as they are.
func (f *formatter) arrange(members []written, depth int) {
	byRank := func(a, b written) int { return a.rank - b.rank }
	if slices.IsSortedFunc(members, byRank) {
		return
	}
	first := members[0].start
	slices.SortStableFunc(members, byRank)
	var texts [][]byte
	for _, m := range members {
		texts = append(texts, f.out[m.start:m.end])
	}
	copy(f.out[first:], bytes.Join(texts, []byte(","+lineBreak(depth))))
}
