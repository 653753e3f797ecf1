package check

import (
	"strings"
	"testing"
	"testing/fstest"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

// base is a case that neither a rule nor any advice finds fault with; ID is its
// own id. Tests change parts of it.
const base = `{
  "id": "ID",
  "org": "Cookie Run",
  "date": "2023-11-08",
  "docs": [],
  "title": {"en": "Title of ID in words of its own ID", "ko": "ID 만의 제목 ID"},
  "domain": [],
  "impact": {"scope": "unknown", "users": "unknown", "region": "unknown"},
  "review": {"written_by": "a", "reviewed_at": "2026-01-01", "reviewed_by": "b"},
  "lessons": null,
  "related": [],
  "sources": [{"url": "https://example.com/ID", "kind": "post", "license": "unknown", "archived": "https://archive.example/ID"}],
  "summary": {"en": "Summary.", "ko": "요약."},
  "trigger": null,
  "severity": "unknown",
  "symptoms": [],
  "timeline": {"detected_after": null, "resolved_after": "1h 34m"},
  "date_kind": "incident",
  "detection": null,
  "components": [],
  "root_cause": "bug",
  "remediation": [],
  "action_items": [],
  "contributing": [],
  "recurrence_of": null,
  "symptoms_text": {"en": "Errors.", "ko": "오류."},
  "updated_at": "2026-11-10T00:00:34Z",
  "url": "https://example.org/app/cases/ID",
  "org_slug": "cookie-run"
}`

const site = `{"title": {"en": "x", "ko": "엑스"}, "base_url": "https://example.org/app", "api_url": "", "mcp_url": "", "default_language": "en", "languages": ["en", "ko"]}`

const vocab = `{"axes": [
{"id": "domain", "label": {"en": "Domain", "ko": "분야"}, "terms": [
 {"slug": "database", "label": {"en": "Databases", "ko": "데이터베이스"}, "summary": {"en": "s", "ko": "요"}, "see_also": []},
 {"slug": "network", "label": {"en": "Networks", "ko": "네트워크"}, "summary": {"en": "s", "ko": "요"}}]},
{"id": "symptoms", "label": {"en": "Symptoms", "ko": "증상"}, "terms": []},
{"id": "components", "label": {"en": "Components", "ko": "구성 요소"}, "terms": []},
{"id": "root_cause", "label": {"en": "Cause", "ko": "원인"}, "terms": [{"slug": "bug", "label": {"en": "Bug", "ko": "버그"}, "summary": {"en": "s", "ko": "요"}}]},
{"id": "contributing", "label": {"en": "Contributing", "ko": "기여"}, "terms": []},
{"id": "detection", "label": {"en": "Detection", "ko": "감지"}, "terms": []},
{"id": "severity", "label": {"en": "Severity", "ko": "심각도"}, "terms": []},
{"id": "date_kind", "label": {"en": "Date", "ko": "날짜"}, "terms": [{"slug": "incident", "label": {"en": "Incident", "ko": "장애"}, "summary": {"en": "s", "ko": "요"}}]},
{"id": "source_kind", "label": {"en": "Source", "ko": "출처"}, "terms": [{"slug": "post", "label": {"en": "Post", "ko": "글"}, "summary": {"en": "s", "ko": "요"}}]}
]}`

// edit is a change of one file: from stands in it, and becomes to.
type edit struct{ file, from, to string }

func file(id string) string { return "cases/" + id + ".json" }

// library is seeds with these cases and changes.
func library(t *testing.T, ids string, edits []edit) fstest.MapFS {
	t.Helper()
	text := map[string]string{"site.json": site, "vocab.json": vocab}
	for _, id := range strings.Fields(ids) {
		text[file(id)] = strings.ReplaceAll(base, "ID", id)
	}
	for _, e := range edits {
		if e.from != "" && !strings.Contains(text[e.file], e.from) {
			t.Fatalf("%s does not hold %q", e.file, e.from)
		}
		if e.from == "" {
			text[e.file] = e.to
			continue
		}
		text[e.file] = strings.Replace(text[e.file], e.from, e.to, 1)
	}
	fsys := fstest.MapFS{}
	for name, s := range text {
		fsys[name] = &fstest.MapFile{Data: []byte(s)}
	}
	return fsys
}

// judge reads seeds and returns what of says of them, as an editor sees it.
func judge(fsys fstest.MapFS, of func(seed.Result) []problem.Problem) []string {
	ps := of(seed.Read(fsys, "seeds", 2))
	seed.Place(fsys, "seeds", ps)
	problem.Sort(ps)
	var out []string
	for _, p := range ps {
		out = append(out, strings.TrimPrefix(p.String(), "seeds/"))
	}
	return out
}

func advice(r seed.Result) []problem.Problem { return Advice(r.Collection) }

func TestNothingToSay(t *testing.T) {
	fsys := library(t, "IL-0001 IL-0002", nil)
	if got := judge(fsys, func(r seed.Result) []problem.Problem { return r.Problems }); got != nil {
		t.Fatal(got)
	}
	if got := append(judge(fsys, Run), judge(fsys, advice)...); got != nil {
		t.Error(got)
	}
	empty := seed.Result{Collection: &incident.Collection{}}
	if ps := append(Run(empty), Advice(empty.Collection)...); ps != nil {
		t.Error(ps)
	}
}
