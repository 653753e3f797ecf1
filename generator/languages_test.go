package generator_test

import (
	"maps"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// head is what the head of a page says to search engines.
type head struct {
	lang       string
	canonical  string
	noIndex    bool
	alternates map[string]string // by hreflang
}

func headOf(d *doc) head {
	h := head{lang: attr(find(d.root, "html"), "lang"), alternates: map[string]string{}}
	for _, n := range findAll(find(d.root, "head"), "link") {
		switch attr(n, "rel") {
		case "canonical":
			h.canonical = attr(n, "href")
		case "alternate":
			if lang := attr(n, "hreflang"); lang != "" {
				h.alternates[lang] = attr(n, "href")
			}
		}
	}
	for _, n := range findAll(find(d.root, "head"), "meta") {
		if attr(n, "name") == "robots" {
			h.noIndex = strings.Contains(attr(n, "content"), "noindex")
		}
	}
	return h
}

// Every page is there in both languages, says which one it is in, and leads to
// the other; search engines are told of both, by each.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(testing.TB) *site{"real": realSite, "full": fullSite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := of(t)
			for _, file := range sortedKeys(s.pages) {
				s.checkTwin(t, file)
				s.checkAlternates(t, file)
			}
		})
	}
}

func (s *site) checkTwin(t *testing.T, file string) {
	t.Helper()
	lang, twin := "en", "ko/"+file
	if rest, ko := strings.CutPrefix(file, "ko/"); ko {
		lang, twin = "ko", rest
	}
	if got := headOf(s.page(file)).lang; got != lang {
		t.Errorf("%s: lang is %q", file, got)
	}
	if s.page(twin) == nil {
		t.Errorf("%s has no twin %s", file, twin)
	}
	want := strings.TrimSuffix(strings.TrimSuffix(twin, "index.html"), "404.html")
	switches := findAll(s.page(file).root, ".switch")
	if len(switches) != 1 {
		t.Errorf("%s has %d language switches", file, len(switches))
	}
	for _, n := range switches {
		href := attr(n, "href")
		if !strings.HasSuffix(s.base+"/"+want, href) || s.resolve(t, file, href).file != want+"index.html" {
			t.Errorf("%s: the switch leads to %q", file, href)
		}
		if attr(n, "lang") == lang || attr(n, "lang") != attr(n, "hreflang") {
			t.Errorf("%s: the switch is marked %q, %q", file, attr(n, "lang"), attr(n, "hreflang"))
		}
	}
}

// checkAlternates holds that what a page says of its languages is what each of
// the named pages says, itself among them.
func (s *site) checkAlternates(t *testing.T, file string) {
	t.Helper()
	h := headOf(s.page(file))
	own := s.base + "/" + strings.TrimSuffix(file, "index.html")
	switch {
	case h.noIndex:
		if h.canonical != "" || len(h.alternates) > 0 {
			t.Errorf("%s is not to be indexed and names %q, %v", file, h.canonical, h.alternates)
		}
		return
	case h.canonical != own:
		if len(h.alternates) > 0 {
			t.Errorf("%s is not its own canonical page (%q) and has alternates", file, h.canonical)
		}
		return
	}
	if h.alternates[h.lang] != own {
		t.Errorf("%s does not name itself: %v", file, h.alternates)
	}
	if h.alternates["x-default"] == "" {
		t.Errorf("%s has no x-default: %v", file, h.alternates)
	}
	for _, lang := range sortedKeys(h.alternates) {
		if lang != "en" && lang != "ko" && lang != "x-default" {
			t.Errorf("%s: hreflang %q", file, lang)
		}
		to := s.resolve(t, file, h.alternates[lang])
		if !to.found {
			t.Errorf("%s: hreflang %s leads nowhere: %q", file, lang, h.alternates[lang])
			continue
		}
		other := headOf(s.page(to.file))
		if !maps.Equal(other.alternates, h.alternates) {
			t.Errorf("%s names %v, its alternate %s names %v", file, h.alternates, to.file, other.alternates)
		}
		if lang != "x-default" && other.lang != lang {
			t.Errorf("%s: hreflang %s leads to a page in %s", file, lang, other.lang)
		}
	}
}

// A case can be set side by side with its twin where it is published in both
// languages, and nowhere else.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	with, without := 0, 0
	for _, file := range sortedKeys(s.pages) {
		if article := find(s.page(file).root, "article"); article == nil || !is(article, ".case") {
			continue
		}
		both := len(headOf(s.page(file)).alternates) > 2 // each language, and the default
		if both {
			with++
		} else {
			without++
		}
		if button := find(s.page(file).root, "#both"); (button != nil) != both {
			t.Errorf("%s: published in both languages: %t; the button is there: %t", file, both, button != nil)
		}
	}
	if with == 0 || without == 0 {
		t.Errorf("%d cases in both languages, %d in one: nothing is tested", with, without)
	}
}

// langOf is the language that an element's words are marked with.
func langOf(n *html.Node) string {
	for ; n != nil; n = n.Parent {
		if l := attr(n, "lang"); l != "" {
			return l
		}
	}
	return ""
}

// wordsIn are the text nodes below n that hold words.
func wordsIn(n *html.Node, words string) []*html.Node {
	var out []*html.Node
	for c := range n.Descendants() {
		if c.Type == html.TextNode && strings.Contains(c.Data, words) {
			out = append(out, c)
		}
	}
	return out
}

// A case without Korean title and summary has a Korean page all the same; its
// English texts are marked as English, and no search engine is led to it.
func TestFallback(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	file := "ko/cases/IL-0003/index.html"
	d := s.page(file)
	for _, words := range []string{"Only English title", "Only English summary"} {
		found := wordsIn(find(d.root, "main"), words)
		if len(found) == 0 {
			t.Errorf("%s does not show %q", file, words)
		}
		for _, n := range found {
			if langOf(n) != "en" {
				t.Errorf("%s: %q is marked as %q", file, words, langOf(n))
			}
		}
	}
	notes := findAll(find(d.root, "#summary"), ".only")
	if len(notes) != 1 || visible(notes[0]) != "영어만 있음" || langOf(notes[0]) != "ko" {
		t.Errorf("%s: the summary has no note that it is in English only", file)
	}
	english := headOf(s.page("cases/IL-0003/index.html"))
	if _, ko := english.alternates["ko"]; ko || english.alternates["en"] != english.alternates["x-default"] {
		t.Errorf("the English page names %v", english.alternates)
	}
	if h := headOf(d); h.canonical != english.canonical || len(h.alternates) > 0 {
		t.Errorf("%s: canonical %q, alternates %v", file, h.canonical, h.alternates)
	}
	for _, u := range s.sitemap(t).URLs {
		if strings.Contains(u.Loc, "/ko/cases/IL-0003/") {
			t.Errorf("the sitemap has %s", u.Loc)
		}
		for _, l := range u.Links {
			if strings.Contains(l.Href, "/ko/cases/IL-0003/") {
				t.Errorf("the sitemap has %s as an alternate", l.Href)
			}
		}
	}
}

// Wherever a text of the other language stands on a page, it is marked so:
// labels, titles in lists, scopes and prose.
func TestForeignTextsAreMarked(t *testing.T) {
	t.Parallel()
	s := fullSite(t)
	// Each of these stands in one language only; see fullSeeds.
	for words, lang := range map[string]string{
		"Only English": "en", "English scope": "en", "한국어로만": "ko",
	} {
		seen := 0
		for _, file := range sortedKeys(s.pages) {
			for _, n := range wordsIn(find(s.page(file).root, "body"), words) {
				seen++
				if langOf(n) != lang {
					t.Errorf("%s: %q is marked as %q", file, strings.TrimSpace(n.Data), langOf(n))
				}
			}
		}
		if seen < 2 {
			t.Errorf("%q stands in %d places", words, seen)
		}
	}
}

// The scope of IL-0371, which its seed has in English only, is English on the
// Korean page too.
func TestPlainStringIsEnglish(t *testing.T) {
	t.Parallel()
	d := realSite(t).page("ko/cases/IL-0371/index.html")
	found := wordsIn(d.root, "New connections to PITR-enabled Render Postgres databases")
	if len(found) != 1 || langOf(found[0]) != "en" {
		t.Errorf("found %d times", len(found))
	}
}
