package check

import (
	"testing"

	"benchlet.com/incidentlib/generator/incident"
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
	texts := newTextChecker(c, newIDs(c, nil))
	got := append(texts.inCases(c.Cases), texts.others()...)
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
	if got := newTextChecker(c, newIDs(c, map[string]bool{"IL-0002": true})).inCases(c.Cases); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
