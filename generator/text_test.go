package generator_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/html"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
)

// hostile are texts that would do harm, or get lost, where a text is taken for
// something else. Each is set into every text field; MARK tells the fields apart.
func hostile() []string {
	return []string{
		`<script>alert("MARK")</script><img src=x onerror=alert(1)> <b style="color:red" onclick=x>bold</b>`,
		`[MARK](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](vbscript:x) ![d](data:text/html,x) <javascript:alert(1)>`,
		`</script><script>alert('MARK')</script> </title></textarea></style>`,
		`<!-- MARK --> <![CDATA[ x ]]> <?php echo 1 ?> --> ]]>`,
		`{{ .Secret }} {{template "MARK"}} {% raw %} ${x} <% y %> {{"{{"}}`,
		"`MARK` ``a ` b`` | pipe | and \\| more ~~gone~~ *em* **strong**",
		`"MARK" 'single' &amp; &lt;i&gt; &#x22; \" \' onload="x" autofocus`,
		`MARK [out](//evil.example/x) [home](/cases/) [odd](/\evil) [mail](mailto:a@b.example)`,
		`[MARK](&#106;avascript:a) [b](java&Tab;script:b) [c](javascript&colon;c) [d](<javascript:d>) [e](javascript&#58;e)`,
		`[MARK](feed:javascript:a) [b](view-source:b) [c](blob:c) [d](file:///etc/passwd) <JAVASCRIPT:e> <data:f> ![g](javascript:g "h")`,
		`=HYPERLINK("https://evil.example","MARK") \input{MARK} $x^2$ % }} @misc{MARK, --- ...`,
		`https://x.example/"onclick=alert(1) <a href=x>MARK</a> <svg onload=alert(1)> <iframe srcdoc="x">`,
		`# MARK is no heading`,
		`1. MARK`,
		`MARK 한글(Hangul)을 **굵게(bold)**는 〈괄호〉 “따옴표” emoji 🧯 Ünïcödé`,
	}
}

// hostileSeeds set each hostile text into every text field of a case, of a
// term, of its prose and of a withdrawn id, in both languages.
func hostileSeeds(t testing.TB) fstest.MapFS {
	t.Helper()
	terms := map[incident.AxisID][]object{}
	var cases, withdrawn []object
	prose := map[string]string{}
	for i, h := range hostile() {
		text := func(field string) object {
			return both(strings.ReplaceAll(h, "MARK", field+"En"), strings.ReplaceAll(h, "MARK", field+"Ko"))
		}
		line := func(field string) string { return strings.ReplaceAll(h, "MARK", field) }
		slug := fmt.Sprintf("term-%d", i)
		for _, a := range incident.AxisIDs() {
			term := newTerm(slug, text("label"), text("meaning"))
			term["aliases"] = object{"en": []string{line("alias")}, "ko": []string{line("alias")}}
			terms[a] = append(terms[a], term)
		}
		cases = append(cases, newCase(fmt.Sprintf("IL-%04d", i+1), "2024-01-02", object{
			"title": text("title"), "summary": text("summary"), "symptoms_text": text("symptoms"), "trigger": text("trigger"), "lessons": text("lessons"),
			"org": line("org"), "org_slug": fmt.Sprintf("org-%d", i), "date_kind": slug, "severity": slug, "detection": slug, "root_cause": slug,
			"domain": []string{slug}, "symptoms": []string{slug}, "components": []string{slug}, "contributing": []string{slug},
			"impact":      object{"scope": line("scope"), "users": text("users"), "region": text("region")},
			"remediation": []object{{"text": text("step")}}, "action_items": []object{{"text": text("action")}},
			"sources": []object{{"url": "https://x.example/?a=%3Cscript%3E&b='", "kind": slug, "license": line("license"), "archived": nil}},
			"docs":    []object{{"url": "https://x.example/", "title": text("doc")}},
			"review":  object{"written_by": line("writer"), "reviewed_at": "2026-01-01", "reviewed_by": line("reviewer")},
		}))
		withdrawn = append(withdrawn, object{"id": fmt.Sprintf("IL-9%03d", i), "since": "2025", "reason": text("reason"), "replaced_by": nil})
		prose["topics/components/"+slug+".en.md"] = line("proseEn") + "\n\n## " + line("headingEn") + " {#check}\n\n" + line("checkEn") + "\n"
		prose["topics/components/"+slug+".ko.md"] = line("proseKo") + "\n\n## " + line("headingKo") + " {#check}\n\n" + line("checkKo") + "\n"
		prose[fmt.Sprintf("articles/attack-%d.en.md", i)] = hostileArticle(func(field string) string { return line(field + "En") })
		prose[fmt.Sprintf("articles/attack-%d.ko.md", i)] = hostileArticle(func(field string) string { return line(field + "Ko") })
	}
	site := newSite()
	for _, field := range []string{"title", "tagline", "description"} {
		site[field] = both(strings.ReplaceAll(hostile()[0], "MARK", field), strings.ReplaceAll(hostile()[2], "MARK", field))
	}
	site["license"] = strings.ReplaceAll(hostile()[0], "MARK", "siteLicense")
	vocab := newVocab(terms)
	for i, axis := range vocab["axes"].([]object) {
		h := hostile()[i%len(hostile())]
		axis["label"] = both(strings.ReplaceAll(h, "MARK", "axisEn"), strings.ReplaceAll(h, "MARK", "axisKo"))
	}
	m := newSeeds(t, site, vocab, cases...)
	put(t, m, "withdrawn.json", object{"withdrawn": withdrawn})
	for name, text := range prose {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// hostileArticle is an article whose every part is a hostile text. Ids of parts are
// not among them: the reader refuses all but the plainest.
func hostileArticle(line func(field string) string) string {
	return "---\ntitle: " + line("articleTitle") + "\nsummary: " + line("articleSummary") + "\npublished: 2025-03-04\n---\n\n" +
		line("articleBody") + "\n\n## " + line("articleHeading") + " {#part}\n\n" + line("articlePart") + "\n"
}

// What an editor writes is what a reader sees: every letter and digit of every
// text stands on the page, and none becomes an element of its own making.
func TestTextInTextOut(t *testing.T) {
	t.Parallel()
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		allShown(t, realSite(t), realCollection(t))
	})
	t.Run("hostile", func(t *testing.T) {
		t.Parallel()
		c := load(t, hostileSeeds(t))
		s := newSiteOf(t, c, false)
		allShown(t, s, c)
		crawl(t, s)
	})
	t.Run("full", func(t *testing.T) {
		t.Parallel()
		allShown(t, fullSite(t), load(t, fullSeeds(t)))
	})
}

func allShown(t *testing.T, s *site, c *incident.Collection) {
	t.Helper()
	ids := regexp.MustCompile(`\{#[a-z-]+\}`)
	figures := regexp.MustCompile("(?m)^```figure\n.*\n```$") // a picture stands in its place
	for _, l := range incident.Langs() {
		prefix := ""
		if l == incident.KO {
			prefix = "ko/"
		}
		for i := range c.Cases {
			file := prefix + "cases/" + c.Cases[i].ID + "/index.html"
			shows(t, s, file, textsOf(c.Cases[i], l), html.UnescapeString)
			shows(t, s, file, linesOf(c.Cases[i]), strings.Clone)
		}
		for _, a := range c.Articles {
			texts := append([]string{best(a.Title, l), best(a.Summary, l)}, figures.Split(ids.ReplaceAllString(best(a.Body, l), ""), -1)...)
			shows(t, s, prefix+"articles/"+a.Slug+"/index.html", texts, html.UnescapeString)
		}
		for _, w := range c.Withdrawn {
			shows(t, s, prefix+"cases/"+w.ID+"/index.html", []string{best(w.Reason, l)}, html.UnescapeString)
		}
		for _, text := range c.Topics {
			if text.Lang == l {
				axis := strings.ReplaceAll(string(text.Term.Axis), "_", "-")
				shows(t, s, prefix+"topics/"+axis+"/"+text.Term.Slug+"/index.html", []string{ids.ReplaceAllString(text.Text, "")}, html.UnescapeString)
			}
		}
	}
	allow := allowed()
	for _, file := range sortedKeys(s.pages) {
		checkElements(t, file, s.page(file), allow)
		checkLinkedData(t, s, file, c)
	}
}

func best(t incident.Text, l incident.Lang) string {
	text, _ := t.Best(l)
	return text
}

// linesOf are the plain strings that a case's page shows.
func linesOf(c *incident.Case) []string {
	out := []string{c.Org, c.Review.WrittenBy, c.Review.ReviewedBy}
	for _, s := range c.Sources {
		out = append(out, s.URL)
		if s.License != "unknown" {
			out = append(out, s.License)
		}
	}
	return out
}

// textsOf are the texts in Markdown that a case's page shows.
func textsOf(c *incident.Case, l incident.Lang) []string {
	var out []string
	for _, t := range []incident.Text{c.Title, c.Summary, c.SymptomsText, c.Trigger, c.Lessons, c.Impact.Scope, c.Impact.Users, c.Impact.Region} {
		out = append(out, best(t, l))
	}
	for _, t := range slices.Concat(c.Remediation, c.ActionItems) {
		out = append(out, best(t, l))
	}
	for _, d := range c.Docs {
		out = append(out, best(d.Title, l))
	}
	return out
}

// shows holds that the letters and digits of each text, as read makes them of
// their source, stand on a page in their order. A link that is refused stands
// there to the letter.
func shows(t *testing.T, s *site, file string, texts []string, read func(string) string) {
	t.Helper()
	if s.page(file) == nil {
		t.Errorf("%s is missing", file)
		return
	}
	var b strings.Builder
	s.writeLetters(&b, find(s.page(file).root, "main"))
	page := letters(b.String())
	for _, text := range texts {
		if !strings.Contains(page, letters(read(text))) && !strings.Contains(page, letters(text)) {
			t.Errorf("%s does not show %q", file, text)
		}
	}
}

// writeLetters writes all that a page says of its texts: the words, the numbers
// that HTML draws, and after the words of a link where it leads and its title,
// as Markdown has them.
func (s *site) writeLetters(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	if n.Data == "li" && n.Parent.Data == "ol" && attr(n.Parent, "class") == "" {
		b.WriteString(drawn(n))
	}
	for c := range n.ChildNodes() {
		s.writeLetters(b, c)
	}
	if href := attr(n, "href"); n.Data == "a" && href != rawText(n) {
		if base, err := url.Parse(s.base); err == nil {
			href = strings.TrimPrefix(href, base.EscapedPath())
		}
		if plain, err := url.PathUnescape(strings.TrimPrefix(href, "/ko/")); err == nil {
			href = plain
		}
		b.WriteString(href + " " + attr(n, "title"))
	}
}

// drawn is the number that a browser draws before an item of a list.
func drawn(li *html.Node) string {
	n := 1
	if start, err := strconv.Atoi(attr(li.Parent, "start")); err == nil {
		n = start
	}
	for e := range li.Parent.ChildNodes() {
		if e.Data != "li" {
			continue
		}
		if value, err := strconv.Atoi(attr(e, "value")); err == nil {
			n = value
		}
		if e == li {
			break
		}
		n++
	}
	return strconv.Itoa(n)
}

// letters are the letters and digits of a text.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// allowed are the elements of our templates and texts with the attributes that
// each may have besides id, class and lang.
func allowed() map[string][]string {
	return map[string][]string{
		"html": {}, "head": {}, "body": {}, "title": {}, "meta": {"charset", "name", "content", "property", "media"},
		"link": {"rel", "href", "hreflang", "type", "title"}, "script": {"type", "src", "async"},
		"a": {"href", "rel", "type", "title", "hreflang", "aria-current", "data-ids"}, "use": {"href"}, "select": {}, "option": {"value", "selected"}, "header": {}, "nav": {"aria-label"}, "main": {"data-copy", "data-copied"}, "footer": {},
		"section": {"aria-label"}, "article": {}, "details": {"hidden"}, "summary": {}, "div": {"tabindex", "role", "data-kind", "data-index", "data-words", "data-search", "data-cases", "data-docs", "data-topics", "data-failed"}, "span": {"aria-current"}, "time": {"datetime"},
		"h1": {}, "h2": {}, "h3": {}, "h4": {}, "h5": {}, "h6": {}, "p": {"role", "data-ids", "data-cases", "hidden"}, "ul": {}, "ol": {"start"}, "li": {"value", "aria-current"},
		"dl": {}, "dt": {}, "dd": {"data-never", "data-at-once"}, "table": {}, "caption": {}, "thead": {}, "tbody": {}, "tr": {}, "th": {"scope"}, "td": {},
		"pre": {"tabindex"}, "code": {}, "em": {}, "strong": {}, "del": {}, "br": {}, "hr": {}, "blockquote": {}, "figure": {}, "figcaption": {},
		"svg": {"viewbox", "viewBox", "role", "aria-labelledby", "aria-hidden", "width", "height"}, "desc": {}, "g": {"paint-order"}, "rect": {"x", "y", "width", "height", "rx"}, "path": {"d"}, "text": {"x", "y"},
		"search": {}, "noscript": {}, "kbd": {},
		"form": {"action", "method", "data-capacity", "data-seed", "data-seconds", "data-units", "hidden", "autocomplete"}, "label": {"for"}, "output": {"for"},
		"input":    {"type", "min", "max", "step", "value", "name", "checked", "enterkeyhint", "autocomplete", "autocapitalize", "spellcheck", "aria-describedby"},
		"fieldset": {}, "legend": {}, "button": {"type", "hidden", "data-off", "data-failed"}, "wbr": {},
	}
}

// checkElements holds that a page is made of our own elements alone.
func checkElements(t *testing.T, file string, d *doc, allow map[string][]string) {
	t.Helper()
	everywhere := []string{"id", "class", "lang"}
	for n := range d.root.Descendants() {
		switch n.Type {
		case html.CommentNode:
			t.Errorf("%s has a comment: %q", file, n.Data)
		case html.ElementNode:
			attrs, ours := allow[n.Data]
			if !ours {
				t.Errorf("%s has a %s", file, n.Data)
			}
			for _, a := range n.Attr {
				if ours && !slices.Contains(attrs, a.Key) && !slices.Contains(everywhere, a.Key) {
					t.Errorf("%s: a %s has %s=%q", file, n.Data, a.Key, a.Val)
				}
			}
			if n.Data == "script" && attr(n, "type") != "application/ld+json" && (attr(n, "src") == "" || n.FirstChild != nil) {
				t.Errorf("%s has a script of type %q", file, attr(n, "type"))
			}
		}
	}
	for _, l := range d.links {
		scheme, _, _ := strings.Cut(l.href, ":")
		if strings.Contains(l.href, ":") && !slices.Contains([]string{"http", "https", "mailto"}, scheme) {
			t.Errorf("%s: a %s leads to %q", file, l.tag, l.href)
		}
	}
	src := d.text + visible(find(d.root, "title"))
	for _, hole := range []string{"<no value>", "ZgotmplZ", "%!"} {
		if strings.Contains(src, hole) {
			t.Errorf("%s says %q", file, hole)
		}
	}
}

// checkLinkedData holds that the data for search engines is JSON and names a
// case as its title does.
func checkLinkedData(t *testing.T, s *site, file string, c *incident.Collection) {
	t.Helper()
	headline := ""
	for _, n := range findAll(s.page(file).root, "script") {
		if attr(n, "src") != "" {
			continue
		}
		var v struct {
			Context  string `json:"@context"`
			Type     string `json:"@type"`
			Headline string `json:"headline"`
		}
		if err := json.Unmarshal([]byte(rawText(n)), &v); err != nil || !jsontext.Value(rawText(n)).IsValid() {
			t.Errorf("%s: JSON-LD %q: %v", file, rawText(n), err)
		}
		if v.Context != "https://schema.org" || v.Type == "" {
			t.Errorf("%s: JSON-LD of %q, %q", file, v.Context, v.Type)
		}
		headline += v.Headline
	}
	rest, isKO := strings.CutPrefix(file, "ko/")
	id := strings.TrimSuffix(strings.TrimPrefix(rest, "cases/"), "/index.html")
	i := slices.IndexFunc(c.Cases, func(e *incident.Case) bool { return e.ID == id })
	if i < 0 {
		return
	}
	lang := incident.EN
	if isKO {
		lang = incident.KO
	}
	want := id + ": " + markup.New(markup.Options{}).PlainLine(best(c.Cases[i].Title, lang))
	cut, long := strings.CutSuffix(headline, "…")
	if headline != want && (!long || !strings.HasPrefix(want, cut) || len(want) < 80) {
		t.Errorf("%s: the headline is %q, the title %q", file, headline, want)
	}
}
