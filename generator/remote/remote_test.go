package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/remote"
)

func client(t *testing.T, h http.HandlerFunc, opt remote.Options) *remote.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := remote.New(s.URL+"/lib/", opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What may pass is asked for again, not for ever; what may not, is not.
func TestTries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fails  int
		status int
		want   int
		asked  int32
	}{{0, 0, 200, 1}, {1, 503, 200, 2}, {2, 429, 200, 3}, {9, 500, 500, 3}, {9, 404, 404, 1}, {9, 403, 403, 1}} {
		var asked atomic.Int32
		cl := client(t, func(w http.ResponseWriter, r *http.Request) {
			if n := asked.Add(1); int(n) <= c.fails {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(c.status)
			}
		}, remote.Options{})
		r, err := cl.Do(context.Background(), remote.Request{Path: "x"})
		if err != nil || r.Status != c.want || asked.Load() != c.asked {
			t.Errorf("%+v: %d %v after %d", c, r.Status, err, asked.Load())
		}
	}
}

// Redirects are followed on the origin, a few of them.
func TestRedirects(t *testing.T) {
	t.Parallel()
	cl := client(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/lib/a":
			http.Redirect(w, r, "b", http.StatusFound)
		case "/lib/b":
			http.Redirect(w, r, "/lib/c/", http.StatusPermanentRedirect)
		case "/lib/c/":
			fmt.Fprint(w, "here")
		case "/lib/loop":
			http.Redirect(w, r, "loop", http.StatusFound)
		case "/lib/out":
			http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
		case "/lib/scheme":
			http.Redirect(w, r, "https://"+r.Host+"/lib/c/", http.StatusFound)
		case "/lib/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		}
	}, remote.Options{})
	r, err := cl.Do(context.Background(), remote.Request{Path: "a"})
	if err != nil || string(r.Body) != "here" || len(r.Via) != 2 || !strings.HasSuffix(r.URL, "/lib/c/") {
		t.Errorf("%+v %v", r, err)
	}
	for path, want := range map[string]error{"loop": remote.ErrLoop, "out": remote.ErrElsewhere, "scheme": remote.ErrElsewhere, "file": remote.ErrElsewhere} {
		if _, err := cl.Do(context.Background(), remote.Request{Path: path}); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if n, _ := cl.Spent(); n > 3+6+3 {
		t.Errorf("%d requests", n)
	}
}

// No more is read, and no longer waited, than was asked for.
func TestBounds(t *testing.T) {
	t.Parallel()
	cl := client(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "drip") {
			for r.Context().Err() == nil {
				w.Write([]byte("."))
				w.(http.Flusher).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}
		w.Write(bytes.Repeat([]byte("x"), 1000))
	}, remote.Options{Timeout: 300 * time.Millisecond, Tries: 1})
	if r, err := cl.Do(context.Background(), remote.Request{Path: "x", Limit: 1000}); err != nil || len(r.Body) != 1000 {
		t.Errorf("%d %v", len(r.Body), err)
	}
	if _, err := cl.Do(context.Background(), remote.Request{Path: "x", Limit: 999}); !errors.Is(err, remote.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := cl.Do(context.Background(), remote.Request{Path: "drip"}); err == nil || !strings.Contains(err.Error(), "no whole answer within 300ms") {
		t.Error(err)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"https://h.example/": "https://h.example", "http://h.example/a/b//": "http://h.example/a/b",
		"h.example": "", "file:///x": "", "https://": "", "https://u:p@h.example": "", "https://h.example/?q": "", "https://h.example/#x": "", "::": ""} {
		c, err := remote.New(address, remote.Options{})
		if (err == nil) != (want != "") || err == nil && c.Base() != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A manifest that is taken has ids that may be names of files, in their order,
// and is written again to the byte.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"id":"IL-0001","updated_at":"2024-01-01T00:00:00Z","h":"0123456789abcdef","size":5}` + "\n"))
	f.Add([]byte(`{"id":"../evil","updated_at":"","h":"0123456789abcdef","size":5}` + "\n"))
	f.Add([]byte("{}\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := remote.ParseManifest(b)
		if err != nil {
			return
		}
		again, err := remote.Manifest(entries)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := remote.ParseManifest(again)
		if err != nil || len(twice) != len(entries) {
			t.Fatalf("%v: %q", err, again)
		}
		for _, e := range entries {
			if strings.ContainsAny(e.ID, "/\\.") {
				t.Fatalf("the id %q", e.ID)
			}
		}
	})
}
