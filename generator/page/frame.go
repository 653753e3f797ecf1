package page

import (
	"html/template"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// descriptionLength is how much of a text search engines show.
const descriptionLength = 160

// frameData is what stands around the body of every page.
type frameData struct {
	Lang           incident.Lang
	Title, Heading string
	Description    string
	SiteTitle      string
	Tagline        template.HTML
	Index          bool
	Canonical      string
	Alternates     []alternate
	OGType, Locale string
	Policy         string
	Icon, Style    string
	Search         string // where the frame's search box leads; "" where the page has one of its own
	OpenSearch     string
	Theme          string
	Data           []any
	Scripts        []string
	Home           string
	AtHome         bool
	Nav, Foot      []navLink
	Twin           twin
	Crumbs         []crumb
	Files          []fileLink
	Card           *cardView
}

type alternate struct{ Lang, URL string }

type navLink struct {
	Href, Label string
	Current     string // "page", "true" for a part of the site that holds the page, or ""
}

type twin struct {
	Lang        incident.Lang
	Href, Label string
}

// crumb is a step of the way from the home page; the page itself has no Href.
// Lang is set where the label is not in the page's language.
type crumb struct {
	Href, Label string
	Lang        incident.Lang
}

func (m *maker) frame(v view) *frameData {
	site := m.lib.Collection().Site
	f := &frameData{
		Lang: m.lang, SiteTitle: m.name, Tagline: m.tagline, Heading: v.title,
		Description: excerpt(v.about, descriptionLength), OGType: "website", Locale: m.word("locale"), Policy: m.policy,
		Icon: m.assets["icon.svg"], Style: m.assets["style.css"], Theme: m.assets["theme.js"], Home: m.href(address.Home), AtHome: v.path == address.Home && v.file == "",
		Index: !v.noIndex, Files: v.files, Scripts: m.scripts(v), Crumbs: v.crumbs,
		Nav:  m.nav(v, m.parts()),
		Foot: m.nav(v, []address.Path{address.API, address.Contribute, address.About}),
		Twin: twin{m.lang.Other(), m.site.Href(m.lang.Other(), v.path), m.words["language"].In(m.lang.Other())},
	}
	f.OpenSearch = m.site.OpenSearch(m.lang)
	if !hasOwnBox(v) {
		f.Search = m.href(address.Search)
	}
	if f.Description == "" {
		f.Description = excerpt(m.plain(site.Description), descriptionLength)
	}
	f.Title = v.title + " · " + m.name
	if v.title == "" {
		f.Title, f.Heading = m.name, m.name
		if !site.Tagline.IsZero() {
			f.Title += " · " + m.plainLine(site.Tagline)
		}
	}
	f.Canonical, f.Alternates = m.alternates(v)
	if v.article != nil {
		f.OGType = "article"
	}
	f.Card = m.cardView(v)
	f.Data = m.linkedData(v, f)
	return f
}

// alternates are the languages that a page exists in: itself first, then its
// twin, then the default. A page whose texts are all in the other language is
// no page of its own to a search engine; its canonical address is the twin's.
func (m *maker) alternates(v view) (canonical string, out []alternate) {
	langs := v.langs
	if langs == nil {
		langs = incident.Langs()
	}
	own := m.lang
	if len(langs) == 1 {
		own = langs[0]
	}
	for _, l := range langs {
		out = append(out, alternate{string(l), m.site.URL(l, v.path)})
	}
	out = append(out, alternate{"x-default", m.site.URL(m.site.Fallback(langs), v.path)})
	if own != m.lang {
		out = nil
	}
	return m.site.URL(own, v.path), out
}

// parts are the parts of the site that the navigation names.
func (m *maker) parts() []address.Path {
	out := []address.Path{address.Cases(0), address.Topics, address.Orgs, address.Years}
	if len(m.lib.Collection().Articles) > 0 {
		out = append(out, address.Articles)
	}
	return out
}

// navLinks lead to the parts of the site, from a page that is in none of them.
func (m *maker) navLinks() map[address.Path]navLink {
	labels := map[address.Path]string{address.Cases(0): m.word("cases"), address.Topics: m.word("topics"), address.Orgs: m.word("orgs"),
		address.Years: m.word("years"), address.Articles: m.word("articles"), address.API: m.word("api"), address.About: m.word("about"), address.Contribute: m.word("contribute")}
	links := map[address.Path]navLink{}
	for p, label := range labels {
		links[p] = navLink{Href: m.href(p), Label: label}
	}
	return links
}

func (m *maker) nav(v view, paths []address.Path) []navLink {
	out := make([]navLink, len(paths))
	for i, p := range paths {
		out[i] = m.links[p]
		switch {
		case v.path == p && !v.noIndex:
			out[i].Current = "page"
		case v.section == p:
			out[i].Current = "true"
		}
	}
	return out
}

func (m *maker) href(p address.Path) string { return m.site.Href(m.lang, p) }
