// Package seed reads the files that editors keep into an [incident.Collection],
// strictly: every fault in every file is found in one run and reported with
// file, line, column, JSON pointer, what is wrong and what to write instead.
//
// A file's shape is declared once, in shape.go, from small kinds of values
// (kinds.go, record.go); each kind knows how to read itself and how JSON Schema
// says the same, so the published schema cannot drift from the reader, nor can
// the formatter (format.go), which takes the order of fields from there too.
//
// What the reader checks is true of one file alone, given the vocabulary. What
// holds between files (ids that exist, names that agree) is the check package's.
package seed

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// Result is what a run of the reader found. Collection holds what could be
// read; it is fit to publish only when no problem is more than advice.
type Result struct {
	Collection *incident.Collection
	Problems   []problem.Problem // not sorted
	// Unread are the ids whose file exists and could not be read: links to them do
	// not dangle.
	Unread map[string]bool
	// Faulty are cases with a fault, as far as they could be read: what else is
	// wrong with them is said in the same run. They are never published.
	Faulty []*incident.Case
}

type reader struct {
	fsys     fs.FS
	dir      string
	vocab    *incident.Vocabulary
	problems []problem.Problem
}

// Read reads all seeds below the root of fsys, on up to jobs goroutines. dir is
// the root's name as the editor knows it, for messages. Files that are no
// seeds, hidden files and what editors leave beside a file are passed over.
func Read(fsys fs.FS, dir string, jobs int) Result {
	return NewStore(fsys, dir, jobs).Read(context.Background())
}

// ReadVocabulary reads vocab.json alone; the vocabulary is nil when a problem
// is more than advice.
func ReadVocabulary(fsys fs.FS, dir string) (*incident.Vocabulary, []problem.Problem) {
	r := &reader{fsys: fsys, dir: dir}
	r.readVocabulary()
	return r.vocab, r.problems
}

func (r *reader) readVocabulary() {
	if src := r.read("vocab.json", maxFile); src != nil {
		r.vocab = r.decodeVocabulary(src)
	}
}

func (r *reader) decodeVocabulary(src []byte) *incident.Vocabulary {
	axes, ok := decodeOne(r, "vocab.json", src, vocabShape())
	if !ok {
		return nil
	}
	return r.vocabulary(axes)
}

// withdrawn numbers the entries of withdrawn.json, and sorts them by id.
func withdrawn(ws []incident.Withdrawn) []incident.Withdrawn {
	for i := range ws {
		ws[i].Index = i
	}
	slices.SortFunc(ws, func(a, b incident.Withdrawn) int { return incident.CompareIDs(a.ID, b.ID) })
	return ws
}

// readOne reads a file that holds one value of kind k.
func readOne[T any](r *reader, name string, k kind[T]) (v T, ok bool) {
	src := r.read(name, maxFile)
	if src == nil {
		return v, false
	}
	return decodeOne(r, name, src, k)
}

// decodeOne is readOne of a file whose bytes are there already.
func decodeOne[T any](r *reader, name string, src []byte, k kind[T]) (v T, ok bool) {
	d := newDecoder(r.shown(name), src, r.vocab)
	v, ok = readDocument(d, k)
	r.problems = append(r.problems, d.problems...)
	return v, ok
}

// byteOrderMark is what some editors write before a text; it is no part of it.
const byteOrderMark = "\ufeff"

// readDocument reads the one value that a file holds. The value is returned as
// far as it could be read, also when it is not ok.
func readDocument[T any](d *decoder, k kind[T]) (v T, ok bool) {
	if !d.decoded() {
		return v, false
	}
	if len(bytes.TrimSpace(d.src)) == 0 {
		d.fault(0, "the file is empty", "write "+k.want)
		return v, false
	}
	v, ok = k.read(d, k.want)
	d.end()
	return v, ok && !d.dead
}

// decoded passes over a byte-order mark, with advice; false when the file is in
// another encoding than UTF-8.
func (d *decoder) decoded() bool {
	if bytes.HasPrefix(d.src, []byte{0xff, 0xfe}) || bytes.HasPrefix(d.src, []byte{0xfe, 0xff}) {
		d.fault(0, "the file is UTF-16", "save it as UTF-8")
		return false
	}
	if rest, found := bytes.CutPrefix(d.src, []byte(byteOrderMark)); found {
		*d = *newDecoder(d.file, rest, d.vocab)
		d.advise(0, "the file begins with a byte-order mark", "save it as UTF-8 without one; it is left out of all output")
	}
	return true
}

// vocabulary makes the vocabulary of its axes; one that lacks an axis is none.
func (r *reader) vocabulary(axes []incident.Axis) *incident.Vocabulary {
	for i, a := range axes {
		for j := range a.Terms {
			a.Terms[j].Axis = axes[i].ID
		}
	}
	v := incident.NewVocabulary(axes)
	whole := true
	for _, id := range incident.AxisIDs() {
		if v.Axis(id) == nil {
			r.report("vocab.json", fmt.Sprintf("the axis %q is missing", id), fmt.Sprintf(`add {"id": %q, "label": …, "terms": […]}`, id))
			whole = false
		}
	}
	if !whole {
		return nil
	}
	return v
}

// outcome is what reading one case file gave.
type outcome struct {
	c        *incident.Case
	ok       bool
	problems []problem.Problem
}

// readCases reads case files on up to jobs goroutines; the results are in the
// order of the files. It stops early when ctx ends.
func (r *reader) readCases(ctx context.Context, files []string, jobs int) []outcome {
	outcomes := make([]outcome, len(files))
	shape := caseShape()
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, len(files)) {
		wg.Go(func() {
			var m memory
			for i := range next {
				outcomes[i] = r.readCase(files[i], shape, &m)
			}
		})
	}
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return outcomes
}

// joined reports every problem of the files in their order, and keeps the cases
// without a fault. An id that two files claim is the first one's.
func (r *reader) joined(files []string, outcomes []outcome, unread map[string]bool) (out, faulty []*incident.Case) {
	first := map[string]string{} // the file that claims an id
	for i, o := range outcomes {
		r.problems = append(r.problems, o.problems...)
		id := stem(files[i])
		if taken, again := first[id]; again {
			r.reportTaken(files[i], id, taken)
			continue
		}
		first[id] = files[i]
		if o.ok {
			out = append(out, o.c)
			continue
		}
		unread[id] = true
		if o.c != nil && o.c.ID != "" {
			unread[o.c.ID] = true
			faulty = append(faulty, o.c)
		}
	}
	slices.SortFunc(out, func(a, b *incident.Case) int { return incident.CompareIDs(a.ID, b.ID) })
	return out, faulty
}

// reportTaken reports the second of two files of one name, which stand in two
// folders.
func (r *reader) reportTaken(name, id, first string) {
	ps := []problem.Problem{{File: r.shown(name), Pointer: "/id",
		What: fmt.Sprintf("the id %s is taken by %s", printable(id), r.shown(first)), Remedy: "give one of the two another id and file name"}}
	Place(r.fsys, r.dir, ps)
	r.problems = append(r.problems, ps...)
}

func stem(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// memory is what one goroutine reuses from case to case.
type memory struct{ file, compact []byte }

// readCase reads one case; a case with any fault is not ok.
func (r *reader) readCase(name string, shape kind[incident.Case], m *memory) outcome {
	src, p := r.loadInto(m.file, name, maxCase)
	if p != nil {
		return outcome{problems: []problem.Problem{*p}}
	}
	m.file = src
	return r.decodeCase(name, src, shape, m)
}

// decodeCase reads one case from what its file holds. It reads the compact form,
// which is kept, and whose parts all of the case's strings are; should there be anything
// to say it reads the file itself, for the places.
func (r *reader) decodeCase(name string, src []byte, shape kind[incident.Case], m *memory) outcome {
	if small := compact(m.compact[:0], src); small != nil {
		m.compact = small
		small = bytes.Clone(small)   // in as much memory as it takes
		sum := incident.SumOf(small) // before texts are held in it
		d := newDecoder(r.shown(name), small, r.vocab)
		d.own = true
		if o := d.decodeCase(name, shape); o.plain() {
			o.c.JSON, o.c.Sum = incident.NewDocument(d.text, slices.Clone(d.held), len(small)), sum
			return o
		}
	}
	o := newDecoder(r.shown(name), bytes.Clone(src), r.vocab).decodeCase(name, shape) // its strings are parts of what it reads
	if o.ok {
		doc := compact(nil, bytes.TrimPrefix(src, []byte(byteOrderMark)))
		o.c.JSON, o.c.Sum = incident.NewDocument(string(doc), nil, len(doc)), incident.SumOf(doc)
	}
	return o
}

func (d *decoder) decodeCase(name string, shape kind[incident.Case]) (o outcome) {
	c, ok := readDocument(d, shape)
	o.c, o.ok = &c, ok
	if id := o.c.ID; id != "" && path.Base(name) != id+".json" {
		d.path = []step{{name: "id", index: -1}}
		d.fault(offsetOf(d.src, "/id"), fmt.Sprintf("the id %s differs from the file's name %s", id, quote(path.Base(name))),
			"rename the file to "+id+".json, or mend the id")
		o.ok = false
	}
	o.c.File = d.file
	if !o.ok && slices.ContainsFunc(d.problems, func(p problem.Problem) bool { return strings.HasPrefix(p.Pointer, "/related/") }) {
		o.c.Related = nil // an entry may be left out, and the others' numbers with it
	}
	o.problems = d.problems
	return o
}

// compact appends a JSON document without the space between its values to out,
// which is empty; nil for what is no JSON and would be by leaving out space. It
// does not check anything else.
func compact(out, src []byte) []byte {
	out = slices.Grow(out, len(src))
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
			if n := len(out); n > 0 && i < len(src) && isBare(out[n-1]) && isBare(src[i]) {
				return nil
			}
		case '"':
			end := stringEnd(src, i+1)
			if end < 0 {
				return nil
			}
			out = append(out, src[i:end]...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// isBare reports whether a byte is of a number or a word, which space ends.
func isBare(c byte) bool { return !bytes.ContainsRune([]byte("{}[],:\" \t\r\n"), rune(c)) }

// stringEnd is where the string ends whose text begins at start; -1 where it does
// not. A quote is part of it that an odd number of backslashes stands before.
func stringEnd(src []byte, start int) int {
	for i := start; ; {
		n := bytes.IndexByte(src[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		before := i - 1
		for before > start && src[before-1] == '\\' {
			before--
		}
		if (i-1-before)%2 == 0 {
			return i
		}
	}
}

// readTopics reads the prose of topic pages: topics/AXIS/SLUG.LANG.md.
func (r *reader) readTopics() []incident.TopicText {
	var out []incident.TopicText
	for _, name := range r.walk("topics", func(n string) bool { return path.Ext(n) == ".md" }) {
		term, lang, what := r.topicName(name)
		if what != "" {
			r.report(name, what, "name it topics/AXIS/SLUG.LANG.md, after a term of vocab.json and a language, as in topics/components/database.en.md")
			continue
		}
		src := r.read(name, maxTopic)
		if src == nil {
			continue
		}
		if text, ok := r.prose(name, src); ok {
			out = append(out, incident.TopicText{Term: term, Lang: lang, File: r.shown(name), Text: text})
		}
	}
	return out
}

// topicName takes a topic file's name apart; what is what is wrong with it.
func (r *reader) topicName(name string) (t incident.TermRef, l incident.Lang, what string) {
	parts := strings.Split(name, "/")
	slug, lang, ok := strings.Cut(stem(name), ".")
	if len(parts) != 3 || !ok || (lang != string(incident.EN) && lang != string(incident.KO)) {
		return t, l, "the file's name does not say which topic and language it is"
	}
	t, err := parseRef(parts[1] + "/" + slug)
	if err != nil {
		return t, l, err.Error()
	}
	if r.vocab != nil && r.vocab.Term(t.Axis, t.Slug) == nil {
		return t, l, fmt.Sprintf("%q is no term of the axis %s", slug, t.Axis)
	}
	return t, incident.Lang(lang), ""
}

// prose checks a Markdown file's bytes: UTF-8, no forbidden characters, not
// empty. Line ends become "\n".
func (r *reader) prose(name string, src []byte) (string, bool) {
	d := newDecoder(r.shown(name), src, nil)
	defer func() { r.problems = append(r.problems, d.problems...) }()
	if !d.decoded() {
		return "", false
	}
	src = bytes.ReplaceAll(d.src, []byte("\r\n"), []byte("\n"))
	if len(bytes.TrimSpace(src)) == 0 {
		d.fault(0, "the file is empty", "write the text, or delete the file")
		return "", false
	}
	d.src = src // lines and columns are the same without "\r"
	good := true
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRune(src[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			d.fault(i, "this byte is not UTF-8", "save the file as UTF-8")
			return "", false
		case forbidden(c):
			d.fault(i, fmt.Sprintf("the text holds the character U+%04X, which %s", c, incident.WhyForbidden(c)), "delete it")
			good = false
		}
		i += size
	}
	return string(src), good
}
