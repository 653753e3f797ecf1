// Package problem is what can be said about a seed: where it is, what is wrong
// and what to do. Problems are data, so that one run can collect all of them
// and every front (terminal, JSON, preview page) shows the same words.
package problem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one fault, or one piece of advice, at one place of a seed file.
type Problem struct {
	File    string `json:"file"`              // path from the working folder, slash-separated
	Line    int    `json:"line"`              // from 1; 0 when the fault is the file as a whole
	Column  int    `json:"column"`            // in characters, from 1
	Pointer string `json:"pointer,omitempty"` // RFC 6901; "" for the whole document
	What    string `json:"what"`              // what is wrong
	Remedy  string `json:"remedy"`            // what to write instead
	Advice  bool   `json:"advice,omitempty"`  // worth mending, never stops a build
}

// String is the problem in one line: file:line:column: pointer: what; remedy.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Column)
	}
	b.WriteString(": ")
	if p.Advice {
		b.WriteString("advice: ")
	}
	if p.Pointer != "" {
		b.WriteString(p.Pointer + ": ")
	}
	b.WriteString(p.What)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return b.String()
}

// Sort orders problems by file, place and words, so that one input always gives
// one report.
func Sort(ps []Problem) {
	slices.SortFunc(ps, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.What, b.What))
	})
}

// Errors are the problems that stop a build.
func Errors(ps []Problem) []Problem {
	var out []Problem
	for _, p := range ps {
		if !p.Advice {
			out = append(out, p)
		}
	}
	return out
}
