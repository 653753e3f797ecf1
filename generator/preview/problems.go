package preview

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"unicode/utf8"

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

const (
	linesAround = 2
	maxReports  = 200
	maxLine     = 160 // characters of a line that are shown
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

// problemOf is an error of making the site as a problem.
func problemOf(err error) problem.Problem {
	if e := (*page.TemplateError)(nil); errors.As(err, &e) {
		return problem.Problem{File: e.File, Line: e.Line, Column: min(1, e.Line), What: e.What, Remedy: "mend the template"}
	}
	return problem.Problem{File: "site", What: err.Error(), Remedy: "mend it and save again"}
}

// openIn reads files that problems name from the folder that the name begins
// with.
func openIn(folders map[string]fs.FS) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		for prefix, fsys := range folders {
			if rest, ok := strings.CutPrefix(name, prefix+"/"); ok && fsys != nil {
				return fs.ReadFile(fsys, rest)
			}
		}
		return nil, fs.ErrNotExist
	}
}
