package preview

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/host"
)

//go:embed live.js
var liveJS []byte

//go:embed live.css
var liveCSS []byte

// ownPath is where the addresses of the preview itself are.
const (
	ownPath = "/_preview/"
	whoPath = ownPath + "who.json"
)

// Handler answers the requests of browsers that may ask.
func (s *Server) Handler() http.Handler {
	return guard(s.opt.Name, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case ownPath + "events":
			s.events(w, r)
		case ownPath + "live.js":
			send(w, r, http.StatusOK, host.MediaType(".js"), liveJS)
		case ownPath + "live.css":
			send(w, r, http.StatusOK, host.MediaType(".css"), liveCSS)
		case ownPath + "problems.json":
			writeJSON(w, r, http.StatusOK, host.MediaType(".json"), map[string]any{"problems": s.state().reports()})
		case whoPath:
			writeJSON(w, r, http.StatusOK, host.MediaType(".json"), who{program, os.Getpid(), s.opt.Seeds})
		default:
			s.page(w, r)
		}
	}))
}

// page answers with a file of the site.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	st := s.state()
	if st.site == nil {
		s.problemPage(w, r, st)
		return
	}
	for _, h := range st.site.plan.Rules().Page(escaped(r.URL.Path)) {
		if h.Name != "Cache-Control" { // nothing is kept of a preview
			w.Header().Set(h.Name, h.Value)
		}
	}
	switch a := st.site.find(r.URL.Path); {
	case a.redirect != "":
		w.Header().Set("Location", (&url.URL{Path: a.redirect, RawQuery: r.URL.RawQuery}).String())
		plain(w, r, http.StatusTemporaryRedirect, "see "+a.redirect)
	case a.file != nil:
		s.file(w, r, http.StatusOK, st, a.file)
	case a.api:
		writeJSON(w, r, http.StatusNotFound, "application/problem+json", map[string]any{"type": "about:blank", "title": "Not Found",
			"status": http.StatusNotFound, "detail": "there is no document at " + r.URL.Path})
	default:
		if f := st.site.notFound(r.URL.Path); f != nil {
			s.file(w, r, http.StatusNotFound, st, f)
			return
		}
		plain(w, r, http.StatusNotFound, "there is nothing here")
	}
}

// file sends a file; a page gets the preview's own elements.
func (s *Server) file(w http.ResponseWriter, r *http.Request, code int, st *state, f *rendered) {
	body, err := f.bytes()
	if err != nil {
		s.found(st.site, problemsOf(err))
		s.problemPage(w, r, st)
		return
	}
	if strings.HasSuffix(f.file.Path, ".html") {
		body = inject(body, f.sum)
	}
	if tag := `"` + f.sum + `"`; code == http.StatusOK {
		w.Header().Set("ETag", tag)
		if matchesTag(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	send(w, r, code, host.MediaType(f.file.Path), body)
}

// matchesTag reports whether a condition names the tag of a file: what a client
// has is what there is.
func matchesTag(condition, tag string) bool {
	for part := range strings.SplitSeq(condition, ",") {
		if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}

// noPage is the mark of the page that stands where there is none to show.
const noPage = "problems"

// mark is the digest of what a browser shows for the address of a page. That of
// a page that is gone is the digest of what is shown in its place.
func (s *Server) mark(st *state, urlPath string) string {
	if st.site == nil {
		return noPage
	}
	f := st.site.shown(urlPath)
	if f == nil {
		return ""
	}
	if _, err := f.bytes(); err != nil {
		s.found(st.site, problemsOf(err))
		return noPage
	}
	return f.sum
}

// inject adds the preview's script and style to a page. Both are files: the
// policy that the published pages hold to allows nothing inline.
func inject(page []byte, sum string) []byte {
	own := []byte(`<link rel="stylesheet" href="` + ownPath + `live.css"><script src="` + ownPath + `live.js" data-seen="` + sum + `" defer></script>`)
	head := bytes.Index(page, []byte("</head>"))
	if head < 0 {
		return append(bytes.Clone(page), own...)
	}
	out := make([]byte, 0, len(page)+len(own))
	out = append(out, page[:head]...)
	out = append(out, own...)
	return append(out, page[head:]...)
}

// problemPage stands where there is no good page to show. The script draws the
// problems over it; without script they are there as text.
func (s *Server) problemPage(w http.ResponseWriter, r *http.Request, st *state) {
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Problems in the seeds</title></head><body><h1>Problems in the seeds</h1>`)
	for _, p := range st.reports() {
		b.WriteString("<pre>" + html.EscapeString(p.text()) + "</pre>")
	}
	b.WriteString("</body></html>")
	send(w, r, http.StatusServiceUnavailable, host.MediaType(".html"), inject(b.Bytes(), noPage))
}

// send answers with bytes.
func send(w http.ResponseWriter, r *http.Request, code int, media string, body []byte) {
	h := w.Header()
	for _, e := range host.PageHeaders() {
		h.Set(e.Name, e.Value)
	}
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	if r == nil || r.Method != http.MethodHead {
		w.Write(body) // the browser may be gone; there is nobody to tell
	}
}

func plain(w http.ResponseWriter, r *http.Request, code int, what string) {
	send(w, r, code, host.MediaType(".txt"), []byte(what+"\n"))
}

func writeJSON(w http.ResponseWriter, r *http.Request, code int, media string, v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		plain(w, r, http.StatusInternalServerError, err.Error())
		return
	}
	send(w, r, code, media, b.Bytes())
}

// program is what a server says it is.
const program = "incidentlib serve"

// who is how a second server learns who has the port.
type who struct {
	Program string `json:"program"`
	PID     int    `json:"pid"`
	Seeds   string `json:"seeds"`
}

// Holder says who answers at an address that could not be listened on.
func Holder(addr string) string {
	name, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "another program has it"
	}
	if ip, err := netip.ParseAddr(name); name == "" || err == nil && ip.IsUnspecified() {
		name = "localhost" // listened on is every address of this machine
	}
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}} // no proxy
	resp, err := client.Get("http://" + net.JoinHostPort(name, port) + whoPath)
	if err != nil {
		return "another program has it"
	}
	defer resp.Body.Close()
	var w who
	if json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&w) != nil || w.Program != program {
		return "another program has it"
	}
	return fmt.Sprintf("%s of %q has it, process %d", w.Program, w.Seeds, w.PID)
}
