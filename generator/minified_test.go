package generator_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Making pages small changes nothing that they say: the same text, word for
// word, the same links and ids, and every pre to the letter.
func TestMinifiedEqualsVerbose(t *testing.T) {
	t.Parallel()
	t.Run("full", func(t *testing.T) {
		t.Parallel()
		small, verbose := fullSite(t), newSiteOf(t, load(t, fullSeeds(t)), true)
		if a, b := len(small.page("index.html").text), len(verbose.bytes("index.html")); a == 0 || b <= len(small.bytes("index.html")) {
			t.Error("the verbose page is not longer; is anything made small?")
		}
		if !slices.Equal(sortedKeys(small.pages), sortedKeys(verbose.pages)) {
			t.Fatal("the two have other pages")
		}
		for _, file := range sortedKeys(small.pages) {
			sameWords(t, file, small.page(file), verbose.page(file))
		}
	})
	t.Run("real cases", func(t *testing.T) {
		t.Parallel()
		small := realSite(t)
		for _, f := range plan(t, realCollection(t), true) {
			if !strings.Contains(f.Path, "cases/IL-") || small.page(f.Path) == nil {
				continue
			}
			var b bytes.Buffer
			if err := f.Render(&b); err != nil {
				t.Fatal(err)
			}
			sameWords(t, f.Path, small.page(f.Path), parseDoc(f.Path, b.Bytes()))
		}
	})
}

func sameWords(t *testing.T, file string, a, b *doc) {
	t.Helper()
	if a.text != b.text {
		t.Errorf("%s: the text differs: %s", file, firstDifference(a.text, b.text))
	}
	if !slices.Equal(a.pre, b.pre) {
		t.Errorf("%s: pre is %q minified, %q else", file, a.pre, b.pre)
	}
	if !slices.Equal(a.links, b.links) {
		t.Errorf("%s: the links differ", file)
	}
	if !slices.Equal(sortedKeys(a.ids), sortedKeys(b.ids)) {
		t.Errorf("%s: the ids differ", file)
	}
	if ha, hb := visible(find(a.root, "title")), visible(find(b.root, "title")); ha != hb {
		t.Errorf("%s: the title is %q minified, %q else", file, ha, hb)
	}
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	cut := func(s string) string { return strings.ToValidUTF8(s[max(0, i-30):min(len(s), i+30)], "") }
	return cut(a) + " / " + cut(b)
}
