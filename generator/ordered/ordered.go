// Package ordered has JSON objects that keep the order of their members, for
// documents that people read too: schemas, and the description of the API.
package ordered

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Object is a JSON object in the order in which it was written.
type Object []Member

// Member is a name, which is a string, with its value: an array, so that an
// object is written nearly as in JSON, {{"type", "string"}, {"minLength", 1}}.
type Member [2]any

// Name is the member's name.
func (m Member) Name() string {
	name, _ := m[0].(string)
	return name
}

// Value is what the name stands for.
func (m Member) Value() any { return m[1] }

// Get is the value of a name; nil when there is none.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name() == name {
			return m.Value()
		}
	}
	return nil
}

// Without is the object without the members of some names.
func (o Object) Without(names ...string) Object {
	var out Object
	for _, m := range o {
		if !slices.Contains(names, m.Name()) {
			out = append(out, m)
		}
	}
	return out
}

// MarshalJSON writes the members in their order, compact and without escapes
// for HTML.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(&b, m.Name()); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := write(&b, m.Value()); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Marshal is a value as compact JSON without escapes for HTML.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := write(&b, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func write(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder's line break
	return nil
}
