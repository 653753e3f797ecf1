package page

import "benchlet.com/incidentlib/generator/incident"

// articleData is what search engines are told of a case or an article beyond its
// frame.
type articleData struct {
	modified string
	org      string // "" for an article
	sources  []string
}

// linkedData are a page's JSON-LD documents (schema.org), as values that
// html/template encodes for their place.
func (m *maker) linkedData(v view, f frameData) []any {
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
		out = append(out, websiteLD{Context: schemaOrg, Type: "WebSite", Name: m.name, URL: f.Canonical, Description: f.Description, Language: m.lang})
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
}

type thingLD struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

type articleLD struct {
	Context     string        `json:"@context"`
	Type        string        `json:"@type"`
	Headline    string        `json:"headline"`
	Description string        `json:"description"`
	URL         string        `json:"url"`
	Language    incident.Lang `json:"inLanguage"`
	Modified    string        `json:"dateModified"`
	About       *thingLD      `json:"about,omitempty"`
	Sources     []string      `json:"isBasedOn,omitempty"`
	Publisher   thingLD       `json:"publisher"`
}

func (m *maker) articleLD(v view, f frameData) articleLD {
	d := articleLD{Context: schemaOrg, Type: "TechArticle", Headline: excerpt(v.title, 110), Description: f.Description,
		URL: f.Canonical, Language: m.lang, Modified: v.article.modified,
		Sources: v.article.sources, Publisher: thingLD{"Organization", m.name}}
	if v.article.org != "" {
		d.About = &thingLD{"Organization", v.article.org}
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

func (m *maker) crumbsLD(v view, f frameData) crumbsLD {
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
