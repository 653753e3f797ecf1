package seed

import (
	"reflect"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/problem"
)

// TestDraft holds every field of a new case, in its order, and that the reader
// lists what is left to write and nothing else.
func TestDraft(t *testing.T) {
	src, problems := Draft{ID: "IL-0124", Org: `한글 "AT&T"`, OrgSlug: "att", Date: "2023-11", WrittenBy: "an editor",
		UpdatedAt: "2026-11-10T00:00:34Z", URL: "https://example.org/app/cases/IL-0124"}.Case()
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	const want = `{
  "id": "IL-0124",
  "org": "한글 \"AT&T\"",
  "date": "2023-11",
  "docs": [],
  "title": {
    "en": null,
    "ko": null
  },
  "domain": [],
  "impact": {
    "scope": "unknown",
    "users": "unknown",
    "region": "unknown"
  },
  "review": {
    "written_by": "an editor",
    "reviewed_at": null,
    "reviewed_by": null
  },
  "lessons": null,
  "related": [],
  "sources": [],
  "summary": {
    "en": null,
    "ko": null
  },
  "trigger": null,
  "severity": "unknown",
  "symptoms": [],
  "timeline": {
    "detected_after": null,
    "resolved_after": null
  },
  "date_kind": null,
  "detection": null,
  "components": [],
  "root_cause": null,
  "remediation": [],
  "action_items": [],
  "contributing": [],
  "recurrence_of": null,
  "symptoms_text": {
    "en": null,
    "ko": null
  },
  "updated_at": "2026-11-10T00:00:34Z",
  "url": "https://example.org/app/cases/IL-0124",
  "org_slug": "att"
}
`
	if string(src) != want {
		t.Errorf("got\n%s", src)
	}
	_, got := report(library(map[string]string{"cases/IL-0124.json": string(src)}))
	const text = `the text is missing in both languages; write it in one language at least, or null for the whole where that is allowed`
	if want := strings.Join([]string{
		"seeds/cases/IL-0124.json:6:12: /title: " + text,
		"seeds/cases/IL-0124.json:24:14: /summary: " + text,
		"seeds/cases/IL-0124.json:35:16: /date_kind: this is null; write a term of the axis date_kind",
		"seeds/cases/IL-0124.json:43:20: /symptoms_text: " + text,
	}, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDraftProblems holds that a draft cannot say what the reader would refuse.
func TestDraftProblems(t *testing.T) {
	for _, tt := range []struct {
		d    Draft
		want string
	}{
		{Draft{}, ""},
		{Draft{ID: "IL-7"}, `/id "IL-7" is no id`},
		{Draft{Date: "2023-02-30"}, `/date "2023-02-30" is no date that exists`},
		{Draft{Org: "a\u200bb"}, "/org the string holds the character U+200B, which cannot be seen"},
		{Draft{Org: "Caf\xe9"}, `/org "Caf\xe9" is not UTF-8`},
		{Draft{Org: " "}, "/org the string is empty"},
		{Draft{OrgSlug: "A b"}, `/org_slug "A b" is no slug`},
		{Draft{WrittenBy: "a\nb"}, "/review/written_by there is a line break or a tab in it"},
		{Draft{Org: strings.Repeat("x", maxCase)}, " " + errTooLong.Error()},
	} {
		_, ps := tt.d.Case()
		var got []string
		for _, p := range ps {
			got = append(got, p.Pointer+" "+p.What)
		}
		if got := strings.Join(got, "\n"); got != tt.want {
			t.Errorf("%+.80v: got %s, want %s", tt.d, got, tt.want)
		}
	}
}

// TestReadTaken counts every id and organisation, also of what cannot be
// published.
func TestReadTaken(t *testing.T) {
	draft, _ := Draft{ID: "IL-10000", Org: "카카오", OrgSlug: "kakao"}.Case()
	fsys := library(map[string]string{
		"cases/IL-0123.json":      baseCase,
		"cases/old/IL-10000.json": string(draft),
		"cases/IL-0300.json":      "{",
		"cases/IL-0301.json":      edited(t, `"IL-0123",`, `"IL-0299",`),
		"cases/IL-0302.json":      strings.Repeat(" ", 2*maxCase),
		"cases/notes.json":        "{}",
		"withdrawn.json":          `{"withdrawn": [{"id": "IL-0007", "since": "2023", "reason": {"en": "Wrong."}, "replaced_by": null}]}`,
	})
	got, problems := ReadTaken(fsys, "seeds", 3)
	if want := []string{"IL-0007", "IL-0123", "IL-0299", "IL-0300", "IL-0301", "IL-0302", "IL-10000"}; !reflect.DeepEqual(got.IDs, want) {
		t.Errorf("ids %v, want %v", got.IDs, want)
	}
	if want := map[string]string{"cookie-run": "쿠키런", "kakao": "카카오"}; !reflect.DeepEqual(got.Orgs, want) {
		t.Errorf("organisations %v, want %v", got.Orgs, want)
	}
	if len(problems) > 0 || got.Site.BaseURL != "https://example.org/app" {
		t.Errorf("problems %v, site %+v", problems, got.Site)
	}
	fsys["withdrawn.json"].Data = []byte(`{"withdrawn": [{}]}`)
	if _, problems := ReadTaken(fsys, "seeds", 3); len(problem.Errors(problems)) != 4 {
		t.Errorf("withdrawn.json is broken, and the problems are %v", problems)
	}
}
