package host_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

func newSite(t *testing.T, base, api string) address.Site {
	t.Helper()
	s, err := address.NewSite(base, api, "", incident.EN)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func withdrawn() []incident.Withdrawn {
	return []incident.Withdrawn{{ID: "IL-0003", ReplacedBy: "IL-0001"}, {ID: "IL-0004"}}
}

// files are the names of a small site's files.
func files() []string {
	return []string{"index.html", "404.html", "ko/index.html", "cases/IL-0001/index.html", "cases/IL-0001.md", "api/index.html", "api/v1/index.json",
		"api/v1/cases/IL-0001.json", "api/v1/cases.json", "api/v1/manifest.ndjson", "api/v1/dumps/cases-00.ndjson.gz", "api/v1/dumps/summaries.csv",
		"api/v1/openapi.yaml", "assets/style.0a1b2c3d4e.css", "assets/icon.0a1b2c3d4e.svg", "search/index.html", "search/index.json", "search/s/t/0a1b.json",
		"feed.xml", "feed.json", "ko/feed.xml", "orgs/acme/feed.json", "opensearch.xml", ".well-known/api-catalog", "robots.txt", "llms.txt", "sitemap.xml",
		"cards/IL-0001.png", "_headers", "_redirects", ".hosts/nginx.conf", "cases/ids.json"}
}

// Hosts join the values that two rules give to one header, so no address may be
// given one twice; and each is given what it needs.
func TestRulesAreDisjoint(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"https://h.example", "https://h.example/incidentlib/app"} {
		site := newSite(t, base, "")
		r := host.New(site, withdrawn())
		paths := []string{"/api/cases", "/api/cases/IL-0001", "/api/cases/IL-0001/similar", "/api/topics/root_cause/bug", "/api/v1", "/api/v1/", "/api/", "/nothing"}
		for _, f := range files() {
			paths = append(paths, "/"+f)
		}
		for _, p := range paths {
			seen := map[string]string{}
			for _, rules := range [][]host.Rule{r.Headers, r.Types} {
				for _, rule := range rules {
					if !rule.Pattern.Match(site.Prefix() + p) {
						continue
					}
					for _, h := range rule.Headers {
						if was, twice := seen[h.Name]; twice {
							t.Errorf("%s%s has %s twice: %q and %q", base, p, h.Name, was, h.Value)
						}
						seen[h.Name] = h.Value
					}
				}
			}
			api := strings.HasPrefix(p, "/api/") && p != "/api/" && !strings.HasSuffix(p, ".html")
			if open := seen["Access-Control-Allow-Origin"] == "*"; api && !open || strings.HasSuffix(p, ".html") && open {
				t.Errorf("%s%s may be read by others: %t", base, p, open)
			}
			if want := seen["Content-Type"]; want != "" && want != host.MediaType(p) {
				t.Errorf("%s%s is told as %s, and is %s", base, p, want, host.MediaType(p))
			}
		}
	}
}

// Netlify reads patterns otherwise than Cloudflare: "/a/*" is of "/a", too. There,
// too, no address is given a header twice.
func TestNetlifyReadsNothingTwice(t *testing.T) {
	t.Parallel()
	text, _, _ := strings.Cut(host.New(newSite(t, "https://h.example/lib", ""), nil).Print(host.Netlify, nil), "\n# _redirects")
	var paths []string
	for _, f := range append(files(), "api/v1", "api/v1/", "api/cases", "api/cases/", "api/cases/IL-0001", "", "search", "assets/") {
		paths = append(paths, "/lib/"+f)
	}
	for _, p := range paths {
		seen, here := map[string]bool{}, false
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			name, _, isHeader := strings.Cut(strings.TrimSpace(line), ": ")
			switch {
			case strings.HasPrefix(line, "/"):
				here = netlifyPattern(line).MatchString(p)
			case isHeader && here && seen[name]:
				t.Errorf("%s is given %s twice", p, name)
			case isHeader && here:
				seen[name] = true
			}
		}
	}
}

// netlifyPattern is a pattern as Netlify's own tools read it.
func netlifyPattern(pattern string) *regexp.Regexp {
	out := "(?i)^"
	for part := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		switch {
		case strings.HasPrefix(part, ":"):
			out += "/([^/]+)/?"
		case part == "*":
			out = strings.TrimSuffix(out, "/?") + "(?:|/|/(.*)/?)"
		case strings.Contains(part, "*"):
			out += "/" + strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, "(.*)")
		default:
			out += "/" + regexp.QuoteMeta(part) + "/?"
		}
	}
	return regexp.MustCompile(out + "$")
}

// The media types of files that other types are easily taken for.
func TestMediaTypes(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a/index.html": "text/html; charset=utf-8", "api/v1/cases.json": "application/json; charset=utf-8", "feed.json": "application/feed+json; charset=utf-8",
		"ko/feed.xml": "application/atom+xml; charset=utf-8", "sitemap.xml": "application/xml; charset=utf-8", ".well-known/api-catalog": "application/linkset+json",
		"opensearch.xml": "application/opensearchdescription+xml; charset=utf-8", "m.ndjson": "application/x-ndjson; charset=utf-8", "m.ndjson.gz": "application/gzip",
		"s.csv": "text/csv; charset=utf-8", "x.webmanifest": "application/manifest+json; charset=utf-8", "x.png": "image/png", "x": "application/octet-stream",
	} {
		if got := host.MediaType(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// How long things are kept: for ever what is named by its content, not unasked
// what people read.
func TestCaching(t *testing.T) {
	t.Parallel()
	r := host.New(newSite(t, "https://h.example/lib", ""), nil)
	for file, want := range map[string]string{"assets/a.0a1b2c3d4e.css": "immutable", "search/s/t/a.json": "immutable", "search/index.json": "max-age=300",
		"search/index.html": "max-age=0, must-revalidate", "api/index.html": "max-age=0", "api/v1/index.json": "stale-while-revalidate", "feed.xml": "max-age=300", "index.html": "max-age=0"} {
		if got := r.Cache("/lib/" + file); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// A site that shares its host, or is not published by https, does not speak for
// the whole host.
func TestStrictTransportSecurity(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]bool{"https://h.example": true, "https://h.example/lib": false, "http://h.example": false} {
		r := host.New(newSite(t, base, ""), nil)
		if got := strings.Contains(r.Print(host.Cloudflare, nil), "Strict-Transport-Security"); got != want {
			t.Errorf("%s: %t", base, got)
		}
	}
}

// Short addresses and moved ones, as the preview asks for them.
func TestWhereAddressesLead(t *testing.T) {
	t.Parallel()
	r := host.New(newSite(t, "https://h.example/lib", "https://api.example"), withdrawn())
	for from, want := range map[string]string{
		"/lib/api/cases/IL-0001": "/lib/api/v1/cases/IL-0001.json", "/lib/api/cases/IL-0001/similar": "/lib/api/v1/cases/IL-0001/similar.json",
		"/lib/api/vocab": "/lib/api/v1/vocab.json", "/lib/api/topics/root_cause/bug": "/lib/api/v1/topics/root_cause/bug.json", "/lib/api/v1": "/lib/api/v1/index.json",
		"/lib/api/cases/IL-0001.json": "", "/lib/api/cases/": "", "/api/cases": "", "/lib/api/": "", "/lib/api/v1/cases": "",
	} {
		if got := r.Alias(from); got != want {
			t.Errorf("%s leads to %q, want %q", from, got, want)
		}
	}
	for from, want := range map[string]string{"/lib/cases/IL-0003": "/lib/cases/IL-0001/", "/lib/ko/cases/IL-0003/": "/lib/ko/cases/IL-0001/",
		"/lib/api/v1/cases/IL-0003.json": "/lib/api/v1/cases/IL-0001.json", "/lib/api/cases/IL-0003/similar": "/lib/api/cases/IL-0001/similar",
		"/lib/cases/IL-0004/": "", "/lib/cases/IL-0001/": ""} {
		if got := r.Moved(from); got != want {
			t.Errorf("%s has moved to %q, want %q", from, got, want)
		}
	}
	for at, want := range map[string]string{"/lib/ko/x": "/lib/ko/404.html", "/lib/ko": "/lib/ko/404.html", "/lib/korea": "/lib/404.html", "/x": ""} {
		if got := r.NotFound(at); got != want {
			t.Errorf("%s is answered with %q, want %q", at, got, want)
		}
	}
	api := host.NewAPI(newSite(t, "https://h.example/lib", "https://api.example"), withdrawn())
	if got := api.Alias("/cases/IL-0001/similar") + " " + api.Moved("/cases/IL-0003") + " " + api.Alias("/"); got != "/v1/cases/IL-0001/similar.json /cases/IL-0001 " {
		t.Errorf("the API's own host: %q", got)
	}
}

// Cloudflare reads no line of more than 2,000 characters, follows no more than
// 100 rules with names, and the first rule that matches: those without come first.
func TestCloudflareFiles(t *testing.T) {
	t.Parallel()
	text := host.New(newSite(t, "https://h.example/incidentlib/app", ""), withdrawn()).Print(host.Cloudflare, nil)
	headers, redirects, _ := strings.Cut(text, "# _redirects\n")
	for line := range strings.Lines(headers) {
		if len(line) > 2000 || strings.Count(line, "*") > 1 && strings.HasPrefix(line, "/") {
			t.Errorf("_headers: %s", line)
		}
	}
	named := 0
	for line := range strings.Lines(redirects) {
		f := strings.Fields(line)
		if len(f) != 3 || !strings.HasPrefix(f[0], "/incidentlib/app/") || !strings.HasPrefix(f[1], "/incidentlib/app/") {
			t.Errorf("_redirects: %s", line)
		}
		if strings.Contains(f[0], ":") {
			named++
		} else if named > 0 {
			t.Errorf("_redirects: %s comes after a rule with names", line)
		}
	}
	if named == 0 || named > 100 {
		t.Errorf("%d rules with names", named)
	}
}

// The upload takes each file once, with its own media type and caching, pages
// after what they refer to, and only then deletes.
func TestUploadTakesEachFileOnce(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	r := host.New(newSite(t, "https://h.example/lib", ""), nil)
	var all []output.File
	for _, f := range files() {
		all = append(all, output.Bytes(f, output.Data, nil))
	}
	dir := t.TempDir()
	for _, f := range host.Uploads(r, []host.Name{host.S3}, all) {
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Path)), b.Bytes(), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	aws := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\037' \"$a\"; done; echo\n"
	if err := os.WriteFile(filepath.Join(dir, "aws"), []byte(aws), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", filepath.Join(dir, "s3.sh"), "a folder", "s3://bucket/a path")
	cmd.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	taken := map[string]int{}
	order := []string{}
	for i, line := range lines {
		args := strings.Split(strings.TrimSuffix(line, "\x1f"), "\x1f")
		if !slices.Equal(args[:4], []string{"s3", "sync", "a folder", "s3://bucket/a path"}) || slices.Contains(args, "--delete") != (i == len(lines)-1) {
			t.Errorf("%q", args)
		}
		if i == len(lines)-1 {
			break
		}
		for _, f := range files() {
			if !awsTakes(args, f) {
				continue
			}
			taken[f]++
			order = append(order, f)
			if got := args[slices.Index(args, "--content-type")+1]; got != host.MediaType(f) {
				t.Errorf("%s is uploaded as %s", f, got)
			}
			if got := args[slices.Index(args, "--cache-control")+1]; got != r.Cache("/lib/"+f) {
				t.Errorf("%s is uploaded with %s", f, got)
			}
		}
	}
	for _, f := range files() {
		if hidden := f == "_headers" || f == "_redirects" || strings.HasPrefix(f, ".hosts/"); (taken[f] == 1) == hidden {
			t.Errorf("%s is uploaded %d times", f, taken[f])
		}
	}
	if first, last := slices.Index(order, "index.html"), slices.Index(order, "assets/style.0a1b2c3d4e.css"); first < last {
		t.Error("pages are uploaded before what they refer to")
	}
}

// awsTakes reports whether a command takes a file: the last filter that matches
// decides.
func awsTakes(args []string, file string) bool {
	take := true
	for i, a := range args {
		if a != "--include" && a != "--exclude" {
			continue
		}
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(args[i+1]), `\*`, ".*") + "$"
		if regexp.MustCompile(pattern).MatchString(file) {
			take = a == "--include"
		}
	}
	return take
}

// What is written for which host.
func TestFilesOfHosts(t *testing.T) {
	t.Parallel()
	r := host.New(newSite(t, "https://h.example", ""), nil)
	for _, c := range []struct {
		hosts []host.Name
		want  string
	}{
		{nil, "_headers _redirects"},
		{[]host.Name{host.GitHub, host.GitHub}, "_headers _redirects .nojekyll"},
		{host.Names(), "_headers _redirects .nojekyll .hosts/nginx.conf .hosts/Caddyfile .hosts/s3.tsv .hosts/s3.sh"},
	} {
		var got []string
		for _, f := range append(host.Files(r, c.hosts), host.Uploads(r, c.hosts, nil)...) {
			if err := output.CheckPath(f.Path); err != nil {
				t.Error(err)
			}
			got = append(got, f.Path)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %q, want %q", c.hosts, got, c.want)
		}
	}
	if _, err := host.Parse("gopher"); err == nil || !strings.Contains(err.Error(), "cloudflare, netlify, github, s3, nginx, caddy") {
		t.Error(err)
	}
}

// A build that passes what a host takes is told so, with what to do.
func TestLimits(t *testing.T) {
	t.Parallel()
	var many []incident.Withdrawn
	for i := range 300 {
		many = append(many, incident.Withdrawn{ID: fmt.Sprintf("IL-%04d", i), ReplacedBy: "IL-9999"})
	}
	few, crowd := host.New(newSite(t, "https://h.example", ""), nil), host.New(newSite(t, "https://h.example", ""), many)
	for _, c := range []struct {
		rules host.Rules
		host  host.Name
		size  host.Size
		want  string
	}{
		{few, host.Cloudflare, host.Size{Files: 20_000, Bytes: 5e9, Largest: 25 << 20}, ""},
		{few, host.Cloudflare, host.Size{Files: 20_001}, "20001 files; Pages takes 20000 on the free plan"},
		{few, host.Cloudflare, host.Size{Files: 100_001}, "publish to S3 or your own server"},
		{few, host.Cloudflare, host.Size{Largest: 25<<20 + 1, LargestPath: "api/v1/x.gz"}, "api/v1/x.gz has 26214401 bytes"},
		{crowd, host.Cloudflare, host.Size{}, "redirects; Pages follows 2000"},
		{crowd, host.Netlify, host.Size{}, ""},
		{few, host.GitHub, host.Size{Bytes: 1_000_000_001}, "1000000001 bytes; Pages takes 1 GB"},
		{few, host.S3, host.Size{Files: 1e6, Bytes: 1e12, Largest: 1e11}, ""},
	} {
		got := strings.Join(c.rules.Warnings(c.host, c.size), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s %+v: %q, want %q", c.host, c.size, got, c.want)
		}
	}
}

// A file that is to be for all hosts is as large as the strictest takes.
func TestLargest(t *testing.T) {
	t.Parallel()
	for want, hosts := range map[int][]host.Name{25 << 20: {host.GitHub, host.Cloudflare, host.S3}, 100 << 20: {host.GitHub}, math.MaxInt: nil} {
		if got := host.Largest(hosts); got != want {
			t.Errorf("%v take files of %d bytes, want %d", hosts, got, want)
		}
	}
}
