package generator_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before you commit it")

// goldenPages are the pages that stand in testdata/golden, as their templates
// write them: every feature of a case in both languages, and one page a kind.
func goldenPages() []string {
	return []string{
		"index.html", "404.html", "cases/index.html", "cases/IL-0001/index.html", "ko/cases/IL-0001/index.html", "cases/IL-0900/index.html",
		"topics/components/database/index.html", "articles/limits/index.html", "orgs/beta/index.html", "years/2024/index.html",
	}
}

// Pages are, to the letter, what testdata/golden has; a change of a template
// shows there. Run with -update to write them anew.
func TestGolden(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, load(t, smallSeeds(t)), true)
	hash := regexp.MustCompile(`(/assets/[a-z-]+\.)[0-9a-f]{10}\.`)
	for _, file := range goldenPages() {
		got := hash.ReplaceAllString(string(s.bytes(file)), "${1}HASH.")
		if got == "" {
			t.Errorf("%s is not there", file)
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(file, "/index.html"), "/", "_")
		name = "testdata/golden/" + strings.TrimSuffix(name, ".html") + ".html"
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%v; write it with: go test ./generator -run Golden -update", err)
			continue
		}
		if got != string(want) {
			t.Errorf("%s differs from %s: %s", file, name, firstDifference(got, string(want)))
		}
	}
	if *update {
		t.Log("the golden files are written; git diff shows what changed")
	}
}

// Every golden file is the one of a page.
func TestNoStrayGolden(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(goldenPages()) {
		t.Errorf("testdata/golden has %d files for %d pages", len(entries), len(goldenPages()))
	}
}
