package generator_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// The pages that are published already keep their words: every line of
// testdata/given stands on its page, in that order.
func TestGivenPages(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	for given, file := range map[string]string{
		"IL-0123.en.txt": "cases/IL-0123/index.html",
		"IL-0371.ko.txt": "ko/cases/IL-0371/index.html",
	} {
		b, err := os.ReadFile("testdata/given/" + given)
		if err != nil {
			t.Fatal(err)
		}
		text := visible(find(s.page(file).root, "main"))
		for line := range strings.Lines(string(b)) {
			line = strings.TrimSpace(line)
			if !strings.Contains(text, line) {
				t.Errorf("%s does not say %q", file, line)
			}
		}
		if given == "IL-0371.ko.txt" {
			checkOrder(t, file, text, string(b))
		}
	}
}

// checkOrder holds that lines stand in a text one after the other.
func checkOrder(t *testing.T, file, text, lines string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		_, rest, ok := strings.Cut(text, strings.TrimSpace(line))
		if !ok {
			t.Errorf("%s: %q stands too early", file, strings.TrimSpace(line))
			return
		}
		text = rest
	}
}

// The line above the title names the case, its organisation, day and domains.
func TestGivenHeader(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	for file, want := range map[string]struct{ date, text string }{
		"cases/IL-0123/index.html":    {"2023-11-08", "IL-0123 OpenAI · 8 November 2023 ai-infra"},
		"ko/cases/IL-0371/index.html": {"2023-04-21", "IL-0371 Render · 2023년 4월 21일 database networking"},
	} {
		meta := find(find(s.page(file).root, "article"), ".meta")
		if got := visible(meta); got != want.text {
			t.Errorf("%s: %q", file, got)
		}
		if got := attr(find(meta, "time"), "datetime"); got != want.date {
			t.Errorf("%s: datetime %q", file, got)
		}
	}
}

// The cases that the given pages relate are related, in their order and for
// the same reasons. The library may put others between them.
func TestGivenRelated(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	for file, want := range map[string][]string{
		"cases/IL-0123/index.html": {
			"IL-0022 Anthropic · 2025 same root cause · shared Model request routing",
			"IL-0132 Google Cloud · 2022 same root cause · shared Model request routing",
			"IL-0196 Palark · 2020 same root cause · shared Container memory limit",
		},
		"ko/cases/IL-0371/index.html": {
			"IL-0136 Microsoft Azure · 2026 같은 원인 · 공통 데이터베이스",
			"IL-0510 MIT Open Learning · 2026 같은 원인 · 공통 데이터베이스",
			"IL-0547 Buildkite · 2025 같은 원인 · 공통 데이터베이스",
			"IL-0324 Wikimedia Foundation · 2025 같은 원인 · 공통 데이터베이스",
			"IL-0307 Supabase · 2025 같은 원인 · 공통 데이터베이스",
			"IL-0523 U.S. Department of Health and Human Services · 2023 같은 원인 · 공통 데이터베이스",
			"IL-0567 Devsisters · 2023 같은 원인 · 공통 데이터베이스",
			"IL-0524 Open Collective · 2023 같은 원인 · 공통 데이터베이스",
		},
	} {
		got := relatedLines(s.page(file))
		at := -1
		for _, line := range want {
			i := slices.Index(got, line)
			if i < 0 {
				t.Errorf("%s does not relate %q", file, line)
			} else if i < at {
				t.Errorf("%s relates %q too early", file, line)
			}
			at = max(at, i)
		}
	}
}

// relatedLines are the related cases of a page: id, organisation, year and
// reason, without the title.
func relatedLines(d *doc) []string {
	var out []string
	for _, li := range findAll(find(d.root, "#related"), "li") {
		parts := []string{visible(find(li, ".id")), visible(find(li, ".by")), visible(find(li, ".why"))}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}

// At most 30 related cases are listed, 12 of them at once; the others are a
// click away, and a link leads to all with the cause.
func TestRelatedIsBounded(t *testing.T) {
	t.Parallel()
	d := fullSite(t).page("cases/IL-1000/index.html")
	related := find(d.root, "#related")
	var atOnce, folded int
	for _, li := range findAll(related, "li") {
		if within(li, "details") {
			folded++
		} else {
			atOnce++
		}
	}
	if atOnce != 12 || folded != 18 {
		t.Errorf("%d at once and %d folded, want 12 and 18", atOnce, folded)
	}
	if text := visible(related); !strings.Contains(text, "18 more") || !strings.HasSuffix(text, "All cases with the root cause Common cause") {
		t.Errorf("the section ends in %q", text[max(0, len(text)-80):])
	}
}

func within(n *html.Node, tag string) bool {
	for ; n != nil; n = n.Parent {
		if n.Data == tag {
			return true
		}
	}
	return false
}
