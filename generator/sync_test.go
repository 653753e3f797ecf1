package generator_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// copyOf is a copy of a library's cases, by id, as those keep it who read the
// mirror.
type copyOf map[string]string

// change is an entry of the changes.
type change struct {
	ID          string `json:"id"`
	UpdatedAt   string `json:"updated_at"`
	H           string `json:"h"`
	WithdrawnAt string `json:"withdrawn_at"`
}

// changes are all changes of a site, as the links lead through them: the newest
// first, each once.
func (s *site) changes(t testing.TB) (all []change, pages int) {
	t.Helper()
	seen := map[string]bool{}
	for file := "api/v1/changes.json"; file != ""; {
		var d struct {
			From, To string
			Items    []change
			Links    struct{ Next string }
		}
		if err := json.Unmarshal(s.bytes(file), &d); err != nil {
			t.Fatal(file, err)
		}
		if n := len(d.Items); n > 500 || n > 0 && d.From > d.To {
			t.Errorf("%s has %d entries, from %s to %s", file, n, d.From, d.To)
		}
		for _, c := range d.Items {
			if !seen[c.ID] {
				seen[c.ID] = true
				all = append(all, c)
			}
		}
		if file = ""; d.Links.Next != "" {
			file = s.resolve(t, "", d.Links.Next).file
			pages++
		}
	}
	return all, pages
}

// follow takes the changes over into a copy, and counts the documents that it
// had to read.
func (c copyOf) follow(t testing.TB, s *site) (read int) {
	t.Helper()
	all, _ := s.changes(t)
	for _, e := range all {
		switch {
		case e.WithdrawnAt != "":
			delete(c, e.ID)
		case short([]byte(c[e.ID])) != e.H:
			c[e.ID] = string(s.bytes("api/v1/cases/" + e.ID + ".json"))
			read++
		}
	}
	return read
}

func short(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// cases is what a copy has to be.
func (s *site) cases(t testing.TB) copyOf {
	t.Helper()
	out := copyOf{}
	for _, file := range s.documents() {
		if b := s.bytes(file); strings.HasPrefix(path.Base(file), "IL-") && path.Dir(file) == "api/v1/cases" && !bytes.Contains(b, []byte(`"withdrawn":true`)) {
			out[strings.TrimSuffix(path.Base(file), ".json")] = string(b)
		}
	}
	return out
}

// dumped are the cases of the dumps; what the list of dumps says of each file is
// held to be true.
func (s *site) dumped(t testing.TB) copyOf {
	t.Helper()
	var d struct {
		Count int
		Files []struct {
			Kind, URL, SHA256 string
			Size, Count       int
		}
	}
	if err := json.Unmarshal(s.bytes("api/v1/dumps/index.json"), &d); err != nil {
		t.Fatal(err)
	}
	out := copyOf{}
	for _, f := range d.Files {
		b := s.bytes(s.resolve(t, "", f.URL).file)
		sum := sha256.Sum256(b)
		if len(b) != f.Size || hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("%s has %d bytes, and another digest or size is told", f.URL, len(b))
		}
		if path.Ext(f.URL) != ".gz" {
			continue
		}
		n := 0
		for line := range bytes.Lines(gunzip(t, b)) {
			var c struct{ ID string }
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(f.URL, err)
			}
			if n++; f.Kind == "cases" {
				out[c.ID] = string(line)
			}
		}
		if n != f.Count || f.Kind == "summaries" && n != d.Count {
			t.Errorf("%s has %d lines, not %d", f.URL, n, f.Count)
		}
	}
	return out
}

func gunzip(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if !z.ModTime.IsZero() || z.Name != "" {
		t.Errorf("a dump has the time %v and the name %q", z.ModTime, z.Name)
	}
	return raw
}

// manifestOf is the manifest of a copy, as the guide says to write it.
func (c copyOf) manifest(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	ids := slices.SortedFunc(maps.Keys(c), func(a, b string) int { return len(a)<<8 - len(b)<<8 + strings.Compare(a, b) })
	for _, id := range ids {
		var d struct {
			UpdatedAt string `json:"updated_at"`
		}
		if err := json.Unmarshal([]byte(c[id]), &d); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, `{"id":%q,"updated_at":%q,"h":%q,"size":%d}`+"\n", id, d.UpdatedAt, short([]byte(c[id])), len(c[id]))
	}
	return b.String()
}

// inStep holds that all ways to a copy lead to the same one, and that it can be
// told to be whole.
func (s *site) inStep(t *testing.T, c copyOf) {
	t.Helper()
	want := s.cases(t)
	if !maps.Equal(c, want) {
		t.Errorf("the copy has %d cases, the library %d, or others", len(c), len(want))
	}
	if dumped := s.dumped(t); !maps.Equal(dumped, want) {
		t.Errorf("the dumps have %d cases, the library %d, or others", len(dumped), len(want))
	}
	if got := string(s.bytes("api/v1/manifest.ndjson")); got != c.manifest(t) {
		t.Errorf("the manifest is another: %s", firstDifference(got, c.manifest(t)))
	}
	sum := sha256.Sum256([]byte(c.manifest(t)))
	var root struct {
		ManifestSHA256 string `json:"manifest_sha256"`
		UpdatedAt      string `json:"updated_at"`
		Counts         struct{ Cases int }
	}
	if err := json.Unmarshal(s.bytes("api/v1/index.json"), &root); err != nil {
		t.Fatal(err)
	}
	if root.ManifestSHA256 != hex.EncodeToString(sum[:]) || root.Counts.Cases != len(want) {
		t.Errorf("the root says %+v", root)
	}
}

// longSeeds are more cases than a document of changes holds, changed at
// different times.
func longSeeds(t testing.TB, n int) fstest.MapFS {
	t.Helper()
	m := newSeeds(t, newSite(), newVocab(manyVocab()))
	for i := range n {
		c := manyCase(i)
		c["updated_at"] = fmt.Sprintf("20%02d-%02d-%02dT%02d:00:00+09:00", 10+i*7%15, i*5%12+1, i*11%28+1, i%24)
		put(t, m, fmt.Sprintf("cases/%s.json", c["id"]), c)
	}
	return m
}

// From nothing, and from the copy of an earlier state, the changes lead to the
// same copy as the dumps: through an edit, an addition and a withdrawal. Each
// costs as many documents as changed.
func TestSync(t *testing.T) {
	t.Parallel()
	m := longSeeds(t, 900)
	c := copyOf{}
	step := func(what string, read int) *site {
		s := newSiteOf(t, load(t, m), false)
		if got := c.follow(t, s); got != read {
			t.Errorf("%s: %d documents were read, not %d", what, got, read)
		}
		s.inStep(t, c)
		return s
	}
	first := step("nothing yet", 900)
	if _, pages := first.changes(t); pages < 2 {
		t.Errorf("900 changes are on %d pages", pages)
	}
	edited := manyCase(300)
	edited["updated_at"], edited["title"] = "2026-05-05T05:05:05Z", both("Another title", "다른 제목")
	put(t, m, "cases/IL-1300.json", edited)
	second := step("an edit", 1)
	first.fewChange(t, second, "IL-1300")
	added := manyCase(900)
	added["updated_at"] = "2026-06-06T06:06:06Z"
	put(t, m, "cases/IL-1900.json", added)
	step("an addition", 1)
	delete(m, "cases/IL-1300.json")
	put(t, m, "withdrawn.json", object{"withdrawn": []object{{"id": "IL-1300", "since": "2026-07", "reason": both("Gone.", "없앴다."), "replaced_by": nil}}})
	s := step("a withdrawal", 0)
	if all, _ := s.changes(t); all[0].ID != "IL-1300" || all[0].WithdrawnAt != "2026-07" {
		t.Errorf("the newest change is %+v", all[0])
	}
	for _, file := range sortedKeys(s.files) {
		if strings.HasPrefix(file, "api/v1/") && path.Ext(file) != ".gz" && bytes.Contains(s.bytes(file), []byte("IL-1300")) &&
			file != "api/v1/changes.json" && !strings.HasPrefix(file, "api/v1/changes/pages/") && file != "api/v1/cases/IL-1300.json" {
			t.Errorf("%s still has the withdrawn case", file)
		}
	}
}

// fewChange holds that the edit of one case changes few of the files that have
// many cases in them.
func (s *site) fewChange(t *testing.T, after *site, id string) {
	t.Helper()
	changed := map[string]int{}
	for _, file := range sortedKeys(after.files) {
		if strings.HasPrefix(file, "api/v1/") && path.Base(file) != "similar.json" && !bytes.Equal(s.bytes(file), after.bytes(file)) {
			changed[path.Dir(file)]++
		}
	}
	for dir, most := range map[string]int{
		"api/v1/changes/pages":                  6, // out of one page and into another, each with its neighbours
		"api/v1/cases/pages":                    1,
		"api/v1/topics/root_cause/common/pages": 1,
		"api/v1/orgs/many/pages":                1,
		"api/v1/dumps":                          4, // a part, the summaries, the table, the list
		"api/v1":                                5, // cases, changes, index, and openapi twice
		"api/v1/schema":                         0,
	} {
		if changed[dir] > most {
			t.Errorf("the edit of %s changed %d files in %s", id, changed[dir], dir)
		}
	}
}

// The table has what the summaries have. No spreadsheet takes a text in it for
// a formula.
func TestTable(t *testing.T) {
	t.Parallel()
	formulas := []string{"=1+1", "+1", "-1", "@SUM(A1)", "  =1", "＝1", "plain, with \"quotes\"", "plain"}
	var cases []object
	for i, f := range formulas {
		cases = append(cases, newCase(fmt.Sprintf("IL-%04d", i+1), "2024", object{"title": both(f, f), "components": []string{"shared-part", "second"}}))
	}
	terms := manyVocab()
	terms["components"] = append(terms["components"], newTerm("second", both("Second", "둘째"), both("Another part.", "다른 부품.")))
	s := newSiteOf(t, load(t, newSeeds(t, newSite(), newVocab(terms), cases...)), false)
	b := s.bytes("api/v1/dumps/summaries.csv")
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) != len(formulas)+1 || bytes.Count(b, []byte("\r\n")) != len(rows) || bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		t.Fatalf("%v: %d rows\n%s", err, len(rows), b)
	}
	for i, row := range rows[1:] {
		want := formulas[i]
		if i < 6 {
			want = "'" + want
		}
		if row[5] != want || row[6] != want || row[9] != "shared-part|second" {
			t.Errorf("%q became %q", formulas[i], row)
		}
	}
}

// goldenDocuments are one document of each kind that is made here, of the small
// seeds.
func goldenDocuments() []string {
	return []string{"api/v1/index.json", "api/v1/changes.json", "api/v1/manifest.ndjson", "api/v1/dumps/summaries.csv", "api/v1/orgs.json", "api/v1/orgs/beta.json",
		"api/v1/years/2022.json", "api/v1/cases/IL-0900.json", "api/v1/cases/IL-0006/similar.json", "api/v1/topics/components/queue.json", "api/v1/schema/changes.json",
		"llms.txt", ".well-known/api-catalog", ".well-known/mcp/catalog.json"}
}

// The documents are, to the letter, what testdata/mirror has, but that JSON is
// laid out there. Run with -update to write them anew.
func TestGoldenDocuments(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, load(t, smallSeeds(t)), false)
	for _, file := range goldenDocuments() {
		got := s.bytes(file)
		var laidOut bytes.Buffer
		if json.Indent(&laidOut, got, "", "  ") == nil {
			got = laidOut.Bytes()
		}
		name := "testdata/mirror/" + strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(file, "api/v1/"), "."), "/", "_")
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s (%v): %s", file, name, err, firstDifference(string(got), string(want)))
		}
	}
}
