package upload

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"gocloud.dev/blob/memblob"

	"benchlet.com/incidentlib/generator/output"
)

// site is a small site: pages that name assets, data, and a file for other hosts.
type site map[string]string

func siteOf(version string, pages int) site {
	s := site{
		"assets/all.js":              "the same in all",
		"assets/" + version + ".css": "of " + version,
		"api/v1/index.json":          `{"of":"` + version + `"}`,
		"feed.xml":                   "<feed/>",
		"_headers":                   "for another host",
		".hosts/nginx.conf":          "for another host",
	}
	for i := range pages {
		s[fmt.Sprintf("cases/%d/index.html", i)] = "names assets/all.js and assets/" + version + ".css"
	}
	s["only/"+version+"/index.html"] = "names assets/all.js"
	return s
}

func kindOf(p string) output.Kind {
	switch {
	case strings.HasPrefix(p, "assets/"):
		return output.Asset
	case strings.HasSuffix(p, ".html"):
		return output.Page
	}
	return output.Data
}

// build is a folder with a finished build of the site.
func (s site) build(t testing.TB) string {
	t.Helper()
	var files []output.File
	for p, text := range s {
		files = append(files, output.Bytes(p, kindOf(p), []byte(text)))
	}
	dir := filepath.Join(t.TempDir(), "public")
	if _, err := output.Publish(t.Context(), files, output.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// shown are its files that a store is to have.
func (s site) shown() site {
	s = maps.Clone(s)
	delete(s, "_headers")
	delete(s, ".hosts/nginx.conf")
	return s
}

var errKilled = errors.New("killed")

// witness is a store that notes what is done to it, and can be killed.
type witness struct {
	store
	mu     sync.Mutex
	ops    []string
	before func(op string) error // what happens before an operation
	after  func(op string) error
}

func (w *witness) do(op string, f func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.before != nil {
		if err := w.before(op); err != nil {
			return err
		}
	}
	w.ops = append(w.ops, op)
	err := f()
	if w.after != nil {
		err = errors.Join(err, w.after(op))
	}
	return err
}

func (w *witness) read(ctx context.Context, name string) (data []byte, err error) {
	err = w.do("read "+name, func() error {
		data, err = w.store.read(ctx, name)
		return err
	})
	return data, err
}

func (w *witness) write(ctx context.Context, name string, data []byte, h headers) error {
	return w.do("write "+name, func() error { return w.store.write(ctx, name, data, h) })
}

func (w *witness) remove(ctx context.Context, name string) error {
	return w.do("remove "+name, func() error { return w.store.remove(ctx, name) })
}

// killAt lets n operations pass and fails all others; late does the last of them
// all the same, whose answer is lost.
func (w *witness) killAt(n int, late bool) {
	count := 0
	check := func(string) error {
		if count++; count > n {
			return errKilled
		}
		return nil
	}
	if late {
		w.after, w.before = check, func(string) error {
			if count > n {
				return errKilled
			}
			return nil
		}
		return
	}
	w.before = check
}

func memory(t testing.TB) store {
	b := memblob.OpenBucket(nil)
	t.Cleanup(func() { b.Close() })
	return bucket{b}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// contents are all objects but our own.
func contents(t testing.TB, s store) site {
	t.Helper()
	out := site{}
	var names []string
	must(t, s.list(t.Context(), "", func(name string, _ object) { names = append(names, name) }))
	for _, name := range names {
		data, err := s.read(t.Context(), name)
		must(t, err)
		if !strings.HasPrefix(name, ".incidentlib-") {
			out[name] = string(data)
		}
	}
	return out
}

// whole holds that no page names what is not there.
func whole(t testing.TB, when string, s site) {
	t.Helper()
	for p, text := range s {
		for _, asset := range regexp.MustCompile(`assets/\w+\.\w+`).FindAllString(text, -1) {
			if _, ok := s[asset]; !ok {
				t.Fatalf("%s: %s names %s, which is not there", when, p, asset)
			}
		}
	}
}

func send(t testing.TB, s store, dir string) Result {
	t.Helper()
	r, err := publish(t.Context(), s, Options{Dir: dir})
	must(t, err)
	return r
}

func equal(t testing.TB, when string, got, want site, besides ...string) {
	t.Helper()
	got = maps.Clone(got)
	for _, name := range besides {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: %s is not there", when, name)
		}
		delete(got, name)
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%s: the store has %q, want %q", when, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// Only what changed is sent, in the order that no reader notices, and what is not
// ours stays.
func TestOrder(t *testing.T) {
	t.Parallel()
	s := memory(t)
	must(t, s.write(t.Context(), "foreign.txt", []byte("mine"), headers{}))
	a, b := siteOf("a", 2), siteOf("b", 2)
	if r := send(t, s, a.build(t)); r.New != 7 || r.Changed+r.Deleted+r.Unchanged != 0 || len(r.Warnings) != 1 {
		t.Errorf("the first: %+v", r)
	}
	equal(t, "a", contents(t, s), a.shown(), "foreign.txt")
	w := &witness{store: s}
	r, err := publish(t.Context(), w, Options{Dir: b.build(t), Jobs: 1})
	must(t, err)
	if r.New != 2 || r.Changed != 3 || r.Deleted != 1 || r.Unchanged != 2 || r.Kept != 1 {
		t.Errorf("the second: %+v", r)
	}
	var changes []string
	for _, op := range w.ops {
		if !strings.HasPrefix(op, "read ") {
			changes = append(changes, op)
		}
	}
	want := []string{"write .incidentlib-publishing", "write assets/b.css", "write api/v1/index.json", "write cases/0/index.html", "write cases/1/index.html",
		"write only/b/index.html", "remove only/a/index.html", "write .incidentlib-retained", "write .incidentlib-manifest", "remove .incidentlib-publishing"}
	if !slices.Equal(changes, want) {
		t.Errorf("it did %q", changes)
	}
	equal(t, "b", contents(t, s), b.shown(), "foreign.txt", "assets/a.css")

	w.ops = nil
	if r := send(t, w, b.build(t)); r.New+r.Changed+r.Deleted != 0 || len(w.ops) != 3 {
		t.Errorf("nothing to do: %+v, %q", r, w.ops)
	}
	send(t, s, siteOf("c", 1).build(t))
	equal(t, "c", contents(t, s), siteOf("c", 1).shown(), "foreign.txt", "assets/b.css")
}

// A run that is killed at any operation leaves a site whose pages have their
// assets; the next run, of the same build or another, sends the rest, and nothing
// of ours is left behind.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	a, b, c, d := siteOf("a", 3), siteOf("b", 4), siteOf("c", 2), siteOf("d", 1)
	dirs := map[string]string{"a": a.build(t), "b": b.build(t), "c": c.build(t), "d": d.build(t)}
	for _, late := range []bool{false, true} {
		for n := 0; ; n++ {
			ended := false
			for _, next := range []string{"b", "c", "a"} {
				when := fmt.Sprintf("killed at %d (late %v), then %s", n, late, next)
				s := memory(t)
				must(t, s.write(t.Context(), "foreign.txt", []byte("mine"), headers{}))
				send(t, s, dirs["a"])
				w := &witness{store: s}
				w.killAt(n, late)
				_, err := publish(t.Context(), w, Options{Dir: dirs["b"], Jobs: 3})
				ended = err == nil
				whole(t, when, contents(t, s))
				again := &witness{store: s}
				send(t, again, dirs[next])
				if next == "b" {
					sentOnce(t, when, w.ops, again.ops)
				}
				now := contents(t, s)
				whole(t, when, now)
				for p, text := range map[string]site{"a": a, "b": b, "c": c}[next].shown() {
					if now[p] != text {
						t.Fatalf("%s: %s is %q", when, p, now[p])
					}
				}
				if r := send(t, s, dirs[next]); r.New+r.Changed+r.Deleted != 0 {
					t.Fatalf("%s: and then %+v", when, r)
				}
				send(t, s, dirs["d"])
				send(t, s, siteOf("e", 1).build(t))
				equal(t, when+", d and e", contents(t, s), siteOf("e", 1).shown(), "foreign.txt", "assets/d.css")
			}
			if ended {
				break
			}
		}
	}
}

// A run is killed, then one that puts the build before it back, at any two of
// their operations: the next one does not take that build for complete.
func TestKilledOnTheWayBack(t *testing.T) {
	t.Parallel()
	a := siteOf("a", 2)
	back, over := a.build(t), siteOf("b", 3).build(t)
	for n := 3; n < 16; n++ {
		for m := range 16 {
			s := memory(t)
			send(t, s, back)
			for _, run := range []struct {
				dir string
				at  int
			}{{over, n}, {back, m}} {
				w := &witness{store: s}
				w.killAt(run.at, false)
				_, _ = publish(t.Context(), w, Options{Dir: run.dir, Jobs: 1})
			}
			send(t, s, back)
			now := contents(t, s)
			for p, text := range a.shown() {
				if now[p] != text {
					t.Fatalf("killed at %d, on the way back at %d: %s is %q", n, m, p, now[p])
				}
			}
		}
	}
}

// What a killed run had begun to write into a folder goes, and nothing else of
// such a name.
func TestScrapsGo(t *testing.T) {
	t.Parallel()
	s, dir := memory(t), siteOf("a", 1).build(t)
	w := &witness{store: s}
	w.killAt(6, false)
	if _, err := publish(t.Context(), w, Options{Dir: dir, Jobs: 1}); err == nil {
		t.Fatal("it was not killed")
	}
	for _, name := range []string{"feed.xml.18ecb2a21b04e748.tmp", ".incidentlib-manifest.18ec.tmp", "mine.18ecb2a21b04e748.tmp", "feed.xml.tmp"} {
		must(t, s.write(t.Context(), name, []byte("x"), headers{}))
	}
	send(t, s, dir)
	equal(t, "after a kill", contents(t, s), siteOf("a", 1).shown(), "mine.18ecb2a21b04e748.tmp", "feed.xml.tmp")
	// One that was killed while it wrote its journal changed nothing, and neither does the next.
	must(t, s.write(t.Context(), JournalName+".18ec.tmp", []byte("x"), headers{}))
	send(t, s, dir)
	must(t, s.list(t.Context(), ownPrefix, func(name string, _ object) {
		if _, is := scrapOf(name); is {
			t.Errorf("%s was left", name)
		}
	}))
}

// What could not be taken away goes with the next run, though nothing else is to
// be done.
func TestScrapsGoLater(t *testing.T) {
	t.Parallel()
	s, dir := memory(t), siteOf("a", 1).build(t)
	send(t, s, dir)
	built, err := output.Read(dir)
	must(t, err)
	touched := slices.DeleteFunc(built.Manifest, func(e output.Entry) bool { return e.Path != "feed.xml" })
	must(t, s.write(t.Context(), JournalName, journal{"word", "one", "another", touched}.text(), headers{}))
	const scrap = "feed.xml.18ecb2a21b04e748.tmp"
	must(t, s.write(t.Context(), scrap, []byte("x"), headers{}))
	w := &witness{store: s, before: func(op string) error {
		if op == "remove "+scrap {
			return errKilled
		}
		return nil
	}}
	if _, err := publish(t.Context(), w, Options{Dir: dir, Jobs: 1}); err == nil {
		t.Fatal("nothing failed")
	}
	send(t, s, dir)
	equal(t, "after a failure", contents(t, s), siteOf("a", 1).shown())
}

// sentOnce holds that what was sent before a kill was not sent again after it.
func sentOnce(t testing.TB, when string, before, after []string) {
	t.Helper()
	for _, op := range after {
		if strings.HasPrefix(op, "write ") && !strings.Contains(op, ".incidentlib-") && slices.Contains(before, op) {
			t.Fatalf("%s: %q again", when, op)
		}
	}
}

// Of two runs, the one that began last goes on, whenever it begins.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	a, b, c := siteOf("a", 2).build(t), siteOf("b", 2).build(t), siteOf("c", 3).build(t)
	for n := 0; ; n++ {
		s := memory(t)
		send(t, s, a)
		w := &witness{store: s}
		looks, began := 0, false
		w.before = func(op string) error {
			if op == "read "+JournalName {
				if looks++; looks == n+1 {
					began = true
					send(t, s, c)
				}
			}
			return nil
		}
		_, err := publish(t.Context(), w, Options{Dir: b})
		if !began {
			must(t, err)
			return
		}
		if !errors.Is(err, ErrBusy) {
			t.Errorf("another at look %d: %v", n, err)
		}
		now := contents(t, s)
		whole(t, "two at once", now)
		for p, text := range siteOf("c", 3).shown() {
			if now[p] != text {
				t.Errorf("another at look %d: %s is %q", n, p, now[p])
			}
		}
	}
}

// Without a manifest that can be read the store is asked, nothing is sent that it
// has, and nothing is deleted that may be somebody's.
func TestDamaged(t *testing.T) {
	t.Parallel()
	a, b := siteOf("a", 3), siteOf("b", 3)
	for name, spoil := range map[string]func(s store) error{
		"gone":    func(s store) error { return s.remove(context.Background(), output.ManifestName) },
		"damaged": func(s store) error { return s.write(context.Background(), output.ManifestName, []byte("x"), ours()) },
		"empty":   func(s store) error { return s.write(context.Background(), output.ManifestName, nil, ours()) },
		"journal": func(s store) error { return s.write(context.Background(), JournalName, []byte("x"), ours()) },
	} {
		s := memory(t)
		send(t, s, a.build(t))
		must(t, spoil(s))
		must(t, s.write(t.Context(), "cases/1/index.html", []byte("changed by hand"), headers{}))
		r := send(t, s, a.build(t))
		if r.Changed != 1 || r.New != 0 || r.Deleted != 0 || r.Unchanged != 6+1 {
			t.Errorf("%s: %+v", name, r)
		}
		equal(t, name, contents(t, s), a.shown())
		must(t, spoil(s))
		r = send(t, s, b.build(t))
		if name != "journal" && (r.Deleted != 0 || len(r.Warnings) == 0) {
			t.Errorf("%s: %+v", name, r)
		}
		now := contents(t, s)
		whole(t, name, now)
		if r := send(t, s, b.build(t)); r.New+r.Changed+r.Deleted != 0 {
			t.Errorf("%s: and then %+v", name, r)
		}
	}
}

// Check finds what was changed behind the manifest's back; without it nobody looks.
func TestCheck(t *testing.T) {
	t.Parallel()
	s, dir := memory(t), siteOf("a", 3).build(t)
	send(t, s, dir)
	must(t, s.write(t.Context(), "feed.xml", []byte("other"), headers{}))
	must(t, s.remove(t.Context(), "cases/0/index.html"))
	if r := send(t, s, dir); r.New+r.Changed != 0 {
		t.Errorf("unasked: %+v", r)
	}
	r, err := publish(t.Context(), s, Options{Dir: dir, Check: true})
	must(t, err)
	if r.New != 1 || r.Changed != 1 {
		t.Errorf("%+v", r)
	}
	equal(t, "checked", contents(t, s), siteOf("a", 3).shown())
}

// A dry run says what there is to do and changes nothing.
func TestDryRun(t *testing.T) {
	t.Parallel()
	s := memory(t)
	send(t, s, siteOf("a", 1).build(t))
	w := &witness{store: s}
	r, err := publish(t.Context(), w, Options{Dir: siteOf("b", 1).build(t), DryRun: true})
	must(t, err)
	want := []Change{{"+", "assets/b.css"}, {"~", "api/v1/index.json"}, {"~", "cases/0/index.html"}, {"+", "only/b/index.html"}, {"-", "only/a/index.html"}}
	if !slices.Equal(r.Changes, want) {
		t.Errorf("%q", r.Changes)
	}
	for _, op := range w.ops {
		if !strings.HasPrefix(op, "read ") {
			t.Errorf("it did %q", op)
		}
	}
}

// A folder that is not as its build left it is not published, nor is a shard.
func TestFolderIsWhole(t *testing.T) {
	t.Parallel()
	s, dir := memory(t), siteOf("a", 1).build(t)
	must(t, os.WriteFile(filepath.Join(dir, "feed.xml"), []byte("<FEED/>"), 0o644))
	if _, err := publish(t.Context(), s, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "feed.xml is not what the manifest lists") {
		t.Error(err)
	}
	must(t, os.Remove(filepath.Join(dir, "feed.xml")))
	if _, err := publish(t.Context(), s, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "feed.xml is missing") {
		t.Error(err)
	}
	part := filepath.Join(t.TempDir(), "part")
	_, err := output.Publish(t.Context(), nil, output.Options{Dir: part, Note: []byte("a shard")})
	must(t, err)
	if _, err := publish(t.Context(), s, Options{Dir: part}); err == nil || !strings.Contains(err.Error(), "is a shard") {
		t.Error(err)
	}
	if _, err := publish(t.Context(), s, Options{Dir: filepath.Join(part, "nowhere")}); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Error(err)
	}
}
