package page

import (
	"html/template"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/cite"
	"benchlet.com/incidentlib/generator/incident"
)

// fileLink is a file that says what a page says, for programs.
type fileLink struct{ Type, Href, Title string }

// feedLinks are the feeds of the cases that a page lists.
func (m *maker) feedLinks(path address.Path, title string) []fileLink {
	if title != "" {
		title += " · "
	}
	title += m.name
	return []fileLink{
		{"application/atom+xml", m.site.FileHref(m.lang, address.Atom(path)), title + " (Atom)"},
		{"application/feed+json", m.site.FileHref(m.lang, address.JSONFeed(path)), title + " (JSON Feed)"},
	}
}

// feedsOf are the feeds of a set of cases, on the first page of their list;
// none where there is no case, and so no feed.
func (m *maker) feedsOf(path address.Path, title string, cases int, list caseList) []fileLink {
	if cases == 0 || list.Old {
		return nil
	}
	return m.feedLinks(path, title)
}

// randomView is a link that a script sends to a random case; without one it
// leads to all of them.
type randomView struct{ Cases, IDs string }

func (m *maker) random() *randomView {
	if len(m.lib.Cases()) == 0 {
		return nil
	}
	return &randomView{m.href(address.Cases(0)), m.site.FileHref(m.site.Default(), address.CaseIDs)}
}

// neighboursView leads to the cases before and after one, by date.
type neighboursView struct {
	Newer, Older template.HTML
	Random       *randomView
}

func (m *maker) neighbours(c *incident.Case) neighboursView {
	v := neighboursView{Random: m.random()}
	newer, older := m.lib.Neighbours(c)
	if newer != nil {
		v.Newer = m.lines.of(newer)
	}
	if older != nil {
		v.Older = m.lines.of(older)
	}
	return v
}

// citeView is how to cite a case. Lang is set where its title, and so the work
// that is cited, is in the other language.
type citeView struct {
	Lang        incident.Lang
	Words       string
	BibTeX, CSL string
}

// work is a case as it is cited: in the language of its title.
func (m *maker) work(c *incident.Case) cite.Work {
	title, lang := c.Title.Best(m.lang)
	site, _ := m.lib.Collection().Site.Title.Best(lang)
	return cite.Work{ID: c.ID, Title: m.markup.PlainLine(title), Lang: lang, Org: c.Org, Incident: c.Date, Site: m.markup.PlainLine(site),
		URL: m.site.URL(lang, address.Case(c.ID)), Changed: c.UpdatedAt}
}

func (m *maker) cite(c *incident.Case) *citeView {
	w := m.work(c)
	v := &citeView{Words: m.citeWords(w), BibTeX: w.BibTeX(), CSL: w.CSL()}
	if w.Lang != m.lang {
		v.Lang = w.Lang
	}
	return v
}

// citeWords is a citation in words.
func (m *maker) citeWords(w cite.Work) string {
	year, month, day := w.Changed.Date()
	form := m.words["cite-words"].In(w.Lang)
	return said(form, "{site}", w.Site, "{id}", w.ID, "{title}", strings.TrimSuffix(w.Title, "."), "{org}", w.Org, "{date}", dateText(w.Incident, w.Lang),
		"{changed}", dateText(incident.Date{Year: year, Month: int(month), Day: day}, w.Lang), "{url}", w.URL)
}

// notFoundData is the page for an address that leads nowhere. It also speaks to
// readers of the other language: a host may serve it for their addresses, too.
type notFoundData struct {
	Links              []navLink
	Random             *randomView
	Other              incident.Lang
	OtherHome          string
	OtherLead, OtherTo string
}

func (m *maker) notFound() (view, error) {
	other := m.lang.Other()
	d := notFoundData{Links: m.nav(view{}, m.parts()), Random: m.random(), Other: other, OtherHome: m.site.Href(other, address.Home),
		OtherLead: m.words["not-found"].In(other), OtherTo: m.words["to-home"].In(other)}
	return view{template: "not-found", title: m.word("not-found"), about: m.word("not-found-lead"), noIndex: true, file: m.site.NotFound(m.lang),
		chances: d.Random != nil, data: d}, nil
}

func (m *maker) contributePage() (view, error) {
	return m.textPage("contribute", m.word("contribute"), address.Contribute, struct{ Topics string }{m.href(address.Topics)})
}
