package mirror

import (
	"crypto/sha256"
	"encoding/hex"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// rootDoc is where a client begins, and what it asks again to learn whether
// anything changed.
type rootDoc struct {
	Title          text              `json:"title" doc:"What the library is called."`
	Description    *text             `json:"description" doc:"What it is, as Markdown; null where nobody said."`
	License        *string           `json:"license" doc:"What others may do with the library's own texts; null where nobody said."`
	UpdatedAt      *string           `json:"updated_at" is:"time" doc:"The updated_at of the case that was changed last; null in an empty library."`
	DataVersion    string            `json:"data_version" is:"sha256" doc:"A digest of the data: the same for the same cases, vocabulary and withdrawn ids, whenever and wherever they were published."`
	ManifestSHA256 string            `json:"manifest_sha256" is:"sha256" doc:"The SHA-256 of manifest.ndjson. Whoever keeps a copy can write the manifest of it and see whether the copy is whole."`
	Counts         counts            `json:"counts" doc:"How much there is."`
	Links          rootLinks         `json:"links" doc:"Where everything is. Names in braces are to be filled in."`
	Schemas        map[string]string `json:"schemas" is:"uri" doc:"The JSON Schema of each kind of document."`
}

type counts struct {
	Cases     int `json:"cases" doc:"Published cases."`
	Withdrawn int `json:"withdrawn" doc:"Ids that are no longer published."`
	Orgs      int `json:"orgs" doc:"Organisations."`
	Years     int `json:"years" doc:"Years that have a case."`
	Axes      int `json:"axes" doc:"Axes of the vocabulary."`
	Terms     int `json:"terms" doc:"Terms on all axes."`
}

type rootLinks struct {
	Self        string  `json:"self" is:"uri" doc:"This document."`
	Case        string  `json:"case" is:"template" doc:"A case."`
	Similar     string  `json:"similar" is:"template" doc:"The cases nearest to a case."`
	Cases       string  `json:"cases" is:"uri" doc:"The newest cases, and the way to all."`
	Topics      string  `json:"topics" is:"uri" doc:"The axes of the vocabulary."`
	Axis        string  `json:"axis" is:"template" doc:"An axis with its terms."`
	Topic       string  `json:"topic" is:"template" doc:"A term with its cases."`
	Orgs        string  `json:"orgs" is:"uri" doc:"All organisations."`
	Org         string  `json:"org" is:"template" doc:"An organisation with its cases."`
	Years       string  `json:"years" is:"uri" doc:"All years that have a case."`
	Year        string  `json:"year" is:"template" doc:"A year with its cases."`
	Vocab       string  `json:"vocab" is:"uri" doc:"The whole vocabulary."`
	Changes     string  `json:"changes" is:"uri" doc:"What changed last."`
	Manifest    string  `json:"manifest" is:"uri" doc:"Every case with its digest, one a line."`
	Dumps       string  `json:"dumps" is:"uri" doc:"All cases in a few files."`
	OpenAPI     string  `json:"openapi" is:"uri" doc:"The description of this API, OpenAPI 3.1."`
	OpenAPIYAML string  `json:"openapi_yaml" is:"uri" doc:"The same as YAML."`
	Guide       string  `json:"guide" is:"uri" doc:"How to use it, for people."`
	Site        string  `json:"site" is:"uri" doc:"The library's site, for people."`
	MCP         *string `json:"mcp" is:"uri" doc:"The MCP server, for AI tools; null where there is none."`
}

func (m *Mirror) root() rootDoc {
	site := m.lib.Collection().Site
	sum := sha256.Sum256(m.manifest())
	d := rootDoc{Title: textOf(site.Title), Description: optional(site.Description), License: nullable(site.License),
		DataVersion: m.lib.DataVersion(), ManifestSHA256: hex.EncodeToString(sum[:]), Counts: m.counts(), Links: m.rootLinks(), Schemas: map[string]string{}}
	if c := m.lastChanged(); c != nil {
		d.UpdatedAt = &c.Updated
	}
	for _, k := range kinds() {
		d.Schemas[k.name] = m.site.Mirror(address.SchemaDoc(k.name))
	}
	return d
}

// lastChanged is the case that was changed last; nil when there is none.
func (m *Mirror) lastChanged() *incident.Case {
	var last *incident.Case
	for _, c := range m.lib.Cases() {
		if last == nil || c.UpdatedAt.After(last.UpdatedAt) {
			last = c
		}
	}
	return last
}

func (m *Mirror) counts() counts {
	c := m.lib.Collection()
	n := counts{Cases: len(c.Cases), Withdrawn: len(c.Withdrawn), Orgs: len(m.lib.Orgs()), Years: len(m.lib.Years()), Axes: len(c.Vocabulary.Axes)}
	for _, a := range c.Vocabulary.Axes {
		n.Terms += len(a.Terms)
	}
	return n
}

// Names that stand in an address for what is to be filled in.
const (
	idParam   = "{id}"
	axisParam = "{axis}"
	slugParam = "{slug}"
	yearParam = "{year}"
	pageParam = "{page}"
	fileParam = "{file}"
	kindParam = "{kind}"
)

// anyTerm stands for every term.
func anyTerm() incident.TermRef { return incident.TermRef{Axis: axisParam, Slug: slugParam} }

func (m *Mirror) rootLinks() rootLinks {
	at, def := m.site.Mirror, m.site.Default()
	return rootLinks{
		Self: at(address.RootDoc), Case: at(address.CaseDoc(idParam)), Similar: at(address.SimilarDoc(idParam)), Cases: at(address.CaseList),
		Topics: at(address.TopicsDoc), Axis: at(address.AxisDoc(axisParam)), Topic: at(address.TopicDoc(anyTerm(), 0)),
		Orgs: at(address.OrgsDoc), Org: at(address.OrgDoc(slugParam, 0)), Years: at(address.YearsDoc), Year: at(address.YearDoc(yearParam, 0)),
		Vocab: at(address.VocabDoc), Changes: at(address.ChangesDoc), Manifest: at(address.ManifestDoc), Dumps: at(address.DumpsDoc),
		OpenAPI: at(address.OpenAPIDoc), OpenAPIYAML: at(address.OpenAPIYAML),
		Guide: m.site.URL(def, address.API), Site: m.site.URL(def, address.Home), MCP: nullable(m.site.MCP())}
}
