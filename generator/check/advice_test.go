package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/incident"
)

func TestAdvice(t *testing.T) {
	in1 := func(from, to string) edit { return edit{file("IL-0001"), from, to} }
	in2 := func(from, to string) edit { return edit{file("IL-0002"), from, to} }
	titles := func(id, en, ko string) edit {
		return edit{file(id), strings.ReplaceAll(`{"en": "Title of ID in words of its own ID", "ko": "ID 만의 제목 ID"}`, "ID", id), fmt.Sprintf(`{"en": "%s", "ko": "%s"}`, en, ko)}
	}
	advises(t, []adviceCase{
		{"missing in Korean", []edit{in1(`, "ko": "요약."`, "")}, []string{
			`cases/IL-0001.json:13:14: advice: /summary: the text is missing in Korean; translate it`,
		}},
		{"missing in English", []edit{in1(`"en": "Summary."`, `"en": null`)}, []string{
			`cases/IL-0001.json:13:14: advice: /summary: the text is missing in English; translate it`,
		}},
		{"plain impact", []edit{in1(`"scope": "unknown"`, `"scope": "logins"`)}, []string{
			`cases/IL-0001.json:8:23: advice: /impact/scope: the text is missing in Korean; translate it`,
		}},
		{"missing beside the cases", []edit{{"site.json", `, "ko": "엑스"`, ""}, {"vocab.json", `, "ko": "분야"`, ""},
			{"withdrawn.json", "", `{"withdrawn": [{"id": "IL-0009", "since": "2025", "reason": {"ko": "겹친다."}, "replaced_by": null}]}`}}, []string{
			`site.json:1:11: advice: /title: the text is missing in Korean; translate it`,
			`vocab.json:2:27: advice: /axes/0/label: the text is missing in Korean; translate it`,
			`withdrawn.json:1:61: advice: /withdrawn/0/reason: the text is missing in English; translate it`,
		}},
		{"missing in a step", []edit{in1(`"remediation": []`, `"remediation": [{"text": {"en": "a", "ko": "가"}}, {"text": {"ko": "나"}}]`)}, []string{
			`cases/IL-0001.json:22:62: advice: /remediation/1/text: the text is missing in English; translate it`,
		}},
		{"no source", []edit{in1(`{"url": "https://example.com/IL-0001", "kind": "post", "license": "unknown", "archived": "https://archive.example/IL-0001"}`, "")}, []string{
			`cases/IL-0001.json:12:14: advice: /sources: the case has no source; name where its facts come from`,
		}},
		{"no archived copy", []edit{in1(`"https://archive.example/IL-0001"`, "null")}, []string{
			`cases/IL-0001.json:12:104: advice: /sources/0/archived: the source has no archived copy; archive it, and write the copy's address`,
		}},
		{"unreviewed", []edit{in1(`"reviewed_by": "b"`, `"reviewed_by": null`)}, []string{
			`cases/IL-0001.json:9:13: advice: /review: nobody has reviewed the case; check it against its sources, and write who did so and when`,
		}},
		{"no root cause", []edit{in1(`"bug"`, "null")}, []string{
			`cases/IL-0001.json:21:17: advice: /root_cause: the case has no root cause; name it, if a source does`,
		}},
		{"one source of two cases", []edit{in2("https://example.com/IL-0002", "http://www.EXAMPLE.com/IL-0001/#top")}, []string{
			`cases/IL-0002.json:12:23: advice: /sources/0/url: this is a source of IL-0001 too; make sure that the two are not one incident`,
		}},
		{"another query", []edit{in2("https://example.com/IL-0002", "https://example.com/IL-0001?id=2")}, nil},
		{"source twice in a case", []edit{in1(`"archived": "https://archive.example/IL-0001"}`, `"archived": "https://archive.example/IL-0001"}, {"url": "https://example.com/IL-0001/", "kind": "post", "license": "x", "archived": "https://archive.example/IL-0001"}`)}, []string{
			`cases/IL-0001.json:12:148: advice: /sources/1/url: the case names this source twice; delete one of the two`,
		}},
		{"equal titles", []edit{titles("IL-0001", "It broke", "하나"), titles("IL-0002", "It  BROKE.", "둘")}, []string{
			`cases/IL-0002.json:6:19: advice: /title/en: the title nearly equals that of IL-0001; make the titles tell the two apart, or the two one case`,
		}},
		{"nearly equal titles in Korean", []edit{titles("IL-0001", "a", "새 연결의 절반이 오래 실패했다"), titles("IL-0002", "b", "새 연결의 절반이 오래, 실패했다!")}, []string{
			`cases/IL-0002.json:6:30: advice: /title/ko: the title nearly equals that of IL-0001; make the titles tell the two apart, or the two one case`,
		}},
		{"nearly equal titles in both languages", []edit{titles("IL-0001", "one two three four five six seven eight nine", "가 나"), titles("IL-0002", "one two three four five six seven eight ten", "나 가")}, []string{
			`cases/IL-0002.json:6:19: advice: /title/en: the title nearly equals that of IL-0001; make the titles tell the two apart, or the two one case`,
		}},
		{"titles that differ", []edit{titles("IL-0001", "one two three four", "가"), titles("IL-0002", "one two three five", "나")}, nil},
		{"half a term", []edit{{"vocab.json", `"label": {"en": "Networks", "ko": "네트워크"}`, `"label": {"en": "Networks"}`}}, []string{
			`vocab.json:4:31: advice: /axes/0/terms/1/label: the text is missing in Korean; translate it`,
		}},
		{"half a topic", []edit{{"topics/domain/network.en.md", "", "Look."}}, []string{
			`topics/domain/network.en.md: advice: the topic has no text in Korean; write network.ko.md beside it`,
		}},
		{"half an article", []edit{{"articles/retry.ko.md", "", "---\ntitle: T\nsummary: S\npublished: 2026-01-01\n---\nText."}}, []string{
			`articles/retry.ko.md: advice: the article has no text in English; write retry.en.md beside it`,
		}},
		{"both halves of a topic", []edit{{"topics/domain/network.en.md", "", "Look."}, {"topics/domain/network.ko.md", "", "보라."}}, nil},
	})
}

// A number or a time that stands in one language's texts and not in the other's.
func TestAdviceOnNumbers(t *testing.T) {
	in1 := func(from, to string) edit { return edit{file("IL-0001"), from, to} }
	advises(t, []adviceCase{
		{"number in English alone", []edit{in1("Summary.", "It hit 502 nodes and 7%.")}, []string{
			`cases/IL-0001.json:13:21: advice: /summary/en: no Korean text of the case has 502, 7; check it, and write the same facts in both languages`,
		}},
		{"number in Korean alone", []edit{in1("요약.", "오전 5시 42분에 3만 대가 멈췄다.")}, []string{
			`cases/IL-0001.json:13:39: advice: /summary/ko: no English text of the case has 오전 5시 42분, 3만; check it, and write the same facts in both languages`,
		}},
		{"number in another text of the case", []edit{in1("Summary.", "502 nodes."), in1("오류.", "노드 502대.")}, nil},
		{"numbers of the date and the timeline", []edit{in1("요약.", "2023년 11월 8일, 1시간 34분 동안.")}, nil},
	})
}

// adviceCase is a library with edits, and what may be mended in it then.
type adviceCase struct {
	name  string
	edits []edit
	want  []string
}

func advises(t *testing.T, cases []adviceCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(library(t, "IL-0001 IL-0002", tt.edits), advice); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestFacts compares two texts: what stands in the one and not in the other.
func TestFacts(t *testing.T) {
	for _, tt := range []struct{ en, ko, alone string }{
		{"It took 39 minutes.", "39분 걸렸다.", ""},
		{"It took 39 minutes.", "38분 걸렸다.", "39 minutes | 38분"},
		{"30,000 users", "3만 명", ""},
		{"35,000 users", "3만 5천 명", ""},
		{"35,000 users", "3만 5000명", ""},
		{"120 million rows", "1억 2,000만 행", ""},
		{"1.5 million", "150만", ""},
		{"2 billion", "20억", ""},
		{"1M tokens", "100만 토큰", ""},
		{"1M tokens", "1M 토큰", ""},
		{"20K pods", "2만 파드", ""},
		{"20K pods", "3만 파드", "20K | 3만"},
		{"1,500", "천오백", "1,500 | "},
		{"99.90%", "99.9 퍼센트", ""},
		{"3X faster", "3배 빠르게", ""},
		{"three replicas", "복제본 3개", ""},
		{"3 replicas", "복제본 세 개", ""},
		{"2 attempts", "두번 시도", ""},
		{"the 1st, 2nd and 3rd try", "첫 번째, 두 번째, 세 번째 시도", ""},
		{"twelve nodes", "노드 12대", ""},
		{"12 nodes", "열두 대", ""},
		{"On 8 November 2023", "2023년 11월 8일", ""},
		{"On 8 October 2023", "2023년 11월 8일", " | 11"},
		{"On 2023-11-08", "2023년 11월 8일", ""},
		{"at 5:42am PT", "태평양 시각 오전 5시 42분", ""},
		{"at 5:42 a.m. PT", "05:42 PT", ""},
		{"at 5:42 PM", "오후 5시 42분", ""},
		{"at 17:42", "오후 5시 42분", ""},
		{"at 17:42", "오전 5시 42분", "17:42 | 오전 5시 42분"},
		{"at 5:42pm", "오전 5:42", "5:42pm | 오전 5:42"},
		{"at 12:30 am", "오전 0시 30분", ""},
		{"at 12:30 pm", "낮 12시 30분", ""},
		{"at 00:30", "밤 12시 30분", ""},
		{"at 09:22 UTC", "09시 22분(UTC)", ""},
		{"at 16:09:53", "16시 9분 53초", ""},
		{"at 3:30pm", "오후 3시 반", ""},
		{"from 3 to 5pm", "오후 3시부터 5시까지", ""},
		{"at 7 am", "오전 7시", ""},
		{"for 3 hours", "3시간 동안", ""},
		{"for 90 minutes", "1시간 30분 동안", ""},
		{"for 4 hours and 20 minutes", "260분 동안", ""},
		{"for 1.5 hours", "1시간 30분 동안", ""},
		{"for 2 weeks", "14일 동안", ""},
		{"for 90 minutes", "1시간 40분 동안", "90 minutes | 1시간, 40분"},
		{"errors 502 and 503", "502나 503 오류", ""},
		{"errors 502,503", "502, 503 오류", ""},
		{"5xx errors", "5xx 오류", ""},
		{"half of them", "50%", ""},
		{"a third", "3분의 1", ""},
		{"in bf16 and fp32 on us-east-1, HTTP/2", "반정밀도에서", ""},
		{"version 1.24.3", "1.24.3 버전", ""},
		{"version 1.24.3", "1.24.2 버전", "1.24.3 | 1.24.2"},
		{"see https://example.com/2024/17", "참고", ""},
		{"", "12개", " | 12"},
		{"٣", "٣", ""},
	} {
		r := newReader()
		en, ko := keys{}, keys{}
		en.add(r.read(tt.en, incident.EN))
		ko.add(r.read(tt.ko, incident.KO))
		got := strings.Join(ko.lacks(r.read(tt.en, incident.EN)), ", ") + " | " + strings.Join(en.lacks(r.read(tt.ko, incident.KO)), ", ")
		if got == " | " {
			got = ""
		}
		if got != tt.alone {
			t.Errorf("%s / %s: got %q, want %q", tt.en, tt.ko, got, tt.alone)
		}
	}
}

// TestManyTitles compares the titles of a large library, where all pairs would
// take minutes.
func TestManyTitles(t *testing.T) {
	c := &incident.Collection{}
	for i := range 10000 {
		c.Cases = append(c.Cases, &incident.Case{ID: fmt.Sprintf("IL-%05d", i), Title: incident.Text{
			EN: fmt.Sprintf("The database of shard %d failed over in region %d and lost writes", i, i%97), KO: "같은 제목이 모두에 있다"}})
	}
	start := time.Now()
	nearTitles(c)
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
}

func BenchmarkAdvice(b *testing.B) {
	c := &incident.Collection{}
	for i := range 1000 {
		text := incident.Text{EN: strings.Repeat("At 5:42am PT 30,000 of 1.5 million requests failed for 4 hours 20 minutes. ", 8), KO: strings.Repeat("태평양 시각 오전 5시 42분에 요청 150만 건 가운데 3만 건이 4시간 20분 동안 실패했다. ", 8)}
		c.Cases = append(c.Cases, &incident.Case{ID: fmt.Sprintf("IL-%04d", i), Title: incident.Text{EN: fmt.Sprintf("Title %d", i)}, Summary: text, SymptomsText: text})
	}
	for b.Loop() {
		Advice(c)
	}
}
