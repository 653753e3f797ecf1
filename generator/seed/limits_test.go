package seed

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The README tells the limits that are kept, and a file of more than its size is
// refused before any of it is read.
func TestLimitsAreTold(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, limit := range map[string]int{
		"| a case, a topic's text, an article, a figure | %d bytes |": maxCase, "| `vocab.json`, `site.json`, `withdrawn.json` | %d bytes |": maxFile,
		"| a text | %d characters |": maxText, "| a title, a document's name | %d characters |": maxTitle, "| a label of the vocabulary | %d characters |": maxLabel,
		"| a name, a licence, an alias | %d characters |": maxLine, "| an entry of a list | %d of them |": maxList, "| faults told of one file | %d |": maxFaults,
	} {
		if line := fmt.Sprintf(what, limit); !strings.Contains(string(readme), line) {
			t.Errorf("the README does not say %s", line)
		}
	}
	if maxTopic != maxCase {
		t.Error("a case and a topic have two limits, the README one")
	}
	for name, limit := range map[string]int{"cases/IL-0123.json": maxCase, "articles/a.en.md": maxTopic, "vocab.json": maxFile, "site.json": maxFile} {
		r, got := report(library(map[string]string{name: strings.Repeat(" ", limit+1)}))
		if want := fmt.Sprintf("seeds/%s: the file has more than %d bytes; make it shorter", name, limit); !strings.Contains(got, want) || len(r.Problems) > 20 {
			t.Errorf("%d problems, no %q", len(r.Problems), want)
		}
	}
}
