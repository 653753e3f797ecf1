package seed

import (
	"strings"
	"testing"
)

// TestOtherFiles changes one thing in a file that is no case.
func TestOtherFiles(t *testing.T) {
	const withdrawn = `{"withdrawn": [{"id": "IL-0001", "since": "2026-01", "reason": {"en": "A double."}, "replaced_by": "IL-0123"}]}`
	const article = "---\ntitle: T\nsummary: S\npublished: 2026-01-02\n---\n\nBody.\n"
	for _, tt := range []struct {
		file, text, from, to, want string
	}{
		{"withdrawn.json", withdrawn, "", "", ""},
		{"withdrawn.json", withdrawn, `"2026-01"`, `"2026-13"`, `seeds/withdrawn.json:1:43: /withdrawn/0/since: "2026-13" is no date that exists; write a date that exists: "2023-11-08", "2023-11" or "2023"`},
		{"withdrawn.json", withdrawn, `}]}`, `}, {"id": "IL-0001", "since": "2026", "reason": {"en": "x"}, "replaced_by": null}]}`, `seeds/withdrawn.json:1:112: /withdrawn/1: "IL-0001" stands in the list twice, first at line 1, column 16; delete one of the two`},
		{"withdrawn.json", withdrawn, `{"en": "A double."}`, `null`, `seeds/withdrawn.json:1:64: /withdrawn/0/reason: this is null; write a text such as {"en": "…", "ko": "…"}`},
		{"site.json", baseSite, `"https://example.org/app"`, `"https://example.org/app?x=1"`, `seeds/site.json:1:46: /base_url: "https://example.org/app?x=1" has a query or a fragment; write an address such as "https://example.org/incidents"`},
		{"site.json", baseSite, `"https://example.org/app"`, `"https://example.org//app"`, `seeds/site.json:1:46: /base_url: the path of "https://example.org//app" has an empty or dotted part; write an address such as "https://example.org/incidents"`},
		{"site.json", baseSite, `"https://example.org/app"`, `"https://example.org/a/%2e%2E"`, `seeds/site.json:1:46: /base_url: the path of "https://example.org/a/%2e%2E" has an empty or dotted part; write an address such as "https://example.org/incidents"`},
		{"site.json", baseSite, `"https://example.org/app"`, `"https://example.org/.app/.../"`, ""},
		{"site.json", baseSite, `"mcp_url": ""`, `"mcp_url": "ftp://example.org"`, `seeds/site.json:1:99: /mcp_url: "ftp://example.org" is no http or https address; write an address such as "https://example.org/incidents", or "" where there is none`},
		{"site.json", baseSite, `["en", "ko"]`, `["en"]`, `seeds/site.json:2:41: /languages: a language is missing; write ["en", "ko"]: the library is bilingual`},
		{"site.json", baseSite, `["en", "ko"]`, `["en", "ja"]`, `seeds/site.json:2:48: /languages/1: "ja" is no language of the library; write "en" or "ko"`},
		{"site.json", baseSite, `"default_language": "en"`, `"default_language": "fr"`, `seeds/site.json:2:22: /default_language: "fr" is no language of the library; write "en" or "ko"`},
		{"site.json", baseSite, `"base_url"`, `"baseURL"`, `seeds/site.json:1:34: /baseURL: there is no field "baseURL" here; did you mean "base_url"?`},
		{"vocab.json", baseVocab, `"id": "components"`, `"id": "component"`, `seeds/vocab.json:6:9: /axes/2/id: "component" is no axis; did you mean "components"?`},
		{"vocab.json", baseVocab, `{"id": "components", "label": {"en": "Components"}, "terms": []},`, ``, `seeds/vocab.json: the axis "components" is missing; add {"id": "components", "label": …, "terms": […]}`},
		{"vocab.json", baseVocab, `"slug": "database"`, `"slug": "kubernetes"`, `seeds/vocab.json:4:3: /axes/0/terms/1: "kubernetes" stands in the list twice, first at line 3, column 3; delete one of the two`},
		{"vocab.json", baseVocab, `"slug": "database"`, `"slug": "Data Base"`, `seeds/vocab.json:4:12: /axes/0/terms/1/slug: "Data Base" is no slug; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`},
		{"vocab.json", baseVocab, `"slug": "database"`, `"slug": "aux"`, `seeds/vocab.json:4:12: /axes/0/terms/1/slug: "aux" is a device on Windows, where no folder can have its name; write a slug such as "google-cloud": lower-case letters, digits and single hyphens`},
		{"vocab.json", baseVocab, `"domain/database"`, `"domain:database"`, `seeds/vocab.json:3:130: /axes/0/terms/0/see_also/0: "domain:database" is not of the form axis/slug; write a term such as "components/database"`},
		{"vocab.json", baseVocab, `"domain/database"`, `"domains/database"`, `seeds/vocab.json:3:130: /axes/0/terms/0/see_also/0: "domains" is no axis; write a term such as "components/database"`},
		{"vocab.json", baseVocab, `{"en": ["k8s"]}`, `["k8s"]`, `seeds/vocab.json:3:100: /axes/0/terms/0/aliases: this is a list; write {"en": [], "ko": []}`},
		{"vocab.json", baseVocab, `["k8s"]`, `["k8s", "k8s"]`, `seeds/vocab.json:3:115: /axes/0/terms/0/aliases/en/1: "k8s" stands in the list twice, first at line 3, column 108; delete one of the two`},
		{"topics/domain/database.en.md", "# Check\r\n\r\nLook.", "", "", ""},
		{"topics/root_cause/config-change.ko.md", "확인", "", "", ""},
		{"topics/domain/database.md", "x", "", "", `seeds/topics/domain/database.md: the file's name does not say which topic and language it is; name it topics/AXIS/SLUG.LANG.md, after a term of vocab.json and a language, as in topics/components/database.en.md`},
		{"topics/domain/database.ja.md", "x", "", "", `seeds/topics/domain/database.ja.md: the file's name does not say which topic and language it is; name it topics/AXIS/SLUG.LANG.md, after a term of vocab.json and a language, as in topics/components/database.en.md`},
		{"topics/domain/databse.en.md", "x", "", "", `seeds/topics/domain/databse.en.md: "databse" is no term of the axis domain; name it topics/AXIS/SLUG.LANG.md, after a term of vocab.json and a language, as in topics/components/database.en.md`},
		{"topics/domains/database.en.md", "x", "", "", `seeds/topics/domains/database.en.md: "domains" is no axis; name it topics/AXIS/SLUG.LANG.md, after a term of vocab.json and a language, as in topics/components/database.en.md`},
		{"topics/database.en.md", "x", "", "", `seeds/topics/database.en.md: the file's name does not say which topic and language it is; name it topics/AXIS/SLUG.LANG.md, after a term of vocab.json and a language, as in topics/components/database.en.md`},
		{"topics/domain/database.en.md", " \n", "", "", `seeds/topics/domain/database.en.md:1:1: the file is empty; write the text, or delete the file`},
		{"topics/domain/database.en.md", "a\r\nb\x1bc\u200bd", "", "", "seeds/topics/domain/database.en.md:2:2: the text holds the character U+001B, which is a control character; delete it\nseeds/topics/domain/database.en.md:2:4: the text holds the character U+200B, which cannot be seen; delete it"},
		{"topics/domain/database.en.md", "a\nb\xffc", "", "", `seeds/topics/domain/database.en.md:2:2: this byte is not UTF-8; save the file as UTF-8`},
		{"topics/domain/database.en.md", "\ufeffx", "", "", `seeds/topics/domain/database.en.md:1:1: advice: the file begins with a byte-order mark; save it as UTF-8 without one; it is left out of all output`},
		{"topics/domain/database.en.md", "\xff\xfex", "", "", `seeds/topics/domain/database.en.md:1:1: the file is UTF-16; save it as UTF-8`},
		{"topics/domain/database.en.md~", "x", "", "", ""},
		{"articles/retry.en.md", article, "", "", ""},
		{"articles/con.en.md", article, "", "", `seeds/articles/con.en.md: the file's name does not say which article and language it is; name it articles/SLUG.LANG.md, as in articles/retry-storms.en.md`},
		{"articles/retry.md", article, "", "", `seeds/articles/retry.md: the file's name does not say which article and language it is; name it articles/SLUG.LANG.md, as in articles/retry-storms.en.md`},
		{"articles/2026/retry.en.md", article, "", "", `seeds/articles/2026/retry.en.md: the file's name does not say which article and language it is; name it articles/SLUG.LANG.md, as in articles/retry-storms.en.md`},
		{"articles/Retry.en.md", article, "", "", `seeds/articles/Retry.en.md: the file's name does not say which article and language it is; name it articles/SLUG.LANG.md, as in articles/retry-storms.en.md`},
		{"articles/재시도.ko.md", article, "", "", `seeds/articles/재시도.ko.md: the file's name does not say which article and language it is; name it articles/SLUG.LANG.md, as in articles/retry-storms.en.md`},
		{"articles/retry.en.md", article, "---\ntitle", "title", `seeds/articles/retry.en.md:1:1: the front matter is missing; begin the file with "---", lines such as "title: …", and "---" again`},
		{"articles/retry.en.md", article, "title: T", "titel: T", `seeds/articles/retry.en.md:2:1: there is no key "titel" here; did you mean "title"?`},
		{"articles/retry.en.md", article, "title: T\n", "", `seeds/articles/retry.en.md:1:1: the front matter has no "title"; add a line "title: …"`},
		{"articles/retry.en.md", article, "summary: S", "summary:", `seeds/articles/retry.en.md:3:1: this line of the front matter is not of the form key: value; write one of title, summary, published, updated, a colon and its value`},
		{"articles/retry.en.md", article, "summary: S", "title: U", "seeds/articles/retry.en.md:1:1: the front matter has no \"summary\"; add a line \"summary: …\"\nseeds/articles/retry.en.md:3:1: the key \"title\" stands here twice; keep one of the two"},
		{"articles/retry.en.md", article, "2026-01-02", "2026-02-30", `seeds/articles/retry.en.md:4:1: "2026-02-30" is no date that exists; write a date such as 2026-11-29`},
		{"articles/retry.en.md", article, "2026-01-02", "2026-1-2", `seeds/articles/retry.en.md:4:1: "2026-1-2" is not of the form YYYY-MM-DD, YYYY-MM or YYYY; write a date such as 2026-11-29`},
		{"articles/retry.en.md", article, "Body.", "", `seeds/articles/retry.en.md:5:1: the article is empty below its front matter; write its text`},
		{"articles/retry.en.md", article, "---\n\nBody", "Body", `seeds/articles/retry.en.md:1:1: the front matter is missing; begin the file with "---", lines such as "title: …", and "---" again`},
	} {
		text := tt.text
		if tt.from != "" {
			text = strings.Replace(text, tt.from, tt.to, 1)
		}
		_, got := report(library(map[string]string{tt.file: text}))
		if got != tt.want {
			t.Errorf("%s with %s\ngot\n%s", tt.file, tt.to, got)
		}
	}
}
