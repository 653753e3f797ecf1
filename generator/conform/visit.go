package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/remote"
)

// visit is one look at a library: what is known of it so far.
type visit struct {
	opt    Options
	client *remote.Client

	known     bool
	doc       remote.Root
	published string // the address that the documents say they are published at, below which theirs are
	higher    bool   // documents are not below api/: it is the API's own host
	compiled  map[string]*jsonschema.Schema
	entries   []remote.Entry
	withdrawn []remote.Change

	mu      sync.Mutex
	answers map[string]remote.Response // by path, of what several checks look at
	kept    int                        // bytes of them
}

const docs = address.MirrorRoot

// few is how many documents of a kind are looked at, unless all are.
const few = 40

// path is where a document of the mirror is on the host that is looked at.
func (v *visit) path(d address.Doc) string { return v.at(address.MirrorFile(d)) }

func (v *visit) at(file string) string {
	if v.higher {
		return strings.TrimPrefix(file, address.AliasRoot)
	}
	return file
}

// local is the path on the host that is looked at of an address that a document
// names: the library may be looked at elsewhere than where it says it is.
func (v *visit) local(link string) (string, bool) {
	rel, ok := strings.CutPrefix(link, v.published+"/")
	return v.at(rel), ok
}

// ask gets what is at a path, once for all checks.
func (v *visit) ask(ctx context.Context, path string) (remote.Response, error) {
	v.mu.Lock()
	r, ok := v.answers[path]
	v.mu.Unlock()
	if ok {
		return r, nil
	}
	ask := remote.Request{Path: path}
	if path == v.path(address.ManifestDoc) || strings.HasPrefix(path, v.at(docs+"dumps/")) {
		ask.Limit = maxAnswer
	}
	r, err := v.client.Do(ctx, ask)
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil && len(r.Body) < 1<<20 && v.kept < maxKept {
		v.answers[path] = r
		v.kept += len(r.Body)
	}
	return r, err
}

// Bounds of one answer and of all that are kept, in bytes.
const (
	maxAnswer = 256 << 20
	maxKept   = 64 << 20
	maxCase   = 4 << 20
)

// trail are the addresses that a list has led to.
type trail map[string]bool

// goes is the path that a list goes on at, unless that is elsewhere or where it has
// been: then the fault is noted.
func (t trail) goes(v *visit, c *checking, where, link string) (path string, ok bool) {
	path, ok = v.local(link)
	switch {
	case !ok:
		c.short(where, "goes on at %s, which is not below %s", link, v.published)
	case t[path]:
		c.short(where, "goes on at %s, where it has been before", link)
		return "", false
	}
	t[path] = true
	return path, ok
}

// plain is what the name of a document is made of.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/-"

// get asks for what has to be there.
func (v *visit) get(ctx context.Context, c *checking, path string) (remote.Response, bool) {
	r, err := v.ask(ctx, path)
	switch {
	case err != nil:
		c.short("/"+path, "%v", err)
	case r.Status != http.StatusOK:
		c.short("/"+path, "answers %d %s", r.Status, http.StatusText(r.Status))
	default:
		return r, true
	}
	return r, false
}

// document gets a document, holds it to the schema of its kind, and reads it.
func (v *visit) document(ctx context.Context, c *checking, d address.Doc, kind string, to any) bool {
	path := v.path(d)
	c.looked(1)
	if strings.Trim(string(d), plain) != "" {
		c.short(string(d), "is named by a list, and cannot be the name of a document")
		return false
	}
	r, ok := v.get(ctx, c, path)
	if !ok {
		return false
	}
	return v.valid(c, "/"+path, kind, r.Body) && v.read(c, path, r, to)
}

func (v *visit) read(c *checking, path string, r remote.Response, to any) bool {
	if to == nil {
		return true
	}
	if err := remote.Decode(r, to); err != nil {
		c.short("/"+path, "%v", err)
		return false
	}
	return true
}

// valid holds a document to the schema of a kind.
func (v *visit) valid(c *checking, where, kind string, body []byte) bool {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if err != nil {
		what := "is no JSON: %v"
		if strings.HasPrefix(strings.TrimSpace(string(body)), "<") {
			what = "is a page, no JSON: %v"
		}
		c.short(where, what, err)
		return false
	}
	if !strings.HasSuffix(string(body), "\n") || strings.Count(string(body), "\n") != 1 {
		c.short(where, "is not one line with one line end")
	}
	s := v.compiled[kind]
	if s == nil {
		c.note("there is no schema %q", kind)
		return true
	}
	if err := s.Validate(value); err != nil {
		c.short(where, "is not what the schema %s says: %s", kind, firstLines(err, 4))
		return false
	}
	return true
}

// firstLines are the first lines of an error that has many.
func firstLines(err error, n int) string {
	lines := strings.Split(err.Error(), "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("and %d more", len(lines)-n))
	}
	return strings.Join(lines, "; ")
}

// each does something for every entry of a list, several at once.
func each[T any](ctx context.Context, jobs int, list []T, do func(context.Context, T)) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for _, e := range list {
		g.Go(func() error {
			do(ctx, e)
			return ctx.Err()
		})
	}
	_ = g.Wait() // only that the time is up, which who asked knows
}

// some are entries of a list from its beginning to its end, unless all are
// wanted.
func some[T any](v *visit, list []T) []T {
	if v.opt.All || len(list) <= few {
		return list
	}
	out := make([]T, 0, few)
	for i := range few {
		out = append(out, list[i*(len(list)-1)/(few-1)])
	}
	return out
}

// root finds the library.
func (v *visit) root(ctx context.Context, c *checking) {
	c.looked(1)
	r, err := v.client.Do(ctx, remote.Request{Path: address.MirrorFile(address.RootDoc)})
	if err == nil && r.Status == http.StatusNotFound {
		v.higher = true
		if r, err = v.client.Do(ctx, remote.Request{Path: v.path(address.RootDoc)}); err == nil && r.Status == http.StatusNotFound {
			err = fmt.Errorf("there is neither %s nor %s", address.MirrorFile(address.RootDoc), v.path(address.RootDoc))
		}
	}
	if err == nil && r.Status != http.StatusOK {
		err = fmt.Errorf("answers %d %s", r.Status, http.StatusText(r.Status))
	}
	if err == nil {
		v.doc, err = remote.DecodeRoot(r)
	}
	if err != nil {
		c.short("/"+v.path(address.RootDoc), "%v", err)
		return
	}
	self, _ := v.doc.Links["self"].(string)
	base, ok := strings.CutSuffix(self, "/"+address.MirrorFile(address.RootDoc))
	if !ok {
		c.short("/"+v.path(address.RootDoc), "says that it is at %q, which is no address of a root", self)
		return
	}
	v.published, v.known = base, true
	if base != v.client.Base() && !v.higher {
		c.note("it says that it is published at %s", base)
	}
	for name, link := range v.doc.Links {
		if s, isText := link.(string); isText && !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
			c.short("/"+v.path(address.RootDoc), "the link %s is %q, which is no whole address", name, s)
		}
	}
}

// schemas fetches and compiles the schemas.
func (v *visit) schemas(ctx context.Context, c *checking) {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.UseLoader(nowhere{})
	v.compiled = map[string]*jsonschema.Schema{}
	for name, link := range v.doc.Schemas {
		path, ok := v.local(link)
		c.looked(1)
		if !ok {
			c.short(name, "the schema's address %s is not below %s", link, v.published)
			continue
		}
		r, ok := v.get(ctx, c, path)
		if !ok {
			continue
		}
		var s any
		var head struct {
			ID      string `json:"$id"`
			Dialect string `json:"$schema"`
		}
		if !v.read(c, path, r, &s) || json.Unmarshal(r.Body, &head) != nil {
			continue
		}
		if head.ID != link || head.Dialect != "https://json-schema.org/draft/2020-12/schema" {
			c.short("/"+path, "says that it is %q in %q", head.ID, head.Dialect)
		}
		if err := compiler.AddResource(link, s); err != nil {
			c.short("/"+path, "%v", err)
		}
	}
	for name, link := range v.doc.Schemas {
		s, err := compiler.Compile(link)
		if err != nil {
			c.short(name, "%s", firstLines(err, 3))
			continue
		}
		v.compiled[name] = s
	}
}

// nowhere loads no schema: all that a library needs are its own.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not among the library's schemas", url)
}
