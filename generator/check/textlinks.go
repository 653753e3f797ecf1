package check

import (
	"bytes"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/problem"
)

// newTextChecker makes a reader of texts, whose links may lead to what is in a
// collection.
func newTextChecker(c *incident.Collection, known ids) *textChecker {
	t := &textChecker{c: c, ids: known}
	t.markup = markup.New(markup.Options{Link: func(dest string) (string, bool) {
		t.found = append(t.found, dest)
		return dest, true
	}})
	return t
}

// inCases reports links of cases that lead nowhere within the site.
func (t *textChecker) inCases(cases []*incident.Case) []problem.Problem {
	var ps []problem.Problem
	for _, one := range cases {
		if one.JSON != nil && !bytes.Contains(one.JSON, []byte("](")) && !bytes.Contains(one.JSON, []byte(`\u00`)) {
			continue // no link in it, as in most cases, nor an escape that may hide one
		}
		for _, p := range parts(one) {
			ps = append(ps, t.judge(one.File, p.pointer, p.text)...)
		}
	}
	return ps
}

func (t *textChecker) judge(file, pointer string, text incident.Text) []problem.Problem {
	var ps []problem.Problem
	for _, l := range incident.Langs() {
		for _, bad := range t.faults(text.In(l)) {
			ps = append(ps, problem.Problem{File: file, Pointer: pointer + "/" + string(l), What: bad.what, Remedy: bad.remedy})
		}
	}
	return ps
}

// others reports those of all other texts, and ids of headings that the page
// itself uses.
func (t *textChecker) others() []problem.Problem {
	ps := t.inJSON()
	for _, topic := range t.c.Topics {
		ps = append(ps, t.proseFaults(topic.File, topic.Text, 1)...)
	}
	for _, a := range t.c.Articles {
		for _, l := range incident.Langs() {
			// title and summary, where they stand as a rule
			ps = append(ps, t.proseFaults(a.Files.In(l), a.Title.In(l)+"\n"+a.Summary.In(l), 2)...)
		}
		ps = append(ps, t.proseFaults(a.Files.EN, a.Body.EN, a.LineEN)...)
		ps = append(ps, t.proseFaults(a.Files.KO, a.Body.KO, a.LineKO)...)
	}
	return ps
}

// inJSON reports those of the texts that are part of no case and no file of
// prose.
func (t *textChecker) inJSON() []problem.Problem {
	var ps []problem.Problem
	judge := func(file, pointer string, text incident.Text) { ps = append(ps, t.judge(file, pointer, text)...) }
	file := t.c.File("site.json")
	judge(file, "/title", t.c.Site.Title)
	judge(file, "/tagline", t.c.Site.Tagline)
	judge(file, "/description", t.c.Site.Description)
	if t.c.Vocabulary != nil {
		file = t.c.File("vocab.json")
		for i, a := range t.c.Vocabulary.Axes {
			judge(file, pointerTo("axes/%d/label", i), a.Label)
			for j, term := range a.Terms {
				judge(file, pointerTo("axes/%d/terms/%d/label", i, j), term.Label)
				judge(file, pointerTo("axes/%d/terms/%d/summary", i, j), term.Summary)
			}
		}
	}
	for _, w := range t.c.Withdrawn {
		judge(t.c.File("withdrawn.json"), pointerTo("withdrawn/%d/reason", w.Index), w.Reason)
	}
	return ps
}

// textChecker reads texts one at a time; found are the links of the present one.
type textChecker struct {
	c      *incident.Collection
	ids    ids
	markup *markup.Renderer
	found  []string
	pages  map[address.Path]bool // made when a link asks for it
}

type textFault struct {
	in           string // what to look for in the source, to find its line
	what, remedy string
}

// faults checks the links of a text. Most texts have none, and are not parsed.
func (t *textChecker) faults(text string) []textFault {
	if !strings.Contains(text, "](") {
		return nil
	}
	t.found = nil
	t.markup.Plain(text)
	var out []textFault
	for _, dest := range t.found {
		if what, remedy := t.leads(dest); what != "" {
			out = append(out, textFault{dest, what, remedy})
		}
	}
	return out
}

// leads says what is wrong with a link within the site; "" when nothing is.
func (t *textChecker) leads(dest string) (what, remedy string) {
	path, _, _ := strings.Cut(dest, "#")
	switch {
	case path == "":
		return "", ""
	case !strings.HasPrefix(path, "/"):
		return "the link " + strconv.Quote(dest) + " depends on the page that it stands in", `begin it with "/", as in "/cases/IL-0123/", or write the whole https address`
	case !strings.HasSuffix(path, "/"):
		return "the link " + strconv.Quote(dest) + " does not end in \"/\"", "write " + strconv.Quote(path+"/")
	case t.exists(address.Path(path[1:])):
		return "", ""
	}
	if id := strings.Trim(strings.TrimPrefix(path, "/cases"), "/"); incident.ValidID(id) {
		if what, remedy = t.ids.missing("", id); what != "" {
			what = "the link " + strconv.Quote(dest) + ": " + what
		}
		return what, remedy
	}
	return "the link " + strconv.Quote(dest) + " leads to no page", `write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`
}

// exists reports whether there is such a page, or may be one: that of an
// organisation or a year whose case could not be read, or of a term when the
// vocabulary could not.
func (t *textChecker) exists(p address.Path) bool {
	switch part, _, _ := strings.Cut(string(p), "/"); {
	case t.c.Vocabulary == nil && part+"/" == string(address.Topics),
		len(t.ids.unread) > 0 && (part+"/" == string(address.Orgs) || part+"/" == string(address.Years)):
		return true
	}
	if t.pages == nil {
		t.pages = map[address.Path]bool{}
		for _, fixed := range []address.Path{address.Home, address.Cases(0), address.Topics, address.Orgs, address.Years, address.API, address.About, address.Articles} {
			t.pages[fixed] = true
		}
		for i := range t.c.Cases {
			one := t.c.Cases[i]
			t.pages[address.Case(one.ID)] = true
			t.pages[address.Org(one.OrgSlug, 0)] = true
			t.pages[address.Year(one.Date.Year, 0)] = true
		}
		for id := range t.ids.unread {
			t.pages[address.Case(id)] = true
		}
		for _, a := range t.c.Articles {
			t.pages[address.Article(a.Slug)] = true
		}
		if t.c.Vocabulary != nil {
			for _, a := range t.c.Vocabulary.Axes {
				t.pages[address.Axis(a.ID)] = true
				for _, term := range a.Terms {
					t.pages[address.Topic(term.Ref(), 0)] = true
				}
			}
		}
	}
	return t.pages[p]
}

// pageIDs are the ids that the templates of topics and articles give to their
// own parts. Whoever links to one of them means that part.
func pageIDs() []string {
	return []string{"main", "text", "seen-with", "cases", "topics", "articles"}
}

// proseFaults checks a Markdown file, of which text begins at line first.
func (t *textChecker) proseFaults(file, text string, first int) []problem.Problem {
	faults := t.faults(text)
	for _, id := range pageIDs() {
		if mark := "{#" + id + "}"; strings.Contains(text, mark) {
			faults = append(faults, textFault{mark, "the id " + strconv.Quote(id) + " is that of another part of the page", "give the heading another id"})
		}
	}
	var ps []problem.Problem
	for _, f := range faults {
		line := first + strings.Count(text[:max(0, strings.Index(text, f.in))], "\n")
		ps = append(ps, problem.Problem{File: file, Line: line, Column: 1, What: f.what, Remedy: f.remedy})
	}
	return ps
}
