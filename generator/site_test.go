package generator_test

import (
	"bytes"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/templates"
)

// site is a whole site in memory. A file is rendered, and a page parsed, when a
// test first asks for it; any number of tests may ask at once.
type site struct {
	base  string // where it is published
	files map[string]func() []byte
	pages map[string]func() *doc // the HTML files, by path
}

// bytes are a file's content; nil when there is no such file.
func (s *site) bytes(file string) []byte {
	if f := s.files[file]; f != nil {
		return f()
	}
	return nil
}

// page is a parsed page; nil when there is no such page.
func (s *site) page(file string) *doc {
	if f := s.pages[file]; f != nil {
		return f()
	}
	return nil
}

// load reads seeds that have no problem.
func load(t testing.TB, fsys fs.FS) *incident.Collection {
	t.Helper()
	c, problems := generator.Load(fsys, "seeds", 2, false)
	for _, p := range problems {
		t.Error(p)
	}
	if c == nil {
		t.Fatal("the seeds cannot be read")
	}
	return c
}

// realSeeds are the seeds of the repository.
func realSeeds() fs.FS { return os.DirFS("../seeds") }

// plan is the list of a site's files.
func plan(t testing.TB, c *incident.Collection, verbose bool) []output.File {
	t.Helper()
	opt := generator.Options{Templates: templates.Files(), Assets: assets.Files(), Verbose: verbose}
	opt.NoCards = len(c.Cases) > 200 // drawing so many takes long and shows nothing more
	design, err := generator.NewDesign(opt)
	if err != nil {
		t.Fatal(err)
	}
	files, err := generator.Files(c, design)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// newSiteOf plans a site of a collection. What cannot be rendered or parsed
// panics, as no test in particular is to blame.
func newSiteOf(t testing.TB, c *incident.Collection, verbose bool) *site {
	t.Helper()
	s := &site{base: c.Site.BaseURL, files: map[string]func() []byte{}, pages: map[string]func() *doc{}}
	for _, f := range plan(t, c, verbose) {
		if _, twice := s.files[f.Path]; twice {
			t.Errorf("%s is made twice", f.Path)
		}
		s.files[f.Path] = sync.OnceValue(func() []byte {
			var b bytes.Buffer
			if err := f.Render(&b); err != nil {
				panic(f.Path + ": " + err.Error())
			}
			return b.Bytes()
		})
		if path.Ext(f.Path) == ".html" {
			s.pages[f.Path] = sync.OnceValue(func() *doc { return parseDoc(f.Path, s.bytes(f.Path)) })
		}
	}
	return s
}

// at is a collection that is published elsewhere.
func at(c *incident.Collection, baseURL, apiURL string) *incident.Collection {
	moved := *c
	moved.Site.BaseURL, moved.Site.APIURL = baseURL, apiURL
	return &moved
}

// shared is what several tests read and none changes. It is made once.
func shared[T any](make func(t testing.TB) *T) func(t testing.TB) *T {
	var once sync.Once
	var v *T
	return func(t testing.TB) *T {
		t.Helper()
		once.Do(func() { v = make(t) })
		if v == nil {
			t.Fatal("what tests share could not be made; see the test that made it first")
		}
		return v
	}
}

// The repository's own seeds, and the site of them.
var (
	realCollection = shared(func(t testing.TB) *incident.Collection { return load(t, realSeeds()) })
	realSite       = shared(func(t testing.TB) *site { return newSiteOf(t, realCollection(t), false) })
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// target is a link resolved to a file of the site.
type target struct {
	file, fragment string
	inside         bool // leads into the site
	found          bool // there is such a file
}

// resolve follows a link from a page as a browser and a plain static host do.
func (s *site) resolve(t testing.TB, from, href string) target {
	t.Helper()
	base, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	page, err := url.Parse(s.base + "/" + strings.TrimSuffix(from, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	u, err := page.Parse(href)
	if err != nil {
		t.Errorf("%s: %q is no address: %v", from, href, err)
		return target{}
	}
	if u.Scheme != base.Scheme || u.Host != base.Host {
		return target{}
	}
	root := base.EscapedPath() + "/"
	rel, inside := strings.CutPrefix(u.EscapedPath(), root)
	if !inside {
		t.Errorf("%s: the link %q leaves the site's folder %s", from, href, root)
		return target{}
	}
	if file, err := url.PathUnescape(rel); err == nil {
		rel = file
	}
	if rel == "" || strings.HasSuffix(rel, "/") {
		rel += "index.html"
	}
	_, found := s.files[rel]
	return target{rel, u.Fragment, true, found}
}

// doc is a parsed page.
type doc struct {
	root  *html.Node
	ids   map[string]int // how often each id is there
	links []link
	text  string   // what a reader sees, white space collapsed
	pre   []string // the text of every pre, to the letter
}

// link is an attribute that holds an address.
type link struct{ tag, attr, href string }

func parseDoc(file string, src []byte) *doc {
	root, err := html.Parse(bytes.NewReader(src))
	if err != nil {
		panic(file + ": " + err.Error())
	}
	d := &doc{root: root, ids: map[string]int{}}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "pre" {
			d.pre = append(d.pre, rawText(n))
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				d.ids[a.Val]++
			case "href", "src", "action", "cite", "poster", "srcset", "data", "formaction":
				d.links = append(d.links, link{n.Data, a.Key, a.Val})
			}
		}
	}
	d.text = visible(find(root, "body"))
	return d
}

// find is the first element of a tag, of a class (".why") or with an id
// ("#related"); nil when there is none.
func find(n *html.Node, what string) *html.Node {
	if n == nil {
		return nil
	}
	for e := n.FirstChild; e != nil; e = e.NextSibling {
		if is(e, what) {
			return e
		}
		if found := find(e, what); found != nil {
			return found
		}
	}
	return nil
}

// findAll are all such elements.
func findAll(n *html.Node, what string) []*html.Node {
	var out []*html.Node
	if n == nil {
		return nil
	}
	for e := n.FirstChild; e != nil; e = e.NextSibling {
		if is(e, what) {
			out = append(out, e)
		}
		out = append(out, findAll(e, what)...)
	}
	return out
}

func is(e *html.Node, what string) bool {
	switch {
	case e.Type != html.ElementNode:
		return false
	case strings.HasPrefix(what, "#"):
		return attr(e, "id") == what[1:]
	case strings.HasPrefix(what, "."):
		return slices.Contains(strings.Fields(attr(e, "class")), what[1:])
	}
	return e.Data == what
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// rawText is the text of an element to the letter.
func rawText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// visible is what a reader sees of an element: a block stands apart from what
// is around it, and white space is collapsed.
func visible(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	writeVisible(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func writeVisible(b *strings.Builder, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
		return
	case n.Type == html.ElementNode && (n.Data == "script" || n.Data == "style"):
		return
	}
	block := n.Type == html.ElementNode && !isInline(n.Data)
	if block {
		b.WriteByte(' ')
	}
	for c := range n.ChildNodes() {
		writeVisible(b, c)
	}
	if block {
		b.WriteByte(' ')
	}
}

func isInline(tag string) bool {
	switch tag {
	case "a", "span", "strong", "em", "code", "del", "time", "wbr":
		return true
	}
	return false
}
