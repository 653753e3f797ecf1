package check

import (
	"iter"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/problem"
)

// textLinks reports links within the site that lead nowhere, and ids of
// headings that the page itself uses.
func textLinks(c *incident.Collection, known ids) []problem.Problem {
	return newTextChecker(c, known).judge(passages(c))
}

// newTextChecker makes a reader of texts, whose links may lead to what is in a
// collection.
func newTextChecker(c *incident.Collection, known ids) *textChecker {
	return &textChecker{c: c, ids: known, markup: markup.New(markup.Options{})}
}

// judge is textLinks of some texts.
func (t *textChecker) judge(texts iter.Seq[passage]) []problem.Problem {
	var ps []problem.Problem
	for p := range texts {
		for _, l := range incident.Langs() {
			text := p.text.In(l)
			faults := t.links(text, p.oneLine)
			if !p.inJSON() {
				faults = append(faults, takenIDs(text)...)
			}
			for _, f := range faults {
				ps = append(ps, p.faultIn(l, strings.Count(text[:max(0, strings.Index(text, f.in))], "\n"), f.what, f.remedy))
			}
		}
	}
	return ps
}

// textChecker reads texts one at a time.
type textChecker struct {
	c      *incident.Collection
	ids    ids
	markup *markup.Renderer
	pages  map[address.Path]bool // made when a link asks for it
}

type textFault struct {
	in           string // what to look for in the source, to find its line
	what, remedy string
}

// links judges the links of a text.
func (t *textChecker) links(text string, oneLine bool) []textFault {
	var out []textFault
	for _, dest := range t.markup.Links(text, oneLine) {
		if what, remedy := t.leads(dest); what != "" {
			out = append(out, textFault{dest, what, remedy})
		}
	}
	return out
}

// takenIDs are the ids of a Markdown file's headings that its page uses itself.
func takenIDs(text string) []textFault {
	var out []textFault
	for _, id := range pageIDs() {
		if mark := "{#" + id + "}"; strings.Contains(text, mark) {
			out = append(out, textFault{mark, "the id " + strconv.Quote(id) + " is that of another part of the page", "give the heading another id"})
		}
	}
	return out
}

// leads says what is wrong with a link within the site; "" when nothing is.
func (t *textChecker) leads(dest string) (what, remedy string) {
	page, fromRoot := address.Within(dest)
	path := "/" + string(page)
	switch {
	case strings.HasPrefix(dest, "#"):
		return "", ""
	case !fromRoot:
		return "the link " + strconv.Quote(dest) + " depends on the page that it stands in", `begin it with "/", as in "/cases/IL-0123/", or write the whole https address`
	case !strings.HasSuffix(path, "/"):
		return "the link " + strconv.Quote(dest) + " does not end in \"/\"", "write " + strconv.Quote(path+"/")
	case t.exists(page):
		return "", ""
	}
	if id := page.CaseID(); id != "" {
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
		for _, page := range address.Pages(t.c) {
			t.pages[page.Path] = true
		}
		for id := range t.ids.unread {
			t.pages[address.Case(id)] = true
		}
	}
	return t.pages[p]
}

// pageIDs are the ids that the templates of topics and articles give to their
// own parts. Whoever links to one of them means that part.
func pageIDs() []string {
	return []string{"main", "q", "by-year", "text", "seen-with", "cases", "topics", "articles"}
}
