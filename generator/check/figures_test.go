package check

import (
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	block := func(name string) string { return "\nText.\n\n```figure\n" + name + "\n```\n" }
	c := &incident.Collection{Dir: "s",
		Topics: []incident.TopicText{{File: "s/topics/t.en.md", Text: block("retry-strom")}},
		Articles: []incident.Article{{Slug: "a", Files: incident.Text{EN: "s/articles/a.en.md", KO: "s/articles/a.ko.md"}, LineEN: 6, LineKO: 7,
			Body: incident.Text{EN: block("retry-storm") + block("retry-storm"), KO: "`figure` is a word, and so is this:\n\n```\nfigure\n```\n"}}}}
	want := []string{
		`s/topics/t.en.md:4:1: there is no figure "retry-strom"; write the name of one that there is, as in "retry-storm"`,
		`s/articles/a.en.md:9:1: the data of the figure "retry-storm" is missing; put it into s/figures/retry-storm.json`,
		`s/articles/a.en.md:15:1: the figure "retry-storm" stands twice in this text; leave one of them out`,
		`s/articles/a.en.md:15:1: the data of the figure "retry-storm" is missing; put it into s/figures/retry-storm.json`,
	}
	sameProblems(t, c, want)
	c.Topics, c.Articles = nil, nil
	c.Figures = []incident.Figure{
		{Name: "other", File: "s/figures/other.json", Data: []byte("{}")},
		{Name: "retry-storm", File: "s/figures/retry-storm.json", Data: []byte("{\n  \"seed\": x}")},
	}
	sameProblems(t, c, []string{
		`s/figures/other.json:1:1: there is no figure "other"; delete the file, or name it after a figure, as in "retry-storm"`,
		`s/figures/retry-storm.json:2:1: it cannot be read: invalid character 'x' looking for beginning of value; write it anew with: llm-gateway storm --json`,
	})
}

func sameProblems(t *testing.T, c *incident.Collection, want []string) {
	t.Helper()
	got := figures(c)
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
