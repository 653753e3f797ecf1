package mcpserver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fault is a mistake in a call: what is wrong and what to do instead. It is told
// to the model; every other error is ours, and is not.
type fault string

func (f fault) Error() string { return string(f) }

func faultf(format string, args ...any) error { return fault(fmt.Sprintf(format, args...)) }

// kind is what an argument is.
type kind int

const (
	text    kind = iota // a string of min to max characters; of any that make sense where max is 0
	choice              // one of the given words
	choices             // a list of them
	integer             // from min to max
	flag                // true or false
	slugs               // a slug, or a list of them
)

// param is an argument that a tool takes: the schema that clients see and the
// check of what they send are both made of it.
type param struct {
	name     string
	kind     kind
	about    string
	required bool
	min, max int
	initial  int // what an integer is when it is not given
	words    []string
}

// Bounds of what has none of its own in a call: entries of a list, characters of a
// text.
const (
	maxSlugs = 20
	maxShort = 200
)

// schema is the JSON Schema of an argument.
func (p param) schema() map[string]any {
	s := map[string]any{}
	if p.about != "" {
		s["description"] = p.about
	}
	switch p.kind {
	case text:
		s["type"] = "string"
		if p.max > 0 {
			s["minLength"], s["maxLength"] = p.min, p.max
		}
	case choice:
		s["type"], s["enum"] = "string", p.words
	case choices:
		s["type"], s["items"] = "array", map[string]any{"type": "string", "enum": p.words}
	case integer:
		s["type"], s["minimum"], s["maximum"], s["default"] = "integer", p.min, p.max, p.initial
	case flag:
		s["type"] = "boolean"
	case slugs:
		s["anyOf"] = []any{map[string]any{"type": "string"}, map[string]any{"type": "array", "items": map[string]any{"type": "string"}}}
	}
	return s
}

// inputSchema is the schema of a tool's arguments.
func inputSchema(params []param) jsontext.Value {
	props, required := map[string]any{}, []string{}
	for _, p := range params {
		props[p.name] = p.schema()
		if p.required {
			required = append(required, p.name)
		}
	}
	s := map[string]any{"type": "object", "properties": props, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	b, err := json.Marshal(s, json.Deterministic(true))
	if err != nil {
		return jsontext.Value(`{"type":"object"}`) // of strings and numbers alone: it cannot fail
	}
	return b
}

// arguments are those of a call, checked.
type arguments struct {
	texts map[string]string
	lists map[string][]string
	ints  map[string]int
	flags map[string]bool
}

// readArguments checks the arguments of a call. The error is a [fault].
func readArguments(tool string, params []param, raw []byte) (*arguments, error) {
	a := &arguments{map[string]string{}, map[string][]string{}, map[string]int{}, map[string]bool{}}
	for _, p := range params {
		if p.kind == integer {
			a.ints[p.name] = p.initial
		}
	}
	given := map[string]jsontext.Value{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, faultf("the arguments of %s are to be one JSON object of valid text with each name once", tool)
		}
	}
	for _, p := range params {
		v, ok := given[p.name]
		delete(given, p.name)
		if !ok || v.Kind() == 'n' {
			if p.required {
				return nil, faultf("%s wants %s: %s", tool, p.name, p.wanted())
			}
			continue
		}
		if err := a.read(p, v); err != nil {
			return nil, err
		}
	}
	for name := range given {
		var all []candidate
		for _, p := range params {
			all = append(all, candidate{p.name, []string{p.name}})
		}
		return nil, faultf("%s takes no argument %s; did you mean %s?", tool, quoted(name), nearest(name, all, 1)[0])
	}
	return a, nil
}

// wanted says what an argument is to be.
func (p param) wanted() string {
	switch p.kind {
	case choice:
		return "one of " + strings.Join(p.words, ", ")
	case choices:
		return "a list of " + strings.Join(p.words, ", ")
	case integer:
		return fmt.Sprintf("a whole number from %d to %d", p.min, p.max)
	case flag:
		return "true or false"
	case slugs:
		return fmt.Sprintf("a slug, or a list of up to %d", maxSlugs)
	}
	wanted := fmt.Sprintf("a string of %d to %d characters", p.min, cmp.Or(p.max, maxShort))
	if p.about != "" {
		wanted += ", " + p.about
	}
	return wanted
}

// read takes the value of an argument.
func (a *arguments) read(p param, v jsontext.Value) error {
	wrong := faultf("%s is to be %s", p.name, p.wanted())
	switch p.kind {
	case text, choice:
		var s string
		if v.Kind() != '"' || json.Unmarshal(v, &s) != nil {
			return wrong
		}
		n := len([]rune(s))
		if p.kind == choice && !slices.Contains(p.words, s) || p.kind == text && (n < p.min || n > cmp.Or(p.max, maxShort) || p.min > 0 && strings.TrimSpace(clean(s)) == "") {
			return wrong
		}
		a.texts[p.name] = s
	case integer:
		n, err := strconv.ParseFloat(string(v), 64)
		if v.Kind() != '0' || err != nil || n != float64(int(n)) || int(n) < p.min || int(n) > p.max {
			return wrong
		}
		a.ints[p.name] = int(n)
	case flag:
		if v.Kind() != 't' && v.Kind() != 'f' {
			return wrong
		}
		a.flags[p.name] = v.Kind() == 't'
	default:
		list, ok := readList(p, v)
		if !ok {
			return wrong
		}
		a.lists[p.name] = list
	}
	return nil
}

// readList takes a list of words; of slugs one will do without the list.
func readList(p param, v jsontext.Value) ([]string, bool) {
	var list []string
	if v.Kind() == '"' && p.kind == slugs {
		list = []string{""}
		if json.Unmarshal(v, &list[0]) != nil {
			return nil, false
		}
	} else if v.Kind() != '[' || json.Unmarshal(v, &list) != nil {
		return nil, false
	}
	if len(list) > cmp.Or(len(p.words), maxSlugs) {
		return nil, false
	}
	for _, s := range list {
		if p.kind == choices && !slices.Contains(p.words, s) {
			return nil, false
		}
	}
	return list, true
}

// quoted is a word of a call as an answer repeats it: short and harmless.
func quoted(s string) string {
	s = clean(s)
	if cut := firstRunes(s, maxWord); cut != s {
		s = cut + "…"
	}
	return strconv.Quote(s)
}
