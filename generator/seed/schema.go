package seed

import (
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/ordered"
)

// object is a part of a schema; it keeps its order, for people who read it.
type object = ordered.Object

type member = ordered.Member

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
// the reader follows. A closed schema lists the terms of v as the only ones and
// its fields too, as the reader does. An open one, for those who read the
// mirror, only names them: a library may get new terms and fields without
// breaking its readers.
func CaseSchema(address string, v *incident.Vocabulary, closed bool) ordered.Object {
	head := object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}}
	if address != "" {
		head = append(head, member{"$id", address})
	}
	head = append(head, member{"title", "A case of the incident library"})
	resolved, _ := resolve(append(head, caseShape().schema...), v, closed).(object)
	return resolved
}

// resolve replaces each mark that [term] leaves by the terms of its axis. Out of
// an open schema it leaves what forbids other fields, and what wants one language
// of a text at least: those who make types of a schema make poor ones of it.
func resolve(s any, v *incident.Vocabulary, closed bool) any {
	switch s := s.(type) {
	case object:
		var out object
		for _, m := range s {
			if m.Name() == "$term" {
				axis, _ := m.Value().(incident.AxisID)
				out = append(out, termSchema(slugs(v, axis), closed)...)
				continue
			}
			if !closed && (m.Name() == "additionalProperties" || m.Name() == "anyOf" && s.Get("type") == "object") {
				continue
			}
			out = append(out, member{m.Name(), resolve(m.Value(), v, closed)})
		}
		return out
	case []any:
		out := make([]any, len(s))
		for i, e := range s {
			out[i] = resolve(e, v, closed)
		}
		return out
	}
	return s
}

// termSchema lists the terms of an axis in words of the standard, not as
// x-extensible-enum: validators in strict mode refuse a schema with words that
// they do not know.
func termSchema(slugs []string, closed bool) object {
	known, other := object{{"type", "string"}, {"enum", slugs}}, object{{"type", "string"}, {"pattern", incident.SlugPattern}}
	switch {
	case len(slugs) > 0 && closed:
		return known
	case len(slugs) > 0:
		return object{{"anyOf", []object{known, other}}}
	case closed:
		return object{{"not", object{}}} // an axis without terms; an enum must not be empty
	}
	return other
}
