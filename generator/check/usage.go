package check

import (
	"regexp"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// usage is the library's word for a thing where writers have several. A reader
// who compares two cases should not have to wonder whether two words mean two
// things.
type usage struct {
	lang        incident.Lang
	avoid       string // a pattern
	write       string
	exceptWhere string // a pattern of what makes the other word right, or ""
}

// usages are words that one case used and another did not, before they were
// made one. Words that are right in some sentences are left to people.
func usages() []usage {
	return []usage{
		{lang: incident.KO, avoid: "헬스체크", write: "헬스 체크"},
		{lang: incident.KO, avoid: "로드밸런서", write: "로드 밸런서"},
		{lang: incident.KO, avoid: "장애 조치", write: "페일오버"},
		{lang: incident.KO, avoid: "재시도폭주", write: "재시도 폭주"},
		{lang: incident.KO, avoid: "알람", write: "알림"},
		{lang: incident.KO, avoid: "경보", write: "알림", exceptWhere: "정부|방송|재난|민방위"},
		{lang: incident.KO, avoid: "데이터센터", write: "데이터 센터"},
		{lang: incident.KO, avoid: "스냅샷", write: "스냅숏"},
		{lang: incident.KO, avoid: "타임 아웃", write: "타임아웃"},
		{lang: incident.KO, avoid: "커넥션 풀", write: "연결 풀"},
		{lang: incident.KO, avoid: "레플리케이션", write: "복제"},
		{lang: incident.KO, avoid: "(^|[^가-힣])유저", write: "사용자"},
		{lang: incident.KO, avoid: "에러율", write: "오류율"},
		{lang: incident.KO, avoid: "오류 예산", write: "에러 버짓"},
		{lang: incident.KO, avoid: "포스트 ?모텀|포스트 모템|사후 분석", write: "포스트모템"},
		{lang: incident.KO, avoid: "임계치", write: "임계값"},
		{lang: incident.KO, avoid: "캐쉬", write: "캐시"},
		{lang: incident.KO, avoid: "디비", write: "데이터베이스"},
		{lang: incident.KO, avoid: "오토 스케일링|자동 확장", write: "오토스케일링"},
		{lang: incident.EN, avoid: `(?i)\borganization`, write: "organisation"},
		{lang: incident.EN, avoid: `(?i)\bpost ?mortem`, write: "post-mortem"},
		{lang: incident.EN, avoid: `(?i)\bfail-over`, write: "failover"},
		{lang: incident.EN, avoid: `(?i)\btime-out`, write: "timeout"},
		{lang: incident.EN, avoid: `(?i)\broll-out`, write: "rollout"},
		{lang: incident.EN, avoid: `\bdata centers?\b`, write: "data centre"},
	}
}

// wording reports words that the library writes otherwise. Code and links are
// not read: a name in them is what it is.
func wording(c *incident.Collection) []problem.Problem {
	type rule struct {
		usage
		avoid, except *regexp.Regexp
	}
	var rules []rule
	for _, u := range usages() {
		r := rule{u, regexp.MustCompile(u.avoid), nil}
		if u.exceptWhere != "" {
			r.except = regexp.MustCompile(u.exceptWhere)
		}
		rules = append(rules, r)
	}
	code := regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)")
	var ps []problem.Problem
	for p := range passages(c) {
		for _, l := range incident.Langs() {
			text := code.ReplaceAllStringFunc(p.text.In(l), blank)
			for _, r := range rules {
				at := r.avoid.FindStringIndex(text)
				if r.lang != l || at == nil || r.except != nil && r.except.MatchString(text) {
					continue
				}
				found := strings.ToLower(strings.TrimSpace(text[at[0]:at[1]]))
				ps = append(ps, p.faultIn(l, strings.Count(text[:at[0]], "\n"), "the text says "+found+", where the library says "+r.write,
					"write "+r.write+", unless a name or a quotation has the other word"))
			}
		}
	}
	return ps
}

// blank is a text of nothing but its line breaks.
func blank(s string) string { return " " + strings.Repeat("\n", strings.Count(s, "\n")) }
