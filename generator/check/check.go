// Package check holds the rules of publishing that no single seed file can
// break alone: ids that must exist, names that must agree, addresses that only
// one may claim. [Run] returns what stops a build, [Advice] what is worth
// mending and never stops one.
//
// Both name the file and the JSON pointer of what is wrong. Line and column
// come from seed.Place, which alone reads the files again.
//
// No rule compares every case with every case, and none knows the time of day:
// the same seeds always give the same problems.
package check

import (
	"fmt"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

// Run applies every rule that stops a build. An id whose file could not be read
// counts as one that exists, and a vocabulary that could not be read has no
// terms to judge: what is broken is reported once, by its reader.
func Run(r seed.Result) []problem.Problem {
	c := r.Collection
	ids := newIDs(c, r.Unread)
	var ps []problem.Problem
	ps = append(ps, links(c.Cases, ids)...)
	ps = append(ps, links(r.Faulty, ids)...)
	ps = append(ps, cycles(c)...)
	ps = append(ps, withdrawals(c, ids)...)
	ps = append(ps, urls(c.Cases, c.Site)...)
	ps = append(ps, numbers(c)...)
	ps = append(ps, organisations(c)...)
	ps = append(ps, textLinks(c, ids)...)
	ps = append(ps, figures(c)...)
	if c.Vocabulary != nil {
		file := c.File("vocab.json")
		ps = append(ps, seeAlso(c.Vocabulary, file)...)
		ps = append(ps, labels(c.Vocabulary, file)...)
	}
	return ps
}

// fault is a problem of a case.
func fault(c *incident.Case, pointer, what, remedy string) problem.Problem {
	return problem.Problem{File: c.File, Pointer: pointer, What: what, Remedy: remedy}
}

func pointerTo(format string, args ...any) string { return "/" + fmt.Sprintf(format, args...) }
