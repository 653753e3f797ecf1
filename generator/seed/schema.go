package seed

import (
	"bytes"
	"encoding/json"

	"benchlet.com/incidentlib/generator/incident"
)

// object is a JSON object that keeps its order, for schemas that people read.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, v := range []any{m.name, m.value} {
			if j == 1 {
				b.WriteByte(':')
			}
			if err := encode(&b, v); err != nil {
				return nil, err
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's line break
	return nil
}

func recordSchema[T any](fields []field[T]) object {
	var props object
	required := []any{}
	for _, f := range fields {
		s := append(object{}, f.schema...)
		props = append(props, member{f.name, append(s, member{"description", f.doc})})
		if !f.optional {
			required = append(required, f.name)
		}
	}
	o := object{{"type", "object"}, {"properties", props}, {"additionalProperties", false}}
	if len(required) > 0 {
		o = append(o, member{"required", required})
	}
	return o
}

// CaseSchema is the JSON Schema (2020-12) of a case, from the same shape that
// the reader follows. A closed schema lists the terms of v as the only ones,
// as the reader does. An open one, for those who read the mirror, only names
// them: a library may get new terms without breaking its readers.
func CaseSchema(address string, v *incident.Vocabulary, closed bool) ([]byte, error) {
	head := object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}}
	if address != "" {
		head = append(head, member{"$id", address})
	}
	head = append(head, member{"title", "A case of the incident library"})
	body := caseShape().schema
	resolved, _ := withTerms(append(head, body...), v, closed).(object)
	var b bytes.Buffer
	if err := encode(&b, resolved); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// withTerms replaces each mark that [term] leaves by the terms of its axis.
func withTerms(s any, v *incident.Vocabulary, closed bool) any {
	switch s := s.(type) {
	case object:
		var out object
		for _, m := range s {
			if m.name == "$term" {
				axis, _ := m.value.(incident.AxisID)
				out = append(out, termSchema(slugs(v, axis), closed)...)
				continue
			}
			out = append(out, member{m.name, withTerms(m.value, v, closed)})
		}
		return out
	case []any:
		out := make([]any, len(s))
		for i, e := range s {
			out[i] = withTerms(e, v, closed)
		}
		return out
	}
	return s
}

// termSchema lists the terms of an axis in words of the standard, not as
// x-extensible-enum: validators in strict mode refuse a schema with words that
// they do not know.
func termSchema(slugs []string, closed bool) object {
	known, other := object{{"enum", slugs}}, object{{"pattern", incident.SlugPattern}}
	switch {
	case len(slugs) > 0 && closed:
		return append(object{{"type", "string"}}, known...)
	case len(slugs) > 0:
		return object{{"type", "string"}, {"anyOf", []object{known, other}}}
	case closed:
		return object{{"not", object{}}} // an axis without terms; an enum must not be empty
	}
	return append(object{{"type", "string"}}, other...)
}
