package check

import (
	"iter"
	"strconv"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// passage is a text that pages render, and where an editor finds it.
type passage struct {
	text    incident.Text
	oneLine bool // rendered as one line, not as paragraphs

	file    incident.Text // of each language; a JSON file is that of both
	pointer pointer       // into a JSON file

	firstEN, firstKO int // where it begins in a Markdown file; 0 in JSON
}

// pointer is one of JSON that is put together when it is asked for: most texts
// have no fault.
type pointer struct {
	before string
	index  int
	after  string // "" where before is all
}

func (p pointer) String() string {
	if p.after == "" {
		return p.before
	}
	return p.before + strconv.Itoa(p.index) + p.after
}

// inJSON reports whether both languages of the text stand side by side in JSON.
func (p *passage) inJSON() bool { return p.firstEN == 0 && p.firstKO == 0 }

// fault is a problem of the whole text in JSON.
func (p *passage) fault(what, remedy string) problem.Problem {
	return problem.Problem{File: p.file.EN, Pointer: p.pointer.String(), What: what, Remedy: remedy}
}

// faultIn is a problem of the text in a language; line counts from the text's
// first, for Markdown.
func (p *passage) faultIn(l incident.Lang, line int, what, remedy string) problem.Problem {
	if p.inJSON() {
		return problem.Problem{File: p.file.EN, Pointer: p.pointer.String() + "/" + string(l), What: what, Remedy: remedy}
	}
	first := p.firstEN
	if l == incident.KO {
		first = p.firstKO
	}
	return problem.Problem{File: p.file.In(l), Line: first + line, Column: 1, What: what, Remedy: remedy}
}

// passages are all texts of the seeds that pages render. What is said of every
// text is said of these.
func passages(c *incident.Collection) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		for _, one := range c.Cases {
			for p := range caseTexts(one) {
				if !yield(p) {
					return
				}
			}
		}
		for _, of := range []iter.Seq[passage]{siteTexts(c), vocabularyTexts(c), withdrawnTexts(c), proseTexts(c)} {
			for p := range of {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// caseTexts are the texts of a case, in the order in which a page prints them.
func caseTexts(c *incident.Case) iter.Seq[passage] {
	file := incident.Text{EN: c.File, KO: c.File}
	return func(yield func(passage) bool) {
		ok := yield(passage{text: c.Title, oneLine: true, file: file, pointer: pointer{before: "/title"}}) &&
			yield(passage{text: c.Summary, file: file, pointer: pointer{before: "/summary"}}) &&
			yield(passage{text: c.Impact.Scope, oneLine: true, file: file, pointer: pointer{before: "/impact/scope"}}) &&
			yield(passage{text: c.Impact.Users, oneLine: true, file: file, pointer: pointer{before: "/impact/users"}}) &&
			yield(passage{text: c.Impact.Region, oneLine: true, file: file, pointer: pointer{before: "/impact/region"}}) &&
			yield(passage{text: c.SymptomsText, file: file, pointer: pointer{before: "/symptoms_text"}}) &&
			yield(passage{text: c.Trigger, file: file, pointer: pointer{before: "/trigger"}})
		for i := 0; ok && i < len(c.Remediation); i++ {
			ok = yield(passage{text: c.Remediation[i], file: file, pointer: pointer{"/remediation/", i, "/text"}})
		}
		for i := 0; ok && i < len(c.ActionItems); i++ {
			ok = yield(passage{text: c.ActionItems[i], file: file, pointer: pointer{"/action_items/", i, "/text"}})
		}
		ok = ok && yield(passage{text: c.Lessons, file: file, pointer: pointer{before: "/lessons"}})
		for i := 0; ok && i < len(c.Docs); i++ {
			ok = yield(passage{text: c.Docs[i].Title, oneLine: true, file: file, pointer: pointer{"/docs/", i, "/title"}})
		}
	}
}

func siteTexts(c *incident.Collection) iter.Seq[passage] {
	file := incident.Text{EN: c.File("site.json"), KO: c.File("site.json")}
	return func(yield func(passage) bool) {
		_ = yield(passage{text: c.Site.Title, oneLine: true, file: file, pointer: pointer{before: "/title"}}) &&
			yield(passage{text: c.Site.Tagline, oneLine: true, file: file, pointer: pointer{before: "/tagline"}}) &&
			yield(passage{text: c.Site.Description, oneLine: true, file: file, pointer: pointer{before: "/description"}})
	}
}

func vocabularyTexts(c *incident.Collection) iter.Seq[passage] {
	file := incident.Text{EN: c.File("vocab.json"), KO: c.File("vocab.json")}
	return func(yield func(passage) bool) {
		if c.Vocabulary == nil {
			return
		}
		for i, a := range c.Vocabulary.Axes {
			if !yield(passage{text: a.Label, oneLine: true, file: file, pointer: pointer{"/axes/", i, "/label"}}) {
				return
			}
			terms := "/axes/" + strconv.Itoa(i) + "/terms/"
			for j, t := range a.Terms {
				if !yield(passage{text: t.Label, oneLine: true, file: file, pointer: pointer{terms, j, "/label"}}) ||
					!yield(passage{text: t.Summary, oneLine: true, file: file, pointer: pointer{terms, j, "/summary"}}) {
					return
				}
			}
		}
	}
}

func withdrawnTexts(c *incident.Collection) iter.Seq[passage] {
	file := incident.Text{EN: c.File("withdrawn.json"), KO: c.File("withdrawn.json")}
	return func(yield func(passage) bool) {
		for _, w := range c.Withdrawn {
			if !yield(passage{text: w.Reason, file: file, pointer: pointer{"/withdrawn/", w.Index, "/reason"}}) {
				return
			}
		}
	}
}

// proseTexts are those of Markdown files. Title and summary of an article are
// named where they stand as a rule, in the second and third line.
func proseTexts(c *incident.Collection) iter.Seq[passage] {
	return func(yield func(passage) bool) {
		for _, t := range c.Topics {
			p := passage{text: incident.Text{EN: t.Text}, file: incident.Text{EN: t.File}, firstEN: 1}
			if t.Lang == incident.KO {
				p = passage{text: incident.Text{KO: t.Text}, file: incident.Text{KO: t.File}, firstKO: 1}
			}
			if !yield(p) {
				return
			}
		}
		for _, a := range c.Articles {
			if !yield(passage{text: a.Title, oneLine: true, file: a.Files, firstEN: 2, firstKO: 2}) ||
				!yield(passage{text: a.Summary, oneLine: true, file: a.Files, firstEN: 3, firstKO: 3}) ||
				!yield(passage{text: a.Body, file: a.Files, firstEN: a.LineEN, firstKO: a.LineKO}) {
				return
			}
		}
	}
}
