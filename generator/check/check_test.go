package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/seed"
)

func withdrawnFile(entries ...string) edit {
	return edit{"withdrawn.json", "", `{"withdrawn": [` + strings.Join(entries, ", ") + `]}`}
}

func withdrawn(id, replacedBy string) string {
	return fmt.Sprintf(`{"id": "%s", "since": "2026", "reason": {"en": "x"}, "replaced_by": %s}`, id, replacedBy)
}

func recurs(id, of string) edit {
	return edit{file(id), `"recurrence_of": null`, `"recurrence_of": "` + of + `"`}
}

func TestLinksOfCases(t *testing.T) {
	holds(t, []ruleCase{
		{"related that exist", "IL-0123 IL-0124", []edit{relate(`"IL-0124"`)}, nil},
		{"related to nothing", "IL-0123 IL-0124", []edit{relate(`"IL-0124", "IL-9999"`)}, []string{
			`cases/IL-0123.json:11:26: /related/1: there is no case IL-9999; write the id of a case of this library`,
		}},
		{"related to nothing, two digits exchanged", "IL-0123 IL-4567", []edit{relate(`"IL-4576"`)}, []string{
			`cases/IL-0123.json:11:15: /related/0: there is no case IL-4576; did you mean IL-4567?`,
		}},
		{"related to nothing, a digit too few", "IL-0123 IL-04567", []edit{relate(`"IL-4567"`)}, []string{
			`cases/IL-0123.json:11:15: /related/0: there is no case IL-4567; did you mean IL-04567?`,
		}},
		{"related to nothing, in a case with a fault", "IL-0123 IL-4567", []edit{relate(`"IL-4576"`), {file("IL-0123"), `"Cookie Run"`, "5"}, recurs("IL-0123", "IL-0122")}, []string{
			`cases/IL-0123.json:11:15: /related/0: there is no case IL-4576; did you mean IL-4567?`,
			`cases/IL-0123.json:25:20: /recurrence_of: there is no case IL-0122; write the id of a case of this library`,
		}},
		{"related to itself", "IL-0123", []edit{relate(`"IL-0123"`)}, []string{
			`cases/IL-0123.json:11:15: /related/0: IL-0123 leads to itself; delete it, or name another case`,
		}},
		{"related to a case that cannot be read", "IL-0123 IL-0124", []edit{relate(`"IL-0124"`), {file("IL-0124"), "", "{"}}, nil},
		{"related to a case with a fault", "IL-0123 IL-0124", []edit{relate(`"IL-0124"`), {file("IL-0124"), `"Cookie Run"`, "5"}}, nil},
		{"related to the id in a file of another name", "IL-0123 IL-0124", []edit{relate(`"IL-0124", "IL-0125"`), {file("IL-0124"), `"IL-0124"`, `"IL-0125"`}}, nil},
		{"related to a withdrawn case", "IL-0123", []edit{relate(`"IL-0007"`), withdrawnFile(withdrawn("IL-0007", `null`))}, []string{
			`cases/IL-0123.json:11:15: /related/0: IL-0007 is withdrawn; delete it`,
		}},
		{"related to a case that was replaced", "IL-0123 IL-0124", []edit{relate(`"IL-0007"`), withdrawnFile(withdrawn("IL-0007", `"IL-0124"`))}, []string{
			`cases/IL-0123.json:11:15: /related/0: IL-0007 is withdrawn; name IL-0124, which took its place`,
		}},
		{"text that links to a case that cannot be read, its organisation and its year", "IL-0123 IL-0124", []edit{
			{file("IL-0123"), `"Summary."`, `"[a](/cases/IL-0124/) [b](/orgs/else/) [c](/years/1999/)"`}, {file("IL-0124"), "", "{"}}, nil},
		{"text that links to a term of a vocabulary that cannot be read", "IL-0123", []edit{
			{file("IL-0123"), `"Summary."`, `"[a](/topics/domain/database/)"`}, {"vocab.json", "", "{"}}, nil},
		{"text that links to a withdrawn case", "IL-0123 IL-0124", []edit{{file("IL-0123"), `"Summary."`, `"[a](/cases/IL-0007/)"`}, withdrawnFile(withdrawn("IL-0007", `"IL-0124"`))}, []string{
			`cases/IL-0123.json:13:21: /summary/en: the link "/cases/IL-0007/": IL-0007 is withdrawn; name IL-0124, which took its place`,
		}},
		{"text that links to the articles, of which there are none", "IL-0123", []edit{{file("IL-0123"), `"Summary."`, `"[a](/articles/)"`}}, []string{
			`cases/IL-0123.json:13:21: /summary/en: the link "/articles/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		}},
		{"link that JSON hides by escapes", "IL-0123", []edit{{file("IL-0123"), `"Summary."`, `"[a]\u0028/nowhere/) \u005b\u0062](/cases/IL-0123/?a=b#c)"`}}, []string{
			`cases/IL-0123.json:13:21: /summary/en: the link "/nowhere/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		}},
		{"indent, which is code in a text and not in a line", "IL-0123", []edit{{file("IL-0123"), `"Summary."`, `"    [a](/nowhere/) {#main}"`}, {file("IL-0123"), `"scope": "unknown"`, `"scope": "    [a](/nowhere/)"`}}, []string{
			`cases/IL-0123.json:8:23: /impact/scope/en: the link "/nowhere/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		}},
		{"text that links to a case in no folder", "IL-0123", []edit{{file("IL-0123"), `"Summary."`, `"[a](/IL-0123/)"`}}, []string{
			`cases/IL-0123.json:13:21: /summary/en: the link "/IL-0123/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		}},
		{"links of other texts", "IL-0123", []edit{
			{"site.json", `"en": "x"`, `"en": "[x](/cases/IL-0132/)"`},
			{"vocab.json", `{"en": "Domain"`, `{"en": "[Domain](/domain/)"`},
			{"vocab.json", `"summary": {"en": "s"`, `"summary": {"en": "[s](database/)"`},
			{"withdrawn.json", "", strings.Replace(`{"withdrawn": [`+withdrawn("IL-0007", "null")+`]}`, `"x"`, `"[x](/topics/domain/netwrk/)"`, 1)},
			{"articles/a.en.md", "", "---\ntitle: T\nsummary: \"[s](/nowhere/)\"\npublished: 2026\n---\nBody.\n"}}, []string{
			`articles/a.en.md:3:1: the link "/nowhere/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
			`site.json:1:18: /title/en: the link "/cases/IL-0132/": there is no case IL-0132; did you mean IL-0123?`,
			`vocab.json:2:34: /axes/0/label/en: the link "/domain/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
			`vocab.json:3:87: /axes/0/terms/0/summary/en: the link "database/" depends on the page that it stands in; begin it with "/", as in "/cases/IL-0123/", or write the whole https address`,
			`withdrawn.json:1:68: /withdrawn/0/reason/en: the link "/topics/domain/netwrk/" leads to no page; write the address of a page without its language, as in "/cases/IL-0123/" or "/topics/components/database/"`,
		}},
	})
}

// What repeats another incident, what was withdrawn, and where a case is.
func TestRecurrenceAndWithdrawal(t *testing.T) {
	holds(t, []ruleCase{
		{"recurrence of nothing", "IL-0123", []edit{recurs("IL-0123", "IL-0122")}, []string{
			`cases/IL-0123.json:25:20: /recurrence_of: there is no case IL-0122; write the id of a case of this library`,
		}},
		{"recurrence of itself", "IL-0123", []edit{recurs("IL-0123", "IL-0123")}, []string{
			`cases/IL-0123.json:25:20: /recurrence_of: IL-0123 leads to itself; delete it, or name another case`,
		}},
		{"chain of recurrences", "IL-0001 IL-0002 IL-0003", []edit{recurs("IL-0003", "IL-0002"), recurs("IL-0002", "IL-0001")}, nil},
		{"two that repeat each other", "IL-0001 IL-0002", []edit{recurs("IL-0001", "IL-0002"), recurs("IL-0002", "IL-0001")}, []string{
			`cases/IL-0001.json:25:20: /recurrence_of: the recurrences IL-0001 → IL-0002 → IL-0001 run in a circle; write null in the earliest of these cases`,
		}},
		{"circle with a tail", "IL-0001 IL-0002 IL-0003 IL-0004", []edit{recurs("IL-0001", "IL-0003"), recurs("IL-0003", "IL-0004"), recurs("IL-0004", "IL-0002"), recurs("IL-0002", "IL-0003")}, []string{
			`cases/IL-0002.json:25:20: /recurrence_of: the recurrences IL-0002 → IL-0003 → IL-0004 → IL-0002 run in a circle; write null in the earliest of these cases`,
		}},
		{"two circles", "IL-0001 IL-0002 IL-0003 IL-0004", []edit{recurs("IL-0001", "IL-0002"), recurs("IL-0002", "IL-0001"), recurs("IL-0003", "IL-0004"), recurs("IL-0004", "IL-0003")}, []string{
			`cases/IL-0001.json:25:20: /recurrence_of: the recurrences IL-0001 → IL-0002 → IL-0001 run in a circle; write null in the earliest of these cases`,
			`cases/IL-0003.json:25:20: /recurrence_of: the recurrences IL-0003 → IL-0004 → IL-0003 run in a circle; write null in the earliest of these cases`,
		}},
		{"withdrawn, and a case still", "IL-0001 IL-0002", []edit{withdrawnFile(withdrawn("IL-0009", `null`), withdrawn("IL-0002", `"IL-0001"`))}, []string{
			`withdrawn.json:1:103: /withdrawn/1/id: IL-0002 is withdrawn, and is a case still in seeds/cases/IL-0002.json; delete one of the two`,
		}},
		{"withdrawn, and a broken file still", "IL-0001 IL-0002", []edit{{file("IL-0002"), "", "{"}, withdrawnFile(withdrawn("IL-0002", `"IL-0001"`))}, []string{
			`withdrawn.json:1:23: /withdrawn/0/id: IL-0002 is withdrawn, and its file is there still; delete one of the two`,
		}},
		{"replaced by nothing", "IL-0001", []edit{withdrawnFile(withdrawn("IL-0009", `"IL-0011"`))}, []string{
			`withdrawn.json:1:89: /withdrawn/0/replaced_by: there is no case IL-0011; did you mean IL-0001?`,
		}},
		{"replaced by itself", "IL-0001", []edit{withdrawnFile(withdrawn("IL-0009", `"IL-0009"`))}, []string{
			`withdrawn.json:1:89: /withdrawn/0/replaced_by: IL-0009 leads to itself; delete it, or name another case`,
		}},
		{"replaced by a withdrawn case", "IL-0001", []edit{withdrawnFile(withdrawn("IL-0009", `"IL-0008"`), withdrawn("IL-0008", `"IL-0001"`))}, []string{
			`withdrawn.json:1:89: /withdrawn/0/replaced_by: IL-0008 is withdrawn; name IL-0001, which took its place`,
		}},
		{"address of another case", "IL-0001", []edit{{file("IL-0001"), "/cases/IL-0001", "/cases/IL-0002"}}, []string{
			`cases/IL-0001.json:28:10: /url: the address does not end in /cases/IL-0001; write https://example.org/app/cases/IL-0001`,
		}},
		{"address with a slash", "IL-0001", []edit{{file("IL-0001"), "/cases/IL-0001", "/cases/IL-0001/"}}, nil},
		{"address with a longer id", "IL-0001", []edit{{file("IL-0001"), "/cases/IL-0001", "/cases/IL-00012"}}, []string{
			`cases/IL-0001.json:28:10: /url: the address does not end in /cases/IL-0001; write https://example.org/app/cases/IL-0001`,
		}},
		{"address with a query", "IL-0001", []edit{{file("IL-0001"), "/cases/IL-0001", "/cases/IL-0001?x"}}, []string{
			`cases/IL-0001.json:28:10: /url: the address does not end in /cases/IL-0001; write https://example.org/app/cases/IL-0001`,
		}},
	})
}

// Numbers, organisations and terms that pass for one another.
func TestNames(t *testing.T) {
	holds(t, []ruleCase{
		{"one number, twice", "IL-0123 IL-00123", nil, []string{
			`cases/IL-00123.json:2:9: /id: IL-0123 and IL-00123 differ in zeros only; give one of the two another number`,
		}},
		{"one number, once withdrawn", "IL-0123", []edit{withdrawnFile(withdrawn("IL-00123", "null"), withdrawn("IL-0007", "null"), withdrawn("IL-000007", "null"))}, []string{
			`withdrawn.json:1:23: /withdrawn/0/id: IL-0123 and IL-00123 differ in zeros only; give one of the two another number`,
			`withdrawn.json:1:184: /withdrawn/2/id: IL-0007 and IL-000007 differ in zeros only; give one of the two another number`,
		}},
		{"two names of a slug", "IL-0001 IL-0002 IL-0003", []edit{org("IL-0001", "Cookierun")}, []string{
			`cases/IL-0001.json:3:10: /org: the organisation "Cookierun" of the slug cookie-run is "Cookie Run" in seeds/cases/IL-0002.json; write one name in all cases of a slug, or give this organisation a slug of its own`,
		}},
		{"two names of a slug, as often", "IL-0001 IL-0002", []edit{org("IL-0002", "cookie run")}, []string{
			`cases/IL-0002.json:3:10: /org: the organisation "cookie run" of the slug cookie-run is "Cookie Run" in seeds/cases/IL-0001.json; write one name in all cases of a slug, or give this organisation a slug of its own`,
		}},
		{"three names of a slug", "IL-0001 IL-0002 IL-0003 IL-0004", []edit{org("IL-0003", "A"), org("IL-0002", "B")}, []string{
			`cases/IL-0002.json:3:10: /org: the organisation "B" of the slug cookie-run is "Cookie Run" in seeds/cases/IL-0001.json; write one name in all cases of a slug, or give this organisation a slug of its own`,
			`cases/IL-0003.json:3:10: /org: the organisation "A" of the slug cookie-run is "Cookie Run" in seeds/cases/IL-0001.json; write one name in all cases of a slug, or give this organisation a slug of its own`,
		}},
		{"one name in two Unicode forms", "IL-0001 IL-0002", []edit{org("IL-0001", "\uac00"), org("IL-0002", "\u1100\u1161")}, nil},
		{"two slugs of a name", "IL-0001 IL-0002 IL-0003", []edit{slug("IL-0002", "cookies"), slug("IL-0003", "cookies")}, []string{
			`cases/IL-0002.json:29:15: /org_slug: the organisation "Cookie Run" has the slug cookies here and cookie-run in seeds/cases/IL-0001.json; write one slug for one organisation`,
		}},
		{"two slugs of a name in other case", "IL-0001 IL-0002", []edit{slug("IL-0002", "cookies"), org("IL-0002", "COOKIE  RUN")}, []string{
			`cases/IL-0002.json:29:15: /org_slug: the organisation "COOKIE  RUN" has the slug cookies here and cookie-run in seeds/cases/IL-0001.json; write one slug for one organisation`,
		}},
		{"two slugs of a name in two Unicode forms", "IL-0001 IL-0002", []edit{slug("IL-0002", "cookies"), org("IL-0001", "\uac00"), org("IL-0002", "\u1100\u1161")}, []string{
			`cases/IL-0002.json:29:15: /org_slug: the organisation "가" has the slug cookies here and cookie-run in seeds/cases/IL-0001.json; write one slug for one organisation`,
		}},
		{"see also nothing", "", []edit{{"vocab.json", `"see_also": []`, `"see_also": ["domain/network", "domain/networks", "root_cause/network", "domain/zebra"]`}}, []string{
			`vocab.json:3:135: /axes/0/terms/0/see_also/1: there is no term domain/networks; did you mean "domain/network"?`,
			`vocab.json:3:154: /axes/0/terms/0/see_also/2: there is no term root_cause/network; did you mean "domain/network"?`,
			`vocab.json:3:176: /axes/0/terms/0/see_also/3: there is no term domain/zebra; write a term of this file, or delete it`,
		}},
		{"see also itself", "", []edit{{"vocab.json", `"see_also": []`, `"see_also": ["domain/database"]`}}, []string{
			`vocab.json:3:117: /axes/0/terms/0/see_also/0: domain/database leads to itself; delete it`,
		}},
		{"two terms of a label", "", []edit{{"vocab.json", `"en": "Networks"`, `"en": "databases"`}}, []string{
			`vocab.json:4:38: /axes/0/terms/1/label/en: database and network are both called "databases"; give one of the two another label, or make one of them`,
		}},
		{"two terms of a label in Korean", "", []edit{{"vocab.json", `"ko": "네트워크"`, `"ko": "\u1103\u1166이터베이스"`}}, []string{
			`vocab.json:4:56: /axes/0/terms/1/label/ko: database and network are both called "데이터베이스"; give one of the two another label, or make one of them`,
		}},
		{"two axes of a label", "", []edit{{"vocab.json", `"en": "Symptoms"`, `"en": "DOMAIN"`}}, []string{
			`vocab.json:5:36: /axes/1/label/en: domain and symptoms are both called "DOMAIN"; give one of the two another label, or make one of them`,
		}},
		{"broken vocabulary", "IL-0001", []edit{{"vocab.json", "", `{"axes": 5}`}}, nil},
		{"everything at once", "IL-0001 IL-0123", []edit{relate(`"IL-0009"`), recurs("IL-0001", "IL-0001"), org("IL-0123", "X"), {file("IL-0123"), "/cases/IL-0123", "/"}}, []string{
			`cases/IL-0001.json:25:20: /recurrence_of: IL-0001 leads to itself; delete it, or name another case`,
			`cases/IL-0123.json:3:10: /org: the organisation "X" of the slug cookie-run is "Cookie Run" in seeds/cases/IL-0001.json; write one name in all cases of a slug, or give this organisation a slug of its own`,
			`cases/IL-0123.json:11:15: /related/0: there is no case IL-0009; did you mean IL-0001?`,
			`cases/IL-0123.json:28:10: /url: the address does not end in /cases/IL-0123; write https://example.org/app/cases/IL-0123`,
		}},
	})
}

// ruleCase is a library with edits, and what is wrong with it then.
type ruleCase struct {
	name  string
	ids   string
	edits []edit
	want  []string
}

func holds(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			if got := judge(library(t, tt.ids, tt.edits), Run); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func relate(ids string) edit {
	return edit{file("IL-0123"), `"related": []`, `"related": [` + ids + `]`}
}

func org(id, name string) edit {
	return edit{file(id), `"org": "Cookie Run"`, `"org": "` + name + `"`}
}

func slug(id, name string) edit { return edit{file(id), `"cookie-run"`, `"` + name + `"`} }

// TestLongCircle names the ends of a long circle, not all of it.
func TestLongCircle(t *testing.T) {
	c := &incident.Collection{}
	for i := range 5000 {
		c.Cases = append(c.Cases, &incident.Case{ID: fmt.Sprintf("IL-%04d", i), File: "f", RecurrenceOf: fmt.Sprintf("IL-%04d", (i+1)%5000), OrgSlug: "o", URL: fmt.Sprintf("/cases/IL-%04d", i)})
	}
	ps := Run(seed.Result{Collection: c})
	if len(ps) != 1 || len(ps[0].What) > 200 {
		t.Error(ps)
	}
}
