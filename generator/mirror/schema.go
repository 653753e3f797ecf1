package mirror

import (
	"bytes"
	"reflect"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/ordered"
	"benchlet.com/incidentlib/generator/output"
)

// kind is a kind of document. Its schema is made from the type that is written,
// so the two cannot drift apart; only that of a case comes from the shape that
// the reader of seeds follows.
type kind struct {
	name  string // of the schema's document
	title string
	of    reflect.Type // nil for a case
}

// kinds are all kinds of documents.
func kinds() []kind {
	return []kind{
		{"root", "The root: what there is, and where", reflect.TypeFor[rootDoc]()},
		{"case", "A case of the incident library", nil},
		{"tombstone", "A case that is no longer published", reflect.TypeFor[tombstoneDoc]()},
		{"case-summary", "A case in a list", reflect.TypeFor[summary]()},
		{"list", "The newest cases, and the way to all", reflect.TypeFor[list[summary]]()},
		{"list-page", "A page of a list of cases", reflect.TypeFor[listPage[summary]]()},
		{"similar", "The cases nearest to a case", reflect.TypeFor[list[near]]()},
		{"topics", "The axes of the vocabulary", reflect.TypeFor[list[axisSummary]]()},
		{"axis", "An axis with its terms", reflect.TypeFor[axisDoc]()},
		{"topic", "A term with its cases", reflect.TypeFor[topicDoc]()},
		{"orgs", "All organisations", reflect.TypeFor[list[orgSummary]]()},
		{"org", "An organisation with its cases", reflect.TypeFor[orgDoc]()},
		{"years", "All years that have a case", reflect.TypeFor[list[yearSummary]]()},
		{"year", "A year with its cases", reflect.TypeFor[yearDoc]()},
		{"vocab", "The whole vocabulary", reflect.TypeFor[vocabDoc]()},
		{"changes", "What changed last", reflect.TypeFor[changesDoc]()},
		{"changes-page", "Older changes", reflect.TypeFor[changesPage]()},
		{lineKind, "A line of the manifest", reflect.TypeFor[manifestEntry]()},
		{"dumps", "The files with everything in them", reflect.TypeFor[dumpsDoc]()},
	}
}

// lineKind is what a line of the manifest is.
const lineKind = "manifest-entry"

const dialect = "https://json-schema.org/draft/2020-12/schema"

// schemas are the published schemas; each has its own address as its $id.
func (m *Mirror) schemas() []output.File {
	var out []output.File
	for _, k := range kinds() {
		out = append(out, file(address.SchemaDoc(k.name), func(dst *bytes.Buffer) error {
			head := ordered.Object{{"$schema", dialect}, {"$id", m.site.Mirror(address.SchemaDoc(k.name))}}
			return encode(dst, append(head, m.schemaOf(k, func(name string) string { return name + ".json" })...))
		}))
	}
	return out
}

// schemaOf is the schema of a kind of document; ref is how it refers to another.
func (m *Mirror) schemaOf(k kind, ref func(name string) string) ordered.Object {
	if k.of == nil {
		return m.caseSchema.Without("$schema", "$id")
	}
	d := describer{ref, map[reflect.Type]string{}}
	for _, other := range kinds() {
		if other.of != nil && other.of != k.of {
			d.known[other.of] = other.name
		}
	}
	return append(ordered.Object{{"title", k.title}}, d.object(k.of)...)
}

// describer turns types into schemas. Fields say in their tag "doc" what they
// mean and in "is" what their text is (see [textIs]). None forbids other
// fields: fields may be added.
type describer struct {
	ref   func(name string) string
	known map[reflect.Type]string
}

func (d describer) schema(t reflect.Type, is string) ordered.Object {
	if name, ok := d.known[t]; ok {
		return ordered.Object{{"$ref", d.ref(name)}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return ordered.Object{{"anyOf", []any{d.schema(t.Elem(), is), ordered.Object{{"type", "null"}}}}}
	case reflect.Slice:
		return ordered.Object{{"type", "array"}, {"items", d.schema(t.Elem(), is)}}
	case reflect.Map:
		return ordered.Object{{"type", "object"}, {"additionalProperties", d.schema(t.Elem(), is)}}
	case reflect.Struct:
		return d.object(t)
	case reflect.Int:
		return ordered.Object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Bool:
		return ordered.Object{{"type", "boolean"}, {"const", true}}
	}
	return append(ordered.Object{{"type", "string"}}, textIs(is)...)
}

// object is the schema of a struct. Where it embeds pointers, one of them is
// there.
func (d describer) object(t reflect.Type) ordered.Object {
	var variants []any
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Pointer {
			p := &properties{}
			d.collect(p, t)
			d.collect(p, f.Type.Elem())
			variants = append(variants, p.schema())
		}
	}
	if variants != nil {
		return ordered.Object{{"oneOf", variants}}
	}
	p := &properties{}
	d.collect(p, t)
	return p.schema()
}

type properties struct {
	all      ordered.Object
	required []string
}

func (p *properties) schema() ordered.Object {
	return ordered.Object{{"type", "object"}, {"properties", p.all}, {"required", p.required}}
}

// collect adds the fields of a struct, and those of structs that it embeds.
func (d describer) collect(p *properties, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			d.collect(p, f.Type)
			continue
		case f.Anonymous:
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		s := d.schema(f.Type, f.Tag.Get("is"))
		p.all = append(p.all, ordered.Member{name, append(s, ordered.Member{"description", f.Tag.Get("doc")})})
		if options == "" {
			p.required = append(p.required, name)
		}
	}
}

// textIs is what a string is, by the name that tags give it.
func textIs(is string) ordered.Object {
	var axes []string
	for _, a := range incident.AxisIDs() {
		axes = append(axes, string(a))
	}
	open := func(known ...string) ordered.Object {
		return ordered.Object{{"anyOf", []any{ordered.Object{{"type", "string"}, {"enum", known}}, ordered.Object{{"type", "string"}, {"pattern", "^[a-z][a-z0-9_.-]*$"}}}}}
	}
	switch is {
	case "id":
		return ordered.Object{{"pattern", incident.IDPattern}}
	case "slug":
		return ordered.Object{{"pattern", incident.SlugPattern}}
	case "date":
		return ordered.Object{{"pattern", incident.DatePattern}}
	case "time":
		return ordered.Object{{"format", "date-time"}}
	case "uri":
		return ordered.Object{{"format", "uri"}}
	case "template":
		return ordered.Object{{"format", "uri-template"}}
	case "sha256":
		return ordered.Object{{"pattern", "^[0-9a-f]{64}$"}}
	case "short":
		return ordered.Object{{"pattern", "^[0-9a-f]{16}$"}}
	case "term":
		return ordered.Object{{"pattern", "^[a-z_]+/[a-z0-9]+(-[a-z0-9]+)*$"}}
	case "axis":
		return open(axes...)
	case "reason":
		return open(append(axes, wording)...)
	case "dump":
		return open(kindCases, kindSummaries)
	case "format":
		return open(formatNDJSON, formatCSV)
	}
	return nil
}
