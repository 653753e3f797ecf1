package seed

import (
	"fmt"

	"benchlet.com/incidentlib/generator/incident"
)

// field is one member of an object of T.
type field[T any] struct {
	name     string
	doc      string
	optional bool
	want     string
	schema   object
	read     func(d *decoder, into *T)
}

// prop is a member that must be there; at finds its place in the Go value.
func prop[T, V any](name, doc string, k kind[V], at func(*T) *V) field[T] {
	return field[T]{name: name, doc: doc, want: k.want, schema: k.schema, read: func(d *decoder, into *T) {
		if v, ok := k.read(d); ok {
			*at(into) = v
		}
	}}
}

// orAbsent makes a member one that may be left out.
func (f field[T]) orAbsent() field[T] {
	f.optional = true
	return f
}

// record is an object of just these members, in any order. A member that is
// missing, unknown or there twice is a fault.
func record[T any](want string, fields ...field[T]) kind[T] {
	names := make([]string, len(fields))
	byName := make(map[string]int, len(fields))
	for i, f := range fields {
		names[i] = f.name
		byName[f.name] = i
	}
	return kind[T]{want, recordSchema(fields), func(d *decoder) (T, bool) {
		var v T
		if k := d.kindAt(); k != '{' {
			d.wrongType(k, want)
			return v, false
		}
		before := len(d.problems)
		readRecord(d, &v, fields, names, byName)
		return v, !d.dead && len(d.problems) == before
	}}
}

func readRecord[T any](d *decoder, v *T, fields []field[T], names []string, byName map[string]int) {
	start := d.at()
	if _, err := d.json.ReadToken(); err != nil {
		d.broken(err)
		return
	}
	seen := make([]int, len(fields)) // where each member stands, plus 1
	for d.kindAt() != 0 && d.kindAt() != '}' {
		name, offset, ok := d.str("a key")
		if d.dead {
			return
		}
		d.path = append(d.path, step{name: name, index: -1})
		i, known := byName[name]
		switch {
		case !ok:
			d.skip()
		case !known:
			d.fault(offset, fmt.Sprintf("there is no field %s here", quote(name)), didYouMean(name, names, "delete it"))
			d.skip()
		case seen[i] > 0:
			line, col := position(d.src, seen[i]-1)
			d.fault(offset, fmt.Sprintf("the field %q stands here twice, first at line %d, column %d", name, line, col), "keep one of the two")
			d.skip()
		default:
			seen[i] = offset + 1
			fields[i].read(d, v)
		}
		d.path = d.path[:len(d.path)-1]
	}
	if d.dead {
		return
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.broken(err)
		return
	}
	for i, f := range fields {
		if seen[i] == 0 && !f.optional {
			d.fault(start, fmt.Sprintf("the field %q is missing", f.name), fmt.Sprintf("add %q: %s", f.name, f.want))
		}
	}
}

// text is a text in one language at least.
func text() kind[incident.Text] {
	one := nullable(str("a text that says something", object{{"pattern", `\S`}}, func(s string) string {
		if blank(s) {
			return "the text is empty"
		}
		return ""
	}))
	want := `a text such as {"en": "…", "ko": "…"}`
	k := record(want,
		prop("en", "The text in English, as Markdown.", one, func(t *incident.Text) *string { return &t.EN }).orAbsent(),
		prop("ko", "The text in Korean, as Markdown.", one, func(t *incident.Text) *string { return &t.KO }).orAbsent())
	says := func(lang string) object {
		return object{{"required", []any{lang}}, {"properties", object{{lang, object{{"type", "string"}}}}}}
	}
	schema := append(k.schema, member{"anyOf", []any{says("en"), says("ko")}})
	return kind[incident.Text]{want, schema, func(d *decoder) (incident.Text, bool) {
		d.kindAt()
		offset := d.at()
		t, ok := k.read(d)
		if ok && t.IsZero() {
			d.fault(offset, "the text is missing in both languages", "write it in one language at least, or null for the whole where that is allowed")
			return t, false
		}
		return t, ok
	}}
}
