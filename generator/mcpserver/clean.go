package mcpserver

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/incident"
)

// clean takes out of a text what seeds may not hold either: control characters,
// and what reorders or hides text. A mirror of others may hold it all the same.
func clean(s string) string {
	if !strings.ContainsFunc(s, forbidden) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if forbidden(r) {
			return -1
		}
		return r
	}, s)
}

func forbidden(r rune) bool { return incident.WhyForbidden(r) != "" }

// cleanJSON does it to every string of a JSON value, whose numbers, order and
// spelling of strings that need it not stay as they are.
func cleanJSON(v jsontext.Value) jsontext.Value {
	if !suspect(v) {
		return v
	}
	var out bytes.Buffer
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	e := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		t, err := d.ReadToken()
		if err != nil {
			break // the value was read whole before
		}
		if t.Kind() == '"' {
			t = jsontext.String(clean(t.String()))
		}
		if e.WriteToken(t) != nil {
			return jsontext.Value(`null`)
		}
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// suspect reports whether a JSON value may hold a forbidden character, by the
// bytes that every spelling of one begins with. Hangul and ASCII have none.
func suspect(v []byte) bool {
	if bytes.Contains(v, []byte(`\u`)) || bytes.ContainsAny(v, "\x7f\r") || bytes.Contains(v, []byte(`\r`)) ||
		bytes.Contains(v, []byte(`\b`)) || bytes.Contains(v, []byte(`\f`)) {
		return true
	}
	for _, c := range v {
		// 0xea begins most Hangul too, but nothing forbidden; 0xe3 the Hangul filler.
		switch c {
		case 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4:
			return bytes.ContainsFunc(v, forbidden)
		}
	}
	return false
}
