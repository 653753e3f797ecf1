package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

func search1(t *testing.T, r *Reader, q Query) Result {
	t.Helper()
	got, err := r.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func ids(r Result) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

// A file that is gone means that another index was published: it is opened anew,
// once.
func TestStaleShards(t *testing.T) {
	t.Parallel()
	old, now := rendered(t, New(made(manyCases(20)...), nil)), rendered(t, New(made(manyCases(30)...), nil))
	var roots atomic.Int32
	files := old
	r := NewReader(func(_ context.Context, name string) ([]byte, error) {
		if name == "search/index.json" {
			if roots.Add(1) > 1 {
				files = now
			}
			return files[name], nil
		}
		if body, ok := now[name]; ok {
			return body, nil
		}
		return nil, fs.ErrNotExist
	})
	if got := search1(t, r, Query{Limit: 50}); got.Total != 30 || len(got.Hits) != 30 || roots.Load() != 2 {
		t.Errorf("%d of %d cases, the root read %d times", len(got.Hits), got.Total, roots.Load())
	}
	broken := errors.New("broken")
	r = NewReader(func(_ context.Context, name string) ([]byte, error) {
		if name == "search/index.json" {
			return now[name], nil
		}
		return nil, broken
	})
	if _, err := r.Search(t.Context(), Query{Text: "database"}); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// What is damaged is an error, never a panic.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	good := rendered(t, New(made(manyCases(20)...), nil))
	for _, damage := range []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)/2] },
		func([]byte) []byte { return nil },
		func([]byte) []byte { return []byte("null\n") },
		func([]byte) []byte { return []byte("<!doctype html>") },
		func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), ",", ",9999999999,")) },
		func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "[", "{")) },
		func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "1", "4294967295")) },
	} {
		for part := range good {
			files := map[string][]byte{}
			for name, body := range good {
				files[name] = body
				if name == part {
					files[name] = damage(slices.Clone(body))
				}
			}
			r := readerOf(files)
			for _, q := range []Query{{Text: "database network", Facets: true, Limit: 5}, {Sort: SortUpdated, Limit: 3, Since: "2003"}, {Text: "IL-0003", Limit: 1}} {
				_, _ = r.Search(t.Context(), q)
			}
		}
	}
}

func TestWrongQueries(t *testing.T) {
	t.Parallel()
	r := readerOf(rendered(t, New(made(manyCases(3)...), nil)))
	for _, q := range []Query{{Filters: map[string][]string{"colour": nil}}, {Sort: "size"}, {Since: "yesterday"}, {Until: "2023-02-30"}, {Offset: -1}, {Limit: -1}} {
		if _, err := r.Search(t.Context(), q); !errors.As(err, new(*QueryError)) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if got := search1(t, r, Query{Limit: math.MaxInt, Offset: 1}); len(got.Hits) != 2 {
		t.Errorf("%d hits", len(got.Hits))
	}
}

// Many may ask at once, and a search that fails leaves nothing behind.
func TestConcurrentSearches(t *testing.T) {
	t.Parallel()
	files := rendered(t, New(made(manyCases(200)...), nil))
	r, alone := readerOf(files), readerOf(files)
	questions := []string{"database", "헬스체크", "crash loop", "retrying timeouts", "", "데이터베이스", "zzz 네트워크"}
	var want []string
	for _, q := range questions {
		want = append(want, fmt.Sprint(search1(t, alone, Query{Text: q, Limit: 7, Facets: true})))
	}
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for i := range 50 {
				n := (g + i) % len(questions)
				got, err := r.Search(t.Context(), Query{Text: questions[n], Limit: 7, Facets: true})
				if err != nil || fmt.Sprint(got) != want[n] {
					t.Errorf("%q: %v, %v", questions[n], got, err)
					return
				}
			}
		})
	}
	wait.Wait()
}

// The counts of the facets are those of the searches that they stand for.
func TestFacetCounts(t *testing.T) {
	t.Parallel()
	r := readerOf(rendered(t, New(realLibrary(t), nil)))
	for _, q := range []Query{
		{}, {Text: "database"}, {Text: "장애"}, {Filters: map[string][]string{"domain": {"database"}}},
		{Text: "timeout", Filters: map[string][]string{"root_cause": {"software-bug", "config-change"}, FacetYear: {"2023"}}},
		{Filters: map[string][]string{"components": {"database"}, FacetDuration: {"1h"}}, Since: "2015"},
	} {
		q.Facets = true
		for _, f := range search1(t, r, q).Facets {
			for _, v := range f.Values {
				with := q
				with.Facets, with.Filters = false, map[string][]string{}
				for name, slugs := range q.Filters {
					with.Filters[name] = slugs
				}
				with.Filters[f.Name] = []string{v.Slug}
				if Several(f.Name) {
					with.Filters[f.Name] = append(slices.Clone(q.Filters[f.Name]), v.Slug)
				}
				if got := search1(t, r, with); got.Total != v.Count {
					t.Errorf("%+v: %s %s counts %d, and there are %d", q, f.Name, v.Slug, v.Count, got.Total)
				}
			}
		}
	}
}

func TestOrders(t *testing.T) {
	t.Parallel()
	lib := realLibrary(t)
	r := readerOf(rendered(t, New(lib, nil)))
	var newest, byID []string
	for _, c := range lib.Newest() {
		newest = append(newest, c.ID)
	}
	for _, c := range lib.Cases() {
		byID = append(byID, c.ID)
	}
	for sort, want := range map[string][]string{"": newest, SortDateDesc: newest, SortID: byID} {
		if got := ids(search1(t, r, Query{Sort: sort, Limit: 1000})); !slices.Equal(got, want) {
			t.Errorf("by %q: %v", sort, got)
		}
		if got := ids(search1(t, r, Query{Sort: sort, Offset: 10, Limit: 5})); !slices.Equal(got, want[10:15]) {
			t.Errorf("by %q from 10: %v", sort, got)
		}
	}
	updated := search1(t, r, Query{Sort: SortUpdated, Limit: 1000})
	for i, h := range updated.Hits[1:] {
		if lib.Case(h.ID).UpdatedAt.After(lib.Case(updated.Hits[i].ID).UpdatedAt) {
			t.Errorf("%s comes after %s", h.ID, updated.Hits[i].ID)
		}
	}
	for _, q := range []Query{{Since: "2023", Until: "2023"}, {Since: "2022-06", Until: "2023-03-15", Sort: SortDateAsc}} {
		q.Limit = 1000
		from, to := q.bounds()
		n := 0
		for _, c := range lib.Cases() {
			if o := uint32(c.Date.Order()); from <= o && o <= to {
				n++
			}
		}
		if got := search1(t, r, q); got.Total != n || n == 0 {
			t.Errorf("%+v: %d, want %d", q, got.Total, n)
		}
	}
}

// Whatever is asked, there is an answer; its hits are in order and within bounds.
func FuzzQuery(f *testing.F) {
	r := readerOf(rendered(f, New(made(manyCases(100)...), nil)))
	for _, q := range []string{"database", "헬스 체크", "데이터베잇", "장ㅇ", "il-12", "crash-loop retries", "\x00\xff", "가각갂", strings.Repeat("가나다 ", 100), "a b c d e f g h i j k l m n o p q r s t"} {
		f.Add(q, 0)
	}
	f.Fuzz(func(t *testing.T, q string, offset int) {
		got, err := r.Search(context.Background(), Query{Text: q, Lang: incident.KO, Offset: max(offset, 0), Limit: 10, Facets: true})
		if err != nil || got.Exact > got.Total || got.Total > 100 || len(got.Hits) > 10 {
			t.Errorf("%q: %+v, %v", q, got, err)
		}
		for i, h := range got.Hits {
			if h.Score < 0 || i > 0 && !h.Close && got.Hits[i-1].Close || i > 0 && h.Close == got.Hits[i-1].Close && h.Score > got.Hits[i-1].Score {
				t.Errorf("%q: the hits are not in order: %+v", q, got.Hits)
			}
		}
	})
}
