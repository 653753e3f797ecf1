package seed

import (
	"fmt"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
)

// field is one member of an object of T.
type field[T any] struct {
	name     string
	doc      string
	optional bool
	want     string
	schema   object
	layout   *layout
	read     func(d *decoder, into *T)
}

// prop is a member that must be there; at finds its place in the Go value.
func prop[T, V any](name, doc string, k kind[V], at func(*T) *V) field[T] {
	return field[T]{name: name, doc: doc, want: k.want, schema: k.schema, layout: k.layout, read: func(d *decoder, into *T) {
		if v, ok := k.read(d, k.want); ok {
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
	byName := make(map[string]int, len(fields))
	for i, f := range fields {
		byName[f.name] = i
	}
	return kind[T]{want, recordSchema(fields), recordLayout(fields), func(d *decoder, want string) (T, bool) {
		var v T
		if k := d.kindAt(); k != '{' {
			d.wrongType(k, want)
			return v, false
		}
		before := len(d.problems)
		readRecord(d, &v, fields, byName)
		return v, !d.dead && len(d.problems) == before
	}}
}

// unknown is a key that no field has, and where it stands.
type unknown struct {
	name   string
	offset int
}

func readRecord[T any](d *decoder, v *T, fields []field[T], byName map[string]int) {
	start := d.at()
	if _, err := d.json.ReadToken(); err != nil {
		d.broken(err)
		return
	}
	var few [32]int
	seen := append(few[:0], make([]int, len(fields))...) // where each member stands, plus 1
	var strange []unknown
	lost := false // a key that cannot be read could have been any field
	for k := d.kindAt(); k != 0 && k != '}'; k = d.kindAt() {
		i, name, offset, ok := d.key(byName)
		if d.dead {
			break
		}
		if i >= 0 {
			name = fields[i].name
		}
		d.path = append(d.path, step{name: name, index: -1})
		switch {
		case !ok:
			lost = true
			d.skip()
		case i < 0:
			strange = append(strange, unknown{name, offset})
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
	whole := !d.dead
	if whole {
		if _, err := d.json.ReadToken(); err != nil {
			d.broken(err)
			whole = false
		}
	}
	reportNames(d, start, fields, seen, strange, whole && !lost)
}

// key reads a key: the field of that name, or -1 and the name itself. ok is
// false when the name cannot be used; it is reported then.
func (d *decoder) key(byName map[string]int) (i int, name string, offset int, ok bool) {
	offset = d.at()
	raw, err := d.json.ReadValue()
	if err != nil {
		d.broken(err)
		return -1, "", offset, false
	}
	if i, known := byName[string(raw[1:len(raw)-1])]; known {
		return i, "", offset, true
	}
	name, ok = d.unquote(raw, offset)
	if i, known := byName[name]; known && ok {
		return i, "", offset, true // a name written with escapes
	}
	return -1, name, offset, ok
}

// reportNames reports the unknown fields of an object and those that are
// missing, each slip once: a misspelt field is not missing too. What is missing
// from a document that breaks off is not known.
func reportNames[T any](d *decoder, start int, fields []field[T], seen []int, strange []unknown, whole bool) {
	var absent []string
	for i, f := range fields {
		if seen[i] == 0 {
			absent = append(absent, f.name)
		}
	}
	meant := map[string]bool{}
	for _, u := range strange {
		if len(d.problems) > maxFaults {
			return
		}
		remedy := didYouMean(u.name, absent, "delete it")
		for i, f := range fields {
			if seen[i] > 0 && foldName(u.name) == foldName(f.name) {
				line, col := position(d.src, seen[i]-1)
				remedy = fmt.Sprintf("delete it: the field %q stands at line %d, column %d", f.name, line, col)
			}
		}
		if n := Nearest(u.name, absent); n != "" {
			meant[n] = true
		}
		d.path = append(d.path, step{name: u.name, index: -1})
		d.fault(u.offset, fmt.Sprintf("there is no field %s here", quote(u.name)), remedy)
		d.path = d.path[:len(d.path)-1]
	}
	for i, f := range fields {
		if whole && seen[i] == 0 && !f.optional && !meant[f.name] {
			d.fault(start, fmt.Sprintf("the field %q is missing", f.name), fmt.Sprintf("add %q: %s", f.name, f.want))
		}
	}
}

// text is a text in one language at least.
func text() kind[incident.Text] { return textUpTo(maxText) }

// textUpTo is a text of at most limit characters in each language: a title is
// copied into every list that its case stands in.
func textUpTo(limit int) kind[incident.Text] {
	one := nullable(str("a text that says something", object{{"pattern", `\S`}, {"maxLength", limit}}, func(s string) string {
		if len(s) > limit {
			if n := utf8.RuneCountInString(s); n > limit {
				return tooLong(n, limit)
			}
		}
		switch {
		case blank(s):
			return "the text is empty"
		case silent(s):
			return "nothing of the text shows on a page"
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
	return kind[incident.Text]{want, schema, k.layout, func(d *decoder, want string) (incident.Text, bool) {
		d.kindAt()
		offset := d.at()
		t, ok := k.read(d, want)
		if ok && t.IsZero() {
			d.fault(offset, "the text is missing in both languages", "write it in one language at least, or null for the whole where that is allowed")
			return t, false
		}
		return t, ok
	}}
}
