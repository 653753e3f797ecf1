package stencil

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"testing"
)

type inner struct {
	Name  string
	Count int
	Skip  bool
}

func (i inner) Loud() string { return strings.ToUpper(i.Name) }

type spoken string

func (s spoken) String() string { return "<" + string(s) + ">" }

type outer struct {
	inner
	Text, Link, Empty string
	HTML              template.HTML
	URL               template.URL
	Named             spokenNot
	Spoken            spoken
	List              []inner
	Words             []string
	Maybe, Nil        *inner
	Any               any
	Data              []any
	N                 int64
	Float             float64
	Map               map[string]string
}

type spokenNot string

// document, said and marshalled are structs as JavaScript has them, each in a way
// of its own.
type document struct {
	Name  string `json:"@name"`
	Inner *inner `json:"inner,omitempty"`
	Raw   json.RawMessage
}

type said struct{ Text string }

func (s said) String() string { return "<" + s.Text + ">" }

type marshalled struct{ Text string }

func (m marshalled) MarshalJSON() ([]byte, error) { return json.Marshal([]string{m.Text}) }

func sample(s string) outer {
	return outer{inner: inner{s, 3, true}, Text: s, Link: s, HTML: template.HTML("<b>" + s + "</b>"), URL: template.URL(s),
		Named: spokenNot(s), Spoken: spoken(s), List: []inner{{s, 1, false}, {"two & two", 2, true}}, Words: []string{s, "", "x"},
		Maybe: &inner{s, 9, false}, Any: s, Data: []any{map[string]string{"a": s}, s, 4, nil, document{s, &inner{s, 1, true}, json.RawMessage(`"\u2028"`)}, said{s}, marshalled{s}}, N: -7, Float: 1.5, Map: map[string]string{"k": s}}
}

// fit are templates that are compiled, each in one way to say something.
func fit() []string {
	return []string{
		`{{.Text}}`, `<p title="{{.Text}}">{{.HTML}}</p>`, `<title>{{.Text}} {{.HTML}}</title>`, `<p title="{{.HTML}}">`,
		`<a href="{{.Link}}">{{.Named}}{{.Spoken}}</a>`, `<a href="/x/{{.Link}}">`, `<a href="/?q={{.Link}}&r={{.N}}">`, `<a href="{{.URL}}">`,
		`<a href="{{.Link}}#{{.Text}}">`, `<textarea>{{.Text}}</textarea>`, `<p title='{{.Text}}'>`,
		`{{.N}} {{.Float}} {{.Skip}} {{.Any}} {{len .Words}} {{len .Text}}`, `<p data-n="{{.N}}" hidden>`,
		`<script type="application/ld+json">{{.Any}}</script>`, `{{range .Data}}<script type="application/ld+json">{{.}}</script>{{end}}`,
		`{{if .Text}}a{{else if .N}}b{{else}}c{{end}}`, `{{if .Empty}}a{{else if .N}}b{{else}}c{{end}}`, `{{if not .Skip}}a{{end}}{{if .Nil}}b{{end}}`,
		`{{with .Maybe}}{{.Name}}{{$.Text}}{{end}}{{with .Nil}}x{{else}}{{.Text}}{{end}}`, `{{with $x := .Maybe}}{{$x.Name}}{{.Count}}{{end}}`,
		`{{range .List}}{{.Name}}{{.Loud}},{{end}}{{range .Words}}[{{.}}]{{else}}none{{end}}`,
		`{{range $i, $x := .List}}{{if $i}}, {{end}}{{$x.Name}} {{$i}} {{$.N}}{{end}}`, `{{range $x := .List}}{{$x.Count}}{{end}}`,
		`{{$a := .Text}}{{range .List}}{{$b := .Name}}{{$a}}{{$b}}{{end}}{{$a}}`,
		`{{if and .Text .Skip}}1{{end}}{{if or .Empty .Nil}}2{{end}}{{if and (not .Empty) (eq .Text .Link)}}3{{end}}`,
		`{{if eq .Text "x"}}x{{end}}{{if ne .Count 3}}y{{end}}{{if eq .Count 3}}z{{end}}{{eq .Text .Link}}`,
		`{{template "sub" .Maybe}}{{range .List}}{{template "item" .}}{{end}}{{template "plain"}}`,
		`{{/* nothing */}}  {{- .Text -}}  `, `{{.Name}}{{.Count}}`, `{{"a<b"}}{{12}}{{true}}`,
		`{{if $x := .Empty}}{{$x}}{{else}}none{{$x}}{{end}}`,
	}
}

// unfitted are templates that only html/template can run.
func unfitted() []string {
	return []string{
		`{{.Map.k}}`, `{{range $k, $v := .Map}}{{$k}}{{$v}}{{end}}`, `{{printf "%d" .N}}`, `{{.Text | printf "%s"}}`, `{{index .Words 0}}`,
		`{{range .List}}{{break}}{{end}}`, `{{and .Text .Link}}`, `<p style="color:{{.Text}}">`, `<p {{.Text}}>`,
		`<p title="{{template "plain"}}">`, `{{$a := .Text}}{{$a = .Link}}{{$a}}`,
	}
}

const shared = `{{define "sub"}}<i>{{.Name}}</i>{{with .}}{{.Count}}{{end}}{{end}}{{define "item"}}{{$n := .Name}}{{$n}};{{end}}{{define "plain"}}p{{end}}`

func compiled(t testing.TB, src string) (*template.Template, *Set) {
	t.Helper()
	all, err := template.New("").Option("missingkey=error").Parse(shared)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all.New("main").Parse(src); err != nil {
		t.Fatal(err)
	}
	return all, New(all)
}

// texts are values that an escaper treats in a way of its own.
func texts() []string {
	return []string{"", "plain", `<script>"'&+` + "`", "한국어 — ☃", "a\x00b\xffc", "javascript:alert(1)", "JAVASCRIPT&colon;x", "/cases/IL-0123/?a=b&c=d#e",
		"https://example.org/a b(c)'", "mailto:a@b.example", "//host/x", "a:b", "%41%zz%", "\u2028\ufdd0", "http://[::1]/", "-1", "x"}
}

func TestSameAsTemplates(t *testing.T) {
	t.Parallel()
	for _, src := range fit() {
		all, set := compiled(t, src)
		for _, s := range texts() {
			same(t, all, set, src, sample(s))
		}
	}
}

// same runs a template both ways.
func same(t *testing.T, all *template.Template, set *Set, src string, data outer) {
	t.Helper()
	var want, got bytes.Buffer
	got.WriteString("kept ")
	err := set.Append(&got, "main", data)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	if err := all.ExecuteTemplate(&want, "main", data); err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	if got.String() != "kept "+want.String() {
		t.Errorf("%s with %q:\n got %q\nwant %q", src, data.Text, strings.TrimPrefix(got.String(), "kept "), want.String())
	}
}

func TestUnfit(t *testing.T) {
	t.Parallel()
	for _, src := range unfitted() {
		_, set := compiled(t, src)
		var b bytes.Buffer
		if err := set.Append(&b, "main", sample("x")); !errors.Is(err, ErrUnfit) || b.Len() > 0 {
			t.Errorf("%s: %v, %q; want ErrUnfit and nothing written", src, err, b.String())
		}
		if why := set.Unfit(); len(why) != 1 || !strings.HasPrefix(why[0], "main with ") {
			t.Errorf("%s: Unfit is %q", src, why)
		}
	}
}

// Without data a template is compiled as long as it asks for none.
func TestNoData(t *testing.T) {
	t.Parallel()
	for src, fits := range map[string]bool{`a{{template "plain"}}{{"b"}}`: true, `{{.}}`: false, `{{with .}}x{{end}}`: false, `{{.Text}}`: false, `{{$}}`: false} {
		_, set := compiled(t, src)
		if err := set.Append(&bytes.Buffer{}, "main", nil); errors.Is(err, ErrUnfit) == fits {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// A template that fails half-way writes nothing.
func TestFailure(t *testing.T) {
	t.Parallel()
	_, set := compiled(t, `before {{.Nil.Name}}`)
	var b bytes.Buffer
	if err := set.Append(&b, "main", sample("x")); err == nil || errors.Is(err, ErrUnfit) || b.Len() > 0 {
		t.Errorf("got %v and %q; want another error and nothing", err, b.String())
	}
}

// Templates that are first run at the same time, by many, are compiled rightly.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	_, set := compiled(t, `{{template "sub" .Maybe}}{{range .List}}{{template "item" .}}{{end}}<a href="{{.Link}}">`)
	done := make(chan string)
	for range 8 {
		go func() {
			var b bytes.Buffer
			err := set.Append(&b, "main", sample("/x"))
			_ = set.Append(&bytes.Buffer{}, "item", inner{})
			done <- fmt.Sprint(err, b.String())
		}()
	}
	first := <-done
	for range 7 {
		if next := <-done; next != first {
			t.Errorf("%q and %q", first, next)
		}
	}
}

func FuzzSameAsTemplates(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	all, set := compiled(f, strings.Join(fit(), "\n"))
	f.Fuzz(func(t *testing.T, s string) { same(t, all, set, "all", sample(s)) })
}
