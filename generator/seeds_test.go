package generator_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"testing"
	"testing/fstest"

	"benchlet.com/incidentlib/generator/incident"
)

// object is a JSON object of a seed.
type object = map[string]any

// both is a text in two languages; one that is "" is left out.
func both(en, ko string) object {
	o := object{}
	if en != "" {
		o["en"] = en
	}
	if ko != "" {
		o["ko"] = ko
	}
	return o
}

// newCase is the least that a case can be, with what edit changes.
func newCase(id, date string, edit object) object {
	c := object{
		"id": id, "org": "Acme", "org_slug": "acme", "date": date, "date_kind": "incident",
		"title": both("Title of "+id, id+" 의 제목"), "summary": both("Summary of "+id+".", id+" 의 요약."),
		"symptoms_text": both("Symptoms of "+id+".", id+" 의 증상."), "trigger": nil, "lessons": nil,
		"domain": []string{}, "symptoms": []string{}, "components": []string{}, "contributing": []string{},
		"root_cause": nil, "detection": nil, "severity": "unknown",
		"impact":      object{"scope": "unknown", "users": "unknown", "region": "unknown"},
		"timeline":    object{"detected_after": nil, "resolved_after": nil},
		"remediation": []any{}, "action_items": []any{}, "sources": []any{}, "docs": []any{}, "related": []any{}, "recurrence_of": nil,
		"review":     object{"written_by": "writer", "reviewed_at": nil, "reviewed_by": nil},
		"updated_at": "2026-01-02T03:04:05Z", "url": "https://h.example/lib/cases/" + id,
	}
	maps.Copy(c, edit)
	return c
}

// newTerm is a term of a vocabulary.
func newTerm(slug string, label, summary object) object {
	return object{"slug": slug, "label": label, "summary": summary}
}

// newVocab is a vocabulary with at least what newCase needs.
func newVocab(terms map[incident.AxisID][]object) object {
	var axes []object
	for _, id := range incident.AxisIDs() {
		list := terms[id]
		if id == incident.DateKind {
			list = append(list, newTerm("incident", both("Incident date", "장애 날짜"), both("When it happened.", "일어난 날.")),
				newTerm("published", both("Date of publication", "공개 날짜"), both("When it was told.", "알려진 날.")))
		}
		if list == nil {
			list = []object{}
		}
		axes = append(axes, object{"id": id, "label": both("Axis "+string(id), "축 "+string(id)), "terms": list})
	}
	return object{"axes": axes}
}

// newSite is a site.json.
func newSite() object {
	return object{
		"title": both("Example library", "본보기 자료관"), "tagline": both("What broke", "고장 난 것"),
		"description": both("A library for tests.", "시험용 자료관이다."),
		"base_url":    "https://h.example/lib", "api_url": "", "mcp_url": "https://mcp.example/mcp",
		"default_language": "en", "languages": []string{"en", "ko"},
	}
}

// newSeeds puts seeds into a file system.
func newSeeds(t testing.TB, site, vocab object, cases ...object) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{"cases": {Mode: fs.ModeDir | 0o755}}
	put(t, m, "site.json", site)
	put(t, m, "vocab.json", vocab)
	for _, c := range cases {
		put(t, m, fmt.Sprintf("cases/%s.json", c["id"]), c)
	}
	return m
}

func put(t testing.TB, m fstest.MapFS, name string, v any) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	m[name] = &fstest.MapFile{Data: b.Bytes()}
}

// many are n cases, one a day from 2020-01-01 on, the newest with the highest
// id, of one cause, one component and one organisation each for all.
func many(n int) []object {
	var out []object
	for i := range n {
		out = append(out, manyCase(i))
	}
	return out
}

func manyCase(i int) object {
	date := fmt.Sprintf("%d-%02d-%02d", 2020+i/336, i/28%12+1, i%28+1)
	return newCase(fmt.Sprintf("IL-%04d", 1000+i), date, object{
		"org": "Many Ltd", "org_slug": "many", "root_cause": "common", "components": []string{"shared-part"}, "domain": []string{"area"},
	})
}

func manyVocab() map[incident.AxisID][]object {
	return map[incident.AxisID][]object{
		incident.Domain:     {newTerm("area", both("Area", "영역"), both("An area.", "어떤 영역."))},
		incident.RootCause:  {newTerm("common", both("Common cause", "흔한 원인"), both("What all share.", "모두 같은 원인."))},
		incident.Components: {newTerm("shared-part", both("Shared part", "공통 부품"), both("A part.", "어떤 부품."))},
	}
}

// fullSite is a site that uses every feature at least once, long lists among
// them.
var fullSite = shared(func(t testing.TB) *site { return newSiteOf(t, load(t, fullSeeds(t)), false) })

// fullSeeds are the seeds of fullSite.
func fullSeeds(t testing.TB) fstest.MapFS {
	t.Helper()
	m := smallSeeds(t)
	for _, c := range many(54) {
		put(t, m, fmt.Sprintf("cases/%s.json", c["id"]), c)
	}
	return m
}

// smallSeeds use every feature but long lists. Texts that say "Only English",
// "English scope" or "한국어로만" stand in that language alone.
func smallSeeds(t testing.TB) fstest.MapFS {
	t.Helper()
	terms := manyVocab()
	add := func(a incident.AxisID, list ...object) { terms[a] = append(terms[a], list...) }
	add(incident.Domain, newTerm("half", both("Only English domain", ""), both("", "한국어로만 쓴 분야.")))
	add(incident.Symptoms, newTerm("errors", both("Errors", "오류"), both("Requests fail.", "요청이 실패한다.")),
		newTerm("slow", both("", "한국어로만 쓴 증상"), both("Only English summary of a symptom.", "")))
	add(incident.Components, newTerm("database", both("Database", "데이터베이스"), both("A [database](/topics/root-cause/bug/).", "[데이터베이스](/topics/root-cause/bug/).")),
		newTerm("queue", both("Only English component", ""), both("A queue.", "큐.")))
	terms[incident.Components][1]["aliases"] = object{"en": []string{"DB", "store"}, "ko": []string{"디비"}}
	terms[incident.Components][1]["see_also"] = []string{"components/queue", "symptoms/slow"}
	add(incident.RootCause, newTerm("bug", both("Bug", "버그"), both("A bug.", "버그.")),
		newTerm("lonely", both("Only English cause", ""), both("A cause of one.", "하나뿐인 원인.")))
	add(incident.Contributing, newTerm("no-alert", both("No alert", "알림 없음"), both("Nobody knew.", "아무도 몰랐다.")))
	add(incident.Detection, newTerm("report", both("Users", "사용자"), both("Users said so.", "사용자가 알렸다.")))
	add(incident.Severity, newTerm("major", both("Major", "중대"), both("Much.", "크다.")))
	add(incident.SourceKind, newTerm("blog", both("Only English kind", ""), both("A blog.", "블로그.")))
	add(incident.DateKind, newTerm("guess", both("", "한국어로만 쓴 날짜"), both("A guess.", "짐작.")))
	vocab := newVocab(terms)
	vocab["axes"].([]object)[5]["label"] = both("Only English axis", "")
	site := newSite()
	site["tagline"] = both("Only English tagline", "")
	site["description"] = both("", "한국어로만 쓴 소개.")
	m := newSeeds(t, site, vocab, append(many(1), fullCases()...)...)
	put(t, m, "withdrawn.json", object{"withdrawn": []object{
		{"id": "IL-0900", "since": "2026-02", "reason": both("It was *another* case.", "다른 사례와 **같았다**."), "replaced_by": "IL-0001"},
		{"id": "IL-0901", "since": "2025", "reason": both("Only English reason.", ""), "replaced_by": nil},
	}})
	const front = "---\ntitle: %s\nsummary: %s\npublished: 2025-03-04\n---\n\n"
	for name, text := range map[string]string{
		"limits.en":   fmt.Sprintf(front, "On `limits` & budgets", "What they cost.") + "See [IL-0001](/cases/IL-0001/).\n\n## First, [databases](/topics/components/database/) {#first}\n\nText.\n",
		"limits.ko":   fmt.Sprintf(front, "`한도`에 대하여", "얼마나 드는가.") + "[IL-0001](/cases/IL-0001/)을 본다.\n\n## 첫째 {#first}\n\n글.\n",
		"one-side.en": fmt.Sprintf(front, "Only English article", "Only English lead.") + "Only English start.\n\n## Only English part {#part}\n\nOnly English end, see [queues](/topics/components/queue/).\n",
	} {
		m["articles/"+name+".md"] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range map[string]string{
		"components/database.en": "A database keeps things.\n\n## What it is {#what}\n\nSee [queues](/topics/components/queue/).\n\n## Check your own {#check}\n\n- Look at `max_connections`, as in [the logs](#logs).\n\n### Logs {#logs}\n\nRead them.\n",
		"components/database.ko": "데이터베이스는 보관한다.\n\n## 무엇인가\n\n[큐](/topics/components/queue/)를 본다.\n\n## 우리 쪽 확인 {#check}\n\n- `max_connections` 를 본다.\n",
		"root_cause/bug.en":      "Only English prose.\n\n## Only English heading {#check}\n\nOnly English check.\n\n### Only English logs {#logs}\n\nOnly English end.\n",
	} {
		m["topics/"+name+".md"] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func fullCases() []object {
	shared := object{"root_cause": "bug", "components": []string{"database", "queue"}, "domain": []string{"half"}}
	with := func(more object) object {
		o := maps.Clone(shared)
		maps.Copy(o, more)
		return o
	}
	return []object{
		newCase("IL-0001", "2024-02-29", fullCase()),
		newCase("IL-0002", "2024-03", with(object{"date_kind": "published", "components": []string{"queue"},
			"review": object{"written_by": "writer", "reviewed_at": "2026-01-01", "reviewed_by": nil}})),
		newCase("IL-0003", "2024-04-01", with(object{"title": both("Only English title", ""), "summary": both("Only English summary.", ""), "date_kind": "guess"})),
		newCase("IL-0004", "2024-05-06", object{"recurrence_of": "IL-0001", "root_cause": "bug", "components": []string{"database"}, "org": "Beta & Söhne", "org_slug": "beta"}),
		newCase("IL-0005", "2023", with(object{"title": both("", "한국어로만 쓴 제목"), "summary": both("", "한국어로만 쓴 요약.")})),
		newCase("IL-0006", "2022-07-08", object{"root_cause": "lonely", "components": []string{"queue"}, "symptoms": []string{"slow"}}),
	}
}

// fullCase fills every field.
func fullCase() object {
	return object{
		"title":   both("A `queue` filled & **Acme(EU)**'s database stopped", "`queue` 가 차서 **에크미(EU)**의 데이터베이스가 멈췄다"),
		"summary": both("First paragraph with [a link](https://docs.example/x \"Docs\").\n\n1. one\n2. two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sql\nSELECT  1;\n\t-- kept\n```", "첫 문단.\n\n- 하나\n- 둘"),
		"trigger": both("A deployment.", "배포."), "lessons": both("Look at limits.", "한도를 본다."),
		"domain": []string{"half", "area"}, "symptoms": []string{"errors", "slow"}, "components": []string{"database", "queue", "shared-part"},
		"contributing": []string{"no-alert"}, "root_cause": "bug", "detection": "report", "severity": "major",
		"impact":       object{"scope": "English scope", "users": both("All users", "모든 사용자"), "region": both("", "한국어로만 쓴 지역")},
		"timeline":     object{"detected_after": "45s", "resolved_after": "39m"},
		"remediation":  []object{{"text": both("Restarted.", "다시 시작했다.")}, {"text": both("Only English step.", "")}},
		"action_items": []object{{"text": both("Add an alert.", "알림을 더한다.")}},
		"sources": []object{
			{"url": "https://acme.example/post?a=1&b=2", "kind": "blog", "license": "CC BY 4.0", "archived": "https://archive.example/1"},
			{"url": "https://acme.example/%ED%95%9C", "kind": "blog", "license": "unknown", "archived": nil},
		},
		"docs":    []object{{"url": "https://docs.example/limits", "title": both("Only English guide to `limits`", "")}},
		"related": []string{"IL-0006"},
		"review":  object{"written_by": "writer", "reviewed_at": "2026-01-01T10:00:00Z", "reviewed_by": "editor"},
	}
}
