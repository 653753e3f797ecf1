package seed

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/ordered"
	"benchlet.com/incidentlib/generator/problem"
)

// onlyReader are the reasons for which the reader refuses what the schema
// accepts: JSON Schema cannot say them, or not alike in every dialect.
func onlyReader() map[string]string {
	return map[string]string{
		"dates and times that do not exist":              " that exists",
		"durations beyond a hundred years":               "is longer than a hundred years",
		"keys that stand twice":                          "stands here twice",
		"characters that no text may hold":               "the string holds the character",
		"bytes that are no UTF-8":                        "this byte is not UTF-8",
		"escapes that are half a character":              "half a character",
		"a file's name that differs from the id":         "differs from the file's name",
		"anything behind the document":                   "follows the end of the document",
		"strings of nothing but spaces beyond ASCII":     "is empty",
		"texts of which nothing shows":                   "nothing of the text shows",
		"addresses that match the pattern, and are none": "is no http or https address",
	}
}

func compile(t testing.TB, v *incident.Vocabulary, closed bool) *jsonschema.Schema {
	t.Helper()
	const address = "https://example.org/schema/case.json"
	b, err := ordered.Marshal(CaseSchema(address, v, closed))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(address, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// testShape is the shape of a case, made once.
var testShape = sync.OnceValue(caseShape)

// readText reads one case as the reader does.
func readText(src []byte, v *incident.Vocabulary) (incident.Case, []problem.Problem) {
	name := "cases/IL-0123.json"
	if bytes.Contains(src, []byte(`"id":"IL-0119"`)) || bytes.Contains(src, []byte(`"id": "IL-0119"`)) { // the other given case
		name = "cases/IL-0119.json"
	}
	r := &reader{fsys: fstest.MapFS{name: {Data: src}}, dir: "seeds", vocab: v}
	o := r.readCase(name, testShape(), &memory{})
	faults := problem.Errors(o.problems)
	if o.ok != (len(faults) == 0) {
		faults = append(faults, problem.Problem{What: "ok and problems do not agree"})
	}
	if o.c == nil {
		return incident.Case{}, faults
	}
	return *o.c, faults
}

// agree fails when reader and schema judge a document differently, but for the
// reasons of onlyReader.
func agree(t *testing.T, s *jsonschema.Schema, v *incident.Vocabulary, src []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		return // no JSON to either
	}
	_, faults := readText(src, v)
	errSchema := s.Validate(doc)
	if errSchema != nil && len(faults) == 0 {
		t.Errorf("the reader accepts what the schema refuses: %v\n%s", errSchema, src)
	}
	if errSchema != nil {
		return
	}
	for _, p := range faults {
		if strings.Contains(p.What, "stands here twice") {
			return // the schema judges the last of the two alone
		}
	}
	for _, p := range faults {
		named := false
		for _, words := range onlyReader() {
			named = named || strings.Contains(p.What, words)
		}
		if !named {
			t.Errorf("the schema accepts what the reader refuses: %v\n%s", p, src)
		}
	}
}

// givenCases are cases that editors wrote, and the base case.
func givenCases(t testing.TB) [][]byte {
	t.Helper()
	out := [][]byte{[]byte(baseCase)}
	for _, name := range []string{"IL-0119.json", "IL-0123.json"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// givenVocabulary has the terms of the given cases.
func givenVocabulary(t testing.TB) *incident.Vocabulary {
	t.Helper()
	terms := map[incident.AxisID][]string{incident.Severity: {"sev1"}}
	for _, src := range givenCases(t) {
		c, ps := readText(src, nil)
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		for _, a := range incident.AxisIDs() {
			terms[a] = append(terms[a], c.Terms(a)...)
		}
		for _, s := range c.Sources {
			terms[incident.SourceKind] = append(terms[incident.SourceKind], s.Kind)
		}
	}
	var axes []incident.Axis
	for _, a := range incident.AxisIDs() {
		axis := incident.Axis{ID: a}
		slices.Sort(terms[a])
		for _, slug := range slices.Compact(terms[a]) {
			axis.Terms = append(axis.Terms, incident.Term{Axis: a, Slug: slug})
		}
		axes = append(axes, axis)
	}
	return incident.NewVocabulary(axes)
}

func TestSchemaAgrees(t *testing.T) {
	v := givenVocabulary(t)
	s := compile(t, v, true)
	for _, src := range givenCases(t) {
		agree(t, s, v, src)
	}
	for from, values := range schemaTable() {
		for _, to := range values {
			agree(t, s, v, []byte(edited(t, from, to)))
		}
	}
}

// schemaTable holds, for parts of the base case, what to put in their place: on
// both sides of every border that the schema draws.
func schemaTable() map[string][]string {
	return map[string][]string{
		`"2023-11-08"`: {`"1899"`, `"1900"`, `"2999-12"`, `"3000"`, `"2024-02-29"`, `"2023-02-29"`, `"2023-1-1"`, `"20231108"`, `"2023-11-08 "`, `"２０２３"`, `"2023-00"`, `"2023-11-00"`, `"\u0032023"`},
		`"1h 34m"`:     {`"1h"`, `"1h  34m"`, `" 1h"`, `"25h"`, `"1d 24h"`, `"1d 23h 59m 59s"`, `"1d 5s"`, `"0s"`, `"36600d"`, `"36601d"`, `"9999999999s"`, `"99999999999s"`, `"1m 1h"`, `"1h 1h"`, `""`},
		`"2026-11-10T00:00:34.425967Z"`: {`"2026-11-10T00:00:34+09:00"`, `"2026-11-10t00:00:34z"`, `"2026-11-10T24:00:00Z"`, `"2026-11-10T00:00:60Z"`, `"2026-11-10T00:00:34.Z"`, `"2026-11-10T00:00:34.1234567890Z"`,
			`"0001-01-01T00:00:00Z"`, `"2026-11-10T00:00:34+99:99"`, `"2026-11-10 00:00:34Z"`},
		`"https://example.com/post"`: {`"http://a"`, `"HTTPS://EXAMPLE.COM"`, `"https://example.com:99999/"`, `"https://[::1]/"`, `"https://[::1"`, `"https://a..b/"`, `"https://a/?#"`, `"https://a/#b#c"`, `"https://a/%e"`, `"https://a/%zz"`,
			`"https://-a/"`, `"https://a_b.c/"`, `"https://a./"`, `"https://a:/"`, `"https://a b/"`, `"https://a/\u00a0"`, `"https://가/"`, `"https://a/가"`, `"https:/a"`, `"https://u@a/"`, `"https://a\\b"`, `"https://a/|"`, `"https://a/'"`, `"https://[fe80::1%25en0]/"`},
		`"cookie-run"`:                {`"a"`, `"-a"`, `"a-"`, `"a--b"`, `"A"`, `"a_b"`, `"page"`, `"` + strings.Repeat("a", 100) + `"`, `"` + strings.Repeat("a", 101) + `"`},
		`"쿠키런"`:                       {`"a"`, `" a "`, `" "`, `"\u00a0"`, `"\u3000"`, `"a\nb"`, `"a\tb"`, `"\t"`, `"\u0085"`, `"\ufeff"`, `"\u2028"`},
		`{"en": "Errors."}`:           {`{}`, `{"en": null}`, `{"ko": "x"}`, `{"en": null, "ko": "x"}`, `{"en": ""}`, `{"en": "\n"}`, `{"en": "\u00a0"}`, `{"en": "\u3000"}`, `{"en": 1, "ko": "x"}`, `"x"`, `null`, `{"fr": "x"}`},
		`"logins"`:                    {`"unknown"`, `"\u0075nknown"`, `"Unknown"`, `{"en": "unknown"}`, `{}`, `null`, `""`, `"a\nb"`},
		`"severity": "unknown"`:       {`"severity": "sev1"`, `"severity": "sev9"`, `"severity": null`, `"severity": ""`, `"severity": "\u0075nknown"`},
		`"related": ["IL-0119"]`:      {`"related": []`, `"related": ["IL-0119", "IL-0119"]`, `"related": ["IL-123"]`, `"related": ["IL-1234567890"]`, `"related": [null]`, `"related": {}`, `"related": ["IL-0123 "]`, `"related": ["IL-\u0030123"]`},
		`"lessons": null`:             {`"lessons": {"en": "x"}`, `"lessons": {}`, `"lesson": null`, `"lessons": null, "lessons": null`, `"lessons": 1e5`, `"lessons": []`, `"lessons": null, "x": {}`},
		`"reviewed_at": "2026-11-10"`: {`"reviewed_at": "2026"`, `"reviewed_at": "2026-11-10T00:00:00Z"`, `"reviewed_at": "2026-11-31"`, `"reviewed_at": "x"`, `"reviewed_at": ""`},
		`"docs": [`:                   {`"docs": [` + strings.Repeat(`{"url": "https://example.com", "title": {"en": "Docs"}},`, 999), `"docs": [` + strings.Repeat(`{"url": "https://example.com", "title": {"en": "Docs"}},`, 1000)},
	}
}

// TestSchemaOfAnEmptyAxis compiles a schema for axes without terms.
func TestSchemaOfAnEmptyAxis(t *testing.T) {
	v := incident.NewVocabulary([]incident.Axis{{ID: incident.Components}})
	for _, closed := range []bool{true, false} {
		agree(t, compile(t, v, closed), incident.NewVocabulary(nil), []byte("{}"))
	}
	b, err := ordered.Marshal(CaseSchema("https://example.org/s", v, true))
	if err != nil || !json.Valid(b) || bytes.Contains(b, []byte(`"enum":[]`)) || bytes.Contains(b, []byte("null}")) || bytes.Contains(b, []byte("$term")) {
		t.Errorf("%v\n%s", err, b)
	}
}

// TestEveryReasonIsNeeded holds the list of onlyReader to what really differs.
func TestEveryReasonIsNeeded(t *testing.T) {
	v := givenVocabulary(t)
	s := compile(t, v, true)
	for reason, src := range map[string]string{
		"dates and times that do not exist":              edited(t, "2023-11-08", "2023-02-30"),
		"durations beyond a hundred years":               edited(t, "1h 34m", "36601d"),
		"keys that stand twice":                          edited(t, `"lessons": null`, `"lessons": null, "lessons": null`),
		"characters that no text may hold":               edited(t, "Rolled", `R\u0007`),
		"bytes that are no UTF-8":                        edited(t, "Rolled", "R\xff"),
		"escapes that are half a character":              edited(t, "Rolled", `R\ud83d`),
		"a file's name that differs from the id":         edited(t, `"id": "IL-0123"`, `"id": "IL-0124"`),
		"anything behind the document":                   baseCase + "{",
		"strings of nothing but spaces beyond ASCII":     edited(t, "쿠키런", "\u3000"),
		"addresses that match the pattern, and are none": edited(t, "https://example.com/post", "https://[:]:1/"),
	} {
		_, faults := readText([]byte(src), v)
		if len(faults) != 1 || !strings.Contains(faults[0].What, onlyReader()[reason]) {
			t.Errorf("%s: %v", reason, faults)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(src))
		if err == nil && s.Validate(doc) != nil {
			t.Errorf("%s: the schema refuses it too: %v", reason, s.Validate(doc))
		}
	}
}

// FuzzSchemaAgrees changes cases as a person could, and worse, and wants one
// judgement of reader and schema.
func FuzzSchemaAgrees(f *testing.F) {
	v := givenVocabulary(f)
	s := compile(f, v, true)
	open := compile(f, v, false)
	given := givenCases(f)
	for i := range uint64(400) {
		f.Add(i, uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, changes uint8) {
		rng := rand.New(rand.NewPCG(seed, uint64(changes)))
		src := mutated(rng, given[rng.IntN(len(given))], 1+int(changes)%4)
		agree(t, s, v, src)
		if doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src)); err == nil && s.Validate(doc) == nil {
			if err := open.Validate(doc); err != nil {
				t.Errorf("the open schema refuses what the closed one accepts: %v\n%s", err, src)
			}
		}
	})
}

// node is a JSON value that can be changed where a Go map could not: keys in
// their order, and more than once.
type node struct {
	open   byte // '{', '[' or 0 for a value as it stands
	raw    string
	keys   []string
	values []*node
}

func parseNode(d *json.Decoder) *node {
	token, err := d.Token()
	if err != nil {
		return &node{raw: "null"}
	}
	open, ok := token.(json.Delim)
	if !ok {
		b, _ := json.Marshal(token)
		return &node{raw: string(b)}
	}
	n := &node{open: byte(open)}
	for d.More() {
		if open == '{' {
			key, _ := d.Token()
			b, _ := json.Marshal(key)
			n.keys = append(n.keys, string(b))
		}
		n.values = append(n.values, parseNode(d))
	}
	d.Token()
	return n
}

func (n *node) write(b *strings.Builder) {
	if n.open == 0 {
		b.WriteString(n.raw)
		return
	}
	b.WriteByte(n.open)
	for i, v := range n.values {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.open == '{' {
			b.WriteString(n.keys[i] + ": ")
		}
		v.write(b)
	}
	b.WriteByte(n.open + 2)
}

// all lists n and every value in it.
func (n *node) all() []*node {
	out := []*node{n}
	for _, v := range n.values {
		out = append(out, v.all()...)
	}
	return out
}

// mutated is a case with a number of changes to its structure and its strings.
func mutated(rng *rand.Rand, src []byte, changes int) []byte {
	root := parseNode(json.NewDecoder(bytes.NewReader(src)))
	for range changes {
		mutate(rng, root)
	}
	var b strings.Builder
	root.write(&b)
	return []byte(b.String())
}

func mutate(rng *rand.Rand, root *node) {
	all := root.all()
	n := all[rng.IntN(len(all))]
	if len(n.values) == 0 {
		other := all[rng.IntN(len(all))]
		switch rng.IntN(3) {
		case 0:
			*n = node{raw: pick(rng, odd())}
		case 1:
			var b strings.Builder
			other.write(&b)
			*n = node{raw: b.String()}
		default:
			n.raw = alter(rng, n.raw)
		}
		return
	}
	i := rng.IntN(len(n.values))
	switch rng.IntN(5) {
	case 0: // drop
		n.values = slices.Delete(slices.Clone(n.values), i, i+1)
		if n.open == '{' {
			n.keys = slices.Delete(slices.Clone(n.keys), i, i+1)
		}
	case 1: // rename
		if n.open == '{' {
			n.keys = slices.Clone(n.keys)
			n.keys[i] = alter(rng, n.keys[i])
		}
	case 2: // again
		n.values = append(slices.Clone(n.values), n.values[i])
		if n.open == '{' {
			n.keys = append(slices.Clone(n.keys), n.keys[i])
		}
	case 3: // one for another
		n.values = slices.Clone(n.values)
		n.values[i] = n.values[rng.IntN(len(n.values))]
	default: // another type
		n.values = slices.Clone(n.values)
		n.values[i] = &node{raw: pick(rng, odd())}
	}
}

// odd are values to put in the place of others.
var odd = sync.OnceValue(oddValues)

func pick(rng *rand.Rand, from []string) string { return from[rng.IntN(len(from))] }

func oddValues() []string {
	out := []string{"null", "true", "0", "1.50", "-1e400", `""`, `" "`, "[]", "{}", "[[]]", `[""]`, `{"en":"x"}`, `{"ko":null}`, `"unknown"`, `"IL-0001"`, `"\u00e9"`, `"\ud83d\ude00"`}
	for _, values := range schemaTable() {
		for _, v := range values {
			if json.Valid([]byte(v)) && len(v) < 200 {
				out = append(out, v)
			}
		}
	}
	slices.Sort(out)
	return out
}

// alter changes a string a little, and leaves anything else.
func alter(rng *rand.Rand, raw string) string {
	if len(raw) < 2 || raw[0] != '"' {
		return raw
	}
	body := []rune(raw[1 : len(raw)-1])
	extra := []string{"a", "A", "0", " ", "-", "_", "/", `\n`, `\t`, `\"`, `\u0000`, `\u200b`, `\ud800`, "\u00a0", "\u3000", "가", "é", "😀", "\u202e", ".", ":", "%", "@"}
	at := rng.IntN(len(body) + 1)
	if at > 0 && strings.ContainsRune(string(body), '\\') {
		at = 0 // not into an escape
	}
	switch rng.IntN(3) {
	case 0:
		return `"` + string(body[:at]) + pick(rng, extra) + string(body[at:]) + `"`
	case 1:
		if at > 0 {
			return `"` + string(body[:at-1]) + string(body[at:]) + `"`
		}
		return `"` + strings.ToUpper(raw[1:2]) + raw[min(2, len(raw)-1):len(raw)-1] + `"`
	}
	return `"` + strings.ToUpper(string(body[:at])) + string(body[at:]) + `"`
}
