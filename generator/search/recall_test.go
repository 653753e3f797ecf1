package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/markup"
)

// probe is a question with what the texts of a case have to match, all of it, to
// be found by it.
type probe struct {
	text string
	want []string
}

// probes are the questions of the table that this index was chosen by, and those
// that were held out.
func probes() []probe {
	const crash = `(?i)crash[- ]?loop`
	return []probe{
		{"데이터베이스", []string{"데이터베이스"}}, {"데이터베이스에서", []string{"데이터베이스"}}, {"헬스체크", []string{"헬스 ?체크"}}, {"헬스 체크", []string{"헬스 ?체크"}},
		{"체크", []string{"체크"}}, {"재시도 폭주", []string{"재시도", "폭주"}}, {"Cosmos DB 장애", []string{`(?i)\bcosmos`, `(?i)\bdb`, "장애"}},
		{"crash-looping", []string{crash}}, {"crash loop", []string{crash}}, {"crashlooping", []string{crash}}, {"복구했다", []string{"복구"}},
		{"락", []string{`(^|[^가-힣])락(이|가|을|를|에|에서|의|은|는|도|로|으로)?($|[^가-힣])`}}, {"커넥션풀", []string{"커넥션 ?풀"}}, {"메모리한도를", []string{"메모리 ?한도"}},
		{"오토 스케일링", []string{"오토 ?스케일링"}}, {"토큰 버킷을", []string{"토큰 ?버킷"}}, {"스레드풀에서", []string{"스레드 ?풀"}}, {"렌더링", []string{"렌더링"}},
		{"알고리즘은", []string{"알고리즘"}}, {"certificates", []string{`(?i)\bcertificates?\b`}}, {"fail-over", []string{`(?i)\bfail[- ]?over`}},
		{"데이터", []string{"데이터"}}, {"서울", []string{"서울"}}, {"인증서 만료", []string{"인증서", "만료"}}, {"장애", []string{"장애"}}, {"데이터베잇", []string{"데이터베이스"}},
		{"retrying", []string{`(?i)\bretr(y|ies|ied|ying)\b`}}, {"timeouts", []string{`(?i)\btimeouts?\b`}},
	}
}

// textsOf are all texts that a case is found by.
func textsOf(lib *library.Library, c *incident.Case) []string {
	plain := markup.New(markup.Options{})
	out := []string{c.Org}
	for _, l := range incident.Langs() {
		out = append(out, plain.PlainLine(c.Title.In(l)))
		for _, t := range slices.Concat([]incident.Text{c.Summary, c.SymptomsText, c.Trigger, c.Lessons, c.Impact.Scope, c.Impact.Users, c.Impact.Region}, c.Remediation, c.ActionItems) {
			out = append(out, plain.Plain(t.In(l)))
		}
		for _, d := range c.Docs {
			out = append(out, plain.PlainLine(d.Title.In(l)))
		}
		for _, a := range incident.AxisIDs() {
			for _, slug := range c.Terms(a) {
				if t := lib.Collection().Vocabulary.Term(a, slug); t != nil && isFacet(a) {
					out = append(append(out, t.Label.In(l)), t.Aliases(l)...)
				}
			}
		}
	}
	return out
}

// truth are by probe the ids of the cases that match it.
func truth(lib *library.Library) [][]string {
	var patterns [][]*regexp.Regexp
	for _, p := range probes() {
		var list []*regexp.Regexp
		for _, w := range p.want {
			list = append(list, regexp.MustCompile(w))
		}
		patterns = append(patterns, list)
	}
	out := make([][]string, len(patterns))
	for _, c := range lib.Cases() {
		text := strings.Join(textsOf(lib, c), "\n")
		for i, list := range patterns {
			if !slices.ContainsFunc(list, func(r *regexp.Regexp) bool { return !r.MatchString(text) }) {
				out[i] = append(out[i], c.ID)
			}
		}
	}
	return out
}

// recall is how many of the cases that it should a probe finds, and how many
// others.
func recall(t testing.TB, r *Reader, p probe, want []string) (found, others int) {
	t.Helper()
	got, err := r.Search(t.Context(), Query{Text: p.text, Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range got.Hits {
		if slices.Contains(want, h.ID) {
			found++
		} else if !h.Close {
			others++
		}
	}
	return found, others
}

// handful are cases in all spellings that the probes ask for.
func handful() *library.Library {
	var cases []*incident.Case
	nouns := strings.Fields("데이터베이스 헬스체크 헬스_체크 체크포인트 체크섬 재시도_폭주 락 데드락 커넥션풀 커넥션_풀 메모리_한도 메모리한도 오토스케일링 오토_스케일링 토큰_버킷 토큰버킷 스레드풀 스레드_풀 렌더링 알고리즘 인증서_만료 장애 서울")
	particles := []string{"", "이", "가", "을", "를", "에", "에서", "의", "은", "는", "도", "으로"}
	add := func(text string) {
		cases = append(cases, newCase(fmt.Sprintf("IL-%04d", len(cases)+1), "Case", text))
	}
	for i, noun := range nouns {
		for j := range particles {
			add("이때 " + strings.ReplaceAll(noun, "_", " ") + particles[(i+j)%len(particles)] + " 문제였고 서비스를 복구" + []string{"했다", "됐다", "하고", "하는"}[j%4] + ".")
		}
	}
	for _, text := range strings.Split("pods crash loop|crash-looping pods|CrashLoopBackOff|it kept crashlooping|crash loops|a crash, then a loop|certificate expired|certificates expiring|fail over|fail-over|failover|failed over|retry|retries|retried and retrying|a timeout|timeouts|Cosmos DB 장애|Azure Cosmos DB에서 장애가 났다", "|") {
		add(text)
	}
	return made(cases...)
}

// Nothing that is written somewhere is missed, in the real seeds and in every
// spelling of a handful.
func TestRecall(t *testing.T) {
	t.Parallel()
	for name, lib := range map[string]*library.Library{"seeds": realLibrary(t), "handful": handful()} {
		r, want := New(lib, nil).Reader(), truth(lib)
		for i, p := range probes() {
			found, others := recall(t, r, p, want[i])
			if found != len(want[i]) {
				t.Errorf("%s: %q finds %d of %d cases", name, p.text, found, len(want[i]))
			}
			t.Logf("%s: %-16s %d of %d, and %d others", name, p.text, found, len(want[i]), others)
		}
	}
}
