// Package seed reads the files that editors keep into an [incident.Collection],
// strictly: every fault in every file is found in one run and reported with
// file, line, column, JSON pointer, what is wrong and what to write instead.
//
// A file's shape is declared once, in shape.go, from small kinds of values
// (kinds.go, record.go); each kind knows how to read itself and how JSON Schema
// says the same, so the published schema cannot drift from the reader.
//
// What the reader checks is true of one file alone, given the vocabulary. What
// holds between files (ids that exist, names that agree) is the check package's.
package seed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
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
	// Unread are ids whose file exists and could not be read: links to them do
	// not dangle.
	Unread map[string]bool
}

type reader struct {
	fsys     fs.FS
	dir      string
	vocab    *incident.Vocabulary
	problems []problem.Problem
}

// Read reads all seeds below the root of fsys, on up to jobs goroutines. dir is
// the root's name as the editor knows it, for messages.
func Read(fsys fs.FS, dir string, jobs int) Result {
	r := &reader{fsys: fsys, dir: dir}
	c := &incident.Collection{}
	c.Site, _ = readOne(r, "site.json", siteShape())
	if axes, ok := readOne(r, "vocab.json", vocabShape()); ok {
		r.vocab = r.vocabulary(axes)
	}
	c.Vocabulary = r.vocab
	if _, err := fs.Stat(fsys, "withdrawn.json"); !errors.Is(err, fs.ErrNotExist) {
		c.Withdrawn, _ = readOne(r, "withdrawn.json", withdrawnShape())
	}
	unread := map[string]bool{}
	c.Cases = r.readCases(max(1, jobs), unread)
	c.Topics = r.readTopics()
	return Result{Collection: c, Problems: r.problems, Unread: unread}
}

// readOne reads a file that holds one value of kind k.
func readOne[T any](r *reader, name string, k kind[T]) (v T, ok bool) {
	src := r.read(name, maxFile)
	if src == nil {
		return v, false
	}
	d := newDecoder(r.shown(name), src, r.vocab)
	v, ok = readDocument(d, k)
	r.problems = append(r.problems, d.problems...)
	return v, ok
}

func readDocument[T any](d *decoder, k kind[T]) (T, bool) {
	if rest, found := bytes.CutPrefix(d.src, []byte("\ufeff")); found {
		*d = *newDecoder(d.file, rest, d.vocab)
		d.advise(0, "the file begins with a byte-order mark", "save it as UTF-8 without one; it is left out of all output")
	}
	v, ok := k.read(d)
	d.end()
	return v, ok && !d.dead
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

// readCases reads every case file; the result is in ascending order of ids,
// whatever the order of files and goroutines.
func (r *reader) readCases(jobs int, unread map[string]bool) []incident.Case {
	files := r.caseFiles()
	type outcome struct {
		c        incident.Case
		ok       bool
		problems []problem.Problem
	}
	outcomes := make([]outcome, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, max(1, len(files))) {
		wg.Go(func() {
			shape := caseShape()
			for i := range next {
				o := &outcomes[i]
				o.c, o.ok, o.problems = r.readCase(files[i], shape)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	var out []incident.Case
	for i, o := range outcomes {
		r.problems = append(r.problems, o.problems...)
		if o.ok {
			out = append(out, o.c)
		} else {
			unread[stem(files[i])] = true
		}
	}
	return r.distinct(out)
}

func stem(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// readCase reads one case; a case with any fault is not ok.
func (r *reader) readCase(name string, shape kind[incident.Case]) (c incident.Case, ok bool, ps []problem.Problem) {
	src, p := r.load(name, maxCase)
	if p != nil {
		return c, false, []problem.Problem{*p}
	}
	d := newDecoder(r.shown(name), src, r.vocab)
	c, ok = readDocument(d, shape)
	if ok && c.ID != stem(name) {
		d.path = []step{{name: "id", index: -1}}
		d.fault(max(0, bytes.Index(d.src, []byte(`"`+c.ID+`"`))), fmt.Sprintf("the id %s differs from the file's name %s", c.ID, quote(path.Base(name))),
			"rename the file to "+c.ID+".json, or mend the id")
		ok = false
	}
	if ok {
		var b bytes.Buffer
		if err := json.Compact(&b, d.src); err == nil {
			c.JSON = b.Bytes()
		}
		c.File = d.file
	}
	return c, ok, d.problems
}

// distinct sorts cases by id and reports two files of one id, which can stand
// in two folders.
func (r *reader) distinct(cases []incident.Case) []incident.Case {
	sortCases(cases)
	out := cases[:0]
	for _, c := range cases {
		if n := len(out); n > 0 && out[n-1].ID == c.ID {
			r.problems = append(r.problems, problem.Problem{File: c.File, Pointer: "/id",
				What: fmt.Sprintf("the id %s is taken by %s", c.ID, out[n-1].File), Remedy: "give one of the two another id and file name"})
			continue
		}
		out = append(out, c)
	}
	return out
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
	if rest, found := bytes.CutPrefix(src, []byte("\ufeff")); found {
		d.src = rest
		d.advise(0, "the file begins with a byte-order mark", "save it as UTF-8 without one")
	}
	if !utf8.Valid(d.src) {
		d.fault(invalidAt(d.src), "these bytes are not UTF-8", "save the file as UTF-8")
		return "", false
	}
	text := strings.ReplaceAll(string(d.src), "\r\n", "\n")
	if blank(text) {
		d.fault(0, "the file is empty", "write the text, or delete the file")
		return "", false
	}
	return text, d.checkChars(text, 0)
}

func readUpTo(f io.Reader, size, limit int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	buf := bytes.NewBuffer(b)
	if _, err := io.Copy(buf, io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(buf.Len()) > limit {
		return nil, fmt.Errorf("it grew past %d bytes while it was read", limit)
	}
	if buf.Len() == 0 {
		return []byte{}, nil
	}
	return buf.Bytes(), nil
}
