package markup

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type textCase struct{ name, src, want string }

func checkBlock(t *testing.T, r *Renderer, tests []textCase) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := strings.TrimSuffix(string(r.Block(nil, test.src, 2)), "\n")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Block(%q) (-want +got):\n%s", test.src, diff)
			}
			properties(t, r, test.src)
		})
	}
}

func TestKoreanEmphasis(t *testing.T) {
	t.Parallel()
	checkBlock(t, New(Options{}), []textCase{
		{"particle after parenthesis", "**카카오(Kakao)**는", "<p><strong>카카오(Kakao)</strong>는</p>"},
		{"object particle", "**마크다운(Markdown)**을", "<p><strong>마크다운(Markdown)</strong>을</p>"},
		{"quotes", `**"단어"**은`, `<p><strong>"단어"</strong>은</p>`},
		{"curly quotes", "**“단어”**은", "<p><strong>“단어”</strong>은</p>"},
		{"code", "**`ndots:5`**로", "<p><strong><code>ndots:5</code></strong>로</p>"},
		{"strike", "~~취소(cancel)~~했다", "<p><del>취소(cancel)</del>했다</p>"},
		{"opens after Hangul", `그는**"단어"**를`, `<p>그는<strong>"단어"</strong>를</p>`},
		{"one star", "*카카오(Kakao)*는", "<p><em>카카오(Kakao)</em>는</p>"},
		{"percent", "**99.9%**로", "<p><strong>99.9%</strong>로</p>"},
		{"twice", "**가(A)**와 **나(B)**를", "<p><strong>가(A)</strong>와 <strong>나(B)</strong>를</p>"},
		{"both", "***가(A)***는", "<p><em><strong>가(A)</strong></em>는</p>"},
		{"link inside", "**[문서](/a/)**를", `<p><strong><a href="/a/">문서</a></strong>를</p>`},
		{"corner brackets", "**「단어」**는", "<p><strong>「단어」</strong>는</p>"},
		{"Japanese", "**この文を（強調）**する。", "<p><strong>この文を（強調）</strong>する。</p>"},
		{"Chinese", "**该星号。**这是", "<p><strong>该星号。</strong>这是</p>"},
		{"underscore before a space", "_카카오(Kakao)_ 는", "<p><em>카카오(Kakao)</em> 는</p>"},
		{"underscore within a word", "__카카오(Kakao)__는", "<p>__카카오(Kakao)__는</p>"},
		{"a range is no strike", "3~5분, 10~20분", "<p>3~5분, 10~20분</p>"},
		{"newline between words", "연결이\n실패했다", "<p>연결이\n실패했다</p>"},
		{"newline before code", "see\n`x.go` now", "<p>see\n<code>x.go</code> now</p>"},
		{"English is unchanged", "**foo(bar)**baz", "<p>**foo(bar)**baz</p>"},
		{"emoji is not CJK", "a**(🙂)**b", "<p>a**(🙂)**b</p>"},
	})
}

func TestNothingRuns(t *testing.T) {
	t.Parallel()
	checkBlock(t, New(Options{}), []textCase{
		{"script", "<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"},
		{"html block", "<div>\n*x*\n</div>", "<p>&lt;div&gt;\n<em>x</em>\n&lt;/div&gt;</p>"},
		{"comment", "a <!-- **b** --> c", "<p>a &lt;!-- <strong>b</strong> --&gt; c</p>"},
		{"inline tag", "<b>*x*</b>", "<p>&lt;b&gt;<em>x</em>&lt;/b&gt;</p>"},
		{"template code", "{{ .Secret }} {% raw %} ${x}", "<p>{{ .Secret }} {% raw %} ${x}</p>"},
		{"image", "a ![b *c*](d.png \"e\") f", "<p>a ![b *c*](d.png \"e\") f</p>"},
		{"image in a link", "[![b](c.png)](/d)", `<p><a href="/d">![b](c.png)</a></p>`},
		{"quote in a title", `[a](/b "x\" onclick=\"y")`, `<p><a href="/b" title="x&quot; onclick=&quot;y">a</a></p>`},
		{"quote in an address", `[a](/b"onclick=x)`, `<p><a href="/b%22onclick=x">a</a></p>`},
		{"code", "`<b>` `a  b`", "<p><code>&lt;b&gt;</code> <code>a  b</code></p>"},
		{"info string", "```<b> \"x\"\ny\n```", "<figure class=\"code\"><figcaption>&lt;b&gt; \"x\"</figcaption><pre tabindex=\"0\"><code>y\n</code></pre></figure>"},
		{"NUL and bad UTF-8", "a\x00b\xffc *d*", "<p>a\uFFFDb\uFFFDc <em>d</em></p>"},
		{"entity of an override", "a&#x202E;b &zwj; &#1; &lt;", "<p>a&amp;#x202E;b &amp;zwj; &amp;#1; &lt;</p>"},
		{"attribute syntax", "# a {.b onclick=x}", "<h3>a {.b onclick=x}</h3>"},
		{"heading id", "# a {#main}", "<h3>a {#main}</h3>"},
	})
}

func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	checkBlock(t, New(Options{}), []textCase{
		{"definition", "[a]: /b \"c\"\n\n[a][b] [a]", "<p>[a]: /b \"c\"</p>\n<p>[a][b] [a]</p>"},
		{"list numbers", "3. a\n4. b\n9. c", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n<li value=\"9\">c</li>\n</ol>"},
		{"leading zeros", "01. a\n02. b", "<ul class=\"numbers\">\n<li>01. a</li>\n<li>02. b</li>\n</ul>"},
		{"date", "2023. 11. 8. 장애", "<p>2023. 11. 8. 장애</p>"},
		{"date in a list", "- 2023. 11. 8. 장애", "<ul>\n<li>2023. 11. 8. 장애</li>\n</ul>"},
		{"year", "2023년 11월", "<p>2023년 11월</p>"},
		{"tab and spaces in pre", "```\na   b\n\tc\n```", "<pre tabindex=\"0\"><code>a   b\n\tc\n</code></pre>"},
		{"indented code", "    a   b\n    \tc", "<pre tabindex=\"0\"><code>a   b\n\tc\n</code></pre>"},
		{"setext", "a\n===\nb\n---", "<h3>a</h3>\n<h4>b</h4>"},
		{"no level is skipped", "## a\n#### b\n## c\n# d\n#", "<h3>a</h3>\n<h4>b</h4>\n<h3>c</h3>\n<h3>d</h3>"},
		{"deep headings", "# a\n## b\n### c\n#### d\n##### e", "<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h6>d</h6>\n<h6>e</h6>"},
		{"hard breaks", "a  \nb\\\nc", "<p>a<br>\nb<br>\nc</p>"},
		{"quote and rule", "> a\n> - b\n\n---", "<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>\n<hr>"},
		{"loose list", "- a\n\n- b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>"},
		{"footnote", "a[^1]\n\n[^1]: b", "<p>a[^1]</p>\n<p>[^1]: b</p>"},
		{"bare address", "https://x.kr www.x.kr", "<p>https://x.kr www.x.kr</p>"},
		{"carriage returns", "*a*\r\nb\r\rc", "<p><em>a</em>\nb</p>\n<p>c</p>"},
		{"nothing", " \n\t\n", ""},
	})
}

func TestTables(t *testing.T) {
	t.Parallel()
	const open, end = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n", "</table></div>"
	checkBlock(t, New(Options{}), []textCase{
		{"alignment", "a|b|c\n:-|:-:|-:\n1|2|3", open +
			`<tr><th scope="col" class="left">a</th><th scope="col" class="center">b</th><th scope="col" class="right">c</th></tr>` + "\n</thead>\n<tbody>\n" +
			`<tr><td class="left">1</td><td class="center">2</td><td class="right">3</td></tr>` + "\n</tbody>\n" + end},
		{"surplus and missing cells", "|a|b|\n|-|-|\n|1|2|3|\n|4|", open +
			`<tr><th scope="col">a</th><th scope="col">b</th><td></td></tr>` + "\n</thead>\n<tbody>\n" +
			"<tr><td>1</td><td>2</td><td>3</td></tr>\n<tr><td>4</td><td></td><td></td></tr>\n</tbody>\n" + end},
		{"escaped pipes", "|a|\n|-|\n|`x\\|y` \\| **z**|", open + `<tr><th scope="col">a</th></tr>` + "\n</thead>\n<tbody>\n" +
			"<tr><td><code>x|y</code> | <strong>z</strong></td></tr>\n</tbody>\n" + end},
		{"text before", "lead\n|a|\n|-|", "<p>lead</p>\n" + open + `<tr><th scope="col">a</th></tr>` + "\n</thead>\n" + end},
		{"not a table", "|a|b|\n|-|", "<p>|a|b|\n|-|</p>"},
	})
}

func TestLinks(t *testing.T) {
	t.Parallel()
	r := New(Options{Link: func(dest string) (string, bool) { return "/base" + dest, dest != "/no" }})
	checkBlock(t, r, []textCase{
		{"ours", "[a](/cases/IL-0123/#x)", `<p><a href="/base/cases/IL-0123/#x">a</a></p>`},
		{"refused", "[a *b*](/no)", "<p>[a *b*](/no)</p>"},
		{"title", "[a](/b 'c\nd')", "<p><a href=\"/base/b\" title=\"c d\">a</a></p>"},
		{"external", "[a](https://x.kr/한)", `<p><a href="https://x.kr/%ED%95%9C" rel="noopener">a</a></p>`},
		{"upper case", "[a](HTTPS://X.kr)", `<p><a href="HTTPS://X.kr" rel="noopener">a</a></p>`},
		{"entity", "[a](/b?c&amp;d)", `<p><a href="/base/b?c&amp;d">a</a></p>`},
		{"mail", "<a@b.kr>", `<p><a href="mailto:a@b.kr">a@b.kr</a></p>`},
		{"auto", "<https://x.kr/?a&b>", `<p><a href="https://x.kr/?a&amp;b" rel="noopener">https://x.kr/?a&amp;b</a></p>`},
		{"nested", "[a [b](/c) d](/e)", `<p>[a <a href="/base/c">b</a> d](/e)</p>`},
		{"auto nested", "[a <https://x.kr> d](/e)", `<p>[a <a href="https://x.kr" rel="noopener">https://x.kr</a> d](/e)</p>`},
		{"over lines in a quote", "> [a\n> *b*](javascript:x\n> \"t\")", "<blockquote>\n<p>[a\n*b*](javascript:x\n\"t\")</p>\n</blockquote>"},
		{"emphasis stays inside", "*a [b*](/c)", `<p>*a <a href="/base/c">b*</a></p>`},
		{"parentheses", "[a](/b(c)d)", `<p><a href="/base/b(c)d">a</a></p>`},
		{"empty", "[a]() [b](<>)", "<p>[a]() [b](&lt;&gt;)</p>"},
	})
}

// TestHostileLinks: whatever the spelling, there is no link, and the source is
// on the page letter by letter.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	for _, dest := range []string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "javascript&colon;alert(1)", "javascript&#58;alert(1)", "javascript&#x3A;x",
		"java&Tab;script:x", "java&NewLine;script:x", "java&#10;script:x", "&#106;avascript:x", "java\\:script:x", "javascript\\:x",
		"javascript%3Aalert(1)", "%6Aavascript:x", "%256Aavascript%253Ax", "javascript&amp;colon;x", "<java script:x>", "< javascript:x>",
		"<\tjavascript:x>", "\u00a0javascript:x", "javascript\u200b:x", "\ufeffjavascript:x", "vbscript:x", "data:text/html,x", "data:image/png;base64,x",
		"file:///etc/passwd", "ftp://x.kr", "tel:1", "blob:x", "about:blank", "x:y", ":x", "//evil.example", "/\\evil.example", "\\\\evil.example",
		"\\\\/evil.example", "/&#92;evil.example", "/%2Fevil.example", "/%5Cevil.example", "///evil.example", "https:evil.example", "https://", "https:///evil",
		"http:/evil.example", "https://good.kr@evil.example", "https://x.kr\\@evil.example", "https:\\\\evil.example", "mailto:", "mailto://x", "http&colon;//x y",
		"https://[x]/",
	} {
		t.Run(dest, func(t *testing.T) {
			t.Parallel()
			src := "[a](" + dest + " \"t\")"
			html := string(r.Block(nil, src, 2))
			if strings.Contains(html, "<a") {
				t.Fatalf("Block(%q) = %s", src, html)
			}
			properties(t, r, src)
			keeps(t, r, src)
			if auto := string(r.Block(nil, "<"+dest+">", 2)); strings.Contains(auto, "<a") {
				t.Errorf("Block(%q) = %s", "<"+dest+">", auto)
			}
		})
	}
	for _, dest := range []string{"http://x.kr", "https://x.kr:8080/a?b#c", "mailto:a@b.kr?subject=x", "/a/", "#b", "a/b.html", "?q", "../c", "/a:b", "./a:b"} {
		if html := string(r.Block(nil, "[a]("+dest+")", 2)); !strings.Contains(html, `<a href="`+dest+`"`) {
			t.Errorf("%s: %s", dest, html)
		}
	}
}

func TestInline(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	for _, test := range []struct{ src, links, none string }{
		{"# 1 *a*", "# 1 <em>a</em>", "# 1 <em>a</em>"},
		{"- a\n- b\n\n\n    c", "- a - b c", "- a - b c"},
		{"1. a  \nb\\\nc", "1. a b c", "1. a b c"},
		{"|a|b|\n|-|-|", "|a|b| |-|-|", "|a|b| |-|-|"},
		{"    a", "a", "a"},
		{"<div>\nx & y", "&lt;div&gt; x &amp; y", "&lt;div&gt; x &amp; y"},
		{"[a **b**](/c \"d\")", `<a href="/c" title="d">a <strong>b</strong></a>`, `a <strong>b</strong> (/c "d")`},
		{"<https://x.kr>", `<a href="https://x.kr" rel="noopener">https://x.kr</a>`, "https://x.kr"},
		{"[a](javascript:x)", "[a](javascript:x)", "[a](javascript:x)"},
		{"![a\nb](c)", "![a b](c)", "![a b](c)"},
	} {
		if got := string(r.Inline(nil, test.src, true)); got != test.links {
			t.Errorf("Inline(%q, true) = %s, want %s", test.src, got, test.links)
		}
		if got := string(r.Inline(nil, test.src, false)); got != test.none {
			t.Errorf("Inline(%q, false) = %s, want %s", test.src, got, test.none)
		}
		properties(t, r, test.src)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	for _, test := range []struct{ src, block, line string }{
		{"a  **b**\n\nc&nbsp;d", "a b c d", "a b c d"},
		{"1. Outage\n2. *Again*", "1. Outage 2. Again", "1. Outage 2. Again"},
		{"# 1", "1", "# 1"},
		{"|a|b|\n|-|-|\n|1|2|", "a b 1 2", "|a|b| |-|-| |1|2|"},
		{"[a](/b \"c\") <b> &amp; R&D", "a <b> & R&D", "a <b> & R&D"},
		{"  a\n b ", "a b", "a b"},
		{"", "", ""},
	} {
		if got := r.Plain(test.src); got != test.block {
			t.Errorf("Plain(%q) = %q, want %q", test.src, got, test.block)
		}
		if got := r.PlainLine(test.src); got != test.line {
			t.Errorf("PlainLine(%q) = %q, want %q", test.src, got, test.line)
		}
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	const src = "intro\n\n## `kubectl` *check* {#check}\n\n- a\n\n### more {#more}\n\nx\n\n한글 {#not-a-heading}\n" +
		"\n다시 {#again}\n---\n\n## twice {#check}\n## bad {#Bad}\n## {#only}\n"
	want := []Section{
		{HTML: []byte("<p>intro</p>\n")},
		{
			ID: "check", Title: "kubectl check", Heading: []byte("<code>kubectl</code> <em>check</em>"),
			HTML: []byte("<ul>\n<li>a</li>\n</ul>\n<h4 id=\"more\">more</h4>\n<p>x</p>\n<p>한글 {#not-a-heading}</p>\n"),
		},
		{ID: "again", Title: "다시", Heading: []byte("다시")},
		{Title: "twice {#check}", Heading: []byte("twice {#check}")},
		{Title: "bad {#Bad}", Heading: []byte("bad {#Bad}")},
		{Title: "{#only}", Heading: []byte("{#only}")},
	}
	if diff := cmp.Diff(want, r.Sections(src, 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := r.Sections("", 2); len(got) != 0 {
		t.Errorf("Sections of nothing: %v", got)
	}
}

// A part that stands on another page takes no id there, and its links to parts
// of its own page lead back to that.
func TestPart(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	link := func(dest string) (string, bool) { return "/own/" + dest, true }
	const src = "## a {#a}\n\n### b {#logs}\n\n[x](#logs)\n\n## c {#c}\n\nd\n"
	if got, want := string(r.Part(src, "a", 2, link)), "<h4>b</h4>\n<p><a href=\"/own/#logs\">x</a></p>\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := r.Part(src, "logs", 2, link); got != nil {
		t.Errorf("a part of a part: %q", got)
	}
}

func TestLinksOfAText(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	const src = "[a](/a/ \"title\") [b](</b c/>) `[c](/c/)` ![d](/d/) \\[e](/e/) [f](https://f.example) [g](#g)\n\n    [h](/h/)\n"
	if diff := cmp.Diff([]string{"/a/", "/b c/", "#g"}, r.Links(src, false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/a/", "/b c/", "#g", "/h/"}, r.Links(src, true)); diff != "" {
		t.Errorf("as one line (-want +got):\n%s", diff)
	}
}

// TestProperties runs the fuzzers' checks on their seeds put together in pairs.
func TestProperties(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	seps := []string{"\n\n", " ", "\n> "}
	for i, a := range texts() {
		for j, b := range texts() {
			src := a + seps[(i+j)%len(seps)] + b
			properties(t, r, src)
			keeps(t, r, src)
			agrees(t, r, src)
		}
	}
}

// TestAppend: what is in dst stays, and a result does not share memory with a
// later one.
func TestAppend(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	plain := r.Plain("*a*")
	section := r.Sections("## *a*\n*b*", 2)
	dst := r.Block([]byte("x"), "*c*", 2)
	dst = r.Inline(dst, "*d*", true)
	if got := string(dst); got != "x<p><em>c</em></p>\n<em>d</em>" {
		t.Error(got)
	}
	if plain != "a" || string(section[0].HTML) != "<p><em>b</em></p>\n" {
		t.Error(plain, section)
	}
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	want := make([]string, len(texts()))
	for i, s := range texts() {
		want[i] = string(r.Block(nil, s, 2)) + r.Plain(s)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, s := range texts() {
				if got := string(r.Block(nil, s, 2)) + r.Plain(s); got != want[i] {
					t.Errorf("%q: %s", s, got)
				}
			}
		})
	}
	wg.Wait()
}
