package generator_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/search"
)

// unspeakable are texts that no string of a seed may be, whatever it is for.
func unspeakable() []string {
	return []string{
		"a\x00b", "a\x1b[2Jb", "a\x07b", "a\u009b31mb", "a\rb", // what a terminal acts on
		"a\u202eb", "\u2066a\u2069", "a\u200fb", "a\u061cb", // what turns the direction of writing
		"a\u2028b", "a\u2029b", // line ends to some
		"acme\u200b", "ac\u2060me", "\ufeffacme", "ac\u00adme", "\u3164", "a\U000e0041b", "a\ufe00b", // what nobody sees
		"a\ufffeb", "a\ufdd0b", // no characters
		strings.Repeat("long ", 11_000), // more than any text may have
	}
}

// unnameable are texts that no id, slug or term may be: they become parts of
// file names and addresses.
func unnameable() []string {
	return []string{
		"", ".", "..", "../../evil", "/etc/passwd", `..\evil`, `C:\evil`, "a/b", "a%2fb", "a%00b", "a.b", "a b", "a\nb", "-a", "a--b", "Acme", "аcme", "ａcme", "acmé",
		"con", "prn", "aux", "nul", "com1", "com9", "lpt1", "CON", "NUL.txt", "aux.json", "conin$",
		"IL-1", "IL-00001/..", "IL-٠٠٠١", "ＩＬ-0001", "IL–0001", "<script>", "javascript:alert(1)", "{{.}}", strings.Repeat("a", 101),
	}
}

// unreachable are texts that no address may be.
func unreachable() []string {
	return []string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "javascript&colon;alert(1)", "&#106;avascript:alert(1)", "%6Aavascript:alert(1)",
		"vbscript:x", "data:text/html,<script>", "blob:https://x.example/1", "file:///etc/passwd", "feed:javascript:x", "view-source:https://x.example", "ftp://x.example/",
		"//evil.example/", `https:\\evil.example`, `https://h.example\@evil.example`, "https:///x", "https:javascript:alert(1)", "https://user:secret@h.example/", "https://h.example@evil.example/",
		`https://h.example/"onclick=alert(1)`, "https://h.example/<script>", "https://h.example/a b", "https://h.example/\n", "https://h.example/{{.}}", "https://h.example/%zz", "https://х.example/", "https://",
	}
}

// leaf is a string of a seed, with where it stands.
type leaf struct{ file, pointer string }

// attacks are the strings that a leaf must not be. What it may not be besides
// what no text may follows from its name.
func (l leaf) attacks() []string {
	steps := strings.Split(l.pointer, "/")
	name := steps[len(steps)-1]
	if _, err := strconv.Atoi(name); err == nil {
		name = steps[len(steps)-2]
	}
	switch name {
	case "id", "slug", "org_slug", "related", "replaced_by", "recurrence_of", "see_also", "domain", "symptoms", "components", "contributing",
		"root_cause", "detection", "severity", "kind", "date_kind", "default_language", "languages":
		return slices.Concat(unspeakable(), unnameable())
	case "url", "archived", "base_url", "api_url", "mcp_url":
		return slices.Concat(unspeakable(), unreachable())
	case "date", "updated_at", "since", "reviewed_at", "detected_after", "resolved_after":
		return slices.Concat(unspeakable(), []string{"", "2024-02-30", "１h", "9999999999d", "2024-01-01T00:00:00", "${date}", "-1h", "1e9s", strings.Repeat("1h ", 100)})
	}
	return unspeakable()
}

// leavesOf are the strings of all seeds in JSON.
func leavesOf(t *testing.T, m fstest.MapFS) []leaf {
	t.Helper()
	var out []leaf
	for _, file := range sortedKeys(m) {
		if path.Ext(file) != ".json" {
			continue
		}
		var v any
		if err := json.Unmarshal(m[file].Data, &v); err != nil {
			t.Fatal(err)
		}
		var walk func(pointer string, v any)
		walk = func(pointer string, v any) {
			switch v := v.(type) {
			case string:
				out = append(out, leaf{file, pointer})
			case []any:
				for i, e := range v {
					walk(fmt.Sprintf("%s/%d", pointer, i), e)
				}
			case object:
				for key, e := range v {
					walk(pointer+"/"+key, e)
				}
			}
		}
		walk("", v)
	}
	return out
}

// with is a copy of seeds in which a leaf is another string.
func with(t *testing.T, m fstest.MapFS, l leaf, text string) fstest.MapFS {
	t.Helper()
	var v any
	if err := json.Unmarshal(m[l.file].Data, &v); err != nil {
		t.Fatal(err)
	}
	at := v
	steps := strings.Split(l.pointer, "/")[1:]
	for i, step := range steps {
		last := i == len(steps)-1
		switch in := at.(type) {
		case object:
			if at = in[step]; last {
				in[step] = text
			}
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil {
				t.Fatal(err)
			}
			if at = in[n]; last {
				in[n] = text
			}
		}
	}
	out := maps.Clone(m)
	put(t, out, l.file, v)
	return out
}

// No string of any seed can be what would harm a reader, a terminal or a file
// system: each is refused, where it stands. Each place gets a quarter of the
// attacks, and all of them where INCIDENTLIB_TORTURE is set.
func TestHostileSeedsAreRefused(t *testing.T) {
	t.Parallel()
	m := smallSeeds(t)
	tried, kinds := 0, map[string]bool{}
	places := leavesOf(t, m)
	slices.SortFunc(places, func(a, b leaf) int {
		return cmp.Or(strings.Compare(a.file, b.file), strings.Compare(a.pointer, b.pointer))
	})
	for _, l := range places {
		kind := path.Dir(l.file) + regexp.MustCompile(`/\d+`).ReplaceAllString(l.pointer, "/0")
		if kinds[kind] {
			continue // one place of a kind is as good as another
		}
		kinds[kind] = true
		for i, attack := range l.attacks() {
			if os.Getenv("INCIDENTLIB_TORTURE") == "" && i%4 != len(kinds)%4 {
				continue
			}
			if attack == "" && (l.pointer == "/api_url" || l.pointer == "/mcp_url") {
				continue // there is none
			}
			tried++
			c, problems := generator.Load(with(t, m, l, attack), "seeds", 1, false)
			if c != nil {
				t.Errorf("%s%s may be %q", l.file, l.pointer, attack)
			}
			refusedAt(t, l, attack, problems)
		}
	}
	t.Logf("%d hostile strings in %d kinds of places were refused", tried, len(kinds))
}

// refusedAt holds that the first problem of a file names the place, and that no
// problem says what a terminal would act on.
func refusedAt(t *testing.T, l leaf, attack string, problems []problem.Problem) {
	t.Helper()
	there := slices.ContainsFunc(problems, func(p problem.Problem) bool {
		return p.File == "seeds/"+l.file && strings.HasPrefix(l.pointer, p.Pointer) && p.Line > 0 && p.Column > 0 && p.Remedy != ""
	})
	if !there {
		t.Errorf("%s%s: %q is not refused where it stands: %v", l.file, l.pointer, attack, problems)
	}
	for _, p := range problems {
		if s := p.String(); unprintable(s) || len(s) > 1000 {
			t.Errorf("%s%s: %q is answered by %q", l.file, l.pointer, attack, s)
		}
	}
}

// unprintable reports what no terminal should be given.
func unprintable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r == '\n' || r == '\t' || incident.WhyForbidden(r) != "" || unicode.In(r, unicode.Cc)
	})
}

// The texts and the names of files are held to the same.
func TestHostileFilesAreRefused(t *testing.T) {
	t.Parallel()
	m := smallSeeds(t)
	article := "---\ntitle: T\nsummary: S\npublished: 2025-03-04\n---\n\nText.\n"
	caseJSON := string(m["cases/IL-0002.json"].Data)
	for name, text := range map[string]string{
		"articles/con.en.md": article, "articles/nul.ko.md": article, "articles/Ab.en.md": article, "articles/a\u200b.en.md": article,
		"articles/a.en.js.md": article, "articles/a\x1b[2J.en.md": article, "topics/components/con.en.md": "T.", "topics/components/database.jp.md": "T.",
		"topics/evil/database.en.md": "T.", "cases/CON.json": caseJSON, "cases/aux.json": caseJSON, "cases/IL-0002\u202e.json": caseJSON, "cases/IL-0002\n.json": caseJSON, "cases/a/IL-0002.json": caseJSON,
		"articles/a.en.md":               strings.Replace(article, "title: T", "title: T\ntitle: U", 1),
		"articles/b.en.md":               strings.Replace(article, "published: 2025-03-04", "published: 2025-02-30", 1),
		"articles/c.en.md":               strings.Replace(article, "title: T", "on\u202eload: x", 1),
		"articles/d.en.md":               strings.Replace(article, "Text.", "x\u2028y", 1),
		"articles/e.en.md":               strings.Replace(article, "title: T", "\x1b]0;x\x07: y", 1),
		"topics/components/queue.en.md":  "a\u202eb",
		"topics/components/queue.ko.md":  "a\x1b[31mb",
		"topics/root_cause/lonely.en.md": "a\xffb",
	} {
		out := maps.Clone(m)
		out[name] = &fstest.MapFile{Data: []byte(text)}
		c, problems := generator.Load(out, "seeds", 1, false)
		if c != nil || len(problems) == 0 {
			t.Errorf("%q may be %q", name, text)
		}
		for _, p := range problems {
			if unprintable(p.String()) {
				t.Errorf("%q is answered by %q", name, p.String())
			}
		}
	}
}

// Sizes that are made to cost time and memory are refused by their size: what is
// read and kept stays small, however big the files.
func TestHostileSizesAreRefused(t *testing.T) {
	m := smallSeeds(t)
	caseJSON, vocab := string(m["cases/IL-0002.json"].Data), string(m["vocab.json"].Data)
	article := "---\ntitle: T\nsummary: S\npublished: 2025-03-04\n---\n\n"
	big := strings.Repeat("x", 50<<20)
	for name, test := range map[string]struct{ file, text string }{
		"a field of 50 MB":       {"cases/IL-0002.json", strings.Replace(caseJSON, "Only", big, 1) + big},
		"an article of 50 MB":    {"articles/a.en.md", article + big},
		"a topic of 50 MB":       {"topics/components/queue.en.md", big},
		"a vocabulary of 50 MB":  {"vocab.json", vocab + big},
		"a site of 50 MB":        {"site.json", big},
		"a figure of 50 MB":      {"figures/a.json", big},
		"withdrawn of 50 MB":     {"withdrawn.json", big},
		"10,000 deep":            {"cases/IL-0002.json", strings.Replace(caseJSON, `"docs": []`, `"docs": `+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000), 1)},
		"10,000 deep objects":    {"vocab.json", strings.Replace(vocab, `"axes":`, `"axis":`+strings.Repeat(`{"a":`, 10_000)+"1"+strings.Repeat("}", 10_000)+`,"axes":`, 1)},
		"a million terms":        {"vocab.json", strings.Replace(vocab, `"terms": [`, `"terms": [`+strings.Repeat("{},", 1_000_000), 1)},
		"200,000 good terms":     {"vocab.json", strings.Replace(vocab, `"terms": [`, `"terms": [`+strings.Repeat(`{"slug":"a","label":{"en":"x"},"summary":{"en":"x"}},`, 200_000), 1)},
		"a million aliases":      {"vocab.json", strings.Replace(vocab, `"terms": [`, `"terms": [{"aliases":{"en":[`+strings.Repeat(`"a",`, 1_000_000)+`"b"]}},`, 1)},
		"200,000 terms of cases": {"cases/IL-0002.json", strings.Replace(caseJSON, `"symptoms": []`, `"symptoms": [`+strings.Repeat(`"slow",`, 100_000)+`"slow"]`, 1)},
	} {
		out := maps.Clone(m)
		out[test.file] = &fstest.MapFile{Data: []byte(test.text)}
		before, start := allocated(), time.Now()
		c, problems := generator.Load(out, "seeds", 1, false)
		took, spent := time.Since(start), allocated()-before
		if c != nil || len(problems) == 0 || len(problems) > 300 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		t.Logf("%s: %v, %d MB", name, took.Round(time.Millisecond), spent>>20)
		if spent > 100<<20 || took > 20*time.Second {
			t.Errorf("%s took %v and %d MB", name, took, spent>>20)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// What a hostile seed may say is text in every other file, too: feeds, tables,
// citations, lists, cards, and the index.
func TestHostileSeedsAreText(t *testing.T) {
	t.Parallel()
	c := load(t, hostileSeeds(t))
	s := newSiteOf(t, c, false)
	kinds := map[string]int{}
	for _, file := range sortedKeys(s.files) {
		b := s.bytes(file)
		ext := path.Ext(file)
		kinds[ext]++
		switch ext {
		case ".html":
			for _, text := range s.page(file).pre {
				if strings.HasPrefix(text, "@misc") {
					kinds["BibTeX"]++
					checkBibTeX(t, file, text)
				}
			}
			continue
		case ".js", ".css", ".woff2", ".gz", ".map", ".webmanifest", ".toml", ".conf":
			continue
		case ".xml":
			checkXML(t, file, b)
		case ".json":
			checkFeedJSON(t, file, b)
		case ".md", ".txt":
			checkDead(t, file, b)
		case ".csv":
			checkTable(t, file, b)
		case ".svg":
			checkXML(t, file, b)
		case ".png":
			if _, err := png.DecodeConfig(bytes.NewReader(b)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		if ext != ".png" && ext != ".ico" && bytes.ContainsFunc(b, func(r rune) bool {
			return incident.WhyForbidden(r) != "" && r != unicode.ReplacementChar && r != '\r' && r > 0x7f
		}) {
			t.Errorf("%s has characters that nobody sees", file)
		}
	}
	t.Logf("files by kind: %v", kinds)
	for _, ext := range []string{".xml", ".json", ".md", ".txt", ".csv", ".png", ".html", "BibTeX"} {
		if kinds[ext] == 0 {
			t.Errorf("there is no file *%s", ext)
		}
	}
	reader := search.New(library.New(c), nil).Reader()
	for _, h := range hostile() {
		r, err := reader.Search(t.Context(), search.Query{Text: strings.ReplaceAll(h, "MARK", "titleEn"), Lang: incident.EN, Limit: 50, Facets: true})
		if err != nil || r.Total == 0 {
			t.Errorf("%q finds %d: %v", h, r.Total, err)
		}
	}
}

// checkXML holds that a file is XML by a strict reader, of our own elements, and
// that HTML within it is ours.
func checkXML(t *testing.T, file string, b []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	text := &strings.Builder{}
	asHTML := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			text.Reset()
			asHTML = false
			for _, a := range token.Attr {
				asHTML = asHTML || a.Name.Local == "type" && a.Value == "html"
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" && !regexp.MustCompile(`^(https?:|#|$)`).MatchString(a.Value) {
					t.Errorf("%s: a %s has %s=%q", file, token.Name.Local, a.Name.Local, a.Value)
				}
			}
			if slices.Contains([]string{"script", "iframe", "img", "b", "svg", "foreignObject"}, token.Name.Local) && path.Ext(file) == ".xml" {
				t.Errorf("%s has a %s", file, token.Name.Local)
			}
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if asHTML {
				checkFragment(t, file, text.String())
			}
			asHTML = false
		}
	}
}

// checkFragment holds that HTML within another format is made of what texts can
// have.
func checkFragment(t *testing.T, file, src string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	ours := []string{"html", "head", "body", "h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "ul", "ol", "li", "em", "strong", "del", "code", "pre", "blockquote", "br", "hr", "table", "thead", "tbody", "tr", "th", "td", "div", "wbr"}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && !slices.Contains(ours, n.Data) {
			t.Errorf("%s comes alive: %s %q", file, n.Data, src)
		}
		for _, a := range n.Attr {
			if !slices.Contains([]string{"href", "title", "lang", "start", "value", "rel", "class", "tabindex", "id", "style", "align"}, a.Key) {
				t.Errorf("%s: a %s has %s=%q", file, n.Data, a.Key, a.Val)
			}
		}
		if href := attr(n, "href"); href != "" && !regexp.MustCompile(`^(https?://|mailto:|#)`).MatchString(href) {
			t.Errorf("%s links %q", file, href)
		}
	}
}

// checkFeedJSON holds that a file is JSON, and the HTML of a feed ours.
func checkFeedJSON(t *testing.T, file string, b []byte) {
	t.Helper()
	var feed struct {
		Items []struct {
			HTML string `json:"content_html"`
		} `json:"items"`
	}
	if !json.Valid(b) {
		t.Errorf("%s is no JSON", file)
		return
	}
	if path.Base(file) != "feed.json" {
		return
	}
	if err := json.Unmarshal(b, &feed); err != nil || len(feed.Items) == 0 {
		t.Errorf("%s: %v, %d items", file, err, len(feed.Items))
	}
	for _, item := range feed.Items {
		checkFragment(t, file, item.HTML)
	}
}

// checkDead holds that Markdown shows no element but ours where another program
// renders it that trusts it.
func checkDead(t *testing.T, file string, b []byte) {
	t.Helper()
	body := string(b)
	if rest, ok := strings.CutPrefix(body, "---\n"); ok {
		_, body, _ = strings.Cut(rest, "\n---\n")
	}
	var out bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
	if err := md.Convert([]byte(body), &out); err != nil {
		t.Fatal(err)
	}
	checkFragment(t, file, out.String())
}

// checkTable holds that a table is CSV of equal rows, and no cell a formula.
func checkTable(t *testing.T, file string, b []byte) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) < len(hostile()) {
		t.Errorf("%s: %d rows, %v", file, len(rows), err)
	}
	for _, cell := range slices.Concat(rows...) {
		if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
			t.Errorf("%s has the formula %q", file, cell)
		}
	}
}

// checkBibTeX holds that a citation is one entry of fields whose braces are in
// balance, and that no text of it is a command of TeX's.
func checkBibTeX(t *testing.T, file, src string) {
	t.Helper()
	depth := 0
	for i, r := range src {
		switch r {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 && strings.TrimSpace(src[i+1:]) != "" {
				t.Errorf("%s goes on after its entry: %q", file, src[i+1:])
			}
		case '@':
			if i > 0 && depth == 0 {
				t.Errorf("%s has another entry: %q", file, src)
			}
		}
		if depth < 0 {
			t.Errorf("%s closes what is not open: %q", file, src)
			return
		}
	}
	if depth != 0 || strings.Count(src, "\n") != 9 {
		t.Errorf("%s is not one entry: %q", file, src)
	}
	for _, command := range regexp.MustCompile(`\\[a-zA-Z]+`).FindAllString(src, -1) {
		if !slices.Contains([]string{`\textbackslash`, `\textbraceleft`, `\textbraceright`, `\textasciitilde`, `\textasciicircum`}, command) {
			t.Errorf("%s has the command %s", file, command)
		}
	}
}

// A seed that goes while the seeds are read is a problem with a remedy, and no
// half of a site.
func TestSeedVanishes(t *testing.T) {
	t.Parallel()
	m := smallSeeds(t)
	for _, name := range sortedKeys(m) {
		if m[name].Mode.IsDir() {
			continue
		}
		for _, vanish := range []string{"open", "read"} {
			c, problems := generator.Load(vanishing{m, name, vanish}, "seeds", 2, false)
			if c != nil || len(problems) == 0 {
				t.Errorf("%s goes at %s: nobody says so", name, vanish)
			}
			if !slices.ContainsFunc(problems, func(p problem.Problem) bool { return p.File == "seeds/"+name && p.Remedy != "" }) {
				t.Errorf("%s goes at %s: %v", name, vanish, problems)
			}
		}
	}
}

// vanishing is a file system one of whose files is listed and cannot be had.
type vanishing struct {
	fstest.MapFS
	name, at string
}

// Open opens a file, unless it went.
func (v vanishing) Open(name string) (fs.File, error) {
	if name == v.name && v.at == "open" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := v.MapFS.Open(name)
	if name == v.name && err == nil {
		return halfFile{f}, nil
	}
	return f, err
}

// Stat answers as long as the folder is listed.
func (v vanishing) Stat(name string) (fs.FileInfo, error) { return v.MapFS.Stat(name) }

// halfFile is a file that breaks off.
type halfFile struct{ fs.File }

// Read gives nothing.
func (halfFile) Read([]byte) (int, error) { return 0, fs.ErrClosed }
