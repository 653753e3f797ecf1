package preview

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/problem"
)

// site is one state of the library: the files that a build would write. They are
// planned and rendered when they are first asked for; what it answers is never
// changed.
type site struct {
	prefix string // the base path, "" or "/incidentlib/app", decoded as that of a request
	plan   *generator.Plan
	design *generator.Design
	rest   func() map[string]output.File // by path: the files that are not one case's
	search func() map[string]output.File // by path: the search index
	made   sync.Map                      // by path, of *rendered
	faults faults
	open   func(name string) ([]byte, error) // a source, by the name that problems give it
}

// rendered is a file with its bytes, once somebody asked.
type rendered struct {
	file output.File
	once sync.Once
	body []byte
	sum  string // of body
	err  error
}

func newSite(p *generator.Plan, d *generator.Design, open func(name string) ([]byte, error)) *site {
	s := &site{prefix: p.Site().Prefix(), plan: p, design: d, open: open}
	s.prefix = unescaped(s.prefix)
	s.faults.seen = map[problem.Problem]bool{}
	s.rest, s.search = byPath(p.Rest), byPath(p.Search)
	return s
}

// byPath are files by their paths, asked for once.
func byPath(files func() []output.File) func() map[string]output.File {
	return sync.OnceValue(func() map[string]output.File {
		out := map[string]output.File{}
		for _, f := range files() {
			out[f.Path] = f
		}
		return out
	})
}

// file is the file of a path; nil when there is none.
func (s *site) file(name string) *rendered {
	if r, ok := s.made.Load(name); ok {
		made, _ := r.(*rendered)
		return made
	}
	f, ok := s.planned(name)
	if !ok {
		return nil
	}
	r, _ := s.made.LoadOrStore(name, &rendered{file: f})
	made, _ := r.(*rendered)
	return made
}

// planned finds a file by its path: those of a case have the case's id in it,
// those of the search index lie in its folder.
func (s *site) planned(name string) (output.File, bool) {
	for part := range strings.SplitSeq(name, "/") {
		if id := strings.TrimSuffix(part, path.Ext(part)); incident.ValidID(id) {
			for _, f := range s.plan.Case(id) {
				if f.Path == name {
					return f, true
				}
			}
		}
	}
	if f, ok := s.rest()[name]; ok || !address.IsSearchFile(name) {
		return f, ok
	}
	f, ok := s.search()[name] // which no page waits for
	return f, ok
}

func (r *rendered) bytes() ([]byte, error) {
	r.once.Do(func() {
		var b bytes.Buffer
		if r.err = r.file.Render(&b); r.err != nil {
			return
		}
		sum := sha256.Sum256(b.Bytes())
		r.body, r.sum = b.Bytes(), hex.EncodeToString(sum[:8])
	})
	return r.body, r.err
}

// answer is what an address of the site leads to: a file, or another address.
type answer struct {
	file     *rendered
	redirect string
	api      bool // the address is the API's: a missing one is answered in JSON
}

// find resolves the path of a request as a static host would that is configured
// as the published one: by the rules of the host, folders by their index.
func (s *site) find(urlPath string) answer {
	if !clean(urlPath) {
		return answer{}
	}
	rules, seen := s.plan.Rules(), escaped(urlPath)
	if to := rules.Moved(seen); to != "" {
		return answer{redirect: unescaped(to)}
	}
	if doc := rules.Alias(seen); doc != "" {
		return answer{file: s.file(strings.TrimPrefix(unescaped(doc), s.prefix+"/")), api: true}
	}
	rel, inside := strings.CutPrefix(urlPath, s.prefix+"/")
	switch {
	case !inside && (urlPath == "/" || urlPath == s.prefix):
		return answer{redirect: s.prefix + "/"}
	case !inside:
		if f := s.find(s.prefix + urlPath); f.file != nil || f.redirect != "" {
			return answer{redirect: s.prefix + urlPath} // an address without the base path
		}
		return answer{}
	}
	doc, api := strings.CutPrefix(rel, address.AliasRoot)
	if rel == "" || strings.HasSuffix(rel, "/") {
		return answer{file: s.file(rel + "index.html"), api: api && doc != ""}
	}
	if f := s.file(rel); f != nil {
		return answer{file: f, api: api}
	}
	if s.file(rel+"/index.html") != nil {
		return answer{redirect: s.prefix + "/" + rel + "/"}
	}
	return answer{api: api}
}

// escaped is a path as hosts see it, and as rules have it.
func escaped(urlPath string) string { return (&url.URL{Path: urlPath}).EscapedPath() }

func unescaped(path string) string {
	if decoded, err := url.PathUnescape(path); err == nil {
		return decoded
	}
	return path
}

// clean reports whether a path means what it says: no part of it is empty or
// dotted, and no character in it is one that a file system takes for another.
func clean(urlPath string) bool {
	if !strings.HasPrefix(urlPath, "/") || strings.ContainsAny(urlPath, "\\\x00") {
		return false
	}
	return urlPath == "/" || path.Clean(urlPath) == strings.TrimSuffix(urlPath, "/")
}

// notFound is the page for an address that leads nowhere, in the language of
// the address.
func (s *site) notFound(urlPath string) *rendered {
	page := s.plan.Rules().NotFound(escaped(path.Clean("/" + urlPath)))
	if page == "" { // the address is none of the site's
		where := s.plan.Site()
		return s.file(where.NotFound(where.Default()))
	}
	return s.file(strings.TrimPrefix(unescaped(page), s.prefix+"/"))
}

// shown is the file that a browser shows for an address.
func (s *site) shown(urlPath string) *rendered {
	if f := s.find(urlPath).file; f != nil {
		return f
	}
	return s.notFound(urlPath)
}

// seedOf is the file that an editor opens to change a page.
func (s *site) seedOf(urlPath string) string {
	c := s.plan.Collection()
	rel, lang := strings.TrimPrefix(strings.TrimPrefix(urlPath, s.prefix), "/"), s.plan.Site().Default()
	for _, l := range incident.Langs() {
		if rest, ok := strings.CutPrefix(rel, string(l)+"/"); ok {
			rel, lang = rest, l
		}
	}
	parts := append(strings.Split(rel, "/"), "", "")
	switch parts[0] {
	case "cases":
		if found := s.plan.Find(parts[1]); found != nil {
			return found.File
		}
		for _, w := range c.Withdrawn {
			if w.ID == parts[1] {
				return c.File("withdrawn.json")
			}
		}
	case "topics":
		return topicFile(c, parts[1], parts[2], lang)
	case "articles":
		for _, a := range c.Articles {
			if a.Slug == parts[1] {
				file, _ := a.Files.Best(lang)
				return file
			}
		}
	}
	return c.File("site.json")
}

// topicFile is the prose of a topic, in the language if there is one, else the
// vocabulary.
func topicFile(c *incident.Collection, axis, slug string, lang incident.Lang) string {
	file := c.File("vocab.json")
	for _, t := range c.Topics {
		if address.AxisSlug(t.Term.Axis) != axis || t.Term.Slug != slug {
			continue
		}
		if file = t.File; t.Lang == lang {
			break
		}
	}
	return file
}
