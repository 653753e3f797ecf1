// Package page turns a library into its HTML pages, in both languages.
//
// A [maker] is one language of the site: its templates, its markup, and the
// fragments that recur (a term's chip, a case's line), each made once. Every
// page is a typed struct, one per template, set into the frame that all pages
// share. Titles, links and labels come from the library, the address package
// and words.json; this package only puts them together.
package page

import (
	"bytes"
	"html/template"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/card"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/output"
)

// Options say what pages are made from besides the library.
type Options struct {
	Site      address.Site
	Templates *Templates
	Assets    Assets
	Policy    string       // of scripts and styles, for pages that no header carries it with; or ""
	Cards     *card.Drawer // nil for none
}

// Assets are the addresses of the files that pages link, by the names of the
// assets: the style sheet and the icon, every page; scripts, those that need
// them.
type Assets map[string]string

// maker makes the pages of one language. It is never changed once made and is
// safe for concurrent use.
type maker struct {
	lib      *library.Library
	site     address.Site
	assets   Assets
	policy   string
	lang     incident.Lang
	set      *templateSet
	cards    *card.Drawer
	markup   *markup.Renderer
	halves   sync.Pool // of *halves
	words    words
	name     string // the site's title
	tagline  template.HTML
	none     template.HTML                              // what stands for what is not known
	links    map[address.Path]navLink                   // to the parts of the site
	axes     *fragments[incident.AxisID, template.HTML] // an axis's label
	terms    *fragments[incident.TermRef, termView]
	lines    *fragments[*incident.Case, template.HTML] // a case's line in lists
	checks   *fragments[incident.TermRef, checkHTML]
	figures  *fragments[string, template.HTML] // a figure, by name
	says     func() []byte                     // what the script of the search says
	spending spendChoices
	counts   *counts               // of all cases, for the charts
	failed   atomic.Pointer[error] // of the fragments

	articles articleIndex
}

// Pages are the pages of all languages. A page that cannot be made is an error
// of its file's Render; what all pages share is made by [New].
type Pages struct {
	lib    *library.Library
	makers []*maker
}

// New prepares the pages of a library.
func New(lib *library.Library, opt Options) (*Pages, error) {
	p := &Pages{lib: lib}
	counts := newCounts(lib)
	for _, l := range incident.Langs() {
		m, err := newMaker(lib, opt, l, counts)
		if err != nil {
			return nil, err
		}
		p.makers = append(p.makers, m)
	}
	return p, nil
}

// Case are the pages of one case of the library, what says the same as Markdown,
// and their cards.
func (p *Pages) Case(c *incident.Case) []output.File {
	files := make([]output.File, 0, 3*len(p.makers))
	for _, m := range p.makers {
		files = append(files, m.page(address.Case(c.ID), func() (view, error) { return m.casePage(c) }), m.markdownFile(c))
		files = append(files, m.cardFile(address.Card(c.ID), func() card.Card { return m.cardOf(c) })...)
	}
	return files
}

// FeedOrder says, in a language, in which order feeds have their entries.
func (p *Pages) FeedOrder(l incident.Lang) string {
	for _, m := range p.makers {
		if m.lang == l {
			return m.word("feed-order")
		}
	}
	return ""
}

// Rest are all other pages.
func (p *Pages) Rest() []output.File {
	var files []output.File
	for _, m := range p.makers {
		files = append(files, m.rest()...)
	}
	return files
}

func newMaker(lib *library.Library, opt Options, l incident.Lang, counts *counts) (*maker, error) {
	m := &maker{lib: lib, site: opt.Site, assets: opt.Assets, policy: opt.Policy, lang: l, set: opt.Templates.sets[l], cards: opt.Cards, words: opt.Templates.words, counts: counts, spending: newSpendChoices(l)}
	m.says = sync.OnceValue(m.sayWords)
	m.gatherFragments()
	m.markup = markup.New(markup.Options{Link: m.link, Figure: func(name string) ([]byte, bool) {
		html := m.figures.of(name)
		return []byte(html), html != ""
	}})
	m.name = m.plainLine(lib.Collection().Site.Title)
	m.links = m.navLinks()
	var e errs
	m.none = keep[template.HTML](&e)(m.set.execute("none", nil))
	m.tagline = keep[template.HTML](&e)(m.marked(lib.Collection().Site.Tagline))
	if e.first != nil {
		return nil, e.first
	}
	var err error
	if m.articles, err = m.indexArticles(); err != nil {
		return nil, err
	}
	return m, nil
}

// gatherFragments prepares what recurs; nothing of it is made yet.
func (m *maker) gatherFragments() {
	c := m.lib.Collection()
	var axes []incident.AxisID
	var terms []incident.TermRef
	for i := range c.Vocabulary.Axes {
		a := &c.Vocabulary.Axes[i]
		axes = append(axes, a.ID)
		for j := range a.Terms {
			terms = append(terms, a.Terms[j].Ref())
		}
	}
	figures := make([]string, len(c.Figures))
	for i := range c.Figures {
		figures[i] = c.Figures[i].Name
	}
	m.axes = newFragments(&m.failed, axes, func(a incident.AxisID) (template.HTML, error) {
		return m.marked(c.Vocabulary.Axis(a).Label)
	})
	m.terms = newFragments(&m.failed, terms, m.termView)
	m.lines = newFragments(&m.failed, m.lib.Cases(), m.line)
	m.checks = newFragments(&m.failed, terms, m.check)
	m.figures = newFragments(&m.failed, figures, m.figure)
}

// view is a page on its way to its file: what the frame needs to know, the
// template of the body and its data.
type view struct {
	path     address.Path
	file     string // where it is not path's own
	title    string // plain text; "" for the site's own title
	about    string // plain text, for the description
	crumbs   []crumb
	section  address.Path // the part of the site, marked in the navigation
	langs    []incident.Lang
	noIndex  bool
	spends   bool // it has the control of an error budget
	reads    bool // a longer text, which read.js helps to read
	storms   bool // it has the figure of a retry storm
	chances  bool // it leads to a random case
	article  *articleData
	files    []fileLink   // what the page says, for programs
	card     address.File // of a case; else the site's
	cardAlt  string
	template string
	data     any
}

// page makes a file of what view returns when it is asked.
func (m *maker) page(path address.Path, make func() (view, error)) output.File {
	return m.pageAt(m.site.File(m.lang, path), path, make)
}

func (m *maker) pageAt(file string, path address.Path, make func() (view, error)) output.File {
	return output.File{Path: file, Kind: output.Page, Render: func(dst *bytes.Buffer) error {
		v, err := make()
		if err != nil {
			return err
		}
		v.path = path
		f := m.frame(v)
		// The body is written where it belongs: it is most of a page.
		if err := m.set.executeTo(dst, "frame-above", f); err != nil {
			return err
		}
		if err := m.set.executeTo(dst, v.template, v.data); err != nil {
			return err
		}
		if failed := m.failed.Load(); failed != nil {
			return *failed
		}
		return m.set.executeTo(dst, "frame-below", f)
	}}
}

// rest plans every page of the language that is not a case's.
func (m *maker) rest() []output.File {
	var out []output.File
	out = append(out, m.page(address.Home, m.home), m.page(address.Search, m.searchPage), m.searchWordsFile(),
		m.page(address.API, m.apiPage), m.page(address.About, m.aboutPage), m.page(address.Contribute, m.contributePage),
		m.pageAt(m.site.NotFound(m.lang), address.Home, m.notFound))
	out = append(out, m.cardFile(address.SiteCard, m.siteCard)...)
	out = append(out, m.caseLists()...)
	for i := range m.lib.Collection().Withdrawn {
		w := &m.lib.Collection().Withdrawn[i]
		out = append(out, m.page(address.Case(w.ID), func() (view, error) { return m.withdrawnPage(w) }))
	}
	out = append(out, m.topicPages()...)
	out = append(out, m.articlePages()...)
	out = append(out, m.orgPages()...)
	out = append(out, m.yearPages()...)
	out = append(out, m.recoverySheet()...)
	return out
}

// word is a label in the page's language. A test holds that every word that
// this package asks for exists, and that every word that exists is asked for.
func (m *maker) word(key string) string { return m.words[key].In(m.lang) }
