package preview

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/watch"
)

// Options say what is served and where.
type Options struct {
	Seeds     string // folder
	Templates fs.FS
	Assets    fs.FS
	Watch     []string // further folders whose changes matter: of templates and assets
	Out       string   // a folder to keep in step, or ""
	Jobs      int
	Stderr    io.Writer
}

//go:embed live.js
var liveJS []byte

//go:embed live.css
var liveCSS []byte

// ownPaths are the addresses of the preview itself.
const (
	ownPath      = "/_preview/"
	problemsPath = ownPath + "problems.json"
	whoPath      = ownPath + "who.json"
)

// Server serves the newest site and tells browsers of each next one.
type Server struct {
	opt     Options
	hub     *hub
	current atomic.Pointer[state]
	builder *builder
}

// New makes a server and its first site. A broken library is served too: as its
// problems.
func New(opt Options) *Server {
	opt.Seeds = filepath.Clean(opt.Seeds)
	s := &Server{opt: opt, hub: newHub(), builder: &builder{opt: opt}}
	s.publish(s.builder.build(nil, nil, true))
	return s
}

func (s *Server) state() *state { return s.current.Load() }

// publish puts a state in place, and only then tells anybody.
func (s *Server) publish(st *state) {
	s.current.Store(st)
	for _, p := range st.problems {
		fmt.Fprintln(s.opt.Stderr, p)
	}
	s.hub.wakeAll()
}

// Follow watches the disk and rebuilds until ctx ends.
func (s *Server) Follow(ctx context.Context) error {
	w, err := watch.New(ctx, append([]string{s.opt.Seeds}, s.opt.Watch...), watch.Options{
		Notice: func(msg string) { fmt.Fprintln(s.opt.Stderr, "incidentlib: "+msg) }})
	if err != nil {
		return err
	}
	defer w.Close()
	mirror := make(chan []output.File, 1)
	if s.opt.Out != "" {
		go s.keepInStep(ctx, mirror)
		mirror <- s.state().files
	}
	for batch := range w.Batches() {
		changed := append(batch.Changed, batch.Removed...)
		s.publish(s.builder.build(s.state(), changed, batch.All))
		st := s.state()
		fmt.Fprintf(s.opt.Stderr, "%s changed; built in %.1f ms; %s\n", plural(len(changed), "file"), millis(st.took), plural(len(st.problems), "problem"))
		if s.opt.Out != "" && len(st.problems) == 0 {
			select {
			case <-mirror: // superseded
			default:
			}
			mirror <- st.files
		}
	}
	return nil
}

// keepInStep writes each good site to the folder, changed files only.
func (s *Server) keepInStep(ctx context.Context, sites <-chan []output.File) {
	for {
		select {
		case <-ctx.Done():
			return
		case files := <-sites:
			if _, err := output.Publish(ctx, files, output.Options{Dir: s.opt.Out, InPlace: true, Jobs: s.opt.Jobs}); err != nil && ctx.Err() == nil {
				fmt.Fprintln(s.opt.Stderr, "incidentlib: "+err.Error())
			}
		}
	}
}

// Serve answers requests until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s.Handler(l.Addr()), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Serve(l) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	close(s.hub.done)
	grace, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if srv.Shutdown(grace) != nil {
		srv.Close()
	}
	return nil
}

// Handler answers the requests of browsers that may ask.
func (s *Server) Handler(addr net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+ownPath+"events", s.events)
	mux.HandleFunc("GET "+ownPath+"live.js", asset("live.js", liveJS))
	mux.HandleFunc("GET "+ownPath+"live.css", asset("live.css", liveCSS))
	mux.HandleFunc("GET "+problemsPath, func(w http.ResponseWriter, r *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"problems": s.statusFor(s.state(), "").Problems})
	})
	mux.HandleFunc("GET "+whoPath, func(w http.ResponseWriter, r *http.Request) {
		writeJSON(w, http.StatusOK, who{"incidentlib serve", os.Getpid(), s.opt.Seeds})
	})
	mux.HandleFunc("/", s.page)
	return guard(addr, mux)
}

func asset(name string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { send(w, r, http.StatusOK, host.MediaType(name), body) }
}

// page answers with a file of the site.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	st := s.state()
	if st.site == nil {
		s.problemPage(w, r, st)
		return
	}
	a := st.find(r.URL.Path)
	switch {
	case a.redirect != "":
		http.Redirect(w, r, (&url.URL{Path: a.redirect, RawQuery: r.URL.RawQuery}).String(), http.StatusTemporaryRedirect)
	case a.file != nil:
		s.file(w, r, http.StatusOK, a.file)
	case a.api:
		missing(w, r.URL.Path)
	default:
		if f := st.notFound(r.URL.Path); f != nil {
			s.file(w, r, http.StatusNotFound, f)
			return
		}
		http.NotFound(w, r)
	}
}

// file sends a file; a page gets the preview's own elements.
func (s *Server) file(w http.ResponseWriter, r *http.Request, code int, f *rendered) {
	body, err := f.bytes()
	if err != nil {
		st := *s.state()
		st.problems = append(st.problems, problemOf(err))
		s.problemPage(w, r, &st)
		return
	}
	if strings.HasSuffix(f.file.Path, ".html") {
		body = inject(body, f.sum)
	}
	send(w, r, code, host.MediaType(f.file.Path), body)
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
	b.WriteString("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Problems in the seeds</title></head><body><h1>Problems in the seeds</h1><pre>")
	for _, p := range st.problems {
		b.WriteString(escape(p.String()) + "\n")
	}
	b.WriteString("</pre></body></html>")
	send(w, r, http.StatusServiceUnavailable, host.MediaType(".html"), inject(b.Bytes(), "problems"))
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace(s)
}

func (s *Server) statusFor(st *state, page string) status {
	out := status{Build: st.build, Millis: millis(st.took), Changed: st.changed, Problems: reports(st.problems, openIn(s.opt.sources()))}
	if st.site != nil && page != "" {
		out.Edit = st.seedOf(page)
		if abs, err := filepath.Abs(out.Edit); err == nil && out.Edit != "" {
			out.EditHref = (&url.URL{Scheme: "vscode", Host: "file", Path: filepath.ToSlash(abs)}).String()
		}
	}
	return out
}

func send(w http.ResponseWriter, r *http.Request, code int, media string, body []byte) {
	h := w.Header()
	for _, e := range host.PageHeaders() {
		h.Set(e.Name, e.Value)
	}
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(code)
	if r.Method != http.MethodHead {
		w.Write(body) // the browser may be gone; there is nobody to tell
	}
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", host.MediaType(".json"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.Encode(v) // as above
}

// missing answers for an address of the API that leads nowhere (RFC 9457).
func missing(w http.ResponseWriter, path string) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	json.NewEncoder(w).Encode(map[string]any{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "there is no document at " + path})
}

// who is how a second server learns who has the port.
type who struct {
	Program string `json:"program"`
	PID     int    `json:"pid"`
	Seeds   string `json:"seeds"`
}

// Holder says who answers at an address that could not be listened on.
func Holder(addr string) string {
	client := http.Client{Timeout: time.Second}
	resp, err := client.Get("http://" + addr + whoPath)
	if err != nil {
		return "another program has it"
	}
	defer resp.Body.Close()
	var w who
	if json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&w) != nil || w.Program == "" {
		return "another program has it"
	}
	return fmt.Sprintf("%s of %s has it, process %d", w.Program, w.Seeds, w.PID)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Prefix is the base path that the site is served below.
func (s *Server) Prefix() string {
	if st := s.state(); st.site != nil {
		return st.prefix
	}
	return ""
}
