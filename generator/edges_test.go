package generator_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// With Korean as the default, Korean pages have no prefix, English ones have
// /en, and readers of neither are led to the Korean ones.
func TestKoreanByDefault(t *testing.T) {
	t.Parallel()
	m := smallSeeds(t)
	site := newSite()
	site["default_language"] = "ko"
	put(t, m, "site.json", site)
	s := newSiteOf(t, load(t, m), false)
	crawl(t, s)
	for _, file := range sortedKeys(s.pages) {
		lang := "ko"
		if strings.HasPrefix(file, "en/") {
			lang = "en"
		}
		h := headOf(s.page(file))
		if h.lang != lang {
			t.Errorf("%s is in %q", file, h.lang)
		}
		if want := h.alternates["ko"]; want != "" && h.alternates["x-default"] != want {
			t.Errorf("%s: x-default is %q, want %q", file, h.alternates["x-default"], want)
		}
		s.checkAlternates(t, file)
	}
	for _, file := range []string{"index.html", "404.html", "en/index.html", "en/404.html", "en/cases/IL-0001/index.html"} {
		if s.page(file) == nil {
			t.Errorf("%s is missing", file)
		}
	}
	if s.page("ko/index.html") != nil {
		t.Error("there are pages below /ko too")
	}
}

// A library without a case, a term or an article is a whole site all the same.
func TestEmptyLibrary(t *testing.T) {
	t.Parallel()
	for name, seeds := range map[string]fstest.MapFS{"terms": newSeeds(t, newSite(), newVocab(manyVocab())), "no terms": newSeeds(t, newSite(), newVocab(nil))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSiteOf(t, load(t, seeds), false)
			crawl(t, s)
			for _, file := range sortedKeys(s.pages) {
				s.checkAlternates(t, file)
			}
			for _, file := range slices.DeleteFunc(s.documents(), describes) {
				checkLists(t, file, s.bytes(file))
			}
			for _, file := range []string{"index.html", "cases/index.html", "orgs/index.html", "years/index.html", "topics/index.html", "ko/index.html", "api/v1/cases.json"} {
				if len(s.bytes(file)) == 0 {
					t.Errorf("%s is missing or empty", file)
				}
				if path.Ext(file) == ".html" && strings.Contains(string(s.bytes(file)), "/articles/") {
					t.Errorf("%s leads to articles, of which there are none", file)
				}
			}
		})
	}
}
