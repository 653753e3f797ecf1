package seed

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// FuzzCase reads any bytes as a case. Whatever is accepted is JSON to other
// readers too, is compacted to the same bytes as theirs, and reads the same
// when it is compact.
func FuzzCase(f *testing.F) {
	for _, src := range givenCases(f) {
		f.Add(src)
		f.Add(src[:len(src)/2])
		f.Add(bytes.ReplaceAll(src, []byte(`,`), []byte(`,,`)))
	}
	for _, s := range []string{"", "{", `{"id`, `{"a":"\ud83d\u12`, `"\`, `{"id":"\u0000`, "\ufeff", "[[[", `{"id":1,"id":2}`, "\xff", "nul", "-", "1e", `{"a":"` + "\xf0\x9f", `""""`} {
		f.Add([]byte(s))
	}
	v := givenVocabulary(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		start := time.Now()
		c, faults := readText(src, v)
		if d := time.Since(start); d > time.Minute {
			t.Fatalf("took %v", d)
		}
		if len(faults) > maxFaults+1 {
			t.Fatalf("%d faults", len(faults))
		}
		for _, p := range faults {
			if p.What == "" || p.Remedy == "" || p.Line < 1 || p.Column < 1 {
				t.Fatalf("a fault without a place, a reason or a remedy: %+v", p)
			}
		}
		if len(faults) > 0 {
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, bytes.TrimPrefix(src, []byte(byteOrderMark))); err != nil {
			t.Fatalf("accepted what is no JSON to encoding/json: %v", err)
		}
		doc := c.JSON.Append(nil)
		if !bytes.Equal(doc, want.Bytes()) || len(doc) != c.JSON.Len() || incident.SumOf(doc) != c.Sum {
			t.Fatalf("compacted to\n%s\nwant\n%s", doc, want.Bytes())
		}
		again, faults := readText(doc, v)
		if len(faults) > 0 || !reflect.DeepEqual(again, c) {
			t.Fatalf("the compact form reads as\n%+v\nwant\n%+v\nfaults: %v", again, c, faults)
		}
	})
}

// placed holds that every fault says where it is, what is wrong and what to do, in
// words that a terminal can show.
func placed(t *testing.T, problems []problem.Problem) {
	t.Helper()
	for _, p := range problems {
		s := p.String()
		if p.What == "" || p.Remedy == "" || strings.ContainsFunc(s, func(r rune) bool { return r == '\n' || r == '\t' || forbidden(r) }) || !utf8.ValidString(s) {
			t.Fatalf("a fault that is no message: %q", s)
		}
	}
}

// FuzzVocabulary reads any bytes as a vocabulary. One that is accepted has every
// axis, slugs that may be names of folders, no term twice, and reads the same
// when it is compact.
func FuzzVocabulary(f *testing.F) {
	f.Add([]byte(baseVocab))
	f.Add([]byte(baseVocab[:len(baseVocab)/2]))
	for _, s := range []string{"", "{", `{"axes":[]}`, `{"axes":[{"id":"domain","label":{"en":"x"},"terms":[{"slug":"..","label":{"en":"x"},"summary":{"en":"x"}}]}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, problems := ReadVocabulary(fstest.MapFS{"vocab.json": {Data: src}}, "seeds")
		placed(t, problems)
		if v == nil {
			if len(problem.Errors(problems)) == 0 {
				t.Fatal("no vocabulary, and nobody says why")
			}
			return
		}
		for _, id := range incident.AxisIDs() {
			seen := map[string]bool{}
			for _, term := range v.Axis(id).Terms {
				if !incident.ValidSlug(term.Slug) || seen[term.Slug] || term.Label.IsZero() {
					t.Fatalf("%s has the term %+v", id, term)
				}
				seen[term.Slug] = true
			}
		}
		again, _ := ReadVocabulary(fstest.MapFS{"vocab.json": {Data: compact(nil, bytes.TrimPrefix(src, []byte(byteOrderMark)))}}, "seeds")
		if !reflect.DeepEqual(again, v) {
			t.Fatal("the compact form reads otherwise")
		}
	})
}

// FuzzArticle reads any bytes as an article. The front matter and the body of one
// that is accepted are what the file holds, and written anew they read the same.
func FuzzArticle(f *testing.F) {
	for _, s := range []string{"---\ntitle: T: é\nsummary: S\npublished: 2025-03-04\nupdated: 2026\n---\n\nText.\n", "---\n---\n", "", "---\ntitle:\n---\nx", "\ufeff---\r\ntitle: T\r\nsummary: S\r\npublished: 2025\r\n---\r\nx", "--- \n: x\n---\n"} {
		f.Add([]byte(s))
	}
	read := func(src []byte) ([]incident.Article, []problem.Problem) {
		r := &reader{fsys: fstest.MapFS{"articles/a.en.md": {Data: src}}, dir: "seeds"}
		return r.readArticles(), r.problems
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, problems := read(src)
		placed(t, problems)
		if len(problem.Errors(problems)) > 0 {
			return
		}
		if len(got) != 1 {
			t.Fatalf("%d articles", len(got))
		}
		a := got[0]
		for _, part := range []string{a.Title.EN, a.Summary.EN, a.Body.EN} {
			if strings.TrimSpace(part) == "" || !strings.Contains(strings.ReplaceAll(string(src), "\r\n", "\n"), part) {
				t.Fatalf("%q is not in the file", part)
			}
		}
		front := "---\ntitle: " + a.Title.EN + "\nsummary: " + a.Summary.EN + "\npublished: " + a.Published.String() + "\n"
		if a.Updated.Year > 0 {
			front += "updated: " + a.Updated.String() + "\n"
		}
		again, problems := read([]byte(front + "---\n" + a.Body.EN))
		if len(problems) > 0 || len(again) != 1 || again[0].Title != a.Title || again[0].Summary != a.Summary || again[0].Body != a.Body || again[0].Published != a.Published || again[0].Updated != a.Updated {
			t.Fatalf("written anew it is %+v, %v; want %+v", again, problems, a)
		}
	})
}

func BenchmarkReadCase(b *testing.B) {
	src := givenCases(b)[1]
	r := &reader{fsys: library(map[string]string{"cases/IL-0119.json": string(src)}), dir: "seeds", vocab: givenVocabulary(b)}
	shape := caseShape()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if o := r.readCase("cases/IL-0119.json", shape, &memory{}); !o.ok {
			b.Fatal(o.problems)
		}
	}
}

// What is plainly an address is one.
func FuzzPlainWeb(f *testing.F) {
	for _, s := range []string{"https://example.com", "https://a-b.example/c_d/e.html", "https://.", "https:///", "https://a:1/", "https://a/%", "https://a/[", "https://a`/"} {
		f.Add(s)
	}
	re := regexp.MustCompile(webPattern)
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse(s)
		if plainWeb(s) && (err != nil || u.Host == "" || !re.MatchString(s)) {
			t.Errorf("%q: %v", s, err)
		}
	})
}
