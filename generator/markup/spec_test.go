package markup

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCommonMark runs the examples of the CommonMark specification, which
// goldmark ships, for the parts that this package parses itself: nothing but
// what the package says may change. An example that needs raw HTML, an image,
// a reference or an address that we refuse is left out.
func TestCommonMark(t *testing.T) {
	t.Parallel()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("no module cache: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	var examples []struct {
		Markdown, HTML, Section string
		Example                 int
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	r := New(Options{})
	for _, e := range examples {
		if differs(e.Markdown, e.HTML, e.Section, e.Example) {
			continue
		}
		ran[e.Section]++
		got := string(r.Block(nil, e.Markdown, 0))
		if normal(got) != normal(e.HTML) {
			t.Errorf("example %d (%s): %q\n got %q\nwant %q", e.Example, e.Section, e.Markdown, got, e.HTML)
		}
	}
	if ran["Emphasis and strong emphasis"] < 120 {
		t.Errorf("only %d examples of emphasis ran", ran["Emphasis and strong emphasis"])
	}
	t.Log(ran)
}

// differs reports an example on which we mean to differ.
func differs(src, html, section string, example int) bool {
	if section == "HTML blocks" || section == "Raw HTML" {
		return true
	}
	for _, s := range []string{"<img", "]: ", "]:\n", "language-"} {
		if strings.Contains(html+src, s) {
			return true
		}
	}
	return slices.Contains([]int{
		21, 31, 308, 309, 344, 476, 477, 491, 494, 524, 642, 643, // raw HTML
		194,    // a reference
		39, 40, // entities of white space give a space
		79,           // empty headings
		268,          // a number with leading zeros keeps them
		20, 502, 603, // backslashes in addresses
		346,           // a host that is none
		485, 486, 487, // no address
		500, 596, 598, 599, 601, // schemes that we do not know
	}, example)
}

// normal undoes differences of notation: quotes, void elements, line breaks
// around the blocks of an item, the levels of headings, which we shift, and what
// we add for the keyboard and for links out.
func normal(html string) string {
	html = regexp.MustCompile(`(</?h)[1-6]>`).ReplaceAllString(html, "$1>")
	return strings.NewReplacer("&quot;", `"`, " />", ">", "<li>\n", "<li>", "\n</li>", "</li>", ` rel="noopener"`, "", ` tabindex="0"`, "").Replace(html)
}
