package page

import (
	"html/template"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// articleBody is the body of an article's page.
type articleBody struct {
	Title     template.HTML
	TitleLang incident.Lang
	Summary   template.HTML
	Dates     []labelledDate
	Contents  []tocEntry
	BodyLang  incident.Lang // where it is not the page's
	Body      template.HTML
	Cases     []template.HTML
	Topics    []template.HTML
}

type labelledDate struct {
	Label string
	dateView
}

// tocEntry is a heading that the contents of an article lead to.
type tocEntry struct {
	ID, Title string
}

// articleLine is an article in a list.
type articleLine struct {
	Href    string
	Title   template.HTML
	Lang    incident.Lang
	Summary template.HTML
}

func (m *maker) articlePages() []output.File {
	articles := m.lib.Collection().Articles
	if len(articles) == 0 {
		return nil
	}
	out := []output.File{m.page(address.Articles, func() (view, error) {
		lines, err := m.articleLines(articles)
		return view{template: "articles", title: m.word("articles"), about: m.word("articles-lead"), section: address.Articles, data: lines,
			crumbs: m.trail(crumb{Label: m.word("articles")})}, err
	})}
	for i := range articles {
		a := &articles[i]
		out = append(out, m.page(address.Article(a.Slug), func() (view, error) { return m.articlePage(a) }))
	}
	return out
}

func (m *maker) articleLines(articles []incident.Article) ([]articleLine, error) {
	out := make([]articleLine, len(articles))
	for i, a := range articles {
		title, lang := m.label(a.Title)
		summary, err := m.inline(a.Summary)
		if err != nil {
			return nil, err
		}
		out[i] = articleLine{m.href(address.Article(a.Slug)), title, lang, summary}
	}
	return out, nil
}

func (m *maker) articlePage(a *incident.Article) (view, error) {
	d := articleBody{Dates: []labelledDate{{m.word("published"), dateView{a.Published.String(), dateText(a.Published, m.lang)}}}}
	modified := a.Published
	if a.Updated != (incident.Date{}) {
		modified = a.Updated
		d.Dates = append(d.Dates, labelledDate{m.word("updated"), dateView{a.Updated.String(), dateText(a.Updated, m.lang)}})
	}
	d.Title, d.TitleLang = m.label(a.Title)
	var e errs
	d.Summary = keep[template.HTML](&e)(m.inline(a.Summary))
	text, from := a.Body.Best(m.lang)
	sections := m.sections(text, 1)
	for _, s := range sections {
		if s.ID != "" {
			d.Contents = append(d.Contents, tocEntry{s.ID, s.Title})
		}
	}
	d.Body = keep[template.HTML](&e)(m.set.execute("sections", sections))
	if from != m.lang {
		d.BodyLang = from
		d.Body = keep[template.HTML](&e)(m.foreign("foreign", d.Body, from))
	}
	links := m.articles.links[a.Slug]
	for _, id := range links.cases {
		d.Cases = append(d.Cases, m.lines.of(m.lib.Case(id)))
	}
	for _, ref := range links.topics {
		d.Topics = append(d.Topics, m.terms.at(ref).chip)
	}
	title := m.plainLine(a.Title)
	return view{template: "article", title: title, about: m.plain(a.Summary), section: address.Articles, data: d, reads: true, storms: hasStorm(d.Body),
		langs:   a.PublishedIn(),
		article: &articleData{modified: modified.String(), published: a.Published.String()},
		crumbs:  m.trail(crumb{Href: m.href(address.Articles), Label: m.word("articles")}, m.step("", a.Title))}, e.first
}

// section is a part of a longer text, by its heading.
type section struct {
	ID, Title string
	Heading   template.HTML
	HTML      template.HTML
}

func (m *maker) sections(text string, level int) []section {
	var out []section
	for _, s := range m.markup.Sections(text, level) {
		out = append(out, section{s.ID, s.Title, trusted(bound(nil, s.Heading)), trusted(bound(nil, s.HTML))})
	}
	return out
}

// articleLinks are the cases and topics that an article links, each once, in the
// order of its texts. Articles need no list of them in their front matter: the
// links are the list.
type articleLinks struct {
	cases  []string
	topics []incident.TermRef
}

func (m *maker) linksOf(a *incident.Article) articleLinks {
	var out articleLinks
	seen := map[address.Path]bool{}
	for _, l := range incident.Langs() {
		for _, link := range m.markup.Links(a.Body.In(l), false) {
			p, ok := address.Within(link)
			if !ok || seen[p] {
				continue
			}
			seen[p] = true
			if id := p.CaseID(); m.lib.Case(id) != nil {
				out.cases = append(out.cases, id)
			}
			if ref, ok := p.Term(); ok && m.lib.Collection().Vocabulary.Term(ref.Axis, ref.Slug) != nil {
				out.topics = append(out.topics, ref)
			}
		}
	}
	return out
}

// articleIndex says what each article links, and which articles link a case or
// a topic: they link back.
type articleIndex struct {
	links  map[string]articleLinks // by the article's slug
	cases  map[string][]articleLine
	topics map[incident.TermRef][]articleLine
}

func (m *maker) indexArticles() (articleIndex, error) {
	x := articleIndex{map[string]articleLinks{}, map[string][]articleLine{}, map[incident.TermRef][]articleLine{}}
	articles := m.lib.Collection().Articles
	lines, err := m.articleLines(articles)
	if err != nil {
		return x, err
	}
	for i := range articles {
		links := m.linksOf(&articles[i])
		x.links[articles[i].Slug] = links
		for _, id := range links.cases {
			x.cases[id] = append(x.cases[id], lines[i])
		}
		for _, ref := range links.topics {
			x.topics[ref] = append(x.topics[ref], lines[i])
		}
	}
	return x, nil
}
