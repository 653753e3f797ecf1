package generator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/incident"
)

// published is a host that publishes a site as it should, by the rules of
// package host; unless a test makes it misbehave.
type published struct {
	*httptest.Server

	mu     sync.Mutex
	files  map[string]func() []byte // made when they are asked for
	rules  host.Rules
	prefix string
	asked  []string
	wrong  func(w http.ResponseWriter, r *http.Request, file string) bool // true when it has answered
}

// publish starts a host of a collection.
func publish(t testing.TB, c *incident.Collection) *published {
	t.Helper()
	p := &published{}
	p.put(t, c)
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

// twin is another host of the same files.
func (p *published) twin(t testing.TB) *published {
	t.Helper()
	other := &published{files: p.files, rules: p.rules, prefix: p.prefix}
	other.Server = httptest.NewServer(other)
	t.Cleanup(other.Close)
	return other
}

// put replaces what is published.
func (p *published) put(t testing.TB, c *incident.Collection) {
	t.Helper()
	files := newSiteOf(t, c, false).files
	at, err := address.NewSite(c.Site.BaseURL, c.Site.APIURL, c.Site.MCPURL, c.Site.Default)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files, p.rules, p.prefix = files, host.New(at, c.Withdrawn), at.Prefix()
}

// bytes are a file's; nil when there is none.
func (p *published) bytes(file string) []byte {
	p.mu.Lock()
	f := p.files[file]
	p.mu.Unlock()
	if f == nil {
		return nil
	}
	return f()
}

// address is where the site is.
func (p *published) address() string { return p.URL + p.prefix }

// misbehave makes the host answer otherwise.
func (p *published) misbehave(wrong func(w http.ResponseWriter, r *http.Request, file string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wrong = wrong
}

// took are the paths asked for since the last call, below the site.
func (p *published) took() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = nil
	return asked
}

func (p *published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	file := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, p.prefix), "/")
	p.asked = append(p.asked, file)
	rules, files, wrong := p.rules, p.files, p.wrong
	p.mu.Unlock()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	for _, h := range rules.Page(r.URL.Path) {
		w.Header().Set(h.Name, h.Value)
	}
	w.Header().Set("Cache-Control", rules.Cache(r.URL.Path))
	if wrong != nil && wrong(w, r, file) {
		return
	}
	at := r.URL.Path
	if to := rules.Moved(at); to != "" {
		http.Redirect(w, r, to, http.StatusMovedPermanently)
		return
	}
	if to := rules.Alias(at); to != "" {
		at = to
	}
	name := strings.TrimPrefix(strings.TrimPrefix(at, p.prefix), "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	body, ok := files[name]
	if _, isFolder := files[name+"/index.html"]; !ok && isFolder {
		http.Redirect(w, r, (&url.URL{Path: at + "/"}).String(), http.StatusMovedPermanently)
		return
	}
	if ok {
		serveBytes(w, r, http.StatusOK, host.MediaType(name), body())
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if strings.HasPrefix(at, rules.Docs) {
		serveBytes(w, r, http.StatusNotFound, "application/problem+json", []byte(`{"status":404}`))
		return
	}
	page := strings.TrimPrefix(rules.NotFound(at), p.prefix+"/")
	serveBytes(w, r, http.StatusNotFound, host.MediaType(page), p.bytes(page))
}

func serveBytes(w http.ResponseWriter, r *http.Request, code int, media string, body []byte) {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	w.Header().Set("Content-Type", media)
	if code == http.StatusOK {
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(code)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// isCase reports whether a file is the document of a case.
func isCase(file string) bool {
	return path.Dir(file) == "api/v1/cases" && path.Base(file) != "index.json"
}
