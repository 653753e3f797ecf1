package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/output"
)

// The texts of a mirror that is not ours may be long, and hold what ours may not.
type foreign map[string]string

func (f foreign) Edition(context.Context) (*Edition, error) {
	return &Edition{Key: "foreign", Open: func(_ context.Context, name string) ([]byte, error) {
		doc, ok := f[strings.TrimPrefix(name, "api/v1/")]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return []byte(doc), nil
	}}, nil
}

// foreignLibrary is one case of a mirror that is not ours.
func foreignLibrary(c string) foreign {
	return foreign{
		"vocab.json":         `{"axes":[{"id":"domain","label":{"en":"Domain","ko":null},"terms":[{"axis":"domain","slug":"x","label":{"en":"X\u202e","ko":null},"summary":null,"aliases":{"en":[],"ko":[]},"count":1,"url":"https://example.org/topics/domain/x/"}]}]}`,
		"cases/IL-0001.json": c,
	}
}

func foreignCase(title, summary string, more string) string {
	return `{"id":"IL-0001","org":"A","org_slug":"a","date":"2020-01-01","title":{"en":` + title + `},"domain":["x"],"root_cause":null,"summary":` + summary + `,"updated_at":"2020-01-01T00:00:00Z"` + more + `}`
}

func answered(t *testing.T, s *Server, name, args string) (structured map[string]any, a *answer) {
	t.Helper()
	for _, one := range tools() {
		if one.name != name {
			continue
		}
		a, err := s.call(t.Context(), &one, []byte(args))
		if err != nil {
			t.Fatal(err)
		}
		if a.structured != nil {
			if err := json.Unmarshal(a.structured, &structured); err != nil {
				t.Fatalf("%v\n%s", err, a.structured)
			}
		}
		return structured, a
	}
	t.Fatal(name)
	return nil, nil
}

func TestLongCase(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("끝없이 긴 글이다. ", 3000)
	for name, test := range map[string]struct {
		doc  string
		want []string
	}{
		"one section":   {foreignCase(`"T"`, `{"en":"short"}`, `,"lessons":{"en":"`+long+`"}`), []string{"lessons"}},
		"the summary":   {foreignCase(`"T"`, `{"en":"`+long+`"}`, ""), []string{"summary"}},
		"many sections": {foreignCase(`"T"`, `{"en":"`+long+`"}`, `,"lessons":{"en":"`+long+`"},"sources":["`+long+`"],"action_items":[{"text":{"en":"`+long+`"}}]`), []string{"action_items", "lessons", "sources", "summary"}},
		"the title":     {foreignCase(`"`+long+`"`, `{"en":"short"}`, ""), []string{"case", "summary"}},
		"an unknown":    {foreignCase(`"T"`, `{"en":"short"}`, `,"other":"`+long+`"`), []string{"case", "summary"}},
	} {
		got, a := answered(t, New(Options{Source: foreignLibrary(test.doc), Log: quiet()}), "get_incident", `{"id":"IL-0001"}`)
		if n := utf8.RuneCount(a.structured); n > maxAnswer || a.structured == nil {
			t.Errorf("%s: %d characters, %q", name, n, a.mistake)
		}
		var cut []string
		for _, v := range at(got, "truncated").([]any) {
			cut = append(cut, v.(string))
		}
		if slices.Sort(cut); !slices.Equal(cut, test.want) {
			t.Errorf("%s: %q are cut, want %q", name, cut, test.want)
		}
		if at(got, "case.id") != "IL-0001" || at(got, "uri") != "incidentlib://cases/IL-0001" {
			t.Errorf("%s: %v", name, got["uri"])
		}
	}
}

func TestHostileText(t *testing.T) {
	t.Parallel()
	doc := foreignCase(`"a\u0000b\u001b[31mc\u202ed\u2066e"`, "{\"en\":\"f\u200bg\U000e0041h\ufeff \u0627 \\u00e9 <b> & </script> \\n\"}", `,"n":1e5,"o":1.0`)
	s := New(Options{Source: foreignLibrary(doc), Log: quiet()})
	got, a := answered(t, s, "get_incident", `{"id":"IL-0001"}`)
	if title, summary := at(got, "case.title.en"), at(got, "case.summary.en"); title != "ab[31mcde" || summary != "fgh ا é <b> & </script> \n" {
		t.Errorf("%q %q", title, summary)
	}
	if label := at(got, "labels.x"); label != "X" {
		t.Errorf("%q", label)
	}
	if !strings.Contains(string(a.structured), `"n":1e5,"o":1.0`) {
		t.Errorf("numbers are rewritten: %s", a.structured)
	}
	if clean(string(a.structured)) != string(a.structured) {
		t.Errorf("%q", a.structured)
	}
	// An answer that repeats what was asked repeats no more than that.
	if _, a := answered(t, s, "get_incident", `{"id":"\u202e\u001b[2Jx"}`); a.mistake != `no case "[2JX"; ids look like IL-0371; try search_incidents` {
		t.Errorf("%q", a.mistake)
	}
}

func TestWithdrawn(t *testing.T) {
	t.Parallel()
	for doc, says := range map[string]string{
		`{"id":"IL-0001","withdrawn":true,"since":"2024","reason":{"en":"Told twice","ko":null},"replaced_by":"IL-0002"}`: `IL-0001 was withdrawn; call get_incident with "IL-0002", which took its place`,
		`{"id":"IL-0001","withdrawn":true,"since":"2024","reason":{"en":"Untrue","ko":null},"replaced_by":null}`:          `IL-0001 was withdrawn: Untrue; try search_incidents`,
	} {
		if _, a := answered(t, New(Options{Source: foreignLibrary(doc), Log: quiet()}), "get_incident", `{"id":"IL-0001"}`); a.mistake != says {
			t.Errorf("%q, want %q", a.mistake, says)
		}
	}
}

// A document that is broken is no reason to end, nor to tell where it lies.
func TestBrokenMirror(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{"", "{", "[]", `{"id":"IL-0002"}`, `{"id":5}`} {
		s := New(Options{Source: foreignLibrary(doc), Log: quiet()})
		_, err := s.call(t.Context(), &tools()[0], []byte(`{"id":"IL-0001"}`))
		if err == nil || !strings.Contains(err.Error(), "get_incident: the library cannot be read just now; try again later") {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

// published writes the site of some of the real seeds into a folder.
func published(t *testing.T, dir string, inPlace bool, change func(seeds string)) {
	t.Helper()
	seeds := filepath.Join(t.TempDir(), "seeds")
	if err := os.CopyFS(seeds, os.DirFS("../../cmd/incidentlib/testdata/seeds")); err != nil {
		t.Fatal(err)
	}
	change(seeds)
	c, problems := generator.Load(os.DirFS(seeds), seeds, 2, false)
	if c == nil {
		t.Fatal(problems)
	}
	d, err := newDesign()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generator.Files(c, d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := output.Publish(t.Context(), files, output.Options{Dir: dir, InPlace: inPlace, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
}

// retitle gives both cases of the small library a new title.
func retitle(t *testing.T, title string) func(seeds string) {
	return func(seeds string) {
		for _, id := range []string{"IL-0001", "IL-0002"} {
			name := filepath.Join(seeds, "cases", id+".json")
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			b = []byte(strings.ReplaceAll(string(b), "Title of "+id, title+" of "+id))
			if err := os.WriteFile(name, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// While a folder is built anew, every answer is of one build, and soon of the new
// one. What a cursor of the old one leads to is told, not guessed.
func TestFolderBuiltAnew(t *testing.T) {
	t.Parallel()
	for _, inPlace := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "public")
		published(t, dir, false, func(string) {})
		s := New(Options{Source: NewFolder(dir), Log: quiet()})
		first, _ := answered(t, s, "list_incidents", `{"limit":1}`)
		cursor, ok := first["next_cursor"].(string)
		if !ok {
			t.Fatal(first)
		}
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for i := 0; !stop.Load(); i++ {
					got, _ := answered(t, s, "list_incidents", fmt.Sprintf(`{"limit":%d,"since":"%d"}`, 2+i%40, 1990+i/40%10))
					a, b := fmt.Sprint(at(got, "results.0.title")), fmt.Sprint(at(got, "results.1.title"))
					if a[:5] != b[:5] {
						t.Errorf("one answer has %q and %q", a, b)
						return
					}
				}
			})
		}
		for _, title := range []string{"First", "Other", "Third"} {
			published(t, dir, inPlace, retitle(t, title))
			end := time.Now().Add(5 * time.Second)
			for got := ""; !strings.HasPrefix(got, title); time.Sleep(20 * time.Millisecond) {
				list, _ := answered(t, s, "list_incidents", `{"limit":2}`)
				if got = fmt.Sprint(at(list, "results.0.title")); time.Now().After(end) {
					t.Fatalf("in place %v: still %q, not %q", inPlace, got, title)
				}
			}
		}
		stop.Store(true)
		wg.Wait()
		if _, a := answered(t, s, "list_incidents", `{"limit":1,"cursor":"`+cursor+`"}`); a.mistake != "the list changed, start again: call without cursor" {
			t.Errorf("in place %v: %q", inPlace, a.mistake)
		}
	}
}

// Seeds are followed while they are edited; a fault leaves what was.
func TestSeedsEdited(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "seeds")
	if err := os.CopyFS(dir, os.DirFS("../../cmd/incidentlib/testdata/seeds")); err != nil {
		t.Fatal(err)
	}
	d, err := newDesign()
	if err != nil {
		t.Fatal(err)
	}
	source, problems, err := NewSeeds(t.Context(), dir, d, quiet())
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	s := New(Options{Source: source, Log: quiet()})
	titled := func(title string) {
		t.Helper()
		end := time.Now().Add(5 * time.Second)
		for got := ""; !strings.HasPrefix(got, title); time.Sleep(20 * time.Millisecond) {
			one, a := answered(t, s, "get_incident", `{"id":"IL-0001"}`)
			if got = fmt.Sprint(at(one, "case.title.en"), a.mistake); time.Now().After(end) {
				t.Fatalf("still %q, not %q", got, title)
			}
		}
	}
	titled("Title of")
	retitle(t, "First")(dir)
	titled("First")
	file := filepath.Join(dir, "cases", "IL-0001.json")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, good[:100], 0o644); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	titled("First")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	titled("<nil>no case IL-0001")
	if list, _ := answered(t, s, "list_incidents", `{}`); at(list, "total") != 1.0 {
		t.Errorf("a case that is gone is counted: %v", list)
	}
}

// A published library is answered from a copy, which follows it; while it cannot be
// asked the copy stays.
func TestPublishedLibrary(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "public")
	published(t, dir, false, func(string) {})
	var down atomic.Bool
	files := http.StripPrefix("/lib", http.FileServer(http.Dir(dir)))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer site.Close()
	opt := CopyOptions{Address: site.URL + "/lib", Dir: filepath.Join(t.TempDir(), "copy"), Every: 50 * time.Millisecond, Log: quiet()}
	ctx, cancel := context.WithCancel(t.Context())
	source, err := NewCopy(ctx, opt)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Source: source, Log: quiet()})
	titled := func(title string) {
		t.Helper()
		end := time.Now().Add(10 * time.Second)
		for got := ""; !strings.HasPrefix(got, title); time.Sleep(20 * time.Millisecond) {
			found, _ := answered(t, s, "search_incidents", `{"query":"il-0001"}`)
			if got = fmt.Sprint(at(found, "results.0.title")); time.Now().After(end) {
				t.Fatalf("still %q, not %q", got, title)
			}
		}
	}
	titled("Title of")
	published(t, dir, false, retitle(t, "First"))
	titled("First")
	if topic, _ := answered(t, s, "get_topic", `{"topic":"shared-part"}`); at(topic, "label") == nil {
		t.Errorf("the copy has no topics: %v", topic)
	}
	down.Store(true)
	time.Sleep(200 * time.Millisecond)
	titled("First")
	cancel()
	if source, err = NewCopy(t.Context(), opt); err != nil { // from the copy
		t.Fatal(err)
	}
	s = New(Options{Source: source, Log: quiet()})
	titled("First")
	another := opt
	another.Address = site.URL + "/another"
	if _, err := NewCopy(t.Context(), another); err == nil || !strings.Contains(err.Error(), "holds a copy of "+opt.Address) {
		t.Errorf("the copy of another library: %v", err)
	}
	opt.Dir = filepath.Join(t.TempDir(), "other")
	if _, err := NewCopy(t.Context(), opt); err == nil {
		t.Error("nothing was copied, and nobody says so")
	}
}
