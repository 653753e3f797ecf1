package check

import (
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

func TestWording(t *testing.T) {
	t.Parallel()
	c := &incident.Collection{
		Cases: []*incident.Case{{File: "s/cases/IL-0001.json",
			Title:   incident.Text{EN: "A Postmortem of the `postmortem` tool", KO: "헬스체크가 실패했다"},
			Summary: incident.Text{EN: "Organizations [moved](https://e.example/data-center).", KO: "재난 경보가 울렸다. `헬스체크` 이름은 그대로다."}}},
		Topics:   []incident.TopicText{{File: "s/topics/t.ko.md", Lang: incident.KO, Text: "`경보`\n\n경보가 늦었다."}},
		Articles: []incident.Article{{Files: incident.Text{KO: "s/articles/a.ko.md"}, Body: incident.Text{KO: "헬스 체크와 알림."}}},
	}
	want := []string{
		"s/cases/IL-0001.json: /title/en: the text says postmortem, where the library says post-mortem; write post-mortem, unless a name or a quotation has the other word",
		"s/cases/IL-0001.json: /title/ko: the text says 헬스체크, where the library says 헬스 체크; write 헬스 체크, unless a name or a quotation has the other word",
		"s/cases/IL-0001.json: /summary/en: the text says organization, where the library says organisation; write organisation, unless a name or a quotation has the other word",
		"s/topics/t.ko.md:3:1: the text says 경보, where the library says 알림; write 알림, unless a name or a quotation has the other word",
	}
	got := wording(c)
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing %s", want[i])
		case i >= len(want):
			t.Errorf("not wanted: %s", got[i])
		case got[i].String() != want[i]:
			t.Errorf("\n got %s\nwant %s", got[i], want[i])
		}
	}
}
