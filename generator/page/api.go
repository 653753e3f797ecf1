package page

import (
	"html/template"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// apiData are the addresses that the page of the API explains. Those of one
// case, axis, term, organisation, year or kind have {id} and the like in their
// places.
type apiData struct {
	Root, Case, Similar, List       shownURL
	Topics, Axis, Topic, Vocab      shownURL
	Orgs, Org, Years, Year          shownURL
	Changes, Manifest, Dumps        shownURL
	CSV, Summaries                  shownURL
	OpenAPI, OpenAPIYAML, Schema    shownURL
	ID, ExampleCase, ExampleSimilar string // a case that examples ask for; "" in an empty library
	Host, Short, MCP, Site          string
	Weights                         template.HTML // what sharing a term of an axis counts
}

// shownURL is an address, and how it is shown.
type shownURL struct {
	URL   string
	Shown template.HTML
}

func (m *maker) apiPage() (view, error) {
	term := incident.TermRef{Axis: "{axis}", Slug: "{slug}"}
	at := func(doc address.Doc) shownURL {
		url := m.site.Mirror(doc)
		return shownURL{url, m.shown(url)}
	}
	var weights []template.HTML
	for _, a := range library.SimilarityAxes() {
		weights = append(weights, m.axes.of(a.Axis)+m.escaped(" "+group(a.Weight)))
	}
	d := apiData{
		Root: at(address.RootDoc), Case: at(address.CaseDoc("{id}")), Similar: at(address.SimilarDoc("{id}")), List: at(address.CaseList),
		Topics: at(address.TopicsDoc), Axis: at(address.AxisDoc(term.Axis)), Topic: at(address.TopicDoc(term, 0)), Vocab: at(address.VocabDoc),
		Orgs: at(address.OrgsDoc), Org: at(address.OrgDoc("{slug}", 0)), Years: at(address.YearsDoc), Year: at(address.YearDoc("{year}", 0)),
		Changes: at(address.ChangesDoc), Manifest: at(address.ManifestDoc), Dumps: at(address.DumpsDoc),
		CSV: at(address.DumpDoc("summaries.csv")), Summaries: at(address.DumpDoc("summaries.ndjson.gz")),
		OpenAPI: at(address.OpenAPIDoc), OpenAPIYAML: at(address.OpenAPIYAML), Schema: at(address.SchemaDoc("{kind}")),
		Host: m.site.APIMirror(), Short: m.site.API(address.CaseDoc("{id}")), MCP: m.site.MCP(), Site: m.site.Root(""), Weights: joined(weights)}
	if cases := m.lib.Cases(); len(cases) > 0 { // the lowest id: it stays while the library grows
		d.ID = cases[0].ID
		d.ExampleCase, d.ExampleSimilar = m.site.Mirror(address.CaseDoc(d.ID)), m.site.Mirror(address.SimilarDoc(d.ID))
	}
	return m.textPage("api", m.word("api"), address.API, d)
}
