package mirror

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/ordered"
	"benchlet.com/incidentlib/generator/output"
)

// operation is one address of the API, or a family of them.
type operation struct {
	at          address.Doc
	id          string
	tag         string
	summary     string
	description string
	answers     []string   // the kinds of document that may be there
	media       string     // where it is no JSON document
	example     func() any // of the library itself; nil where there is none
}

// The parts of the API, as its description groups them.
const (
	tagStart = "start"
	tagCases = "cases"
	tagVocab = "vocabulary"
	tagBy    = "groups"
	tagSync  = "sync"
)

func tags() []any {
	var out []any
	for _, t := range [][2]string{
		{tagStart, "Where to begin, and what the documents are."},
		{tagCases, "The incidents: each, and all."},
		{tagVocab, "The words that classify them, and the cases of each."},
		{tagBy, "Cases by organisation and by year."},
		{tagSync, "Keeping a copy: what changed, and everything at once."},
	} {
		out = append(out, ordered.Object{{"name", t[0]}, {"description", t[1]}})
	}
	return out
}

const (
	mediaJSON   = "application/json"
	mediaLines  = "application/x-ndjson"
	mediaGzip   = "application/gzip"
	mediaCSV    = "text/csv"
	mediaSchema = "application/schema+json"
)

// operations are the whole API, in the order in which it is told.
func (m *Mirror) operations() []operation {
	c, t := m.exampleCase(), m.exampleTerm()
	of := func(known bool, make func() any) func() any {
		if !known {
			return nil
		}
		return make
	}
	list := func(make func() any) func() any { return of(c != nil, make) }
	topic := func(make func() any) func() any { return of(c != nil && t != nil, make) }
	return []operation{
		{at: address.RootDoc, id: "getRoot", tag: tagStart, summary: "The root: what there is, and where",
			description: "Ask this document again, with If-None-Match, to learn whether anything changed: 304 says that nothing did.", answers: []string{"root"},
			example: list(func() any { return m.exampleRoot(c) })},
		{at: address.SchemaDoc(kindParam), id: "getSchema", tag: tagStart, summary: "The JSON Schema of a kind of document",
			description: "The root names the kinds. Fields and terms may be added; no schema forbids what it does not know.", media: mediaSchema},
		{at: address.CaseList, id: "listCases", tag: tagCases, summary: "The newest cases",
			description: "Summaries of the newest 100. The link first leads to a page with the lowest ids; from there next leads through all.", answers: []string{"list"},
			example: list(func() any { return m.exampleList(c, address.CaseList, address.CaseListPage) })},
		{at: address.CaseListPage(0).Part(pageParam), id: "getCasesPage", tag: tagCases, summary: "A page of all cases",
			description: "100 summaries in ascending order of ids. A page that is full does not change while the library grows.", answers: []string{"list-page"},
			example: list(func() any { return m.examplePage(c, address.CaseListPage) })},
		{at: address.CaseDoc(idParam), id: "getCase", tag: tagCases, summary: "A case",
			description: "What the editors keep, unchanged; or, where the case is no longer published, a document that says why.", answers: []string{"case", "tombstone"},
			example: list(func() any { return json.RawMessage(c.JSON.Append(nil)) })},
		{at: address.SimilarDoc(idParam), id: "getSimilar", tag: tagCases, summary: "The cases nearest to a case",
			description: "At most ten, the greatest score first, with the parts of the score.", answers: []string{"similar"},
			example: list(func() any { return m.exampleSimilar(c) })},
		{at: address.TopicsDoc, id: "listAxes", tag: tagVocab, summary: "The axes of the vocabulary", description: "Every axis with the number of its terms.",
			answers: []string{"topics"}, example: topic(func() any { return m.exampleAxes(t) })},
		{at: address.AxisDoc(axisParam), id: "getAxis", tag: tagVocab, summary: "An axis with its terms", description: "Every term of the axis with the number of its cases.",
			answers: []string{"axis"}, example: topic(func() any { return m.exampleAxis(t) })},
		{at: address.TopicDoc(anyTerm(), 0), id: "getTopic", tag: tagVocab, summary: "A term with its cases",
			description: "The term, its prose, the terms often seen with it, and the newest 100 cases that carry it.", answers: []string{"topic"},
			example: topic(func() any { return m.exampleTopic(t, c) })},
		{at: address.TopicDoc(anyTerm(), 0).Part(pageParam), id: "getTopicPage", tag: tagVocab, summary: "A page of a term's cases",
			description: "All cases of a term that has more than 100, in ascending order of ids.", answers: []string{"list-page"}},
		{at: address.VocabDoc, id: "getVocabulary", tag: tagVocab, summary: "The whole vocabulary", description: "Every axis and every term, with the numbers of their cases.",
			answers: []string{"vocab"}, example: topic(func() any { return vocabDoc{[]axisDoc{m.exampleAxis(t)}} })},
		{at: address.OrgsDoc, id: "listOrgs", tag: tagBy, summary: "All organisations", description: "By name, with the numbers of their cases.",
			answers: []string{"orgs"}, example: list(func() any { return m.exampleOrgs(c) })},
		{at: address.OrgDoc(slugParam, 0), id: "getOrg", tag: tagBy, summary: "An organisation with its cases", description: "Its newest 100 cases.",
			answers: []string{"org"}, example: list(func() any { return m.exampleOrg(c) })},
		{at: address.OrgDoc(slugParam, 0).Part(pageParam), id: "getOrgPage", tag: tagBy, summary: "A page of an organisation's cases",
			description: "All cases of an organisation that has more than 100, in ascending order of ids.", answers: []string{"list-page"}},
		{at: address.YearsDoc, id: "listYears", tag: tagBy, summary: "All years that have a case", description: "The newest first, with the numbers of their cases.",
			answers: []string{"years"}, example: list(func() any { return m.exampleYears(c) })},
		{at: address.YearDoc(yearParam, 0), id: "getYear", tag: tagBy, summary: "A year with its cases", description: "Its newest 100 cases.",
			answers: []string{"year"}, example: list(func() any { return m.exampleYear(c) })},
		{at: address.YearDoc(yearParam, 0).Part(pageParam), id: "getYearPage", tag: tagBy, summary: "A page of a year's cases",
			description: "All cases of a year that has more than 100, in ascending order of ids.", answers: []string{"list-page"}},
		{at: address.ChangesDoc, id: "getChanges", tag: tagSync, summary: "What changed last",
			description: "The newest 500 changes: cases by updated_at, with digests, and withdrawn ids.", answers: []string{"changes"},
			example: list(func() any { return m.exampleChanges(c) })},
		{at: address.ChangesDoc.Part(pageParam), id: "getChangesPage", tag: tagSync, summary: "Older changes",
			description: "A page of the changes of a library that has more than 500. Follow the links: the names of pages mean nothing.", answers: []string{"changes-page"}},
		{at: address.ManifestDoc, id: "getManifest", tag: tagSync, summary: "Every case with its digest",
			description: "A JSON document a line, in ascending order of ids, each as this schema says: " + m.site.Mirror(address.SchemaDoc(lineKind)), media: mediaLines,
			example: list(func() any { return m.exampleLine(c) })},
		{at: address.DumpsDoc, id: "listDumps", tag: tagSync, summary: "The files with everything in them", description: "All cases in a few files, with their sizes and digests.",
			answers: []string{"dumps"}},
		{at: address.DumpDoc(fileParam + "." + formatNDJSON), id: "getDump", tag: tagSync, summary: "A file of the dumps",
			description: "Whole cases or summaries, a JSON document a line, compressed with gzip. The list of dumps names the files.", media: mediaGzip},
		{at: address.DumpDoc(tableFile), id: "getTable", tag: tagSync, summary: "The summaries as a table",
			description: "CSV by RFC 4180 in UTF-8. Terms of a list have | between them. A text that a spreadsheet would take for a formula has an apostrophe before it.", media: mediaCSV},
	}
}

// openAPI is the description of the API, OpenAPI 3.1, as JSON and as YAML.
func (m *Mirror) openAPI() []output.File {
	return []output.File{
		document(address.OpenAPIDoc, func() any { return m.description() }),
		file(address.OpenAPIYAML, func(dst *bytes.Buffer) error {
			b, err := ordered.Marshal(m.description())
			if err != nil {
				return err
			}
			return toYAML(dst, b)
		})}
}

func (m *Mirror) description() ordered.Object {
	site := m.lib.Collection().Site
	title := plainLine(site.Title)
	about := "Public software incidents as static JSON. No key, no rate limit of its own; unchanged data has unchanged bytes, so an ETag stays good for as long as the data does. " +
		"Fields and terms may be added; what is there keeps its meaning, or the version in the path changes."
	info := ordered.Object{{"title", title + " API"}, {"version", "1.0.0"}, {"summary", "Public software incidents as static JSON"}, {"description", about},
		{"contact", ordered.Object{{"name", title}, {"url", m.site.URL(m.site.Default(), address.API)}}}}
	if site.License != "" {
		info = append(info, ordered.Member{"license", ordered.Object{{"name", site.License}}})
	}
	servers := []any{ordered.Object{{"url", m.site.MirrorRoot()}, {"description", "The published documents."}}}
	if root := m.site.APIMirror(); root != "" {
		servers = append(servers, ordered.Object{{"url", root}, {"description", "The same on the API's own host. Short addresses lead there too, such as " + m.site.API(address.CaseDoc(idParam))}})
	}
	var paths ordered.Object
	for _, op := range m.operations() {
		paths = append(paths, ordered.Member{strings.TrimPrefix(m.site.Mirror(op.at), m.site.MirrorRoot()), op.path()})
	}
	return ordered.Object{{"openapi", "3.1.1"}, {"info", info}, {"jsonSchemaDialect", dialect}, {"servers", servers}, {"security", []any{}}, {"tags", tags()},
		{"externalDocs", ordered.Object{{"url", m.site.URL(m.site.Default(), address.API)}, {"description", "How to use it, with examples"}}},
		{"paths", paths}, {"components", m.components()}}
}

func (m *Mirror) components() ordered.Object {
	var schemas ordered.Object
	for _, k := range kinds() {
		if k.name == lineKind {
			continue // no answer is one
		}
		doc := ordered.Member{"externalDocs", ordered.Object{{"url", m.site.Mirror(address.SchemaDoc(k.name))}, {"description", "The same schema, on its own"}}}
		schemas = append(schemas, ordered.Member{component(k.name), append(m.schemaOf(k, schemaRef), doc)})
	}
	etag := ordered.Object{{"description", "Names the bytes; send it back in If-None-Match."}, {"schema", ordered.Object{{"type", "string"}}}}
	return ordered.Object{
		{"schemas", schemas},
		{"headers", ordered.Object{{"ETag", etag}}},
		{"parameters", ordered.Object{{"IfNoneMatch", ordered.Object{{"name", "If-None-Match"}, {"in", "header"},
			{"description", "The ETag of a document that is already there."}, {"schema", ordered.Object{{"type", "string"}}}}}}},
		{"responses", ordered.Object{
			{"NotModified", ordered.Object{{"description", "The document is still the one of If-None-Match. There is no body."}}},
			{"NotFound", ordered.Object{{"description", "There is no such document. The body is the host's: a static host cannot answer in JSON, so go by the status."},
				{"content", ordered.Object{{"text/html", ordered.Object{{"schema", ordered.Object{{"type", "string"}}}}}}}}}}}}
}

// component is the name of a schema in the description: "CaseSummary".
func component(kind string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(kind, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

func schemaRef(kind string) string { return "#/components/schemas/" + component(kind) }

func refTo(section, name string) ordered.Object {
	return ordered.Object{{"$ref", "#/components/" + section + "/" + name}}
}

// path is what the description says of an operation's address.
func (op *operation) path() ordered.Object {
	parameters := []any{}
	for _, p := range parameterDocs() {
		if strings.Contains(string(op.at), "{"+p.name+"}") {
			parameters = append(parameters, ordered.Object{{"name", p.name}, {"in", "path"}, {"required", true}, {"description", p.doc}, {"schema", p.schema}})
		}
	}
	get := ordered.Object{{"operationId", op.id}, {"tags", []string{op.tag}}, {"summary", op.summary}, {"description", op.description},
		{"parameters", append(parameters, refTo("parameters", "IfNoneMatch"))},
		{"responses", ordered.Object{{"200", op.found()}, {"304", refTo("responses", "NotModified")}, {"404", refTo("responses", "NotFound")}}}}
	return ordered.Object{{"get", get}}
}

func (op *operation) found() ordered.Object {
	media, schema := op.media, ordered.Object{{"type", "string"}}
	switch {
	case media == mediaGzip:
		schema = ordered.Object{} // OpenAPI 3.1: bytes have no schema
	case media == mediaSchema:
		schema = ordered.Object{{"type", "object"}}
	case media == "":
		media = mediaJSON
		var all []any
		for _, kind := range op.answers {
			all = append(all, ordered.Object{{"$ref", schemaRef(kind)}})
		}
		schema = ordered.Object{{"oneOf", all}}
		if len(all) == 1 {
			schema, _ = all[0].(ordered.Object)
		}
	}
	content := ordered.Object{{"schema", schema}}
	if op.example != nil {
		content = append(content, ordered.Member{"example", op.example()})
	}
	return ordered.Object{{"description", op.summary + "."}, {"headers", ordered.Object{{"ETag", refTo("headers", "ETag")}}},
		{"content", ordered.Object{{media, content}}}}
}

type parameterDoc struct {
	name, doc string
	schema    ordered.Object
}

func parameterDocs() []parameterDoc {
	str := func(more ...ordered.Member) ordered.Object {
		return append(ordered.Object{{"type", "string"}}, more...)
	}
	return []parameterDoc{
		{"id", "The case's id.", append(str(), textIs("id")...)},
		{"axis", "An axis of the vocabulary.", append(str(), textIs("axis")...)},
		{"slug", "A slug: of a term, or of an organisation.", append(str(), textIs("slug")...)},
		{"year", "A year.", str(ordered.Member{"pattern", "^[0-9]{4}$"})},
		{"page", "The name of a page. Links lead to all of them.", str(ordered.Member{"pattern", "^[A-Z0-9-]+$"})},
		{"file", "The name of a file, without its extension.", str(ordered.Member{"pattern", "^[a-z0-9-]+$"})},
		{"kind", "A kind of document, as the root names it.", str(ordered.Member{"pattern", "^[a-z-]+$"})},
	}
}

// exampleCase is the case that examples are of: that with the lowest id, so that
// examples stay while the library grows. Lists have it alone. It is nil in an
// empty library.
func (m *Mirror) exampleCase() *incident.Case {
	if cases := m.lib.Cases(); len(cases) > 0 {
		return cases[0]
	}
	return nil
}

// exampleTerm is a term of that case; nil where it has none.
func (m *Mirror) exampleTerm() *incident.Term {
	c := m.exampleCase()
	if c == nil {
		return nil
	}
	for _, a := range incident.AxisIDs() {
		if slugs := c.Terms(a); len(slugs) > 0 {
			return m.lib.Collection().Vocabulary.Term(a, slugs[0])
		}
	}
	return nil
}

// exampleRoot is the root as it would be of the case alone: the real one changes
// with every edit, and those who made a client of the description would have to
// look at it each time.
func (m *Mirror) exampleRoot(c *incident.Case) rootDoc {
	d := m.root()
	line := sha256.Sum256([]byte(m.exampleLine(c)))
	d.UpdatedAt, d.DataVersion, d.ManifestSHA256 = &c.Updated, hex.EncodeToString(c.Sum[:]), hex.EncodeToString(line[:])
	d.Counts.Cases, d.Counts.Withdrawn, d.Counts.Orgs, d.Counts.Years = 1, 0, 1, 1
	return d
}

func (m *Mirror) exampleList(c *incident.Case, self address.Doc, at func(page int) address.Doc) list[summary] {
	return list[summary]{1, 1, []summary{m.summary(c)}, m.headLinks(self, at, 1)}
}

func (m *Mirror) examplePage(c *incident.Case, at func(page int) address.Doc) listPage[summary] {
	return listPage[summary]{1, []summary{m.summary(c)}, m.pageLinks(at, 1, 1)}
}

func (m *Mirror) exampleCases(c *incident.Case, at func(page int) address.Doc) list[summary] {
	return whole(m, at(0), []summary{m.summary(c)})
}

// exampleSimilar is the case that is nearest to another, alone.
func (m *Mirror) exampleSimilar(c *incident.Case) list[near] {
	l := m.similar(c)
	return whole(m, address.SimilarDoc(c.ID), l.Items[:min(1, len(l.Items))])
}

func (m *Mirror) exampleAxes(t *incident.Term) list[axisSummary] {
	return whole(m, address.TopicsDoc, []axisSummary{m.axisSummary(m.lib.Collection().Vocabulary.Axis(t.Axis))})
}

func (m *Mirror) exampleAxis(t *incident.Term) axisDoc {
	return axisDoc{string(t.Axis), textOf(m.lib.Collection().Vocabulary.Axis(t.Axis).Label), []termDoc{m.exampleTermDoc(t)}}
}

func (m *Mirror) exampleTermDoc(t *incident.Term) termDoc {
	d := m.term(t)
	d.Count = 1
	return d
}

func (m *Mirror) exampleTopic(t *incident.Term, c *incident.Case) topicDoc {
	return topicDoc{m.exampleTermDoc(t), nil, []termCount{}, m.exampleCases(c, topicAt(t))}
}

func (m *Mirror) exampleOrgSummary(c *incident.Case) orgSummary {
	return orgSummary{c.OrgSlug, c.Org, 1, m.site.URL(m.site.Default(), address.Org(c.OrgSlug, 0)), m.site.Mirror(address.OrgDoc(c.OrgSlug, 0))}
}

func (m *Mirror) exampleOrgs(c *incident.Case) list[orgSummary] {
	return whole(m, address.OrgsDoc, []orgSummary{m.exampleOrgSummary(c)})
}

func (m *Mirror) exampleOrg(c *incident.Case) orgDoc {
	return orgDoc{m.exampleOrgSummary(c), m.exampleCases(c, func(page int) address.Doc { return address.OrgDoc(c.OrgSlug, page) })}
}

func (m *Mirror) exampleYearSummary(c *incident.Case) yearSummary {
	return yearSummary{c.Date.Year, 1, m.site.URL(m.site.Default(), address.Year(c.Date.Year, 0)), m.site.Mirror(address.YearDoc(strconv.Itoa(c.Date.Year), 0))}
}

func (m *Mirror) exampleYears(c *incident.Case) list[yearSummary] {
	return whole(m, address.YearsDoc, []yearSummary{m.exampleYearSummary(c)})
}

func (m *Mirror) exampleYear(c *incident.Case) yearDoc {
	return yearDoc{m.exampleYearSummary(c), m.exampleCases(c, yearAt(c.Date.Year))}
}

func (m *Mirror) exampleChanges(c *incident.Case) changesDoc {
	at := nullable(utc(moment{at: c.UpdatedAt}))
	return changesDoc{at, at, []change{{ID: c.ID, edited: &edited{c.Updated, c.Sum.Short()}}}, m.alone(address.ChangesDoc)}
}

func (m *Mirror) exampleLine(c *incident.Case) string {
	b, _ := ordered.Marshal(m.manifestEntry(c)) // plain data: nothing can fail
	return string(b) + "\n"
}
