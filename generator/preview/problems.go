package preview

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/page"
	"benchlet.com/incidentlib/generator/problem"
)

// report is a problem with the lines of its file around it.
type report struct {
	problem.Problem
	Excerpt []excerptLine `json:"excerpt,omitempty"`
}

// excerptLine is a line of a file; Caret is the column of the fault, from 1, on
// the line where it is.
type excerptLine struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
	Caret  int    `json:"caret,omitempty"`
}

// text is the report for a reader without script.
func (r report) text() string {
	var b strings.Builder
	b.WriteString(r.String() + "\n")
	for _, l := range r.Excerpt {
		fmt.Fprintf(&b, "%5d | %s\n", l.Number, l.Text)
		if l.Caret > 0 {
			b.WriteString("      | " + under(l.Text, l.Caret) + "^\n")
		}
	}
	return b.String()
}

// under is the space below what stands before a column: wide below wide.
func under(text string, column int) string {
	var b strings.Builder
	for i, c := range []rune(text) {
		switch {
		case i >= column-1:
			return b.String()
		case c == '\t':
			b.WriteRune(c)
		case c > 0x10ff:
			b.WriteRune('\u3000')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

const (
	linesAround = 2
	maxReports  = 200
	maxLine     = 160 // characters of a line that are shown
	maxSource   = 16 << 20
)

// reports adds the source lines to problems. open reads a file by the name that
// a problem gives it; one that cannot be read has no excerpt.
func reports(ps []problem.Problem, open func(name string) ([]byte, error)) []report {
	sources := map[string][]byte{}
	out := []report{}
	for _, p := range ps[:min(len(ps), maxReports)] {
		src, known := sources[p.File]
		if !known {
			src, _ = open(p.File)
			sources[p.File] = src
		}
		out = append(out, report{p, excerpt(src, p.Line, p.Column)})
	}
	return out
}

func excerpt(src []byte, line, column int) []excerptLine {
	if line < 1 || src == nil {
		return nil
	}
	lines := bytes.Split(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\n"))
	var out []excerptLine
	for n := max(1, line-linesAround); n <= min(len(lines), line+linesAround); n++ {
		e := excerptLine{Number: n}
		text := strings.ToValidUTF8(strings.TrimRight(string(lines[n-1]), "\r"), "\ufffd")
		if n == line {
			e.Caret = max(1, column)
		}
		e.Text, e.Caret = window(text, e.Caret)
		out = append(out, e)
	}
	return out
}

// window cuts a long line to what stands around the caret.
func window(text string, caret int) (string, int) {
	if utf8.RuneCountInString(text) <= maxLine {
		return text, caret
	}
	r := []rune(text)
	from := max(0, min(caret-maxLine/2, len(r)-maxLine))
	cut := string(r[from:min(len(r), from+maxLine)])
	if from > 0 {
		cut = "…" + cut
		caret++
	}
	if caret > 0 {
		caret -= from
	}
	return cut, caret
}

// problemsOf are the errors of making a site, or of one of its files, as
// problems.
func problemsOf(err error) []problem.Problem {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var ps []problem.Problem
		for _, one := range many.Unwrap() {
			ps = append(ps, problemsOf(one)...)
		}
		return ps
	}
	if e := (*page.TemplateError)(nil); errors.As(err, &e) {
		return []problem.Problem{{File: e.File, Line: e.Line, Column: min(1, e.Line), What: e.What, Remedy: "mend the template"}}
	}
	if e := (*generator.AssetError)(nil); errors.As(err, &e) {
		return []problem.Problem{{File: "assets/" + e.Name, What: e.Err.Error(), Remedy: "mend the asset"}}
	}
	return []problem.Problem{{File: "site", What: err.Error(), Remedy: "mend it and save again"}}
}

// faults are the problems that rendering met with, each once.
type faults struct {
	mu   sync.Mutex
	seen map[problem.Problem]bool
	all  []report
}

// add notes problems and returns those that are new.
func (f *faults) add(ps []problem.Problem, open func(name string) ([]byte, error)) []report {
	f.mu.Lock()
	defer f.mu.Unlock()
	var fresh []problem.Problem
	for _, p := range ps {
		if !f.seen[p] {
			f.seen[p] = true
			fresh = append(fresh, p)
		}
	}
	news := reports(fresh, open)
	f.all = append(f.all, news...)
	return news
}

func (f *faults) list() []report {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.all)
}

// readFile reads a file for its lines: a regular one that is not too large.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSource {
		return nil, fs.ErrInvalid
	}
	return fs.ReadFile(fsys, name)
}
