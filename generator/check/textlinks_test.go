package check

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/templates"
)

func TestLinksInTexts(t *testing.T) {
	t.Parallel()
	v := incident.NewVocabulary([]incident.Axis{{ID: incident.RootCause, Terms: []incident.Term{{Axis: incident.RootCause, Slug: "bug"}}}})
	c := &incident.Collection{Vocabulary: v,
		Cases: []*incident.Case{{ID: "IL-0001", File: "s/cases/IL-0001.json", OrgSlug: "a", Date: incident.Date{Year: 2023},
			Summary: incident.Text{EN: "[ok](/cases/IL-0001/#symptoms), [ok](#x), [ok](/topics/root-cause/bug/), [ok](https://e.example), `[code](/no/)`",
				KO: "[나쁨](/cases/IL-9999/), [나쁨](/ko/cases/IL-0001/), [나쁨](cases/), [나쁨](/orgs/a)"}}},
		Topics:   []incident.TopicText{{File: "s/topics/t.en.md", Text: "One.\n\n## A {#cases}\n\n[x](/years/1999/)\n"}},
		Articles: []incident.Article{{Slug: "a", Files: incident.Text{EN: "s/articles/a.en.md"}, LineEN: 6, Body: incident.Text{EN: "\n[x](/articles/b/)"}}}}
	want := []string{
		`s/cases/IL-0001.json: /summary/ko: the link "/cases/IL-9999/": there is no case IL-9999; write the id of a case of this library`,
		`s/cases/IL-0001.json: /summary/ko: the link "/ko/cases/IL-0001/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		`s/cases/IL-0001.json: /summary/ko: the link "cases/" depends on the page that it stands in; begin it with "/", as in "/cases/IL-0123/", or write the whole https address`,
		`s/cases/IL-0001.json: /summary/ko: the link "/orgs/a" does not end in "/"; write "/orgs/a/"`,
		`s/topics/t.en.md:5:1: the link "/years/1999/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		`s/topics/t.en.md:3:1: the id "cases" is that of another part of the page; give the heading another id`,
		`s/articles/a.en.md:7:1: the link "/articles/b/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
	}
	got := textLinks(c, newIDs(c, nil))
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i].String()
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("problem %d:\n got %s\nwant %s", i, g, w)
		}
	}
}

// What is broken is reported once, by its reader: links to it do not dangle.
func TestLinksToWhatIsBroken(t *testing.T) {
	t.Parallel()
	c := &incident.Collection{Cases: []*incident.Case{{ID: "IL-0001", File: "s/cases/IL-0001.json",
		Summary: incident.Text{EN: "[a](/cases/IL-0002/), [b](/years/1999/), [c](/topics/root-cause/bug/)"}}}}
	if got := textLinks(c, newIDs(c, map[string]bool{"IL-0002": true})); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// The ids that headings of topics and articles may not take are those that the
// templates of their pages use, no more and no less.
func TestPageIDs(t *testing.T) {
	t.Parallel()
	all, called := map[string]string{}, regexp.MustCompile(`\{\{template "([^"]+)"`)
	define := regexp.MustCompile(`(?s)\{\{define "([^"]+)"\}\}(.*?)(\n\n\{\{define|$)`)
	names, err := fs.Glob(templates.Files(), "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := fs.ReadFile(templates.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		for rest := string(src); ; {
			found := define.FindStringSubmatchIndex(rest)
			if found == nil {
				break
			}
			all[rest[found[2]:found[3]]] = rest[found[4]:found[5]]
			rest = rest[found[5]:]
		}
	}
	ids := map[string]bool{}
	id := regexp.MustCompile(`\bid="([a-z-]+)"`)
	todo := []string{"frame-above", "frame-below", "topic", "article"}
	for i := 0; i < len(todo); i++ {
		if all[todo[i]] == "" {
			t.Errorf("there is no template %q", todo[i])
		}
		for _, m := range id.FindAllStringSubmatch(all[todo[i]], -1) {
			ids[m[1]] = true
		}
		for _, m := range called.FindAllStringSubmatch(all[todo[i]], -1) {
			if !slices.Contains(todo, m[1]) {
				todo = append(todo, m[1])
			}
		}
	}
	if want, got := slices.Sorted(maps.Keys(ids)), slices.Sorted(slices.Values(pageIDs())); !slices.Equal(got, want) {
		t.Errorf("pageIDs are %q, the templates use %q", got, want)
	}
}

// The links of 20,000 cases of 4 KB, of which every hundredth has one.
func BenchmarkTextLinks(b *testing.B) {
	c := &incident.Collection{}
	en, ko := strings.Repeat("The primary ran out of connections and failed over. ", 30), strings.Repeat("연결이 모자라 프라이머리가 넘어갔다. ", 30)
	for i := range 20_000 {
		one := &incident.Case{ID: fmt.Sprintf("IL-%05d", i), Title: incident.Text{EN: en[:60], KO: ko[:60]}, Summary: incident.Text{EN: en, KO: ko}}
		if i%100 == 0 {
			one.Lessons = incident.Text{EN: "See [the other](/cases/IL-00001/)."}
		}
		for range 4 {
			one.Remediation = append(one.Remediation, incident.Text{EN: en[:100], KO: ko[:100]})
		}
		c.Cases = append(c.Cases, one)
	}
	known := newIDs(c, nil)
	for b.Loop() {
		if ps := textLinks(c, known); ps != nil {
			b.Fatal(ps)
		}
	}
}
