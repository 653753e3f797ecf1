package generator_test

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/conform"
)

func conformed(t *testing.T, address string, all bool) conform.Report {
	t.Helper()
	r, err := conform.Run(context.Background(), conform.Options{Address: address, All: all, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The sites that are made keep all that is promised, at the root of a host and
// below it, and nothing is passed over.
func TestConformKept(t *testing.T) {
	t.Parallel()
	withdrawn := fullSeeds(t)
	put(t, withdrawn, "withdrawn.json", object{"withdrawn": []object{
		{"id": "IL-9000", "since": "2024-02-03", "reason": both("Told twice.", "두 번 실렸다."), "replaced_by": "IL-0001"},
		{"id": "IL-9001", "since": "2024", "reason": both("Not public.", "공개되지 않았다."), "replaced_by": nil}}})
	for name, p := range map[string]*published{
		"real":    publish(t, realCollection(t)),
		"full":    publish(t, load(t, withdrawn)),
		"at root": publish(t, at(load(t, withdrawn), "https://h.example", "")),
		"long":    publish(t, load(t, newSeeds(t, newSite(), newVocab(manyVocab()), many(120)...))),
	} {
		r := conformed(t, p.address(), name != "real")
		for _, c := range r.Checks {
			if c.Result == conform.Short {
				t.Errorf("%s: %s: %+v", name, c.Name, c.Faults)
			}
			if may := c.Name == "tombstones" && name != "full" && name != "at root" || c.Name == "search"; c.Result == conform.Skipped && !may {
				t.Errorf("%s: %s was skipped", name, c.Name)
			}
		}
	}
}

// Each fault of a host is named by the check that it is a fault of.
func TestConformNamesTheFault(t *testing.T) {
	t.Parallel()
	good := publish(t, load(t, newSeeds(t, newSite(), newVocab(manyVocab()), many(12)...)))
	type answer = func(p *published, w http.ResponseWriter, r *http.Request, file string) bool
	instead := func(of func(file string) bool, media string, edit func([]byte) []byte) answer {
		return func(p *published, w http.ResponseWriter, r *http.Request, file string) bool {
			body := p.bytes(file)
			if body == nil || !of(file) {
				return false
			}
			serveBytes(w, r, 200, media, edit(bytes.Clone(body)))
			return true
		}
	}
	is := func(name string) func(string) bool { return func(file string) bool { return file == name } }
	same := func(b []byte) []byte { return b }
	header := func(of func(string) bool, name, value string) answer {
		return func(_ *published, w http.ResponseWriter, _ *http.Request, file string) bool {
			if of(file) {
				w.Header().Set(name, value)
				if value == "" {
					w.Header().Del(name)
				}
			}
			return false
		}
	}
	mirror := func(file string) bool { return strings.HasPrefix(file, "api/v1/") }
	for name, tc := range map[string]struct {
		wrong answer
		check string
		says  string
	}{
		"wrong type":        {instead(mirror, "text/plain", same), "types", "should be application/json"},
		"no type":           {instead(is("api/v1/manifest.ndjson"), "application/octet-stream", same), "types", "should be application/x-ndjson"},
		"no CORS":           {header(mirror, "Access-Control-Allow-Origin", ""), "cors", "no Access-Control-Allow-Origin"},
		"CORS twice":        {header(mirror, "Access-Control-Allow-Origin", "*, *"), "cors", `"*, *"`},
		"kept for ever":     {header(mirror, "Cache-Control", "public, max-age=31536000, immutable"), "caching", "it changes"},
		"assets not kept":   {header(func(f string) bool { return strings.HasPrefix(f, "assets/") }, "Cache-Control", "max-age=600"), "caching", "for 600 seconds only"},
		"another policy":    {header(is(""), "Content-Security-Policy", "default-src *"), "pages", "Content-Security-Policy"},
		"a case cut off":    {instead(is("api/v1/cases/IL-1003.json"), "application/json", func(b []byte) []byte { return b[:len(b)/2] }), "cases", "is no JSON"},
		"a case changed":    {instead(is("api/v1/cases/IL-1003.json"), "application/json", func(b []byte) []byte { return bytes.Replace(b, []byte(`"org":"`), []byte(`"org":"The `), 1) }), "cases", "the manifest says"},
		"another shape":     {instead(is("api/v1/vocab.json"), "application/json", func([]byte) []byte { return []byte("{\"axes\":null}\n") }), "groups", "is not what the schema vocab says"},
		"a page for a list": {instead(is("api/v1/cases.json"), "text/html", func([]byte) []byte { return []byte("<!doctype html>\n") }), "lists", "is a page, no JSON"},
		"a stale manifest":  {instead(is("api/v1/manifest.ndjson"), "application/x-ndjson", func(b []byte) []byte { return b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1] }), "manifest", "the root promises"},
		"stale changes":     {instead(is("api/v1/changes.json"), "application/json", func(b []byte) []byte { return bytes.Replace(b, []byte("IL-1003"), []byte("IL-7003"), 1) }), "changes", "IL-1003 is not told of"},
		"a spoilt dump":     {instead(func(f string) bool { return strings.HasPrefix(f, "api/v1/dumps/cases") }, "application/gzip", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }), "dumps", "its list says"},
		"changes in a circle": {func(p *published, w http.ResponseWriter, r *http.Request, file string) bool {
			body := string(p.bytes("api/v1/changes.json"))
			if file != "api/v1/changes.json" && file != "api/v1/changes/pages/IL-1003.json" {
				return false
			}
			body = regexp.MustCompile(`"next":[^,}]+`).ReplaceAllString(body, `"next":"https://h.example/lib/api/v1/changes/pages/IL-1003.json"`)
			serveBytes(w, r, 200, "application/json", []byte(body))
			return true
		}, "changes", "where it has been before"},
		"pages in a circle": {instead(is("api/v1/cases/pages/0001.json"), "application/json", func(b []byte) []byte {
			return regexp.MustCompile(`"next":[^,}]+`).ReplaceAll(b, []byte(`"next":"https://h.example/lib/api/v1/cases/pages/0001.json"`))
		}), "lists", "where it has been before"},
		"no tags":             {noTags, "unchanged", "has no ETag"},
		"everything is there": {spa, "missing", "answers 200; there is nothing there"},
		"no Korean":           {gone(func(f string) bool { return strings.HasPrefix(f, "ko/") }), "pages", "answers 404"},
		"half of it missing":  {gone(func(f string) bool { return isCase(f) && strings.HasSuffix(f, "3.json") }), "cases", "answers 404"},
		"no slash":            {loop, "slashes", "its redirects do not end"},
		"elsewhere":           {elsewhere, "root", "it leads to another host"},
		"broken":              {broken, "root", "answers 500"},
		"slow":                {slow, "cases", "no whole answer within"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if name == "slow" {
				limit = 2 * time.Second
			}
			p := good.twin(t)
			p.misbehave(func(w http.ResponseWriter, r *http.Request, file string) bool { return tc.wrong(p, w, r, file) })
			namesFault(t, conform.Options{Address: p.address(), Timeout: limit}, tc.check, tc.says)
		})
	}
}

// namesFault wants a check to say what is wrong with a published library.
func namesFault(t *testing.T, opt conform.Options, check, says string) {
	t.Helper()
	r, err := conform.Run(context.Background(), opt)
	if err != nil || !r.Short() {
		t.Fatalf("it is not seen: %v", err)
	}
	i := slices.IndexFunc(r.Checks, func(c conform.Check) bool { return c.Name == check })
	if !slices.ContainsFunc(r.Checks[i].Faults, func(f conform.Fault) bool { return strings.Contains(f.What, says) }) {
		t.Errorf("%s says %+v, not %q", check, r.Checks[i].Faults, says)
	}
}

// noTags sends documents without ETag.
func noTags(p *published, w http.ResponseWriter, _ *http.Request, file string) bool {
	body := p.bytes(file)
	if body != nil {
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	}
	return body != nil
}

// spa answers every address with the home page.
func spa(p *published, w http.ResponseWriter, r *http.Request, file string) bool {
	if _, ok := p.files[file]; ok || strings.HasSuffix(file, "/") && p.files[file+"index.html"] != nil {
		return false
	}
	serveBytes(w, r, 200, "text/html; charset=utf-8", p.bytes("index.html"))
	return true
}

func gone(of func(string) bool) func(*published, http.ResponseWriter, *http.Request, string) bool {
	return func(_ *published, w http.ResponseWriter, _ *http.Request, file string) bool {
		if of(file) {
			w.WriteHeader(http.StatusNotFound)
		}
		return of(file)
	}
}

// loop leads from a page without its slash to itself.
func loop(_ *published, w http.ResponseWriter, r *http.Request, file string) bool {
	if file != "ko" {
		return false
	}
	http.Redirect(w, r, r.URL.Path, http.StatusFound)
	return true
}

func elsewhere(_ *published, w http.ResponseWriter, r *http.Request, file string) bool {
	http.Redirect(w, r, "https://elsewhere.example/"+file, http.StatusFound)
	return true
}

func broken(_ *published, w http.ResponseWriter, _ *http.Request, _ string) bool {
	w.WriteHeader(http.StatusInternalServerError)
	return true
}

func slow(_ *published, _ http.ResponseWriter, r *http.Request, file string) bool {
	if file != "api/v1/cases/IL-1005.json" {
		return false
	}
	<-r.Context().Done()
	return true
}
