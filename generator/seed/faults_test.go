package seed

import (
	"slices"
	"strings"
	"testing"
)

// caseFault is a change of the base case and what is said of it.
type caseFault struct {
	name     string
	from, to string // the change
	want     []string
}

// TestFaultOfACase changes one thing in the base case and wants these problems
// of it, word for word: each is what an editor reads.
func TestFaultOfACase(t *testing.T) {
	for _, tt := range slices.Concat(fieldFaults(), typeFaults(), absentFaults(), characterFaults(), slugFaults(), dateFaults(),
		durationFaults(), addressFaults(), separatorFaults(), wordFaults(), stringFaults()) {
		t.Run(tt.name, func(t *testing.T) {
			r, got := report(library(map[string]string{"cases/IL-0123.json": edited(t, tt.from, tt.to)}))
			const file = "seeds/cases/IL-0123.json:"
			if want := file + strings.Join(tt.want, "\n"+file); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if len(r.Collection.Cases) > 0 || !r.Unread["IL-0123"] {
				t.Errorf("a case with a fault is among the cases, or not among the unread")
			}
		})
	}
}

// fieldFaults are of fields and keys.
func fieldFaults() []caseFault {
	return []caseFault{
		{"unknown field", `"lessons": null,`, "\"lessons\": null,\n  \"mood\": \"bad\",", []string{
			`13:3: /mood: there is no field "mood" here; delete it`,
		}},
		{"misspelt field", `"summary": {"en"`, `"sumary": {"en"`, []string{
			`17:3: /sumary: there is no field "sumary" here; did you mean "summary"?`,
		}},
		{"misspelt field beside the right one", `"lessons": null,`, `"lessons": null, "lesons": null,`, []string{
			`12:20: /lesons: there is no field "lesons" here; delete it`,
		}},
		{"camel case", `"symptoms_text"`, `"symptomsText"`, []string{
			`30:3: /symptomsText: there is no field "symptomsText" here; did you mean "symptoms_text"?`,
		}},
		{"name as long as a page", `"org_slug": "cookie-run"`, `"org_slug": "` + strings.Repeat("a", 101) + `"`, []string{
			`33:15: /org_slug: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." is no slug; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		}},
		{"title that would fill every list", `"Pods crash-looped"`, `"` + strings.Repeat("가", 601) + `"`, []string{
			`8:19: /title/en: it has 601 characters, more than 600; write a text that says something, or null`,
		}},
		{"slug that names a device", `"org_slug": "cookie-run"`, `"org_slug": "com1"`, []string{
			`33:15: /org_slug: "com1" is a device on Windows, where no folder can have its name; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		}},
		{"wrong-case key", `"id": "IL-0123"`, `"ID": "IL-0123"`, []string{
			`2:3: /ID: there is no field "ID" here; did you mean "id"?`,
		}},
		{"wrong-case key beside the right one", `"id": "IL-0123",`, `"ID": "IL-5555", "id": "IL-0123",`, []string{
			`2:3: /ID: there is no field "ID" here; delete it: the field "id" stands at line 2, column 20`,
		}},
		{"duplicate key", `"org_slug": "cookie-run"`, "\"org_slug\": \"cookie-run\",\n  \"org\": \"Other\"", []string{
			`34:3: /org: the field "org" stands here twice, first at line 3, column 3; keep one of the two`,
		}},
		{"duplicate key written with an escape", `"org_slug": "cookie-run"`, `"org_slug": "cookie-run", "\u006frg": "Other"`, []string{
			`33:29: /org: the field "org" stands here twice, first at line 3, column 3; keep one of the two`,
		}},
		{"duplicate key in a text", `{"en": "A deploy."}`, `{"en": "A deploy.", "en": "B"}`, []string{
			`18:34: /trigger/en: the field "en" stands here twice, first at line 18, column 15; keep one of the two`,
		}},
		{"key that reorders text", `"lessons": null,`, "\"lessons\": null, \"or\u202eg\": 1,", []string{
			`12:23: the string holds the character U+202E, which reorders text on the screen; delete it`,
		}},
		{"empty key", `"lessons": null,`, `"lessons": null, "": 1,`, []string{
			`12:20: /: there is no field "" here; delete it`,
		}},
	}
}

// typeFaults are of values of another type.
func typeFaults() []caseFault {
	return []caseFault{
		{"number for a string", `"org": "쿠키런"`, `"org": 5`, []string{
			`3:10: /org: this is a number; write the organisation's name`,
		}},
		{"string for a text", `"trigger": {"en": "A deploy."}`, `"trigger": "A deploy."`, []string{
			`18:14: /trigger: this is a string; write a text such as {"en": "…", "ko": "…"}, or null`,
		}},
		{"list for a text", `"symptoms_text": {"en": "Errors."}`, `"symptoms_text": ["Errors."]`, []string{
			`30:20: /symptoms_text: this is a list; write a text such as {"en": "…", "ko": "…"}`,
		}},
		{"string for a list", `"domain": ["kubernetes", "database"]`, `"domain": "kubernetes"`, []string{
			`9:13: /domain: this is a string; write a list, each entry a term of the axis domain`,
		}},
		{"null for a list", `"symptoms": ["crash-loop"]`, `"symptoms": null`, []string{
			`20:15: /symptoms: this is null; write a list, each entry a term of the axis symptoms`,
		}},
		{"null in a list", `"symptoms": ["crash-loop"]`, `"symptoms": [null]`, []string{
			`20:16: /symptoms/0: this is null; write a term of the axis symptoms`,
		}},
		{"object for a slug", `"root_cause": "config-change"`, `"root_cause": {"en": "x"}`, []string{
			`25:17: /root_cause: this is an object; write a term of the axis root_cause, or null`,
		}},
		{"boolean for an id", `"recurrence_of": null`, `"recurrence_of": false`, []string{
			`29:20: /recurrence_of: this is a boolean; write an id such as "IL-0123", or null`,
		}},
		{"number for a date", `"date": "2023-11-08"`, `"date": 2023`, []string{
			`4:11: /date: this is a number; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
		{"number for a duration", `"5m"`, `5`, []string{
			`21:34: /timeline/detected_after: this is a number; write a duration such as "1h 34m", "2d 4h" or "45s", or null`,
		}},
		{"string for the impact", `"impact": {"scope": "logins", "users": {"ko": "절반"}, "region": "unknown"}`, `"impact": "all"`, []string{
			`10:13: /impact: this is a string; write {"scope": …, "users": …, "region": …}`,
		}},
		{"number for an impact", `"scope": "logins"`, `"scope": 1`, []string{
			`10:23: /impact/scope: this is a number; write a string in English, or a text such as {"en": "…", "ko": "…"}, or "unknown"`,
		}},
		{"null for an impact", `"scope": "logins"`, `"scope": null`, []string{
			`10:23: /impact/scope: this is null; write a string in English, or a text such as {"en": "…", "ko": "…"}, or "unknown"`,
		}},
		{"string for a step", `[{"text": {"en": "Rolled back."}}]`, `["Rolled back."]`, []string{
			`26:19: /remediation/0: this is a string; write {"text": {"en": "…", "ko": "…"}}`,
		}},
		{"text for a step", `[{"text": {"en": "Rolled back."}}]`, `[{"en": "Rolled back."}]`, []string{
			`26:19: /remediation/0: the field "text" is missing; add "text": a text such as {"en": "…", "ko": "…"}`,
			`26:20: /remediation/0/en: there is no field "en" here; delete it`,
		}},
	}
}

// absentFaults are of what is null, absent or blank.
func absentFaults() []caseFault {
	return []caseFault{
		{"null where it is not allowed", `"org": "쿠키런"`, `"org": null`, []string{
			`3:10: /org: this is null; write the organisation's name`,
		}},
		{"null for a title", `"title": {"en": "Pods crash-looped", "ko": "파드가 크래시 루프에 빠졌다"}`, `"title": null`, []string{
			`8:12: /title: this is null; write a text such as {"en": "…", "ko": "…"}`,
		}},
		{"null for a severity", `"severity": "unknown"`, `"severity": null`, []string{
			`19:15: /severity: this is null; write a term of the axis severity, or "unknown"`,
		}},
		{"unknown where null is meant", `"detection": "alert"`, `"detection": "unknown"`, []string{
			`23:16: /detection: "unknown" is no term of the axis detection; write null for what is not known, or leave it out of a list`,
		}},
		{"absent field", "  \"lessons\": null,\n", ``, []string{
			`1:1: the field "lessons" is missing; add "lessons": a text such as {"en": "…", "ko": "…"}, or null`,
		}},
		{"absent field of an object", `"reviewed_at": "2026-11-10", `, ``, []string{
			`11:13: /review: the field "reviewed_at" is missing; add "reviewed_at": a date such as "2026-11-10", or a time, or null`,
		}},
		{"text in no language", `{"en": "Errors."}`, `{}`, []string{
			`30:20: /symptoms_text: the text is missing in both languages; write it in one language at least, or null for the whole where that is allowed`,
		}},
		{"text null in both languages", `{"en": "Errors."}`, `{"en": null, "ko": null}`, []string{
			`30:20: /symptoms_text: the text is missing in both languages; write it in one language at least, or null for the whole where that is allowed`,
		}},
		{"text of entities that are spaces", `{"en": "Errors."}`, `{"en": "&nbsp;&#32; &emsp;"}`, []string{
			`30:27: /symptoms_text/en: nothing of the text shows on a page; write a text that says something, or null`,
		}},
		{"text of code that is a space", `{"en": "Errors."}`, "{\"en\": \"` `\"}", []string{
			`30:27: /symptoms_text/en: nothing of the text shows on a page; write a text that says something, or null`,
		}},
		{"text of joiners and marks", `{"en": "Errors."}`, `{"en": "\u200d\u0301\u2800\ufe0f"}`, []string{
			`30:27: /symptoms_text/en: nothing of the text shows on a page; write a text that says something, or null`,
		}},
		{"blank text", `{"en": "Errors."}`, "{\"en\": \" \\n\u3000\"}", []string{
			`30:27: /symptoms_text/en: the text is empty; write a text that says something, or null`,
		}},
	}
}

// characterFaults are of characters that no text may have.
func characterFaults() []caseFault {
	return []caseFault{
		{"text in a third language", `{"en": "Errors."}`, `{"en": "Errors.", "ja": "エラー"}`, []string{
			`30:38: /symptoms_text/ja: there is no field "ja" here; delete it`,
		}},
		{"blank organisation", `"org": "쿠키런"`, `"org": " "`, []string{
			`3:10: /org: the string is empty; write the organisation's name`,
		}},
		{"organisation on two lines", `"org": "쿠키런"`, `"org": "쿠키\n런"`, []string{
			`3:10: /org: there is a line break or a tab in it; write the organisation's name`,
		}},
		{"slug of Hangul", `"org_slug": "cookie-run"`, `"org_slug": "쿠키런"`, []string{
			`33:15: /org_slug: "쿠키런" is no slug; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		}},
		{"empty slug", `"org_slug": "cookie-run"`, `"org_slug": ""`, []string{
			`33:15: /org_slug: "" is no slug; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		}},
		{"slug with a path", `"org_slug": "cookie-run"`, `"org_slug": "../evil"`, []string{
			`33:15: /org_slug: "../evil" is no slug; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		}},
		{"slug in capitals", `"org_slug": "cookie-run"`, `"org_slug": "Cookie-Run"`, []string{
			`33:15: /org_slug: "Cookie-Run" is no slug; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		}},
		{"control character", `"Pods crash-looped"`, `"Pods\u0008 crash-looped"`, []string{
			`8:24: /title/en: the string holds the character U+0008, which is a control character; delete it`,
		}},
		{"carriage return", `"Rolled back."`, `"Rolled\r\nback."`, []string{
			`26:42: /remediation/0/text/en: the string holds the character U+000D, which is a control character; write a line break as \n`,
		}},
		{"zero-width space, and an escape of it", `"title": {"en": "Pods crash-looped"`, "\"title\": {\"en\": \"a \\\" b\u200b \\u200b \u2060\"", []string{
			`8:26: /title/en: the string holds the character U+200B, which cannot be seen; delete it`,
			`8:35: /title/en: the string holds the character U+2060, which cannot be seen; delete it`,
		}},
		{"bidi override written as an escape", `"Pods crash-looped"`, `"Pods \u202ecrash"`, []string{
			`8:25: /title/en: the string holds the character U+202E, which reorders text on the screen; delete it`,
		}},
		{"byte-order mark in a text", `"Pods crash-looped"`, "\"Pods \ufeff\"", []string{
			`8:25: /title/en: the string holds the character U+FEFF, which cannot be seen; delete it`,
		}},
		{"line separator", `"Pods crash-looped"`, "\"Pods\u2028crash\"", []string{
			`8:24: /title/en: the string holds the character U+2028, which breaks lines in ways that tools disagree on; write a line break as \n`,
		}},
		{"Hangul filler", `"org": "쿠키런"`, "\"org\": \"\u3164\"", []string{
			`3:11: /org: the string holds the character U+3164, which cannot be seen; delete it`,
		}},
		{"tag characters", `"Pods crash-looped"`, `"Pods \udb40\udc41"`, []string{
			`8:25: /title/en: the string holds the character U+E0041, which can hide text; delete it`,
		}},
		{"lone surrogate after a pair", `"Pods crash-looped"`, `"\ud83d\ude00 \ud83d"`, []string{
			`8:33: /title/en: this escape is half a character (a lone surrogate); write the character itself, or both halves as in "\ud83d\ude00"`,
		}},
		{"lone low surrogate", `"Pods crash-looped"`, `"\\ud83d \ude00"`, []string{
			`8:28: /title/en: this escape is half a character (a lone surrogate); write the character itself, or both halves as in "\ud83d\ude00"`,
		}},
	}
}

// slugFaults are of slugs and ids.
func slugFaults() []caseFault {
	return []caseFault{
		{"unknown slug with a near one", `["kubernetes", "database"]`, `["kubernetes", "databse"]`, []string{
			`9:28: /domain/1: "databse" is no term of the axis domain; did you mean "database"?`,
		}},
		{"unknown slug in the wrong case", `["kubernetes", "database"]`, `["Kubernetes", "database"]`, []string{
			`9:14: /domain/0: "Kubernetes" is no term of the axis domain; did you mean "kubernetes"?`,
		}},
		{"unknown slug with an underscore", `["crash-loop"]`, `["crash_loop"]`, []string{
			`20:16: /symptoms/0: "crash_loop" is no term of the axis symptoms; did you mean "crash-loop"?`,
		}},
		{"unknown slug", `"config-change"`, `"gremlins"`, []string{
			`25:17: /root_cause: "gremlins" is no term of the axis root_cause; use a term of vocab.json, or add this one there`,
		}},
		{"slug of another axis", `"config-change"`, `"database"`, []string{
			`25:17: /root_cause: "database" is no term of the axis root_cause; use a term of vocab.json, or add this one there`,
		}},
		{"slug in decomposed Hangul", `["crash-loop"]`, "[\"\u1112\u1161\u11ab\"]", []string{
			"20:16: /symptoms/0: \"\u1112\u1161\u11ab\" is no term of the axis symptoms; use a term of vocab.json, or add this one there",
		}},
		{"unknown severity", `"severity": "unknown"`, `"severity": "sev2"`, []string{
			`19:15: /severity: "sev2" is no term of the axis severity; did you mean "sev1"?`,
		}},
		{"slug twice", `["kubernetes", "database"]`, `["kubernetes", "database", "kubernetes"]`, []string{
			`9:40: /domain/2: "kubernetes" stands in the list twice, first at line 9, column 14; delete one of the two`,
		}},
		{"id with a path", `"id": "IL-0123"`, `"id": "../../evil"`, []string{
			`2:9: /id: "../../evil" is no id; write an id such as "IL-0123"`,
		}},
		{"id in lower case", `"id": "IL-0123"`, `"id": "il-0123"`, []string{
			`2:9: /id: "il-0123" is no id; write an id such as "IL-0123"`,
		}},
		{"id with few digits", `["IL-0119"]`, `["IL-119"]`, []string{
			`13:15: /related/0: "IL-119" is no id; write an id such as "IL-0123"`,
		}},
		{"related twice", `["IL-0119"]`, `["IL-0119", "IL-0119"]`, []string{
			`13:26: /related/1: "IL-0119" stands in the list twice, first at line 13, column 15; delete one of the two`,
		}},
		{"file name differs from the id", `"id": "IL-0123"`, `"id": "IL-0124"`, []string{
			`2:9: /id: the id IL-0124 differs from the file's name "IL-0123.json"; rename the file to IL-0124.json, or mend the id`,
		}},
		{"file name differs, among other faults", "\"id\": \"IL-0123\",\n  \"org\": \"쿠키런\"", "\"id\": \"IL-0124\",\n  \"org\": 1", []string{
			`2:9: /id: the id IL-0124 differs from the file's name "IL-0123.json"; rename the file to IL-0124.json, or mend the id`,
			`3:10: /org: this is a number; write the organisation's name`,
		}},
	}
}

// dateFaults are of dates and times.
func dateFaults() []caseFault {
	return []caseFault{
		{"day that does not exist", `"2023-11-08"`, `"2025-02-30"`, []string{
			`4:11: /date: "2025-02-30" is no date that exists; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
		{"hand-made date", `"2023-11-08"`, `"2013-1-14"`, []string{
			`4:11: /date: "2013-1-14" is not of the form YYYY-MM-DD, YYYY-MM or YYYY; did you mean "2013-01-14"?`,
		}},
		{"date with slashes", `"2023-11-08"`, `"2023/11/08"`, []string{
			`4:11: /date: "2023/11/08" is not of the form YYYY-MM-DD, YYYY-MM or YYYY; did you mean "2023-11-08"?`,
		}},
		{"month that does not exist", `"2023-11-08"`, `"2025-13"`, []string{
			`4:11: /date: "2025-13" is no date that exists; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
		{"date in words", `"2023-11-08"`, `"미상"`, []string{
			`4:11: /date: "미상" is not of the form YYYY-MM-DD, YYYY-MM or YYYY; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
		{"date with a time", `"2023-11-08"`, `"2023-11-08T00:00:00Z"`, []string{
			`4:11: /date: "2023-11-08T00:00:00Z" is not of the form YYYY-MM-DD, YYYY-MM or YYYY; did you mean "2023-11-08"?`,
		}},
		{"date before there were computers", `"2023-11-08"`, `"0202"`, []string{
			`4:11: /date: "0202" is no date that exists; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
		{"empty date", `"2023-11-08"`, `""`, []string{
			`4:11: /date: "" is not of the form YYYY-MM-DD, YYYY-MM or YYYY; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
		{"time without a zone", `"2026-11-10T00:00:34.425967Z"`, `"2026-11-10T00:00:34"`, []string{
			`31:17: /updated_at: "2026-11-10T00:00:34" is not of the form YYYY-MM-DDThh:mm:ssZ; write a time such as "2026-11-10T00:00:34Z" (RFC 3339)`,
		}},
		{"time that does not exist", `"2026-11-10T00:00:34.425967Z"`, `"2026-11-31T00:00:34Z"`, []string{
			`31:17: /updated_at: "2026-11-31T00:00:34Z" is no time that exists; write a time such as "2026-11-10T00:00:34Z" (RFC 3339)`,
		}},
		{"time with a comma", `"2026-11-10T00:00:34.425967Z"`, `"2026-11-10T00:00:34,5Z"`, []string{
			`31:17: /updated_at: "2026-11-10T00:00:34,5Z" is not of the form YYYY-MM-DDThh:mm:ssZ; write a time such as "2026-11-10T00:00:34Z" (RFC 3339)`,
		}},
		{"review date that does not exist", `"2026-11-10"`, `"2026-06-31"`, []string{
			`11:54: /review/reviewed_at: "2026-06-31" is no date that exists; write a date such as "2026-11-10", or a time, or null`,
		}},
	}
}

// durationFaults are of durations.
func durationFaults() []caseFault {
	return []caseFault{
		{"duration without a space", `"1h 34m"`, `"1h34m"`, []string{
			`21:58: /timeline/resolved_after: "1h34m": "1h34" is no whole number without leading zeros; did you mean "1h 34m"?`,
		}},
		{"duration that does not carry", `"1h 34m"`, `"1h 60m"`, []string{
			`21:58: /timeline/resolved_after: "1h 60m": 60m carries into the unit before it; did you mean "2h"?`,
		}},
		{"duration the wrong way round", `"1h 34m"`, `"34m 1h"`, []string{
			`21:58: /timeline/resolved_after: "34m 1h": units go from d to h, m and s, each once; did you mean "1h 34m"?`,
		}},
		{"duration in words", `"1h 34m"`, `"94 minutes"`, []string{
			`21:58: /timeline/resolved_after: "94 minutes": the units are d, h, m and s; did you mean "1h 34m"?`,
		}},
		{"duration in Korean", `"1h 34m"`, `"1시간 34분"`, []string{
			`21:58: /timeline/resolved_after: "1시간 34분": the units are d, h, m and s; did you mean "1h 34m"?`,
		}},
		{"duration in capitals", `"1h 34m"`, `"1H 34M"`, []string{
			`21:58: /timeline/resolved_after: "1H 34M": the units are d, h, m and s; did you mean "1h 34m"?`,
		}},
		{"ISO duration", `"1h 34m"`, `"PT1H34M"`, []string{
			`21:58: /timeline/resolved_after: "PT1H34M": the units are d, h, m and s; did you mean "1h 34m"?`,
		}},
		{"duration of zero", `"1h 34m"`, `"0m"`, []string{
			`21:58: /timeline/resolved_after: "0m" begins with 0; write a duration such as "1h 34m", "2d 4h" or "45s", or null`,
		}},
		{"duration with a unit twice", `"1h 34m"`, `"1h 2h"`, []string{
			`21:58: /timeline/resolved_after: "1h 2h": units go from d to h, m and s, each once; did you mean "3h"?`,
		}},
		{"duration with a leading zero", `"1h 34m"`, `"01h"`, []string{
			`21:58: /timeline/resolved_after: "01h": "01" is no whole number without leading zeros; did you mean "1h"?`,
		}},
		{"duration of ages", `"1h 34m"`, `"99999d"`, []string{
			`21:58: /timeline/resolved_after: "99999d" is longer than a hundred years; write a duration such as "1h 34m", "2d 4h" or "45s", or null`,
		}},
		{"duration with a fraction", `"1h 34m"`, `"1.5h"`, []string{
			`21:58: /timeline/resolved_after: "1.5h": "1.5" is no whole number without leading zeros; write a duration such as "1h 34m", "2d 4h" or "45s", or null`,
		}},
		{"empty duration", `"1h 34m"`, `""`, []string{
			`21:58: /timeline/resolved_after: "": it is no number with a unit; write a duration such as "1h 34m", "2d 4h" or "45s", or null`,
		}},
	}
}

// addressFaults are of addresses.
func addressFaults() []caseFault {
	return []caseFault{
		{"script address", `"https://example.com/post"`, `"javascript:alert(1)"`, []string{
			`15:13: /sources/0/url: "javascript:alert(1)" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"data address", `"https://example.com/post"`, `"data:text/html,x"`, []string{
			`15:13: /sources/0/url: "data:text/html,x" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"script address with a tab", `"https://example.com/post"`, `"java\tscript:alert(1)"`, []string{
			`15:13: /sources/0/url: there is a space in "java\tscript:alert(1)"; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address without a scheme", `"https://example.com/post"`, `"example.com/post"`, []string{
			`15:13: /sources/0/url: "example.com/post" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address without a host", `"https://example.com/post"`, `"https:///post"`, []string{
			`15:13: /sources/0/url: "https:///post" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address that begins with slashes", `"https://example.com/post"`, `"//example.com/post"`, []string{
			`15:13: /sources/0/url: "//example.com/post" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with a user", `"https://example.com/post"`, `"https://example.com@evil.example/"`, []string{
			`15:13: /sources/0/url: "https://example.com@evil.example/" names a user; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with a space", `"https://example.com/post"`, `"https://example.com/a b"`, []string{
			`15:13: /sources/0/url: there is a space in "https://example.com/a b"; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with spaces around it", `"https://example.com/post"`, `" https://example.com/"`, []string{
			`15:13: /sources/0/url: there is a space in " https://example.com/"; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with a quote", `"https://example.com/post"`, `"https://example.com/\"onload=x"`, []string{
			`15:13: /sources/0/url: "https://example.com/\"onload=x" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with a backslash", `"https://example.com/post"`, `"https:\\\\example.com"`, []string{
			`15:13: /sources/0/url: "https:\\\\example.com" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with a bad escape", `"https://example.com/post"`, `"https://example.com/%zz"`, []string{
			`15:13: /sources/0/url: "https://example.com/%zz" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address with a bad port", `"https://example.com/post"`, `"https://example.com:http/"`, []string{
			`15:13: /sources/0/url: "https://example.com:http/" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"address in Hangul", `"https://example.com/post"`, `"https://example.com/장애"`, []string{
			`15:13: /sources/0/url: "https://example.com/장애" has other characters than ASCII; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"file address", `"archived": null`, `"archived": "file:///etc/passwd"`, []string{
			`15:97: /sources/0/archived: "file:///etc/passwd" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII, or null`,
		}},
		{"mail address", `"https://example.com/docs?q=1#top"`, `"mailto:a@example.com"`, []string{
			`6:13: /docs/0/url: "mailto:a@example.com" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
		{"empty address", `"archived": null`, `"archived": ""`, []string{
			`15:97: /sources/0/archived: the address is empty; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII, or null`,
		}},
		{"relative page", `"https://benchlet.com/incidentlib/app/cases/IL-0123"`, `"/cases/IL-0123"`, []string{
			`32:10: /url: "/cases/IL-0123" is no http or https address; write an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`,
		}},
	}
}

// separatorFaults are of what stands between values.
func separatorFaults() []caseFault {
	return []caseFault{
		{"trailing comma", `"org_slug": "cookie-run"`, `"org_slug": "cookie-run",`, []string{
			`33:27: there is a comma after the last entry; delete it`,
		}},
		{"trailing comma in a list", `["kubernetes", "database"]`, `["kubernetes", "database",]`, []string{
			`9:38: /domain: there is a comma after the last entry; delete it`,
		}},
		{"comma too many", `"severity": "unknown",`, `"severity": "unknown",,`, []string{
			`19:25: there is a comma too many; delete it`,
		}},
		{"comma first", `["crash-loop"]`, `[, "crash-loop"]`, []string{
			`20:16: /symptoms: there is a comma too many; delete it`,
		}},
		{"missing comma between fields", `"severity": "unknown",`, `"severity": "unknown"`, []string{
			`20:3: a comma is missing before this; write it after the entry before`,
		}},
		{"missing comma in a list", `["kubernetes", "database"]`, `["kubernetes" "database"]`, []string{
			`9:27: /domain: a comma is missing before this; write it after the entry before`,
		}},
		{"missing comma before a number", `["kubernetes", "database"]`, `["kubernetes" 1]`, []string{
			`9:27: /domain: a comma is missing before this; write it after the entry before`,
		}},
		{"missing colon", `"severity": "unknown"`, `"severity" "unknown"`, []string{
			`19:14: /severity: a colon is missing before this; write it after the key`,
		}},
		{"equals sign", `"severity": "unknown"`, `"severity" = "unknown"`, []string{
			`19:14: /severity: there is an equals sign; write a colon between a key and its value`,
		}},
		{"semicolon", `"severity": "unknown",`, `"severity": "unknown";`, []string{
			`19:24: there is a semicolon; write a comma between entries`,
		}},
		{"missing value", `"severity": "unknown",`, `"severity": ,`, []string{
			`19:15: /severity: the value is missing after the colon; write it, or null where that is allowed`,
		}},
		{"missing value at the end", `"org_slug": "cookie-run"`, `"org_slug":`, []string{
			`34:1: /org_slug: the value is missing after the colon; write it, or null where that is allowed`,
		}},
	}
}

// wordFaults are of what other languages allow.
func wordFaults() []caseFault {
	return []caseFault{
		{"line comment", `  "severity"`, "  // bad\n  \"severity\"", []string{
			`19:3: JSON has no comments; delete it`,
		}},
		{"block comment", `"severity": "unknown",`, `"severity": "unknown", /* bad */`, []string{
			`19:26: JSON has no comments; delete it`,
		}},
		{"hash comment", `  "severity"`, "  # bad\n  \"severity\"", []string{
			`19:3: JSON has no comments; delete it`,
		}},
		{"single quotes", `"severity": "unknown"`, `"severity": 'unknown'`, []string{
			`19:15: /severity: this is no double quote; write strings as "…"`,
		}},
		{"single quotes around a key", `"severity": "unknown"`, `'severity': "unknown"`, []string{
			`19:3: this is no double quote; write strings as "…"`,
		}},
		{"typographic quotes", `"severity": "unknown"`, `"severity": “unknown”`, []string{
			`19:15: /severity: this is a typographic quote; write strings with straight quotes, as "…"`,
		}},
		{"key without quotes", `"severity": "unknown"`, `severity: "unknown"`, []string{
			`19:3: this key has no quotes; write it as "severity"`,
		}},
		{"number as a key", `"severity": "unknown"`, `5: "unknown"`, []string{
			`19:3: this is no key; write keys as "…"`,
		}},
		{"word without quotes", `"severity": "unknown"`, `"severity": unknown`, []string{
			`19:15: /severity: "unknown" is no JSON; write strings as "…"`,
		}},
		{"Python words", `"lessons": null`, `"lessons": None`, []string{
			`12:14: /lessons: "None" is no JSON; write null`,
		}},
		{"capital true", `"lessons": null`, `"lessons": True`, []string{
			`12:14: /lessons: "True" is no JSON; write true`,
		}},
		{"cut word", `"lessons": null`, `"lessons": nul`, []string{
			`12:14: /lessons: "nul" is no JSON; write strings as "…"`,
		}},
		{"leading zero", `"lessons": null`, `"lessons": 01`, []string{
			`12:14: /lessons: this is a number; write a text such as {"en": "…", "ko": "…"}, or null`,
			`12:15: this number has a zero before it; delete the zero, or write a string`,
		}},
	}
}

// stringFaults are of strings, brackets, and several faults at once.
func stringFaults() []caseFault {
	return []caseFault{
		{"plus sign", `"lessons": null`, `"lessons": +1`, []string{
			`12:14: /lessons: this is not JSON: invalid character '+' at start of value; check the quotes, commas and brackets around it`,
		}},
		{"quote inside a string", `"Rolled back."`, `"Rolled "it" back."`, []string{
			`26:44: /remediation/0/text: the string before this ended at a double quote inside it; write a double quote inside a string as \"`,
		}},
		{"line break in a string", `"Rolled back."`, "\"Rolled\nback.\"", []string{
			`26:42: /remediation/0/text/en: the line ends inside a string; close the string with ", or write a line break as \n`,
		}},
		{"string without an end", `"Rolled back."`, `"Rolled back.`, []string{
			`26:52: /remediation/0/text/en: the line ends inside a string; close the string with ", or write a line break as \n`,
		}},
		{"tab in a string", `"Rolled back."`, "\"Rolled\tback.\"", []string{
			`26:42: /remediation/0/text/en: a tab stands inside a string; write a tab as \t, or a space`,
		}},
		{"raw control character in a string", `"Rolled back."`, "\"Rolled\x01back.\"", []string{
			`26:42: /remediation/0/text/en: the control character U+0001 stands inside a string; delete it`,
		}},
		{"backslash of a path", `"Rolled back."`, `"C:\data"`, []string{
			`26:38: /remediation/0/text/en: this escape does not exist in JSON; write a backslash as \\`,
		}},
		{"short escape", `"Rolled back."`, `"\u12"`, []string{
			`26:36: /remediation/0/text/en: \u stands without four hexadecimal digits; write \u00e9, say, or a backslash as \\`,
		}},
		{"no-break space between values", `"severity": "unknown"`, "\"severity\":\u00a0\"unknown\"", []string{
			`19:14: /severity: the character U+00A0 stands between values; write a plain space, or nothing`,
		}},
		{"list closed as an object", `["crash-loop"]`, `["crash-loop"}`, []string{
			`20:28: /symptoms/1: "}" closes what is not open here; delete it, or check which bracket is missing before it`,
		}},
		{"bracket too many", `["crash-loop"]`, `["crash-loop"]]`, []string{
			`20:29: "]" closes what is not open here; delete it, or check which bracket is missing before it`,
		}},
		{"faults before one of syntax", "\"org\": \"쿠키런\",\n  \"date\": \"2023-11-08\"", "\"org\": 5, \"dat\": 1,,\n  \"date\": \"2023-11-08\"", []string{
			`3:10: /org: this is a number; write the organisation's name`,
			`3:13: /dat: there is no field "dat" here; did you mean "date"?`,
			`3:22: there is a comma too many; delete it`,
		}},
		{"several faults", "\"org\": \"쿠키런\",\n  \"date\": \"2023-11-08\"", "\"org\": \"쿠키런\", \"orgs\": 1,\n  \"date\": \"2023-13-08\"", []string{
			`3:17: /orgs: there is no field "orgs" here; delete it`,
			`4:11: /date: "2023-13-08" is no date that exists; write a date that exists: "2023-11-08", "2023-11" or "2023"`,
		}},
	}
}

// A text may begin with anything, if only something of it shows.
func TestTextsThatShow(t *testing.T) {
	for _, s := range []string{"a", "&lt;", "&amp;nbsp;", "`x`", "**", "\u200dabc", "\U0001F468\u200d\U0001F469", "\u1112\u1161\u11ab", "…"} {
		if silent(s) {
			t.Errorf("%q shows, and counts as silent", s)
		}
	}
}
