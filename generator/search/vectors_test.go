package search

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/tokens.json anew; read the diff")

// vectors are texts with their terms, and questions with what they mark; the
// browser's tests read them too.
type vectors struct {
	Tokens []tokenVector `json:"tokens"`
	Marks  []markVector  `json:"marks"`
}

type tokenVector struct {
	Text   string   `json:"text"`
	Terms  []string `json:"terms"`
	Joined []string `json:"joined"`
}

type markVector struct {
	Text  string   `json:"text"`
	Q     string   `json:"q"`
	Marks []string `json:"marks"` // the marked pieces
	Apart string   `json:"apart"` // the text without them, with | in their places
}

func TestVectors(t *testing.T) {
	t.Parallel()
	const file = "testdata/tokens.json"
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want, got vectors
	if err := json.Unmarshal(body, &want); err != nil {
		t.Fatal(err)
	}
	for _, v := range want.Tokens {
		terms, joined := Tokens(v.Text)
		got.Tokens = append(got.Tokens, tokenVector{v.Text, append([]string{}, terms...), append([]string{}, joined...)})
	}
	for _, v := range want.Marks {
		marked := markVector{Text: v.Text, Q: v.Q, Marks: []string{}}
		at := 0
		for _, m := range NewMarker(v.Q).Marks(v.Text) {
			marked.Marks = append(marked.Marks, v.Text[m[0]:m[1]])
			marked.Apart += v.Text[at:m[0]] + "|"
			at = m[1]
		}
		marked.Apart += v.Text[at:]
		got.Marks = append(got.Marks, marked)
	}
	if *update {
		if err := os.WriteFile(file, indented(t, got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run with -update and read the diff (-want +got)\n%s", diff)
	}
}

// indented has a vector a line.
func indented(t *testing.T, v vectors) []byte {
	t.Helper()
	line := func(v any) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		return "  " + strings.TrimSpace(b.String())
	}
	var tokens, marks []string
	for _, v := range v.Tokens {
		tokens = append(tokens, line(v))
	}
	for _, v := range v.Marks {
		marks = append(marks, line(v))
	}
	return []byte("{\"tokens\": [\n" + strings.Join(tokens, ",\n") + "\n], \"marks\": [\n" + strings.Join(marks, ",\n") + "\n]}\n")
}

// Whatever is written, nothing panics, a term is found by itself, and marks lie
// in the text.
func FuzzTokens(f *testing.F) {
	body, err := os.ReadFile("testdata/tokens.json")
	if err != nil {
		f.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(body, &v); err != nil {
		f.Fatal(err)
	}
	for _, v := range v.Marks {
		f.Add(v.Text, v.Q)
	}
	for _, v := range v.Tokens {
		f.Add(v.Text, v.Text)
	}
	f.Fuzz(func(t *testing.T, text, q string) {
		terms, _ := Tokens(text)
		for _, term := range terms {
			again, _ := Tokens(term)
			if !slices.Contains(again, term) && !isParticle(term) {
				t.Errorf("%q has the term %q, which has %q", text, term, again)
			}
			if n := utf8.RuneCountInString(term); n == 0 || n > maxWord || !utf8.ValidString(term) || strings.ContainsAny(term, "\"\\ ") {
				t.Errorf("%q has the term %q", text, term)
			}
		}
		before := -1
		for _, m := range NewMarker(q).Marks(text) {
			if m[0] <= before || m[0] >= m[1] || m[1] > len(text) {
				t.Errorf("%q marks %v in %q", q, m, text)
				break
			}
			before = m[1]
		}
	})
}
