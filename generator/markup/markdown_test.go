package markup

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// elsewhere renders Markdown as another site would that trusts its texts: with
// raw HTML, tables and strikethrough.
func elsewhere(t *testing.T, src []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe(),
		renderer.WithNodeRenderers(util.Prioritized(labelled{}, 1))))
	if err := md.Convert(src, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// labelled renders a block of code with all of its label, of which goldmark
// shows a part.
type labelled struct{}

func (labelled) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		out := []byte("<pre><code>")
		if block, ok := n.(*ast.FencedCodeBlock); ok && block.Info != nil {
			out = append(appendEscaped(out, unescape(block.Info.Segment.Value(source))), '\n')
		}
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			out = appendEscaped(out, line.Value(source))
		}
		_, err := w.Write(append(out, "</code></pre>\n"...))
		return ast.WalkSkipChildren, err
	})
}

// sameElsewhere holds that what is written as Markdown shows elsewhere what it
// shows here: every letter in its order, the same links, and no element that a
// text cannot have.
func sameElsewhere(t *testing.T, r *Renderer, src string) {
	t.Helper()
	for _, one := range []struct {
		name     string
		here, md []byte
	}{
		{"Markdown", r.Block(nil, src, 2), r.Markdown(nil, src, 2)},
		{"MarkdownLine", r.Inline(nil, src, true), r.MarkdownLine(nil, src)},
	} {
		if one.name == "MarkdownLine" && bytes.ContainsRune(one.md, '\n') {
			t.Errorf("MarkdownLine(%q) has lines: %q", src, one.md)
		}
		html := elsewhere(t, one.md)
		here, err := inspect(one.here)
		if err != nil {
			t.Fatal(err)
		}
		there, err := inspect(asOurs(html))
		if err != nil {
			t.Errorf("%s(%q) = %q: elsewhere %v", one.name, src, one.md, err)
			continue
		}
		if string(letters(here.text)) != string(letters(there.text)) {
			t.Errorf("%s(%q) = %q shows elsewhere\n%s\nhere\n%s", one.name, src, one.md, html, one.here)
		}
		if strings.Join(here.hrefs, " ") != strings.Join(there.hrefs, " ") {
			t.Errorf("%s(%q) = %q links elsewhere %q, here %q", one.name, src, one.md, there.hrefs, here.hrefs)
		}
	}
}

// asOurs makes goldmark's own HTML what inspect reads: it knows neither void
// elements with a slash nor styles.
func asOurs(html []byte) []byte {
	html = regexp.MustCompile(`<(t[hd]) (style|align)="[^"]*">`).ReplaceAll(html, []byte("<$1>"))
	return bytes.ReplaceAll(bytes.ReplaceAll(html, []byte("<br />"), []byte("<br>")), []byte("<hr />"), []byte("<hr>"))
}

func TestMarkdownElsewhere(t *testing.T) {
	t.Parallel()
	r := New(Options{Link: func(dest string) (string, bool) { return "https://h.example" + dest, strings.HasPrefix(dest, "/") }})
	for _, src := range texts() {
		sameElsewhere(t, r, src)
	}
}

// What an editor writes reads well as Markdown, too.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	r := New(Options{Link: func(dest string) (string, bool) { return "https://h.example" + dest, true }})
	for src, want := range map[string]string{
		"Plain text.\n\nAnother.":                  "Plain text.\n\nAnother.",
		"3~5분, 10~20분":                             `3\~5분, 10\~20분`,
		"set `max_connections` or max_connections": "set `max_connections` or max_connections",
		"**bold** *em* ~~gone~~":                   "**bold** *em* ~~gone~~",
		"<script>alert(1)</script> a < b":          `\<script>alert(1)\</script> a < b`,
		"[case](/cases/IL-0001/ \"why\")":          `[case](<https://h.example/cases/IL-0001/> "why")`,
		"![x](https://x.example/y.png)":            `!\[x\](https://x.example/y.png)`,
		"# Title\n\n## Below":                      "### Title\n\n#### Below",
		"- a\n- b\n\n1. c\n1. d":                   "- a\n- b\n\n1. c\n\n1) d",
		"```sh\nls\n``````":                        "```sh\nls\n```",
		"```\nopen":                                "```\nopen\n```",
		"| a | b |\n|---|--:|\n| `x\\|y` | 2 |":    "| a | b |\n| --- | --: |\n| `x\\|y` | 2 |",
		"[a]: /b \"c\"":                            `\[a\]: /b "c"`,
		"<https://x.example>":                      "<https://x.example>",
		"> quoted\n> text":                         "> quoted\n> text",
		"2023. 11. 8. 장애":                          `2023\. 11. 8. 장애`,
	} {
		if got := string(r.Markdown(nil, src, 2)); got != want {
			t.Errorf("Markdown(%q)\n%s\nwant\n%s", src, got, want)
		}
	}
}

// FuzzMarkdown takes a text, and pieces of markup strung together.
func FuzzMarkdown(f *testing.F) {
	for _, s := range texts() {
		f.Add([]byte{0, 1, 2, 3, 40}, s)
	}
	r := New(Options{})
	f.Fuzz(func(t *testing.T, choice []byte, word string) {
		sameElsewhere(t, r, word)
		sameElsewhere(t, r, strung(choice, word))
	})
}

// FuzzEscapeMarkdown writes a plain string as a line of Markdown, as the text of
// a link and as an item of a list: elsewhere it shows as it is, and makes nothing.
func FuzzEscapeMarkdown(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		line := EscapeMarkdown(nil, src)
		if bytes.ContainsRune(line, '\n') {
			t.Fatalf("EscapeMarkdown(%q) = %q has lines", src, line)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		want := string(letters(string(appendLines(nil, src))))
		for before, after := range map[string]string{"": "", "# ": "", "- ": "", "> ": "", "a [": "](<https://h.example/>)"} {
			html := elsewhere(t, []byte(before+string(line)+after+"\n"))
			there, err := inspect(asOurs(html))
			if err != nil {
				t.Errorf("%q in %q: elsewhere %v", src, before, err)
				continue
			}
			shown := string(letters(there.text))
			if before == "a [" {
				shown = strings.TrimPrefix(shown, "a")
			}
			if links := len(there.hrefs); shown != want || links > 1 || links == 1 && before != "a [" {
				t.Errorf("%q in %q shows elsewhere\n%s\nof\n%s", src, before, html, line)
			}
		}
	})
}
