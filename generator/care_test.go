package generator_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"benchlet.com/incidentlib/generator/incident"
)

// atom is an Atom feed as a reader of feeds sees it.
type atom struct {
	Lang    string     `xml:"lang,attr"`
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Links   []atomLink `xml:"link"`
	Entries []struct {
		ID      string     `xml:"id"`
		Title   string     `xml:"title"`
		Updated string     `xml:"updated"`
		Links   []atomLink `xml:"link"`
		Content struct {
			Type string `xml:"type,attr"`
			HTML string `xml:",chardata"`
		} `xml:"content"`
	} `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Lang string `xml:"hreflang,attr"`
	Href string `xml:"href,attr"`
}

// jsonFeed is a JSON Feed as a reader of feeds sees it.
type jsonFeed struct {
	Title    string `json:"title"`
	Language string `json:"language"`
	FeedURL  string `json:"feed_url"`
	HomePage string `json:"home_page_url"`
	Items    []struct {
		ID       string `json:"id"`
		URL      string `json:"url"`
		Title    string `json:"title"`
		HTML     string `json:"content_html"`
		Modified string `json:"date_modified"`
	} `json:"items"`
}

// Both feeds of a channel say the same, lead to pages that exist and to each
// other, and hold only our own elements; each of the cases of its page is there
// until there are fifty.
func TestFeeds(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(testing.TB) *site{"real": realSite, "full": fullSite, "many": manySite,
		"hostile": func(t testing.TB) *site { return newSiteOf(t, load(t, hostileSeeds(t)), false) }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := of(t)
			feeds := 0
			for _, file := range sortedKeys(s.files) {
				if path.Base(file) == "feed.xml" {
					s.checkFeed(t, file)
					feeds++
				}
			}
			if feeds < 10 {
				t.Errorf("%d feeds", feeds)
			}
		})
	}
}

func (s *site) checkFeed(t *testing.T, file string) {
	t.Helper()
	var a atom
	if err := xml.Unmarshal(s.bytes(file), &a); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	twin := strings.TrimSuffix(file, "xml") + "json"
	var j jsonFeed
	if err := json.Unmarshal(s.bytes(twin), &j); err != nil {
		t.Fatalf("%s: %v", twin, err)
	}
	page := strings.TrimSuffix(file, "feed.xml")
	lang := "en"
	if strings.HasPrefix(file, "ko/") {
		lang = "ko"
	}
	if a.Lang != lang || j.Language != lang || a.Title != j.Title || a.ID != s.base+"/"+file || j.FeedURL != s.base+"/"+twin || j.HomePage != s.base+"/"+page {
		t.Errorf("%s: %q, %q, %q in %q; %q, %q, %q in %q", file, a.ID, a.Title, a.Updated, a.Lang, j.FeedURL, j.Title, j.HomePage, j.Language)
	}
	s.checkFeedLinks(t, file, a.Links)
	if len(a.Entries) == 0 || len(a.Entries) > 50 || len(a.Entries) != len(j.Items) || a.Updated != a.Entries[0].Updated {
		t.Fatalf("%s has %d entries, %s %d", file, len(a.Entries), twin, len(j.Items))
	}
	allow := allowed()
	for i, e := range a.Entries {
		item := j.Items[i]
		if e.ID != item.ID || e.Title != item.Title || e.Updated != item.Modified || e.Content.HTML != item.HTML || e.Content.Type != "html" {
			t.Errorf("%s: entry %d is %v, in %s %v", file, i, e, twin, item)
		}
		if i > 0 && a.Entries[i-1].Updated < e.Updated && strings.HasSuffix(e.Updated, "Z") && strings.HasSuffix(a.Entries[i-1].Updated, "Z") {
			t.Errorf("%s: entry %d is newer than the one before", file, i)
		}
		s.checkFeedLinks(t, file, e.Links)
		if to := s.resolve(t, "index.html", e.ID); s.page(to.file) == nil {
			t.Errorf("%s: %q is no page", file, e.ID)
		}
		checkElements(t, file, parseDoc(file, []byte("<!doctype html><title>x</title><body>"+e.Content.HTML)), allow)
	}
	linked := findAll(find(s.page(page+"index.html").root, "head"), "link")
	for _, f := range []string{file, twin} {
		if !slices.ContainsFunc(linked, func(n *html.Node) bool {
			return attr(n, "rel") == "alternate" && strings.HasSuffix(s.base+"/"+f, attr(n, "href"))
		}) {
			t.Errorf("%sindex.html does not name its feed %s", page, f)
		}
	}
}

// checkFeedLinks holds that links lead to files and that no two are the same
// alternate, which RFC 4287 forbids.
func (s *site) checkFeedLinks(t *testing.T, file string, links []atomLink) {
	t.Helper()
	seen := map[string]bool{}
	for _, l := range links {
		if !s.resolve(t, "index.html", l.Href).found {
			t.Errorf("%s: the link %q leads nowhere", file, l.Href)
		}
		if key := l.Rel + " " + l.Type + " " + l.Lang; seen[key] {
			t.Errorf("%s has two links %s", file, key)
		} else {
			seen[key] = true
		}
	}
}

// An old incident that is written up today comes first in every feed that it is
// in.
func TestOldIncidentIsNews(t *testing.T) {
	t.Parallel()
	m := smallSeeds(t)
	put(t, m, "cases/IL-0777.json", newCase("IL-0777", "1999-01-02", object{"updated_at": "2031-05-06T07:08:09Z"}))
	s := newSiteOf(t, load(t, m), false)
	for _, file := range []string{"feed.xml", "ko/feed.xml", "orgs/acme/feed.xml"} {
		var a atom
		if err := xml.Unmarshal(s.bytes(file), &a); err != nil {
			t.Fatal(err)
		}
		if len(a.Entries) < 2 || !strings.HasSuffix(a.Entries[0].ID, "/cases/IL-0777/") || a.Updated != "2031-05-06T07:08:09Z" {
			t.Errorf("%s begins with %v", file, a.Entries)
		}
	}
}

// A case as Markdown says all that the case's page says, and shows elsewhere as
// the text that it is: no markup but ours, every letter in its order.
func TestCaseMarkdown(t *testing.T) {
	t.Parallel()
	for name, seeds := range map[string]*incident.Collection{"real": realCollection(t), "full": load(t, fullSeeds(t)), "hostile": load(t, hostileSeeds(t))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSiteOf(t, seeds, false)
			for _, l := range incident.Langs() {
				prefix := ""
				if l == incident.KO {
					prefix = "ko/"
				}
				for _, c := range seeds.Cases {
					s.checkMarkdown(t, prefix+"cases/"+c.ID+".md", c, l)
				}
			}
		})
	}
}

func (s *site) checkMarkdown(t *testing.T, file string, c *incident.Case, l incident.Lang) {
	t.Helper()
	src := string(s.bytes(file))
	front, body, ok := strings.Cut(strings.TrimPrefix(src, "---\n"), "\n---\n")
	if !ok || strings.Contains(front, "---\n") {
		t.Fatalf("%s has no front matter", file)
	}
	for line := range strings.SplitSeq(front, "\n") {
		if _, value, ok := strings.Cut(line, ": "); !ok || !json.Valid([]byte(value)) {
			t.Errorf("%s: the front matter has %q", file, line)
		}
	}
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
	if err := md.Convert([]byte(body), &b); err != nil {
		t.Fatal(err)
	}
	ours := []string{"h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "ul", "ol", "li", "em", "strong", "del", "code", "pre", "blockquote", "br", "hr", "table", "thead", "tbody", "tr", "th", "td", "html", "head", "body"}
	root, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode || n.Type == html.ElementNode && !slices.Contains(ours, n.Data) {
			t.Errorf("%s comes alive: <%s>", file, n.Data)
		}
		if href := attr(n, "href"); href != "" && !regexp.MustCompile(`^(https?|mailto):`).MatchString(href) {
			t.Errorf("%s links %q", file, href)
		}
	}
	shown := &strings.Builder{}
	writeShown(shown, root)
	page := letters(shown.String())
	for _, line := range []string{c.Org, c.Review.WrittenBy} {
		if !strings.Contains(page, letters(line)) {
			t.Errorf("%s does not show %q", file, line)
		}
	}
	for _, text := range textsOf(c, l) {
		if want := letters(html.UnescapeString(text)); !strings.Contains(text, "](") && !strings.Contains(text, "```") && !strings.Contains(page, want) && !numbered(text) {
			t.Errorf("%s does not show %q", file, text)
		}
	}
	for _, source := range c.Sources {
		if !strings.Contains(src, "<"+source.URL+">") {
			t.Errorf("%s does not name %s", file, source.URL)
		}
	}
}

// numbered reports whether a text has a list whose numbers a browser draws, or a
// link or a label: what [TestTextInTextOut] and the markup package look into.
func numbered(text string) bool {
	return regexp.MustCompile(`(?m)^\s*\d+[.)] `).MatchString(text) || strings.ContainsFunc(text, unicode.IsControl)
}

func writeShown(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	for c := range n.ChildNodes() {
		writeShown(b, c)
	}
}

// Every page that may be shared names a card that is there, in its language and
// size, and says what is on it.
func TestCards(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	for _, file := range sortedKeys(s.pages) {
		meta := map[string]string{}
		for _, n := range findAll(find(s.page(file).root, "head"), "meta") {
			meta[attr(n, "property")+attr(n, "name")] = attr(n, "content")
		}
		if meta["robots"] == "noindex" {
			continue
		}
		to := s.resolve(t, file, meta["og:image"])
		if !to.found || meta["og:image:alt"] == "" || meta["twitter:card"] != "summary_large_image" || strings.HasPrefix(to.file, "ko/") != strings.HasPrefix(file, "ko/") {
			t.Errorf("%s: the card %q, %q", file, meta["og:image"], meta["og:image:alt"])
			continue
		}
		size, err := png.DecodeConfig(bytes.NewReader(s.bytes(to.file)))
		if err != nil || size.Width != 1200 || size.Height != 630 || meta["og:image:width"] != "1200" || meta["og:image:height"] != "630" {
			t.Errorf("%s: the card %s is %d by %d: %v", file, to.file, size.Width, size.Height, err)
		}
		if id := regexp.MustCompile(`IL-\d+`).FindString(file); id != "" && (path.Base(to.file) != id+".png" || !strings.HasPrefix(meta["og:image:alt"], id+": ")) {
			t.Errorf("%s has the card %s: %s", file, to.file, meta["og:image:alt"])
		}
	}
}

// Cases lead to the one before and the one after by date, and back.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	older := map[string]string{}
	newest := 0
	for _, file := range sortedKeys(s.pages) {
		nav := find(s.page(file).root, ".neighbours")
		if nav == nil || strings.HasPrefix(file, "ko/") {
			continue
		}
		to := func(class string) string {
			if a := find(find(nav, class), "a"); a != nil {
				return s.resolve(t, file, attr(a, "href")).file
			}
			return ""
		}
		older[file] = to(".older")
		if to(".newer") == "" {
			newest++
		}
		if before := to(".newer"); before != "" {
			nav := find(s.page(before).root, ".neighbours")
			if a := find(find(nav, ".older"), "a"); a == nil || s.resolve(t, before, attr(a, "href")).file != file {
				t.Errorf("%s comes after %s, which does not lead to it", file, before)
			}
		}
	}
	if newest != 1 || len(older) < 5 {
		t.Errorf("%d of %d cases have none before them", newest, len(older))
	}
}
