package generator_test

import (
	"slices"
	"testing"
	"testing/fstest"
)

// What an article links, in whichever form, it lists below its text, and that
// links back; what stands in code is no link.
func TestLinksOfArticles(t *testing.T) {
	t.Parallel()
	m := smallSeeds(t)
	m["articles/forms.en.md"] = &fstest.MapFile{Data: []byte("---\ntitle: Forms\nsummary: Forms of links.\npublished: 2025\n---\n" +
		"[a](/cases/IL-0002/ \"title\") [b](</cases/IL-0003/#cause>) [c](/topics/root-cause/bug/ 'title') ![no link](/cases/IL-0004/) `[d](/cases/IL-0005/)`\n\n    [e](/cases/IL-0006/)\n")}
	s := newSiteOf(t, load(t, m), false)
	article := s.page("articles/forms/index.html").root
	if got, want := idsIn(find(article, "#cases")), []string{"IL-0002", "IL-0003"}; !slices.Equal(got, want) {
		t.Errorf("the article lists the cases %v, want %v", got, want)
	}
	if got := visible(find(find(article, "#topics"), ".chips")); got != "Bug" {
		t.Errorf("the article lists the topics %q", got)
	}
	for file, want := range map[string]string{
		"cases/IL-0002/": "Forms", "cases/IL-0003/": "Forms", "topics/root-cause/bug/": "Forms",
		"cases/IL-0004/": "", "cases/IL-0005/": "", "cases/IL-0006/": "",
	} {
		if got := visible(find(find(s.page(file+"index.html").root, "#articles"), "ul")); got != want {
			t.Errorf("%s leads back to %q, want %q", file, got, want)
		}
	}
}
