package upload

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// sent are the headers with which objects came to a server.
type sent struct {
	mu sync.Mutex
	by map[string]http.Header
}

// s3 is the address of an empty bucket of a server that speaks as S3 does, and
// what comes to it.
func s3(t *testing.T) (string, *sent) {
	t.Helper()
	backend := s3mem.New()
	must(t, backend.CreateBucket("site"))
	got, speaks := &sent{by: map[string]http.Header{}}, gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if name, ok := strings.CutPrefix(q.URL.Path, "/site/lib/"); ok && q.Method == http.MethodPut {
			got.mu.Lock()
			got.by[name] = q.Header.Clone()
			got.mu.Unlock()
		}
		speaks.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	q := url.Values{"region": {"us-east-1"}, "endpoint": {server.URL}, "use_path_style": {"true"}}
	return "s3://site/lib?" + q.Encode(), got
}

// A server of S3 gets, through the real client, what an empty memory gets: each
// object with its media type and how long it may be kept, and only what changed.
func TestS3(t *testing.T) {
	dest, sent := s3(t)
	b, err := Open(t.Context(), dest)
	must(t, err)
	defer b.Close()
	s := bucket{b}
	first, second := siteOf("a", 20), siteOf("b", 20)
	r, err := Publish(t.Context(), b, Options{Dir: first.build(t)})
	must(t, err)
	if r.New != 25 {
		t.Errorf("%+v", r)
	}
	equal(t, "a", contents(t, s), first.shown())
	for name, want := range map[string][2]string{
		"cases/0/index.html":    {"text/html; charset=utf-8", "public, max-age=0, must-revalidate"},
		"assets/a.css":          {"text/css; charset=utf-8", "public, max-age=31536000, immutable"},
		"api/v1/index.json":     {"application/json; charset=utf-8", "public, max-age=300, stale-while-revalidate=86400"},
		"feed.xml":              {"application/atom+xml; charset=utf-8", "public, max-age=300, stale-while-revalidate=86400"},
		".incidentlib-manifest": {"text/plain; charset=utf-8", "no-store"},
	} {
		h := sent.by[name]
		if got := [2]string{h.Get("Content-Type"), h.Get("Cache-Control")}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if h.Get("X-Amz-Meta-Sha256") == "" {
			t.Errorf("%s came without a digest: %v", name, h)
		}
	}

	must(t, s.write(t.Context(), "foreign.txt", []byte("mine"), headers{}))
	w := &witness{store: s}
	w.killAt(12, false)
	dir := second.build(t)
	if _, err := publish(t.Context(), w, Options{Dir: dir}); err == nil {
		t.Fatal("it was not killed")
	}
	whole(t, "killed", contents(t, s))
	again := &witness{store: s}
	send(t, again, dir)
	sentOnce(t, "killed", w.ops, again.ops)
	equal(t, "b", contents(t, s), second.shown(), "foreign.txt", "assets/a.css")
	must(t, s.remove(t.Context(), ".incidentlib-manifest"))
	if r := send(t, s, dir); r.New+r.Changed+r.Deleted != 0 || r.Unchanged != 25 {
		t.Errorf("without a manifest: %+v", r)
	}
}

// A folder is a store, too: it gets the files and nothing beside them but what a
// run needs.
func TestFolder(t *testing.T) {
	t.Parallel()
	dest := filepath.Join(t.TempDir(), "on", "disk")
	dir := siteOf("a", 3).build(t)
	for range 2 {
		b, err := Open(t.Context(), dest)
		must(t, err)
		must(t, bucket{b}.write(t.Context(), "foreign.txt", []byte("mine"), headers{}))
		w := &witness{store: bucket{b}}
		w.killAt(7, true)
		_, _ = publish(t.Context(), w, Options{Dir: dir})
		r := send(t, bucket{b}, dir)
		if r.New+r.Changed+r.Unchanged != 8 {
			t.Errorf("%+v", r)
		}
		equal(t, "a folder", contents(t, bucket{b}), siteOf("a", 3).shown(), "foreign.txt")
		must(t, b.Close())
	}
	must(t, filepath.Walk(dest, func(p string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && strings.Contains(p, "attrs") || strings.Contains(p, JournalName) {
			t.Errorf("%s was left", p)
		}
		return err
	}))
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"s3://b?region=x":                   "s3://b?region=x",
		"s3://b/a/path/":                    "s3://b?prefix=a%2Fpath%2F",
		"s3://b?endpoint=http%3A%2F%2Fh":    "s3://b?endpoint=http%3A%2F%2Fh&request_checksum_calculation=when_required&response_checksum_validation=when_required",
		"gs://b/p":                          "gs://b?prefix=p%2F",
		"azblob://c":                        "azblob://c",
		"file:///x?metadata=":               "file:///x?create_dir=true&metadata=&no_tmp_dir=true",
		"":                                  "where to publish to is not said",
		"s3://":                             "names no bucket",
		"s3://b/p?prefix=q/":                "says twice where",
		"ftp://h/p":                         `no store is known by "ftp://"`,
		"https://s3.example.org/bucket/key": `no store is known by "https://"`,
	} {
		got, err := address(in)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if Folder("x/y") != "x/y" || Folder("file:///x/y?metadata=skip") != "/x/y" || Folder("s3://b") != "" {
		t.Error("the folder of an address")
	}
}
