package seed

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/problem"
)

// compactJSON is a document without the space between its values.
func compactJSON(t testing.TB, src []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, src); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCommittedSeedsAreCanonical holds that the order of the given files, and of
// all that were written since, is the order of the shape: from one line without
// any space comes the committed file.
func TestCommittedSeedsAreCanonical(t *testing.T) {
	for _, id := range []string{"IL-0119", "IL-0123"} {
		src, err := os.ReadFile("testdata/" + id + ".json")
		if err != nil {
			t.Fatal(err)
		}
		committed, err := os.ReadFile("../../seeds/cases/" + id + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := canonicalForm(src, testShape().layout, maxCase); err != nil || !bytes.Equal(got, committed) {
			t.Errorf("the given %s and the committed one differ: %v\n%s", id, err, got)
		}
	}
	for pattern, l := range map[string]*layout{
		"../../seeds/cases/*.json": testShape().layout,
		"../../seeds/site.json":    siteShape().layout,
		"../../seeds/vocab.json":   vocabShape().layout,
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := canonicalForm(compactJSON(t, src), l, maxFile)
			if err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s is not in canonical form: %v\n%s", file, err, got)
			}
		}
	}
}

// TestCanonicalForm formats documents by the shape of a case.
func TestCanonicalForm(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"minified", `{"id":"IL-0001","docs":[]}`, "{\n  \"id\": \"IL-0001\",\n  \"docs\": []\n}\n"},
		{"odd spacing", " {\t\"id\"  :\n\n\"IL-0001\" ,\"docs\":[ \n ] , \"impact\" : {  } }  ", "{\n  \"id\": \"IL-0001\",\n  \"docs\": [],\n  \"impact\": {}\n}\n"},
		{"no final newline", "{\n  \"id\": 1\n}", "{\n  \"id\": 1\n}\n"},
		{"byte-order mark", "\ufeff{\n  \"id\": 1\n}\n", "{\n  \"id\": 1\n}\n"},
		{"Windows line ends", "{\r\n  \"id\": 1\r\n}\r\n", "{\n  \"id\": 1\n}\n"},
		{"old Macintosh line ends", "{\r  \"id\": 1\r}\r", "{\n  \"id\": 1\n}\n"},
		{"order of fields", `{"org_slug":"a","date":"2023","id":"b"}`, "{\n  \"id\": \"b\",\n  \"date\": \"2023\",\n  \"org_slug\": \"a\"\n}\n"},
		{"order inside a field", `{"title":{"ko":"가","en":"a"}}`, "{\n  \"title\": {\n    \"en\": \"a\",\n    \"ko\": \"가\"\n  }\n}\n"},
		{"order inside lists", `{"sources":[{"archived":null,"url":"u"}],"remediation":[{"text":{"ko":"가","en":"a"}}]}`,
			"{\n  \"sources\": [\n    {\n      \"url\": \"u\",\n      \"archived\": null\n    }\n  ],\n" +
				"  \"remediation\": [\n    {\n      \"text\": {\n        \"en\": \"a\",\n        \"ko\": \"가\"\n      }\n    }\n  ]\n}\n"},
		{"order of what may be a string or a text", `{"impact":{"region":"r","scope":{"ko":"가","en":"a"}}}`,
			"{\n  \"impact\": {\n    \"scope\": {\n      \"en\": \"a\",\n      \"ko\": \"가\"\n    },\n    \"region\": \"r\"\n  }\n}\n"},
		{"order of what may be null", `{"trigger":{"ko":"가","en":"a"},"lessons":null}`,
			"{\n  \"lessons\": null,\n  \"trigger\": {\n    \"en\": \"a\",\n    \"ko\": \"가\"\n  }\n}\n"},
		{"unknown fields go last and keep their order", `{"zeta":{"ko":1,"en":2},"org":"a","alpha":[],"id":"b"}`,
			"{\n  \"id\": \"b\",\n  \"org\": \"a\",\n  \"zeta\": {\n    \"ko\": 1,\n    \"en\": 2\n  },\n  \"alpha\": []\n}\n"},
		{"a known name where the shape has none", `{"lessons":[{"org":1,"id":2}]}`, "{\n  \"lessons\": [\n    {\n      \"org\": 1,\n      \"id\": 2\n    }\n  ]\n}\n"},
		{"escapes stay", `{"org":"caf\u00e9 \/ \ud83d\ude00 \n \" é 😀"}`, "{\n  \"org\": \"caf\\u00e9 \\/ \\ud83d\\ude00 \\n \\\" é 😀\"\n}\n"},
		{"half a character stays", `{"org":"\ud83d"}`, "{\n  \"org\": \"\\ud83d\"\n}\n"},
		{"a key in escapes has its place", `{"org":1,"\u0069d":2}`, "{\n  \"\\u0069d\": 2,\n  \"org\": 1\n}\n"},
		{"characters that HTML would escape", `{"org":"<&>\u2028"}`, "{\n  \"org\": \"<&>\\u2028\"\n}\n"},
		{"numbers stay", `{"n":[1.0,-0,0.10,1E+2,1e400,12345678901234567890]}`,
			"{\n  \"n\": [\n    1.0,\n    -0,\n    0.10,\n    1E+2,\n    1e400,\n    12345678901234567890\n  ]\n}\n"},
		{"words", `{"a":[true,false,null]}`, "{\n  \"a\": [\n    true,\n    false,\n    null\n  ]\n}\n"},
		{"nested and empty", `{"a":[[],{},[[]],{"b":{}}]}`, "{\n  \"a\": [\n    [],\n    {},\n    [\n      []\n    ],\n    {\n      \"b\": {}\n    }\n  ]\n}\n"},
		{"a list for the document", `[ {"org":1,"id":2} ]`, "[\n  {\n    \"org\": 1,\n    \"id\": 2\n  }\n]\n"},
		{"a word for the document", " null ", "null\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := canonicalForm([]byte(tt.src), testShape().layout, maxCase)
			if err != nil || string(got) != tt.want {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
			if again, err := canonicalForm(got, testShape().layout, maxCase); err != nil || string(again) != tt.want {
				t.Errorf("formatted again: %v\n%s", err, again)
			}
		})
	}
}

// TestFormatProblems formats seeds that have no canonical form: each is left
// alone and reported, as check reports it.
func TestFormatProblems(t *testing.T) {
	step := `{"text":{"en":"` + strings.Repeat("x", 1000) + `"}}` // a thousand fit into a case, but for the indents
	brackets := strings.Repeat("[", 20000)
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"empty", "", []string{"1:1: the file is empty; write a case: a JSON object with the fields of a case"}},
		{"comma after the last entry", edited(t, `["crash-loop"]`, `["crash-loop",]`), []string{`20:28: /symptoms: there is a comma after the last entry; delete it`}},
		{"bracket after the document", baseCase + "}", []string{"35:1: something follows the end of the document; delete it, or a bracket that closes too much before it: a file holds one JSON value"}},
		{"UTF-16", "\xff\xfe{\x00}\x00", []string{"1:1: the file is UTF-16; save it as UTF-8"}},
		{"Latin-1", edited(t, "쿠키런", "Caf\xe9"), []string{"3:14: /org: this byte is not UTF-8; save the file as UTF-8"}},
		{"field twice", edited(t, `"lessons": null`, `"lessons": null, "id": "IL-0123"`), []string{
			`12:20: /id: the field "id" stands here twice, first at line 2, column 3; keep one of the two`}},
		{"field twice in another spelling", edited(t, `"lessons": null`, `"lessons": null, "\u0069d": "IL-0123"`), []string{
			`12:20: /id: the field "id" stands here twice, first at line 2, column 3; keep one of the two`}},
		{"key twice inside an unknown field", edited(t, `"lessons": null`, `"lessons": null, "x": {"a~\u0007": [{"b": 1, "b": 1}]}`), []string{
			`12:20: /x: there is no field "x" here; delete it`,
			`12:48: /x/a~0\a/0/b: this key stands twice in its object; keep one of the two`}},
		{"Latin-1 inside an unknown field", edited(t, `"lessons": null`, "\"lessons\": null, \"x\": \"\ufffd \xe9\""), []string{
			`12:20: /x: there is no field "x" here; delete it`,
			`12:28: this byte is not UTF-8; save the file as UTF-8`}},
		{"indents beyond measure in a place for a text", edited(t, `"Rolled back."`, brackets[:5000]+strings.Repeat("]", 5000)), []string{
			`26:35: /remediation/0/text/en: this is a list; write a text that says something, or null`}},
		{"too long with indents", edited(t, `[{"text": {"en": "Rolled back."}}]`, "["+strings.Repeat(step+",", 999)+step+"]"), []string{
			` with its lines and indents the file has more than 1048576 bytes; make it shorter`}},
		{"nested beyond measure", edited(t, `"lessons": null`, `"lessons": `+brackets), []string{
			`12:14: /lessons: this is a list; write a text such as {"en": "…", "ko": "…"}, or null`,
			`12:10013: /lessons: this is not JSON: exceeded max depth; check the quotes, commas and brackets around it`}},
		{"indents beyond measure", edited(t, `"lessons": null`, `"lessons": `+brackets[:5000]+strings.Repeat("]", 5000)), []string{
			`12:14: /lessons: this is a list; write a text such as {"en": "…", "ko": "…"}, or null`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Format(library(map[string]string{"cases/IL-0123.json": tt.src}), "seeds")
			for _, c := range f.Changes {
				if c.Name == "cases/IL-0123.json" {
					t.Errorf("it was formatted to\n%s", c.Text)
				}
			}
			problem.Sort(f.Problems)
			var got []string
			for _, p := range f.Problems {
				got = append(got, strings.TrimPrefix(p.String(), "seeds/cases/IL-0123.json:"))
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestFormatFinds formats a whole folder.
func TestFormatFinds(t *testing.T) {
	canonical, err := canonicalForm([]byte(baseCase), testShape().layout, maxCase)
	if err != nil {
		t.Fatal(err)
	}
	f := Format(library(map[string]string{
		"cases/IL-0123.json":      string(canonical),
		"cases/2023/IL-0124.json": edited(t, `"IL-0123",`, `"IL-0124",`),
		"cases/IL-0125.json":      "{",
		"cases/.hidden.json":      "{ }",
		"cases/notes.txt":         "{ }",
		"topics/domain/a.json":    "{ }",
		"withdrawn.json":          `{"withdrawn": [{"since": "2023", "id": "IL-0001"}]}`,
	}), "seeds")
	var names []string
	for _, c := range f.Changes {
		names = append(names, c.Shown)
	}
	if got, want := strings.Join(names, " "), "seeds/cases/2023/IL-0124.json seeds/site.json seeds/vocab.json seeds/withdrawn.json"; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	if f.Files != 5 || len(f.Problems) != 1 || f.Problems[0].File != "seeds/cases/IL-0125.json" {
		t.Errorf("%d files, problems %v", f.Files, f.Problems)
	}
	if want := "{\n  \"withdrawn\": [\n    {\n      \"id\": \"IL-0001\",\n      \"since\": \"2023\"\n    }\n  ]\n}\n"; string(f.Changes[3].Text) != want {
		t.Errorf("got\n%s\nwant\n%s", f.Changes[3].Text, want)
	}
}

// leaves counts every value without a value inside by its pointer and its
// spelling; what holds nothing is such a value too.
func leaves(t *testing.T, src []byte) map[string]int {
	t.Helper()
	out := map[string]int{}
	d := jsontext.NewDecoder(bytes.NewReader(src), jsontext.AllowInvalidUTF8(true))
	var walk func(pointer string)
	walk = func(pointer string) {
		k := d.PeekKind()
		if k != '{' && k != '[' {
			raw, err := d.ReadValue()
			if err != nil {
				t.Fatal(err)
			}
			out[pointer+" "+string(raw)]++
			return
		}
		if _, err := d.ReadToken(); err != nil {
			t.Fatal(err)
		}
		out[pointer+" "+k.String()]++
		for i := 0; d.PeekKind() != '}' && d.PeekKind() != ']'; i++ {
			name := strconv.Itoa(i)
			if k == '{' {
				raw, err := d.ReadValue()
				if err != nil {
					t.Fatal(err)
				}
				name = string(raw)
			}
			walk(pointer + "/" + name)
		}
		if _, err := d.ReadToken(); err != nil {
			t.Fatal(err)
		}
	}
	walk("")
	return out
}

// FuzzFormat formats any bytes as a case. What has a canonical form is JSON,
// holds the same values there in the same spelling, and stays as it is when it
// is formatted again, also from one line without any space.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{baseCase, strings.ReplaceAll(baseCase, "\n", "\r\n"), "", "{", `{"org":1.0,"id":"\u00e9","x":{"b":[],"a":{}}}`, "\ufeff[1e400, -0]", `{"a":1,"\u0061":2}`, `{"\ud800":"\ud800"}`,
		"\xff", `"`, "nul", "[[[]", "{}{}", strings.Repeat("[", 300) + strings.Repeat("]", 300), `{"title":{"ko":"","en":null,"fr":[{}]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		l := testShape().layout
		got, err := canonicalForm(src, l, maxCase)
		if err != nil {
			return
		}
		in := bytes.TrimPrefix(src, []byte(byteOrderMark))
		if !json.Valid(in) {
			t.Fatalf("formatted what is no JSON to encoding/json")
		}
		if want := leaves(t, in); !reflect.DeepEqual(leaves(t, got), want) {
			t.Fatalf("the values differ:\n%s", got)
		}
		for _, again := range [][]byte{got, compactJSON(t, got), []byte(byteOrderMark + strings.ReplaceAll(string(got), "\n", "\r\n"))} {
			if b, err := canonicalForm(again, l, maxCase); err != nil || !bytes.Equal(b, got) {
				t.Fatalf("formatted again: %v\n%s\nwant\n%s", err, b, got)
			}
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, compactJSON(t, got), "", "  "); err != nil || indented.String()+"\n" != string(got) {
			t.Fatalf("not indented as others do: %v\n%s", err, got)
		}
	})
}
