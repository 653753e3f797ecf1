package generator_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/conform"
	"benchlet.com/incidentlib/generator/replica"
)

// copied is the small library on a host, and a folder for a copy of it.
func copied(t *testing.T, n int) (seeds fstest.MapFS, p *published, opt replica.Options) {
	t.Helper()
	seeds = newSeeds(t, newSite(), newVocab(manyVocab()), many(n)...)
	p = publish(t, load(t, seeds))
	return seeds, p, replica.Options{Address: p.address(), Dir: filepath.Join(t.TempDir(), "copy"), Timeout: time.Minute}
}

func mustSync(t *testing.T, opt replica.Options) replica.Report {
	t.Helper()
	r, err := replica.Sync(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree is a folder's files.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, ".incidentlib-") {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = string(b)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

// isCopy holds that a folder has the published documents, to the byte, and
// nothing else.
func isCopy(t *testing.T, p *published, opt replica.Options) {
	t.Helper()
	got := tree(t, opt.Dir)
	delete(got, "sync.json")
	for name, b := range p.files {
		wanted := isCase(name) || slices.Contains([]string{"api/v1/index.json", "api/v1/changes.json", "api/v1/manifest.ndjson", "api/v1/vocab.json"}, name) ||
			opt.All && strings.HasPrefix(name, "api/v1/") || (opt.All || opt.Search) && strings.HasPrefix(name, "search/") && strings.HasSuffix(name, ".json")
		if have, ok := got[name]; ok != wanted || wanted && have != string(b()) {
			t.Errorf("%s: wanted %t, there %t", name, wanted, ok)
		}
		delete(got, name)
	}
	for name := range got {
		if !strings.HasPrefix(name, "search/s/") { // of the index before
			t.Errorf("%s is not published", name)
		}
	}
}

// edited are seeds with another title of a case.
func edited(t *testing.T, seeds fstest.MapFS, i int, title string) fstest.MapFS {
	t.Helper()
	seeds = maps.Clone(seeds)
	c := manyCase(i)
	c["title"] = both(title, title)
	c["updated_at"] = "2031-01-02T03:04:05Z"
	put(t, seeds, "cases/"+c["id"].(string)+".json", c)
	return seeds
}

// What a copy costs: little at first, one request when nothing changed, and what
// changed when something did.
func TestSyncCostsWhatChanged(t *testing.T) {
	t.Parallel()
	seeds, p, opt := copied(t, 60)
	r := mustSync(t, opt)
	if r.Way != replica.Dumps || r.Cases != 60 || r.Added != 60 || r.Documents != 5 || r.Requests != 6 {
		t.Errorf("the first: %+v", r)
	}
	isCopy(t, p, opt)
	p.took()
	if r := mustSync(t, opt); r.Way != replica.Nothing || r.Requests != 1 || r.Documents != 0 || r.Bytes != 0 {
		t.Errorf("nothing changed: %+v", r)
	}
	if asked := p.took(); !slices.Equal(asked, []string{"api/v1/index.json"}) {
		t.Errorf("asked for %q", asked)
	}
	before, err := os.Stat(filepath.Join(opt.Dir, "api/v1/cases/IL-1002.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.put(t, load(t, edited(t, seeds, 1, "Another title")))
	r = mustSync(t, opt)
	if r.Way != replica.Changes || r.Changed != 1 || r.Added+r.Removed != 0 || r.Documents > 4 || r.Requests > 5 {
		t.Errorf("one changed: %+v", r)
	}
	isCopy(t, p, opt)
	after, err := os.Stat(filepath.Join(opt.Dir, "api/v1/cases/IL-1002.json"))
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a document that did not change was written: %v", err)
	}
}

// Cases that come, go with a word and go without one are followed.
func TestSyncFollowsWhatComesAndGoes(t *testing.T) {
	t.Parallel()
	seeds, p, opt := copied(t, 40)
	mustSync(t, opt)
	for _, step := range []struct {
		name string
		edit func(fstest.MapFS)
		way  replica.Way
		want [3]int // added, changed, removed
	}{
		{"one comes", func(m fstest.MapFS) { put(t, m, "cases/IL-1041.json", manyCase(41)) }, replica.Changes, [3]int{1, 0, 0}},
		{"one is withdrawn", func(m fstest.MapFS) {
			delete(m, "cases/IL-1003.json")
			put(t, m, "withdrawn.json", object{"withdrawn": []object{{"id": "IL-1003", "since": "2031-05", "reason": both("Told twice.", "두 번 실렸다."), "replaced_by": "IL-1004"}}})
		}, replica.Changes, [3]int{0, 0, 1}},
		{"one is gone without a word", func(m fstest.MapFS) { delete(m, "cases/IL-1005.json") }, replica.Manifest, [3]int{0, 0, 1}},
		{"the words alone change", func(m fstest.MapFS) { put(t, m, "vocab.json", renamedVocab()) }, replica.Changes, [3]int{}},
		{"most are others", func(m fstest.MapFS) {
			for i := 10; i <= 30; i++ {
				maps.Copy(m, edited(t, m, i, "Quite another"))
			}
		}, replica.Dumps, [3]int{0, 21, 0}},
	} {
		step.edit(seeds)
		p.put(t, load(t, seeds))
		r := mustSync(t, opt)
		if r.Way != step.way || [3]int{r.Added, r.Changed, r.Removed} != step.want {
			t.Errorf("%s: %+v", step.name, r)
		}
		isCopy(t, p, opt)
	}
}

func renamedVocab() object {
	v := newVocab(manyVocab())
	axes := v["axes"].([]object)
	axes[0]["label"] = both("Another name", "다른 이름")
	return v
}

// The whole of the API can be copied, and the search index.
func TestSyncEverything(t *testing.T) {
	t.Parallel()
	seeds, p, opt := copied(t, 110)
	opt.All = true
	mustSync(t, opt)
	isCopy(t, p, opt)
	if r := mustSync(t, opt); r.Way != replica.Nothing || r.Requests != 1 {
		t.Errorf("nothing changed: %+v", r)
	}
	p.put(t, load(t, edited(t, seeds, 7, "Another title")))
	mustSync(t, opt)
	isCopy(t, p, opt)
}

// A host that misbehaves is told of in words, and does not reach the copy.
func TestSyncIsNeverCorrupted(t *testing.T) {
	t.Parallel()
	neverCorrupts(t, map[string]corruption{
		"a stale document": {func(old *published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				if !isCase(file) {
					return false
				}
				serveBytes(w, r, 200, "application/json", old.bytes(file))
				return true
			}
		}, "of different ages"},
		"a stale list of changes": {func(old *published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				if file != "api/v1/changes.json" && file != "api/v1/manifest.ndjson" {
					return false
				}
				serveBytes(w, r, 200, "application/json", old.bytes(file))
				return true
			}
		}, "not the manifest that the root promises"},
		"a document cut off": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, _ *http.Request, file string) bool {
				if !isCase(file) {
					return false
				}
				w.Header().Set("Content-Length", "5000")
				w.Write([]byte(`{"id":`))
				return true
			}
		}, "breaks off"},
		"pages for documents": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, _ *http.Request, file string) bool {
				if file != "api/v1/changes.json" {
					return false
				}
				welcome(w)
				return true
			}
		}, "a page, no JSON"},
		"a page for the root": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, _ *http.Request, file string) bool {
				welcome(w)
				return true
			}
		}, "a page, no JSON"},
		"half of it missing": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, _ *http.Request, file string) bool {
				if isCase(file) {
					w.WriteHeader(404)
				}
				return isCase(file)
			}
		}, "there is nothing there"},
	})
}

// The same of a host that leads astray, is slow, or is broken.
func TestSyncIsNeverLedAstray(t *testing.T) {
	t.Parallel()
	neverCorrupts(t, map[string]corruption{
		"redirects without end": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
				return true
			}
		}, "redirects do not end"},
		"another host": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				http.Redirect(w, r, "http://elsewhere.example/"+file, http.StatusFound)
				return true
			}
		}, "leads to another host"},
		"slow": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				if isCase(file) {
					<-r.Context().Done()
				}
				return isCase(file)
			}
		}, "no whole answer within"},
		"broken": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				w.WriteHeader(503)
				return true
			}
		}, "503 Service Unavailable"},
		"another shape": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				if file != "api/v1/changes.json" {
					return false
				}
				serveBytes(w, r, 200, "application/json", []byte(`{"items":{"a":1}}`))
				return true
			}
		}, "not the document that it should be"},
	})
}

// The same of a host that means harm.
func TestSyncIsNeverMisled(t *testing.T) {
	t.Parallel()
	neverCorrupts(t, map[string]corruption{
		"ids that leave the folder": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				if file != "api/v1/changes.json" {
					return false
				}
				serveBytes(w, r, 200, "application/json", []byte(`{"from":"2020-01-01T00:00:00Z","to":"2032-01-01T00:00:00Z","items":[{"id":"../../evil","updated_at":"2032-01-01T00:00:00Z","h":"0123456789abcdef"}],"links":{"next":null}}`))
				return true
			}
		}, "is no id"},
		"ids that leave the folder, on a further page": {func(old *published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				switch body := string(old.bytes("api/v1/index.json")); {
				case file == "api/v1/index.json":
					serveBytes(w, r, 200, "application/json", []byte(strings.Replace(body, `"withdrawn":0`, `"withdrawn":1`, 1)))
				case file == "api/v1/changes.json":
					serveBytes(w, r, 200, "application/json", []byte(`{"from":"2020-01-01T00:00:00Z","to":"2032-01-01T00:00:00Z","items":[],"links":{"next":"/api/v1/changes/pages/IL-0001.json"}}`))
				case strings.HasPrefix(file, "api/v1/changes/pages/"):
					serveBytes(w, r, 200, "application/json", []byte(`{"items":[{"id":"../../evil","withdrawn_at":"2032-01-01","reason":null,"replaced_by":null}],"links":{"next":null}}`))
				default:
					return false
				}
				return true
			}
		}, "is no id"},
		"a case that is there and withdrawn": {func(old *published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				switch file {
				case "api/v1/index.json":
					serveBytes(w, r, 200, "application/json", bytes.Replace(old.bytes(file), []byte(`"withdrawn":0`), []byte(`"withdrawn":1`), 1))
				case "api/v1/changes.json":
					serveBytes(w, r, 200, "application/json", []byte(`{"from":"2032-01-01T00:00:00Z","to":"2032-01-01T00:00:00Z","items":[{"id":"`+manyCase(1)["id"].(string)+`","withdrawn_at":"2032-01-01","reason":null,"replaced_by":null}],"links":{"next":null}}`))
				default:
					return false
				}
				return true
			}
		}, "is withdrawn, and the manifest has it"},
		"a root without end": {func(*published) func(http.ResponseWriter, *http.Request, string) bool {
			return func(w http.ResponseWriter, r *http.Request, file string) bool {
				for range 3 << 10 {
					if _, err := w.Write(bytes.Repeat([]byte(" "), 8<<10)); err != nil {
						break
					}
				}
				return true
			}
		}, "larger than it may be"},
	})
}

// corruption is what is wrong with a host, which had an older site, and what a
// copy says of it.
type corruption struct {
	wrong func(old *published) func(w http.ResponseWriter, r *http.Request, file string) bool
	says  string
}

// welcome answers with a page.
func welcome(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html")
	w.Write([]byte("<!doctype html><title>Welcome</title>"))
}

func neverCorrupts(t *testing.T, cases map[string]corruption) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seeds, p, opt := copied(t, 12)
			mustSync(t, opt)
			before := tree(t, opt.Dir)
			old := &published{files: p.files}
			p.put(t, load(t, edited(t, seeds, 1, "Another title")))
			p.misbehave(c.wrong(old))
			hurried := opt
			if name == "slow" {
				hurried.Timeout = time.Second
			}
			_, err := replica.Sync(context.Background(), hurried)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it says %v, not %q", err, c.says)
			}
			if !maps.Equal(tree(t, opt.Dir), before) {
				t.Error("the copy changed")
			}
			p.misbehave(nil)
			mustSync(t, opt)
			isCopy(t, p, opt)
		})
	}
}

// A dump that is not what it should be is not taken.
func TestSyncRefusesASpoiltDump(t *testing.T) {
	t.Parallel()
	_, p, opt := copied(t, 30)
	for name, spoil := range map[string]func(b []byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"changed": func(b []byte) []byte { b = bytes.Clone(b); b[len(b)/2] ^= 1; return b },
		"longer":  func(b []byte) []byte { return append(bytes.Clone(b), 0) },
	} {
		p.misbehave(func(w http.ResponseWriter, r *http.Request, file string) bool {
			if !strings.HasPrefix(file, "api/v1/dumps/cases-") {
				return false
			}
			serveBytes(w, r, 200, "application/gzip", spoil(p.bytes(file)))
			return true
		})
		if _, err := replica.Sync(context.Background(), opt); err == nil {
			t.Errorf("%s: taken", name)
		}
		if len(tree(t, opt.Dir)) > 0 {
			t.Errorf("%s: there is a copy", name)
		}
	}
}

// A document that was lost or cut on the disk is fetched again, though nothing
// changed at the host.
func TestSyncMendsTheCopy(t *testing.T) {
	t.Parallel()
	_, p, opt := copied(t, 20)
	mustSync(t, opt)
	for i, spoil := range []func(name string) error{os.Remove, func(name string) error { return os.Truncate(name, 10) }} {
		name := filepath.Join(opt.Dir, "api/v1/cases", manyCase(i + 1)["id"].(string)+".json")
		if err := spoil(name); err != nil {
			t.Fatal(err)
		}
	}
	if r := mustSync(t, opt); r.Way != replica.Manifest && r.Way != replica.Changes || r.Added != 2 {
		t.Error(r)
	}
	isCopy(t, p, opt)
	if r := mustSync(t, opt); r.Way != replica.Nothing || r.Requests != 1 {
		t.Error(r)
	}
	if err := os.WriteFile(filepath.Join(opt.Dir, "sync.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := replica.Sync(t.Context(), opt); err == nil || strings.Contains(err.Error(), "%!") || !strings.Contains(err.Error(), "delete the folder") {
		t.Error(err)
	}
}

// Several runs at once, as of two AI tools that share a copy, wait for each other.
func TestSyncAtOnce(t *testing.T) {
	t.Parallel()
	_, p, opt := copied(t, 40)
	p.misbehave(func(http.ResponseWriter, *http.Request, string) bool {
		time.Sleep(5 * time.Millisecond)
		return false
	})
	opt.All = true
	var made atomic.Int64
	g, ctx := errgroup.WithContext(t.Context())
	for range 4 {
		g.Go(func() error {
			r, err := replica.Sync(ctx, opt)
			if r.Way != replica.Nothing {
				made.Add(1)
			}
			if r.Resumed > 0 {
				t.Errorf("documents of a run before: %v", r)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil || made.Load() != 1 {
		t.Error(err, made.Load())
	}
	isCopy(t, p, opt)
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(opt.Dir), ".copy*")); err != nil || len(left) > 0 {
		t.Error(err, left)
	}
}

// What was fetched before the end came is not fetched again.
func TestSyncGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	seeds, p, opt := copied(t, 60)
	mustSync(t, opt)
	for i := 1; i <= 8; i++ {
		seeds = edited(t, seeds, i, "Another title")
	}
	p.put(t, load(t, seeds))
	opt.Jobs = 1
	n := 0
	ctx, cancel := context.WithCancel(context.Background())
	p.misbehave(func(_ http.ResponseWriter, _ *http.Request, file string) bool {
		if n++; isCase(file) && n > 6 {
			cancel()
		}
		return false
	})
	if _, err := replica.Sync(ctx, opt); err == nil {
		t.Fatal("it was not ended")
	}
	p.misbehave(nil)
	p.took()
	r := mustSync(t, opt)
	if again := len(slices.DeleteFunc(p.took(), func(file string) bool { return !isCase(file) })); r.Resumed == 0 || again >= 8 {
		t.Errorf("%d documents again: %+v", again, r)
	}
	isCopy(t, p, opt)
	if _, err := os.Stat(filepath.Join(filepath.Dir(opt.Dir), ".copy.sync")); !os.IsNotExist(err) {
		t.Errorf("the work folder stays: %v", err)
	}
}

// A folder that is not a copy of this library is left alone.
func TestSyncRefusesOtherFolders(t *testing.T) {
	t.Parallel()
	_, p, opt := copied(t, 3)
	_, other, _ := copied(t, 3)
	dir := opt.Dir
	put := func(name string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("letter.txt")
	if _, err := replica.Sync(context.Background(), opt); err == nil || !strings.Contains(err.Error(), "something else than a copy (letter.txt") {
		t.Errorf("a folder of others: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "letter.txt")); err != nil {
		t.Fatal(err)
	}
	mustSync(t, opt)
	opt.Address = other.address()
	if _, err := replica.Sync(context.Background(), opt); err == nil || !strings.Contains(err.Error(), "holds a copy of "+p.address()) {
		t.Errorf("a copy of another: %v", err)
	}
	opt.Address = p.address() + "/nowhere"
	opt.Dir += "2"
	if _, err := replica.Sync(context.Background(), opt); err == nil || !strings.Contains(err.Error(), "is no published library") {
		t.Errorf("no library: %v", err)
	}
}

// A host that knows no tags costs the root each time, and no more.
func TestSyncWithoutTags(t *testing.T) {
	t.Parallel()
	seeds, p, opt := copied(t, 12)
	p.misbehave(func(w http.ResponseWriter, r *http.Request, file string) bool { return noTags(p, w, r, file) })
	mustSync(t, opt)
	if r := mustSync(t, opt); r.Way != replica.Nothing || r.Requests != 1 || r.Documents != 1 {
		t.Errorf("nothing changed: %+v", r)
	}
	p.put(t, load(t, edited(t, seeds, 1, "Another title")))
	if r := mustSync(t, opt); r.Way != replica.Changes || r.Changed != 1 {
		t.Errorf("one changed: %+v", r)
	}
	isCopy(t, p, opt)
}

// The API's own host has the documents one folder higher.
func TestSyncFromTheAPIsOwnHost(t *testing.T) {
	t.Parallel()
	_, p, opt := copied(t, 12)
	opt.Address = p.address() + "/api"
	mustSync(t, opt)
	isCopy(t, p, opt)
	if r := mustSync(t, opt); r.Way != replica.Nothing || r.Requests != 1 {
		t.Errorf("%+v", r)
	}
	r := conformed(t, opt.Address, true)
	for _, c := range r.Checks {
		if c.Result == conform.Short {
			t.Errorf("%s: %+v", c.Name, c.Faults)
		}
	}
}

// What a copy leaves out is read from where it is published, once.
func TestBeyondTheCopy(t *testing.T) {
	t.Parallel()
	_, p, _ := copied(t, 3)
	b, err := replica.NewBeyond(p.address(), nil, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := b.Open(context.Background(), "api/v1/cases/IL-1001/similar.json")
		if err != nil || !bytes.Equal(got, p.bytes("api/v1/cases/IL-1001/similar.json")) {
			t.Errorf("%q %v", got, err)
		}
	}
	if asked := p.took(); len(asked) != 1 {
		t.Errorf("asked for %q", asked)
	}
	for _, name := range []string{"api/v1/cases/IL-9.json", "../api/v1/index.json", "index.html", "/api/v1/index.json", "api/v1/../../x"} {
		if _, err := b.Open(context.Background(), name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An empty library is one, too.
func TestSyncOfNothing(t *testing.T) {
	t.Parallel()
	_, p, opt := copied(t, 0)
	if r := mustSync(t, opt); r.Cases != 0 {
		t.Errorf("%+v", r)
	}
	isCopy(t, p, opt)
	if r := mustSync(t, opt); r.Requests != 1 || r.Way != replica.Nothing {
		t.Errorf("%+v", r)
	}
}
