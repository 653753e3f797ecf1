package generator_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// bases are the ways in which a site can stand on its host.
func bases() []string {
	return []string{"https://h.example", "https://h.example/incidentlib/app", "https://h.example/a%20b/%ED%95%9C"}
}

// Every link into the site leads to a file, and its fragment to an id there,
// wherever the site is published.
func TestCrawl(t *testing.T) {
	t.Parallel()
	c := load(t, smallSeeds(t))
	for _, base := range bases() {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			crawl(t, newSiteOf(t, at(c, base, ""), false))
		})
	}
	t.Run("published", func(t *testing.T) {
		t.Parallel()
		crawl(t, realSite(t))
	})
	t.Run("full", func(t *testing.T) {
		t.Parallel()
		crawl(t, fullSite(t))
	})
}

func crawl(t *testing.T, s *site) {
	t.Helper()
	for _, file := range sortedKeys(s.pages) {
		d := s.page(file)
		for _, id := range sortedKeys(d.ids) {
			if d.ids[id] > 1 {
				t.Errorf("%s: %d elements have the id %q", file, d.ids[id], id)
			}
		}
		for _, l := range d.links {
			s.follow(t, file, l)
		}
		checkNames(t, file, d)
		if part, nested := nestedLink(string(s.bytes(file))); nested {
			t.Errorf("%s: a link within a link: %q", file, part)
		}
	}
	s.followSitemap(t)
	s.followMirror(t)
}

// follow resolves a link of a page.
func (s *site) follow(t *testing.T, file string, l link) {
	t.Helper()
	if l.href == "" {
		t.Errorf("%s: a %s has an empty %s", file, l.tag, l.attr)
		return
	}
	to := s.resolve(t, file, l.href)
	switch {
	case !to.inside:
		if l.tag != "a" && l.attr != "href" {
			t.Errorf("%s: a %s loads %q from elsewhere", file, l.tag, l.href)
		}
	case !to.found:
		t.Errorf("%s: the %s %q of a %s leads nowhere", file, l.attr, l.href, l.tag)
	case to.fragment != "" && path.Ext(to.file) == ".svg":
		if !strings.Contains(string(s.bytes(to.file)), `id="`+to.fragment+`"`) {
			t.Errorf("%s: %q leads to no part of %s", file, l.href, to.file)
		}
	case to.fragment != "" && s.page(to.file) == nil:
		t.Errorf("%s: %q has a fragment and leads to no page", file, l.href)
	case to.fragment != "" && s.page(to.file).ids[to.fragment] == 0:
		t.Errorf("%s: %q leads to no id of %s", file, l.href, to.file)
	}
	if strings.Contains(l.href, "app/app") {
		t.Errorf("%s: %q has the base path twice", file, l.href)
	}
}

// checkNames holds that a page has a title and one h1, and that no link is
// without words.
func checkNames(t *testing.T, file string, d *doc) {
	t.Helper()
	if visible(find(d.root, "title")) == "" {
		t.Errorf("%s has no title", file)
	}
	if n := len(findAll(d.root, "h1")); n != 1 {
		t.Errorf("%s has %d h1", file, n)
	}
	worded := []string{"a", "h1", "h2", "h3", "dt", "dd", "th", "summary", "caption", "button"}
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && slices.Contains(worded, n.Data) && visible(n) == "" {
			t.Errorf("%s: a %s has no words: %v", file, n.Data, n.Attr)
		}
	}
}

// nestedLink finds an <a> within an <a>, which a parser would take apart.
func nestedLink(src string) (string, bool) {
	for {
		_, rest, ok := strings.Cut(src, "<a ")
		if !ok {
			return "", false
		}
		inner, after, _ := strings.Cut(rest, "</a>")
		if strings.Contains(inner, "<a ") {
			return inner, true
		}
		src = after
	}
}

// sitemap is a sitemap as search engines read it.
type sitemap struct {
	URLs []struct {
		Loc   string `xml:"loc"`
		Links []struct {
			Lang string `xml:"hreflang,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"url"`
}

func (s *site) sitemap(t testing.TB) sitemap {
	t.Helper()
	var m sitemap
	if err := xml.Unmarshal(s.bytes("sitemap.xml"), &m); err != nil {
		t.Fatalf("sitemap.xml: %v", err)
	}
	return m
}

// followSitemap holds that every address of the sitemap is a page that names
// itself as canonical and may be indexed, that every such page is there once,
// and that both name the same languages.
func (s *site) followSitemap(t *testing.T) {
	t.Helper()
	seen := map[string]bool{}
	for _, u := range s.sitemap(t).URLs {
		to := s.resolve(t, "", u.Loc)
		if !to.found || s.page(to.file) == nil {
			t.Errorf("sitemap.xml: %q leads to no page", u.Loc)
			continue
		}
		if seen[to.file] {
			t.Errorf("sitemap.xml: %q is there twice", u.Loc)
		}
		seen[to.file] = true
		h := headOf(s.page(to.file))
		if h.canonical != u.Loc || h.noIndex {
			t.Errorf("sitemap.xml: %q has the canonical address %q, noindex %t", u.Loc, h.canonical, h.noIndex)
		}
		inMap := map[string]string{}
		for _, l := range u.Links {
			inMap[l.Lang] = l.Href
		}
		if fmt.Sprint(inMap) != fmt.Sprint(h.alternates) {
			t.Errorf("sitemap.xml: %q has the alternates %v, its page %v", u.Loc, inMap, h.alternates)
		}
	}
	for _, file := range sortedKeys(s.pages) {
		h := headOf(s.page(file))
		own := h.canonical == s.base+"/"+strings.TrimSuffix(file, "index.html")
		if own && !h.noIndex && !strings.Contains(file, "/page/") && !seen[file] {
			t.Errorf("sitemap.xml: %s is missing", file)
		}
	}
	if !strings.Contains(string(s.bytes("robots.txt")), "Sitemap: "+s.base+"/sitemap.xml\n") {
		t.Errorf("robots.txt does not name the sitemap: %s", s.bytes("robots.txt"))
	}
}

// followMirror holds that every address in a document of the mirror that leads
// into the site leads to a file. A case document is the editor's own; its url
// is the page's address on any static host only with a "/" at its end.
func (s *site) followMirror(t *testing.T) {
	t.Helper()
	for _, file := range sortedKeys(s.files) {
		if path.Ext(file) != ".json" || !strings.HasPrefix(file, "api/v1/") || describes(file) {
			continue
		}
		var v any
		if err := json.Unmarshal(s.bytes(file), &v); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		doc, _ := v.(map[string]any)
		if _, isCase := doc["symptoms_text"]; isCase {
			continue
		}
		if links, ok := doc["links"].(map[string]any); ok && links["self"] != s.base+"/"+file {
			t.Errorf("%s: links.self is %v", file, links["self"])
		}
		eachAddress(v, func(key, href string) {
			if strings.Contains(href, "{") || key == "links.mcp" {
				return // to be filled in, or a server
			}
			to := s.resolve(t, file, href)
			if !to.found {
				t.Errorf("%s: %s %q leads nowhere", file, key, href)
			}
			if to.inside && key == "api_url" && path.Ext(to.file) != ".json" {
				t.Errorf("%s: %s %q is no document", file, key, href)
			}
		})
	}
}

// describes reports whether a file tells of documents and is none of them.
func describes(file string) bool {
	return strings.HasPrefix(file, "api/v1/schema/") || file == "api/v1/openapi.json"
}

// eachAddress calls f with each url, api_url and link of a document.
func eachAddress(v any, f func(key, href string)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			eachAddress(e, f)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			href, isString := v[key].(string)
			switch {
			case isString && (key == "url" || key == "api_url"):
				f(key, href)
			case key == "links":
				links, _ := v[key].(map[string]any)
				for _, name := range sortedKeys(links) {
					if href, ok := links[name].(string); ok {
						f("links."+name, href)
					}
				}
			default:
				eachAddress(v[key], f)
			}
		}
	}
}

// The url that a seed gives leads to the case's page on a host that knows no
// more than files: it is the page's address but for the last "/".
func TestCaseURL(t *testing.T) {
	t.Parallel()
	c := realCollection(t)
	site, err := address.NewSite(c.Site.BaseURL, "", "", c.Site.Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Cases {
		if want := site.URL(incident.EN, address.Case(e.ID)); e.URL+"/" != want {
			t.Errorf("%s: url is %q, its page %q", e.ID, e.URL, want)
		}
	}
}

// With a host of its own for the API, the lines for tools of each case name it,
// and nothing else does: all that a page links to be read stands within the
// site.
func TestAPIHost(t *testing.T) {
	t.Parallel()
	const host = "https://incidentlib-api.benchlet.com"
	s := realSite(t)
	cases := 0
	for _, file := range sortedKeys(s.pages) {
		var got, want []string
		for _, l := range s.page(file).links {
			if strings.HasPrefix(l.href, host) {
				got = append(got, l.href)
			}
		}
		if _, rest, _ := strings.Cut(file, "cases/"); strings.HasPrefix(rest, "IL-") {
			id := strings.TrimSuffix(rest, "/index.html")
			want = []string{host + "/cases/" + id, host + "/cases/" + id + "/similar"}
			cases++
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s links %q, want %q", file, got, want)
		}
	}
	if want := 2 * len(realCollection(t).Cases); cases < want {
		t.Errorf("%d pages of cases, want %d", cases, want)
	}
}
