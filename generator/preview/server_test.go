package preview

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// folder is a copy of the small library, its templates and assets.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string]string{"seeds": "../../cmd/incidentlib/testdata/seeds", "templates": "../../templates", "assets": "../../assets"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func optionsIn(dir string) Options {
	return Options{Seeds: filepath.Join(dir, "seeds"), Templates: os.DirFS(filepath.Join(dir, "templates")), Assets: os.DirFS(filepath.Join(dir, "assets")),
		Watch: []string{filepath.Join(dir, "templates"), filepath.Join(dir, "assets")}, Jobs: 2, Stderr: io.Discard}
}

// running is a server on a port of its own, with a browser's view of it.
type running struct {
	testing.TB
	dir  string
	base string // "http://127.0.0.1:1234"
	s    *Server
	stop func() error
}

func run(t testing.TB, dir string, change func(*Options)) *running {
	t.Helper()
	opt := optionsIn(dir)
	if change != nil {
		change(&opt)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s, err := New(ctx, opt)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	stop := sync.OnceValue(func() error {
		cancel()
		return <-served
	})
	t.Cleanup(func() { stop() })
	return &running{t, dir, "http://" + l.Addr().String(), s, stop}
}

func (r *running) get(path string) (code int, body string) {
	r.Helper()
	resp, err := http.Get(r.base + path)
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// replace edits a file by a text that is in it.
func (r *running) replace(file, old, text string) {
	r.Helper()
	name := filepath.Join(r.dir, file)
	b, err := os.ReadFile(name)
	if err != nil {
		r.Fatal(err)
	}
	if !strings.Contains(string(b), old) {
		r.Fatalf("%s has no %q", file, old)
	}
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(b), old, text)), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *running) until(what string, ok func() bool) {
	r.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	_, problems := r.get("/_preview/problems.json")
	r.Fatalf("it never happened that %s; problems: %s", what, problems)
}

func (r *running) untilProblem(what string) {
	r.Helper()
	r.until("problems.json says "+what, func() bool {
		_, body := r.get("/_preview/problems.json")
		return strings.Contains(body, what)
	})
}

func (r *running) untilGood() {
	r.Helper()
	r.until("nothing is wrong", func() bool {
		_, body := r.get("/_preview/problems.json")
		return body == "{\"problems\":[]}\n"
	})
}

// browser is a page that listens.
type browser struct {
	events chan string // "reload", "state"
	states chan status
}

func (r *running) browse(page string) *browser {
	r.Helper()
	_, body := r.get(page)
	_, rest, _ := strings.Cut(body, `data-seen="`)
	seen, _, found := strings.Cut(rest, `"`)
	if !found {
		r.Fatalf("%s has no script of the preview:\n%s", page, body)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/_preview/events?page="+page+"&seen="+seen, nil)
	if err != nil {
		r.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	b := &browser{make(chan string, 100), make(chan status, 100)}
	go func() {
		defer resp.Body.Close()
		name := ""
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = event
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var st status
				if name == "state" && json.Unmarshal([]byte(data), &st) == nil {
					b.states <- st
				}
				b.events <- name
			}
		}
	}()
	return b
}

func (r *running) wants(b *browser, event string) {
	r.Helper()
	for end := time.After(20 * time.Second); ; {
		select {
		case got := <-b.events:
			if got == event {
				return
			}
		case <-end:
			r.Fatalf("no event %s", event)
		}
	}
}

func (r *running) wantsNo(b *browser, event string) {
	r.Helper()
	for {
		select {
		case got := <-b.events:
			if got == event {
				r.Fatalf("event %s", event)
			}
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}

const case1, case2 = "/lib/cases/IL-0001/", "/lib/ko/cases/IL-0002/"

// An edit reloads the pages that it reaches and no others, after they are there;
// a page that goes answers 404 in its language, and comes back.
func TestReloads(t *testing.T) {
	t.Parallel()
	r := run(t, folder(t), nil)
	one, two, about := r.browse(case1), r.browse(case2), r.browse("/lib/about/")
	r.wants(one, "state")
	r.replace("seeds/cases/IL-0001.json", "Title of IL-0001", "Another title")
	r.wants(one, "reload")
	if _, body := r.get(case1); !strings.Contains(body, "Another title") {
		t.Error("the browser was told before the page was there")
	}
	r.wantsNo(about, "reload")

	gone := filepath.Join(r.dir, "seeds/cases/IL-0002.json")
	if err := os.Rename(gone, gone+".bak"); err != nil {
		t.Fatal(err)
	}
	r.wants(two, "reload")
	if code, body := r.get(case2); code != http.StatusNotFound || !strings.Contains(body, `lang="ko"`) {
		t.Errorf("the page that is gone: %d\n%s", code, body)
	}
	two = r.browse(case2)
	if err := os.Rename(gone+".bak", gone); err != nil {
		t.Fatal(err)
	}
	r.wants(two, "reload")
	if code, _ := r.get(case2); code != http.StatusOK {
		t.Errorf("the page that came back: %d", code)
	}
	r.wantsNo(about, "reload")
}

// A template that fails when it runs is told everywhere, and is forgotten when it
// is as before, also while the seeds are broken.
func TestTemplateFailsWhenRun(t *testing.T) {
	t.Parallel()
	var stderr safeBuffer
	r := run(t, folder(t), func(o *Options) { o.Stderr = &stderr })
	b := r.browse(case1)
	r.wants(b, "state")
	r.replace("templates/case.html", `{{define "case"}}`, "{{define \"case\"}}\n{{.NoSuchThing}}")
	r.untilProblem("NoSuchThing") // though nobody asked for a page
	r.wants(b, "reload")
	if code, body := r.get(case1); code != http.StatusServiceUnavailable || !strings.Contains(body, "templates/case.html:2") || !strings.Contains(body, "{{.NoSuchThing}}") {
		t.Errorf("%d %s", code, body)
	}
	b = r.browse(case1)
	r.wantsNo(b, "reload")
	r.until("stderr says so", func() bool { return strings.Contains(stderr.String(), "templates/case.html:2") })
	if code, _ := r.get("/lib/about/"); code != http.StatusOK {
		t.Errorf("a page that does not need it: %d", code)
	}
	r.replace("seeds/cases/IL-0001.json", `"Title of IL-0001"`, `Title of IL-0001"`)
	r.untilProblem("IL-0001.json")
	r.replace("templates/case.html", "\n{{.NoSuchThing}}", "")
	r.wants(b, "reload")
	if code, _ := r.get(case1); code != http.StatusOK {
		t.Errorf("after it was mended: %d", code)
	}
	r.replace("seeds/cases/IL-0001.json", `Title of IL-0001"`, `"Title of IL-0001"`)
	r.untilGood()
	r.replace("templates/case.html", `{{define "case"}}`, `{{define "case"}}{{if}}`)
	r.untilProblem("templates/case.html")
	r.replace("templates/case.html", `{{if}}`, ``)
	r.untilGood()
}

// Problems reach a browser with their lines, and go when they are mended.
func TestProblemsReachBrowsers(t *testing.T) {
	t.Parallel()
	r := run(t, folder(t), nil)
	b := r.browse(case1)
	r.wants(b, "state")
	r.replace("seeds/cases/IL-0001.json", `"major"`, `"majro<script>"`)
	r.until("the browser hears of it", func() bool {
		st := <-b.states
		if len(st.Problems) == 0 {
			return false
		}
		p := st.Problems[0]
		if p.Line == 0 || len(p.Excerpt) != 5 || p.Excerpt[2].Caret != p.Column || !strings.Contains(p.Excerpt[2].Text, "majro") || !strings.HasSuffix(st.Edit, "IL-0001.json") {
			t.Errorf("%+v", st)
		}
		return true
	})
	r.replace("seeds/cases/IL-0001.json", `"majro<script>"`, `"major"`)
	r.until("the browser hears that it is mended", func() bool { return len((<-b.states).Problems) == 0 })
	r.wantsNo(b, "reload")
}

// A library that is broken at first, or not there, is served as its problems and
// then as itself.
func TestBrokenAtFirst(t *testing.T) {
	t.Parallel()
	for _, missing := range []bool{false, true} {
		dir := folder(t)
		seeds, file := filepath.Join(dir, "seeds"), filepath.Join(dir, "seeds/cases/IL-0001.json")
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if missing {
			err = os.Rename(seeds, seeds+"-away")
		} else {
			err = os.WriteFile(file, []byte("{\n \"id\": <b>"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := run(t, dir, nil)
		code, body := r.get("/")
		want := "&lt;b&gt;"
		if missing {
			want = "the seeds cannot be read"
		}
		if code != http.StatusServiceUnavailable || !strings.Contains(body, want) {
			t.Errorf("%d %s", code, body)
		}
		b := r.browse("/")
		r.wants(b, "state")
		r.wantsNo(b, "reload")
		if missing {
			err = os.Rename(seeds+"-away", seeds)
		} else {
			err = os.WriteFile(file, good, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		r.wants(b, "reload")
		if code, _ := r.get("/"); code != http.StatusOK { // by way of the base path
			t.Errorf("after it was mended: %d", code)
		}
	}
}

// The folder of the seeds may be another one, at any time.
func TestSeedsReplaced(t *testing.T) {
	t.Parallel()
	r := run(t, folder(t), nil)
	seeds := filepath.Join(r.dir, "seeds")
	other := folder(t)
	for _, step := range []func() error{
		func() error { return os.RemoveAll(seeds) },
		func() error { return os.CopyFS(seeds, os.DirFS(filepath.Join(other, "seeds"))) },
		func() error { return os.Rename(seeds, seeds+"-away") },
		func() error { return os.Symlink(filepath.Join(other, "seeds"), seeds) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(seeds); err != nil {
			r.untilProblem("cannot be read")
			continue
		}
		r.untilGood()
	}
	(&running{t, other, r.base, r.s, nil}).replace("seeds/cases/IL-0001.json", "Title of IL-0001", "Through the link")
	r.until("the new title is there", func() bool {
		_, body := r.get(case1)
		return strings.Contains(body, "Through the link")
	})
}

func TestWhoMayAsk(t *testing.T) {
	t.Parallel()
	s := run(t, folder(t), func(o *Options) { o.Name = "Editors.example" })
	for _, tt := range []struct {
		host, origin string
		want         int
	}{
		{"localhost", "", 200}, {"LOCALHOST:4477", "", 200}, {"localhost.", "", 200}, {"localhost.:80", "", 200}, {"x.localhost:1", "", 200},
		{"127.0.0.1:4477", "", 200}, {"192.168.0.9", "", 200}, {"[::1]", "", 200}, {"[::1]:4477", "", 200}, {"[fe80::1%25eth0]:1", "", 200}, {"editors.EXAMPLE.:4477", "", 200},
		{"", "", 403}, {"evil.example", "", 403}, {"evil.example:4477", "", 403}, {"localhost.evil.example", "", 403}, {"127.0.0.1.evil.example", "", 403},
		{"::1", "", 403}, {"[localhost]", "", 403}, {"localhost:x", "", 403}, {"localhost:99999", "", 403}, {"127.0.0.1@evil.example", "", 403}, {"xlocalhost", "", 403}, {".", "", 403},
		{"localhost:4477", "http://localhost:4477", 200}, {"localhost", "http://localhost:80", 200}, {"LOCALHOST:4477", "http://localhost:4477", 200}, {"[::1]:4477", "http://[::1]:4477", 200},
		{"localhost:4477", "http://localhost:4478", 403}, {"localhost:4477", "https://localhost:4477", 403}, {"localhost:4477", "null", 403}, {"localhost:4477", "", 200},
		{"localhost:4477", "http://evil.example", 403}, {"localhost:4477", "http://127.0.0.1:4477", 403}, {"localhost:4477", "http://a@localhost:4477", 403},
	} {
		for _, path := range []string{"/lib/", "/_preview/problems.json", "/_preview/who.json"} {
			req := httptest.NewRequest(http.MethodGet, path, nil)
			req.Host = tt.host
			if tt.origin != "" {
				req.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			s.s.Handler().ServeHTTP(w, req)
			if w.Code != tt.want || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("host %q, origin %q: %d, want %d; %v", tt.host, tt.origin, w.Code, tt.want, w.Header())
			}
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	s := run(t, folder(t), nil)
	const htmlType, jsonType, problemType = "text/html; charset=utf-8", "application/json; charset=utf-8", "application/problem+json"
	for _, tt := range []struct {
		method, target string
		code           int
		media, holds   string
	}{
		{"GET", "/", 307, "", "/lib/"}, {"GET", "/lib", 307, "", "/lib/"}, {"GET", "/lib/", 200, htmlType, "</html>"}, {"HEAD", "/lib/", 200, htmlType, ""},
		{"GET", "/lib/cases/IL-0001?x=1", 307, "", "/lib/cases/IL-0001/?x=1"}, {"GET", "/lib/cases/IL-0001/", 200, htmlType, "IL-0001"},
		{"GET", "/lib/cases/IL-0001/index.html", 200, htmlType, "IL-0001"}, {"GET", "/cases/IL-0001/", 307, "", "/lib/cases/IL-0001/"},
		{"GET", "/lib/cases/IL-9999/", 404, htmlType, "live.js"}, {"GET", "/lib/ko/cases/IL-9999/", 404, htmlType, `lang="ko"`}, {"GET", "/lib/kofi/", 404, htmlType, `lang="en"`},
		{"HEAD", "/lib/nope", 404, htmlType, ""}, {"GET", "/favicon.ico", 404, htmlType, ""},
		{"GET", "/lib/api/v1/cases/IL-0001.json", 200, jsonType, `"IL-0001"`}, {"GET", "/lib/api/v1/cases/IL-0001", 404, problemType, `"status":404`},
		{"GET", "/lib/api/cases/IL-0001", 200, jsonType, `"IL-0001"`}, {"GET", "/lib/api/cases/IL-0001/similar", 200, jsonType, `"items"`},
		{"GET", "/lib/api/cases", 200, jsonType, `"items"`}, {"GET", "/lib/api/vocab", 200, jsonType, `"axes"`}, {"GET", "/lib/api/", 200, htmlType, ""}, {"GET", "/lib/api", 307, "", "/lib/api/"},
		{"GET", "/lib/api/v1/cases/IL-9999", 404, problemType, `"status":404`}, {"GET", "/lib/api/v1/nope/", 404, problemType, `"status":404`}, {"HEAD", "/lib/api/v1/nope.json", 404, problemType, ""},
		{"GET", "/lib/sitemap.xml", 200, "application/xml; charset=utf-8", "urlset"}, {"GET", "/lib/robots.txt", 200, "text/plain; charset=utf-8", "User-agent"},
		{"POST", "/lib/", 405, "", ""}, {"POST", "/_preview/problems.json", 405, "", ""}, {"DELETE", "/lib/cases/IL-0001/", 405, "", ""}, {"OPTIONS", "/lib/api/cases", 405, "", ""},
		{"GET", "/lib//", 404, htmlType, ""}, {"GET", "//lib/", 404, htmlType, ""}, {"GET", "//evil.example/", 404, htmlType, ""}, {"GET", "/lib/../lib/", 404, htmlType, ""},
		{"GET", "/lib/%2e%2e/lib/", 404, htmlType, ""}, {"GET", "/lib/cases/%2e%2e/", 404, htmlType, ""}, {"GET", "/lib/cases/%00", 404, htmlType, ""},
		{"GET", "/lib/cases%5CIL-0001/", 404, htmlType, ""}, {"GET", "/lib/./", 404, htmlType, ""}, {"GET", "/lib/..%2f..%2fetc/passwd", 404, htmlType, ""}, {"GET", "/lib/cases%2FIL-0001/", 200, htmlType, ""},
		{"GET", "/_preview/live.js", 200, "text/javascript; charset=utf-8", "EventSource"}, {"GET", "/_preview/live.css", 200, "text/css; charset=utf-8", ""}, {"HEAD", "/_preview/live.js", 200, "text/javascript; charset=utf-8", ""},
		{"HEAD", "/_preview/events", 200, "text/event-stream", ""}, {"GET", "/_preview/nope", 404, htmlType, ""},
	} {
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(tt.method + " " + tt.target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		s.s.Handler().ServeHTTP(w, req)
		h := w.Header()
		body := w.Body.String()
		if tt.code == http.StatusTemporaryRedirect {
			body = h.Get("Location")
			if body != tt.holds {
				t.Errorf("%s %s leads to %q, want %q", tt.method, tt.target, body, tt.holds)
			}
		}
		if w.Code != tt.code || tt.media != "" && h.Get("Content-Type") != tt.media || !strings.Contains(body, tt.holds) || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s: %d, want %d; %v\n%.300s", tt.method, tt.target, w.Code, tt.code, h, body)
		}
		if tt.method == "HEAD" && w.Body.Len() > 0 {
			t.Errorf("HEAD %s has a body", tt.target)
		}
		if tt.code == http.StatusMethodNotAllowed && h.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s %s: Allow %q", tt.method, tt.target, h.Get("Allow"))
		}
	}
}

// A base path in another script is served under its address.
func TestBasePathOfAnyScript(t *testing.T) {
	t.Parallel()
	r := run(t, folder(t), nil)
	r.replace("seeds/site.json", "h.example/lib", "h.example/%ED%95%9C%EA%B8%80")
	r.until("the page is there", func() bool {
		code, _ := r.get("/%ED%95%9C%EA%B8%80/cases/IL-0001/")
		return code == http.StatusOK
	})
	b := r.browse("/%ED%95%9C%EA%B8%80/cases/IL-0001/")
	r.wants(b, "state")
	r.wantsNo(b, "reload")
}

// safeBuffer is a terminal that two goroutines may look at.
type safeBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// stuck is a terminal that takes nothing.
type stuck struct{ release chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	<-s.release
	return len(p), nil
}

// Neither browsers that do not read nor a terminal that takes nothing stall a
// rebuild, or the end, and nothing is left of them. With INCIDENTLIB_TORTURE it is
// 1,000 edits.
func TestSlowReaders(t *testing.T) {
	edits := 20
	if os.Getenv("INCIDENTLIB_TORTURE") != "" {
		edits = 1000
	}
	before := runtime.NumGoroutine()
	terminal := stuck{make(chan struct{})}
	dir := folder(t)
	r := run(t, dir, func(o *Options) { o.Stderr = terminal })
	var conns []net.Conn
	for i := range 200 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
		fmt.Fprintf(conn, "GET /_preview/events?page=%s&seen=x HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{case1, case2, "/lib/"}[i%3])
	}
	r.until("all have joined", func() bool {
		r.s.hub.mu.Lock()
		defer r.s.hub.mu.Unlock()
		return len(r.s.hub.clients) == len(conns)
	})
	var times []time.Duration
	for i := range edits {
		want := fmt.Sprintf("Title %d.", i)
		r.replace("seeds/cases/IL-0001.json", map[bool]string{true: "Title of IL-0001", false: fmt.Sprintf("Title %d.", i-1)}[i == 0], want)
		start := time.Now()
		r.until("it is there", func() bool {
			_, body := r.get(case1)
			return strings.Contains(body, want)
		})
		times = append(times, time.Since(start))
		if took := times[i]; took > 5*time.Second {
			t.Errorf("edit %d took %v", i, took)
		}
		if i%4 == 0 && i < len(conns) { // some leave
			conns[i].Close()
		}
	}
	slices.Sort(times)
	t.Logf("%d edits beside %d streams: p50 %v, p99 %v", edits, len(conns), times[edits/2].Round(time.Millisecond), times[edits*99/100].Round(time.Millisecond))
	start := time.Now()
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("the end took %v", took)
	}
	close(terminal.release)
	for _, c := range conns {
		c.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if n := runtime.NumGoroutine(); n > before {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines, %d before\n%s", n, before, stacks[:runtime.Stack(stacks, true)])
	}
}

// A folder that is kept in step gets there, and says what keeps it from it.
func TestOut(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	out := filepath.Join(dir, "out")
	r := run(t, dir, func(o *Options) { o.Out = out })
	has := func(want string) func() bool {
		return func() bool {
			b, _ := os.ReadFile(filepath.Join(out, "cases/IL-0001/index.html"))
			return strings.Contains(string(b), want)
		}
	}
	r.until("it is written", has("Title of IL-0001"))
	r.replace("seeds/cases/IL-0001.json", "Title of IL-0001", "Kept in step")
	r.until("it is in step", has("Kept in step"))

	foreign := filepath.Join(dir, "foreign")
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "mine.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r = run(t, folder(t), func(o *Options) { o.Out = foreign })
	r.untilProblem("not made by incidentlib")
}
