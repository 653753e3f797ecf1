package markup

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// texts are seeds for the fuzzers and inputs for the tests of properties.
func texts() []string {
	return []string{
		"", "plain", "두 문장이다. 끝.\n\n둘째 문단 > 셋째", "R&D &amp; &copy; &#x41; &#0; &bogus; &#x202E;",
		"**카카오(Kakao)**는 *a*b_c_ ~~취소(cancel)~~했다 3~5분, 10~20분 ***x** y*",
		"[a](/cases/IL-0123/ \"t\") [b](javascript:x) ![i](x.png) <https://a.b> <x@y.z> [c](<a b>)",
		"[a [b](https://x.kr) c](https://y.kr) [<https://x.kr>](y) ![a [b](x) c](d)",
		"[x](java&#x0a;script:y) [x](//evil) [x](/\\evil) [x](%6aavascript:y) [x](mailto:a@b.c)",
		"<script>alert(1)</script> <!-- c --> <b a=\"*x*\">**y**</b>", "[a]: /b \"c\"\n\n[a][b] [a] [a][]",
		"| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |\n| `x\\|y` \\| z |\nend", "lead\n| a |\n|---|\n| b |",
		"1. a\n1. b\n7) c\n\n01. d\n02. e", "2023. 11. 8. 장애", "- a\n  - b\n\n    c\n- d\n\n\n  e\n*   f",
		"> q\n> > r\nlazy\n\n---\n***\n# h #\n## k {#check}\nset\n===\nset\n---",
		"```sh -x\na   b\n\tc\n```\n\n    code\n\n~~~\nopen", "``a ` b`` `c  d` `e\nf` ```", "a  \nb\\\nc\rd\r\ne\tf",
		"\x00\xff\xfe a\u00a0b\u3000c", "a\u0085b", "a\u2003b\u3000c\u1680", "é—가\u00a0", "a\u3000\u3000\u00a0\u00a0b\u3000\u3000\u3000c\u3000\u3000d and words", "\\*a\\* \\[b](c) \\<d> \\\\", "{{ .X }} {% raw %} ${y} $$z$$",
		"**bold\n\n> *quote\n> [link\n> text](/a\n> \"title\nover\")", "_a_b __c__ *d*e **f**g __카카오(K)__는",
		"-\n\n  a\n-\n- b", "1.\n2.  x\n\n       y", "+ a\n\t+ b\n\t\tc", "<a\n<b>c", "[](x) [a]() [a](<>) [a](b c)",
		"pool_size map[string]any Vec<u8> a_b_ _c가_d [x] (y)](z <a b> R&D", "a[b]\n(c) <d 10:30", "_x_y a_b_c ~ [", "[<", "a <b\n> c & d",
		"# \n#\n####### x\n#a\n\t# b", "a\n-\nb\n=", "***\n* * *\n_ _ _\n- - -", "&&lt;&#x3C;script>", "[a](b)(c) [d] (e)",
	}
}

// properties are what must hold of every text.
func properties(t *testing.T, r *Renderer, src string) {
	t.Helper()
	block := r.Block(nil, src, 2)
	b := mustInspect(t, block)
	for _, links := range []bool{true, false} {
		line := r.Inline(nil, src, links)
		l := mustInspect(t, line)
		if l.blocks || bytes.ContainsRune(line, '\n') {
			t.Errorf("Inline(%q) is not one line: %s", src, line)
		}
		if !links && len(l.hrefs) > 0 {
			t.Errorf("Inline(%q) has links: %s", src, line)
		}
		if got, want := r.PlainLine(src), l.text; links && squeeze(got) != squeeze(want) {
			t.Errorf("PlainLine(%q) = %q, Inline has %q", src, got, want)
		}
	}
	plain := r.Plain(src)
	if got, want := string(letters(plain)), string(letters(b.text)); got != want {
		t.Errorf("Plain(%q) = %q, Block has %q", src, got, want)
	}
	if plain != strings.Join(strings.Fields(plain), " ") {
		t.Errorf("Plain(%q) = %q: white space", src, plain)
	}
	if again := r.Block(nil, src, 2); !bytes.Equal(again, block) {
		t.Errorf("Block(%q) differs: %s and %s", src, block, again)
	}
}

// keeps checks that no letter or digit is lost. Entities and percent escapes,
// which stand for other characters, are disarmed first.
func keeps(t *testing.T, r *Renderer, src string) {
	t.Helper()
	src = strings.NewReplacer("&", "+", "%", "+", "\x00", "").Replace(strings.ToValidUTF8(src, ""))
	if left := lost(src, mustInspect(t, r.Block(nil, src, 2)).all); left != "" {
		t.Errorf("Block(%q) = %s: lost %q", src, r.Block(nil, src, 2), left)
	}
	for _, links := range []bool{true, false} {
		if left := lost(src, mustInspect(t, r.Inline(nil, src, links)).all); left != "" {
			t.Errorf("Inline(%q, %v) = %s: lost %q", src, links, r.Inline(nil, src, links), left)
		}
	}
	if left := lost(src, sectionsText(t, r.Sections(src, 2))); left != "" {
		t.Errorf("Sections(%q): lost %q", src, left)
	}
}

// sectionsText returns what sections show, with their ids and addresses.
func sectionsText(t *testing.T, sections []Section) string {
	t.Helper()
	var b strings.Builder
	for _, s := range sections {
		heading := mustInspect(t, s.Heading)
		if squeeze(heading.text) != squeeze(s.Title) {
			t.Errorf("Title %q, Heading %q", s.Title, s.Heading)
		}
		b.WriteString(heading.all + " " + s.ID + " " + mustInspect(t, s.HTML).all)
	}
	return b.String()
}

func mustInspect(t *testing.T, doc []byte) *seen {
	t.Helper()
	if !utf8.Valid(doc) || bytes.IndexByte(doc, 0) >= 0 {
		t.Fatalf("not clean: %q", doc)
	}
	s, err := inspect(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, href := range s.hrefs {
		if badHref(href) {
			t.Errorf("href %q in %s", href, doc)
		}
	}
	return s
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// parsed renders without the fast path.
func parsed(r *Renderer, src string) (block, line string) {
	s := appendClean(nil, src)
	w := writer{source: s, level: 2, links: true, newline: '\n'}
	w.block(r.parse(r.blocks, s, &state{links: true}))
	s = appendLines(nil, src)
	l := writer{source: s, links: true, newline: ' '}
	l.line(r.parse(r.lines, s, &state{links: true}))
	return string(w.dst), string(l.dst)
}

// agrees checks the fast path against the parser.
func agrees(t *testing.T, r *Renderer, src string) {
	t.Helper()
	block, line := parsed(r, src)
	if got := string(r.Block(nil, src, 2)); got != block {
		t.Errorf("Block(%q) (-fast +parsed):\n%s", src, cmp.Diff(got, block))
	}
	if got := string(r.Inline(nil, src, true)); got != line {
		t.Errorf("Inline(%q) (-fast +parsed):\n%s", src, cmp.Diff(got, line))
	}
}

func FuzzBlock(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	r := New(Options{})
	f.Fuzz(func(t *testing.T, src string) {
		properties(t, r, src)
		keeps(t, r, src)
	})
}

// strung strings together pieces of markup, and a word for what is no piece.
func strung(choice []byte, word string) string {
	pieces := []string{"*", "**", "_", "~~", "`", "[", "](", ")", "![", "<", ">", "](<", ">)", " \"", "\")", "\\", "\n", "(", "https://", "//",
		"javascript:", "mailto:", "@", ".", "&colon;", "&#", ";", "|", "\n|-|-|\n", "\n- ", "\n1. ", "\n> ", "  \n", "한", ")", "」", "\u00a0", "&nbsp;"}
	var b strings.Builder
	for _, c := range choice {
		if int(c) < len(pieces) {
			b.WriteString(pieces[c])
		} else {
			b.WriteString(word)
		}
	}
	return b.String()
}

// FuzzInline concentrates on one paragraph of inline markup: it strings
// together pieces, which reaches deeper than single bytes do.
func FuzzInline(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, "가a1")
	f.Add([]byte("\x05\x20\x06\x07\x20\x08"), "x.kr")
	f.Add([]byte("\x09\x20\x0a\x0b\x0c"), "javascript:")
	r := New(Options{Link: func(dest string) (string, bool) { return "/base/" + dest, !strings.Contains(dest, "no") }})
	f.Fuzz(func(t *testing.T, choice []byte, word string) {
		src := strung(choice, word)
		properties(t, r, src)
		keeps(t, New(Options{}), src)
	})
}

// FuzzProse holds the fast path to the parser's bytes.
func FuzzProse(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	r := New(Options{})
	f.Fuzz(func(t *testing.T, src string) {
		agrees(t, r, src)
		if got := collapsed(src); utf8.ValidString(src) && got != squeeze(src) {
			t.Errorf("collapsed(%q) is %q", src, got)
		}
		all, start := r.Plain(src), r.PlainStart(src, 9)
		if !strings.HasPrefix(all, start) || start != all && utf8.RuneCountInString(start) < 9 {
			t.Errorf("Plain(%q) is %q, and starts %q", src, all, start)
		}
		for _, marks := range []string{"\\`*_[<\t\r\v\f\x00", "\\`*\t\r\v\f\x00"} {
			agrees(t, r, strings.Map(func(c rune) rune {
				if strings.ContainsRune(marks, c) {
					return ' '
				}
				return c
			}, src))
		}
	})
}
