package page

import (
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// articleData is what search engines are told of a case or an article beyond its
// frame.
type articleData struct {
	modified  string
	published string // of an article; of a case's text only the last change is known
	id        string // the rest is of cases
	org       string
	date      string // of the incident, as far as it is known; "" where only that of a report is
	topics    []string
	sources   []string
}

// linkedData are a page's JSON-LD documents (schema.org), as values that
// html/template encodes for their place.
func (m *maker) linkedData(v view, f *frameData) []any {
	if v.noIndex {
		return nil
	}
	var out []any
	if v.article != nil {
		out = append(out, m.articleLD(v, f))
	}
	if len(v.crumbs) > 0 {
		out = append(out, m.crumbsLD(v, f))
	}
	if f.AtHome {
		out = append(out, m.websiteLD(f))
	}
	return out
}

const schemaOrg = "https://schema.org"

type websiteLD struct {
	Context     string        `json:"@context"`
	Type        string        `json:"@type"`
	Name        string        `json:"name"`
	URL         string        `json:"url"`
	Description string        `json:"description"`
	Language    incident.Lang `json:"inLanguage"`
	Search      searchLD      `json:"potentialAction"`
}

// searchLD says where a site is searched.
type searchLD struct {
	Type   string       `json:"@type"`
	Target entryPointLD `json:"target"`
	Input  string       `json:"query-input"`
}

type entryPointLD struct {
	Type     string `json:"@type"`
	Template string `json:"urlTemplate"`
}

func (m *maker) websiteLD(f *frameData) websiteLD {
	at := m.site.URL(m.lang, address.Search) + "?q={q}"
	return websiteLD{Context: schemaOrg, Type: "WebSite", Name: m.name, URL: f.Canonical, Description: f.Description, Language: m.lang,
		Search: searchLD{"SearchAction", entryPointLD{"EntryPoint", at}, "required name=q"}}
}

type thingLD struct {
	Type string `json:"@type"`
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// articleLD is a TechArticle of schema.org: what is known of a text, and of the
// incident that it tells of. When an incident was is its temporal coverage;
// when its text was first published nobody has noted.
type articleLD struct {
	Context     string        `json:"@context"`
	Type        string        `json:"@type"`
	Headline    string        `json:"headline"`
	Description string        `json:"description"`
	URL         string        `json:"url"`
	Language    incident.Lang `json:"inLanguage"`
	Published   string        `json:"datePublished,omitempty"`
	Modified    string        `json:"dateModified"`
	ID          string        `json:"identifier,omitempty"`
	Covers      string        `json:"temporalCoverage,omitempty"`
	About       *thingLD      `json:"about,omitempty"`
	Topics      []string      `json:"keywords,omitempty"`
	Sources     []string      `json:"isBasedOn,omitempty"`
	Image       *imageLD      `json:"image,omitempty"`
	Author      *thingLD      `json:"author"`
	Publisher   *thingLD      `json:"publisher"`
	PartOf      *thingLD      `json:"isPartOf"`
}

type imageLD struct {
	Type   string `json:"@type"`
	URL    string `json:"url"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

func (m *maker) articleLD(v view, f *frameData) articleLD {
	home := m.site.URL(m.lang, address.Home)
	library := &thingLD{"Organization", m.name, home}
	a := v.article
	d := articleLD{Context: schemaOrg, Type: "TechArticle", Headline: excerpt(v.title, 110), Description: f.Description,
		URL: f.Canonical, Language: m.lang, Published: a.published, Modified: a.modified, ID: a.id, Covers: a.date, Topics: a.topics,
		Sources: a.sources, Author: library, Publisher: library, PartOf: &thingLD{"WebSite", m.name, home}}
	if a.org != "" {
		d.About = &thingLD{Type: "Organization", Name: a.org}
	}
	if f.Card != nil {
		d.Image = &imageLD{"ImageObject", f.Card.URL, f.Card.Width, f.Card.Height}
	}
	return d
}

type crumbsLD struct {
	Context string    `json:"@context"`
	Type    string    `json:"@type"`
	Items   []crumbLD `json:"itemListElement"`
}

type crumbLD struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	Name     string `json:"name"`
	Item     string `json:"item"`
}

func (m *maker) crumbsLD(v view, f *frameData) crumbsLD {
	d := crumbsLD{Context: schemaOrg, Type: "BreadcrumbList"}
	for i, c := range v.crumbs {
		item := f.Canonical
		if c.Href != "" {
			item = m.site.Origin() + c.Href
		}
		d.Items = append(d.Items, crumbLD{"ListItem", i + 1, c.Label, item})
	}
	return d
}

// keywords are the labels of a case's topics.
func (m *maker) keywords(c *incident.Case) []string {
	var out []string
	for _, a := range []incident.AxisID{incident.Domain, incident.RootCause, incident.Components, incident.Symptoms} {
		for _, slug := range c.Terms(a) {
			out = append(out, m.term(a, slug).label)
		}
	}
	return out
}
