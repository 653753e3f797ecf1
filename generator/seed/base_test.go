package seed

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"benchlet.com/incidentlib/generator/problem"
)

// baseCase is a case without a fault. Tests change one thing in it.
const baseCase = `{
  "id": "IL-0123",
  "org": "쿠키런",
  "date": "2023-11-08",
  "docs": [
    {"url": "https://example.com/docs?q=1#top", "title": {"en": "Docs"}}
  ],
  "title": {"en": "Pods crash-looped", "ko": "파드가 크래시 루프에 빠졌다"},
  "domain": ["kubernetes", "database"],
  "impact": {"scope": "logins", "users": {"ko": "절반"}, "region": "unknown"},
  "review": {"written_by": "session", "reviewed_at": "2026-11-10", "reviewed_by": null},
  "lessons": null,
  "related": ["IL-0119"],
  "sources": [
    {"url": "https://example.com/post", "kind": "postmortem", "license": "unknown", "archived": null}
  ],
  "summary": {"en": "It said \"no\".\n\nTwice 😀.", "ko": null},
  "trigger": {"en": "A deploy."},
  "severity": "unknown",
  "symptoms": ["crash-loop"],
  "timeline": {"detected_after": "5m", "resolved_after": "1h 34m"},
  "date_kind": "incident",
  "detection": "alert",
  "components": [],
  "root_cause": "config-change",
  "remediation": [{"text": {"en": "Rolled back."}}],
  "action_items": [],
  "contributing": [],
  "recurrence_of": null,
  "symptoms_text": {"en": "Errors."},
  "updated_at": "2026-11-10T00:00:34.425967Z",
  "url": "https://benchlet.com/incidentlib/app/cases/IL-0123",
  "org_slug": "cookie-run"
}
`

const baseSite = `{"title": {"en": "incidentlib"}, "base_url": "https://example.org/app", "api_url": "", "mcp_url": "",
 "default_language": "en", "languages": ["en", "ko"]}`

const baseVocab = `{"axes": [
 {"id": "domain", "label": {"en": "Domain"}, "terms": [
  {"slug": "kubernetes", "label": {"en": "Kubernetes"}, "summary": {"en": "Clusters."}, "aliases": {"en": ["k8s"]}, "see_also": ["domain/database"]},
  {"slug": "database", "label": {"en": "Databases"}, "summary": {"en": "Stores."}}]},
 {"id": "symptoms", "label": {"en": "Symptoms"}, "terms": [{"slug": "crash-loop", "label": {"en": "Crash loop"}, "summary": {"en": "It restarts."}}]},
 {"id": "components", "label": {"en": "Components"}, "terms": []},
 {"id": "root_cause", "label": {"en": "Root cause"}, "terms": [{"slug": "config-change", "label": {"en": "Change"}, "summary": {"en": "A change."}}]},
 {"id": "contributing", "label": {"en": "Contributing"}, "terms": []},
 {"id": "detection", "label": {"en": "Detection"}, "terms": [{"slug": "alert", "label": {"en": "Alert"}, "summary": {"en": "An alert."}}]},
 {"id": "severity", "label": {"en": "Severity"}, "terms": [{"slug": "sev1", "label": {"en": "SEV 1"}, "summary": {"en": "Worst."}}]},
 {"id": "date_kind", "label": {"en": "Date"}, "terms": [{"slug": "incident", "label": {"en": "Incident"}, "summary": {"en": "It happened."}}]},
 {"id": "source_kind", "label": {"en": "Source"}, "terms": [{"slug": "postmortem", "label": {"en": "Postmortem"}, "summary": {"en": "A report."}}]}
]}`

// library is a folder of seeds with these files beside a site, a vocabulary and
// a folder of cases.
func library(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"cases": {Mode: fs.ModeDir | 0o755}}
	for name, text := range map[string]string{"site.json": baseSite, "vocab.json": baseVocab} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// report reads seeds and returns every problem as an editor sees it.
func report(fsys fs.FS) (Result, string) {
	r := Read(fsys, "seeds", 3)
	problem.Sort(r.Problems)
	var lines []string
	for _, p := range r.Problems {
		lines = append(lines, p.String())
	}
	return r, strings.Join(lines, "\n")
}

// edited is the base case with one thing changed.
func edited(t *testing.T, from, to string) string {
	t.Helper()
	if strings.Count(baseCase, from) != 1 {
		t.Fatalf("%q stands %d times in the base case", from, strings.Count(baseCase, from))
	}
	return strings.Replace(baseCase, from, to, 1)
}

func TestBaseCaseHasNoFault(t *testing.T) {
	r, got := report(library(map[string]string{"cases/IL-0123.json": baseCase}))
	if got != "" || len(r.Collection.Cases) != 1 || r.Collection.Cases[0].Org != "쿠키런" {
		t.Errorf("problems:\n%s\ncases: %+v", got, r.Collection.Cases)
	}
}
