package seed

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestWholeFile reads files that are no case, or are one in an odd encoding.
func TestWholeFile(t *testing.T) {
	const (
		empty  = "1:1: the file is empty; write a case: a JSON object with the fields of a case"
		mark   = "1:1: advice: the file begins with a byte-order mark; save it as UTF-8 without one; it is left out of all output"
		follow = ": something follows the end of the document; delete it, or a bracket that closes too much before it: a file holds one JSON value"
		utf8   = ": this byte is not UTF-8; save the file as UTF-8"
	)
	closed := strings.TrimSpace(baseCase)
	with := func(from, to string) string { return edited(t, from, to) }
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{empty}},
		{"blank", " \n", []string{empty}},
		{"only a byte-order mark", "\ufeff", []string{mark, empty}},
		{"byte-order mark", "\ufeff" + baseCase, []string{mark}},
		{"byte-order mark before a fault", "\ufeff" + with(`"IL-0123",`, `5,`), []string{mark, `2:9: /id: this is a number; write an id such as "IL-0123"`}},
		{"UTF-16", "\xff\xfe{\x00}\x00", []string{"1:1: the file is UTF-16; save it as UTF-8"}},
		{"UTF-16, the other way round", "\xfe\xff\x00{\x00}", []string{"1:1: the file is UTF-16; save it as UTF-8"}},
		{"null", "null", []string{"1:1: this is null; write a case: a JSON object with the fields of a case"}},
		{"list", "[]", []string{"1:1: this is a list; write a case: a JSON object with the fields of a case"}},
		{"string", `"IL-0123"`, []string{"1:1: this is a string; write a case: a JSON object with the fields of a case"}},
		{"no JSON", "hello", []string{`1:1: "hello" is no JSON; write strings as "…"`}},
		{"two objects", baseCase + baseCase, []string{"35:1" + follow}},
		{"word after the object", baseCase + " x", []string{"35:2" + follow}},
		{"bracket after the object", closed + "}", []string{"34:2" + follow}},
		{"comma after the object", closed + ",\n", []string{"34:2" + follow}},
		{"cut in a string", baseCase[:strings.Index(baseCase, "crash-looped")], []string{`8:19: /title/en: the string that begins here has no end; close it with "`}},
		{"cut in a list", baseCase[:strings.Index(baseCase, `{"url"`)], []string{"6:5: /docs: the document ends before it is complete; close what is open with ]}"}},
		{"cut after a comma", baseCase[:strings.Index(baseCase, `"lessons"`)], []string{"12:3: the document ends before it is complete; close what is open with }"}},
		{"Latin-1", with("쿠키런", "Caf\xe9"), []string{"3:14: /org" + utf8}},
		{"cut emoji", with("Rolled", "R\xf0\x9f\x98lled"), []string{"26:37: /remediation/0/text/en" + utf8}},
		{"key that is no UTF-8", with(`"lessons"`, "\"less\xffons\""), []string{"12:8" + utf8}},
		{"Windows line ends", strings.ReplaceAll(with(`"config-change"`, "5"), "\n", "\r\n"),
			[]string{"25:17: /root_cause: this is a number; write a term of the axis root_cause, or null"}},
		{"deep nesting in a place for a string", with(`"session"`, strings.Repeat(`{"a":`, 9000)+"1"+strings.Repeat(`}`, 9000)),
			[]string{"11:28: /review/written_by: this is an object; write a name"}},
		{"nesting beyond measure", with(`"session"`, strings.Repeat(`[`, 20000)), []string{"11:28: /review/written_by: this is a list; write a name",
			"11:10026: /review/written_by: this is not JSON: exceeded max depth; check the quotes, commas and brackets around it"}},
		{"list too long", with(`"docs": [`, `"docs": [`+strings.Repeat(`{"url": "https://example.com", "title": {"en": "Docs"}},`, 1000)),
			[]string{"5:11: /docs: the list has 1001 entries; write at most 1000"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, got := report(library(map[string]string{"cases/IL-0123.json": tt.text}))
			const file = "seeds/cases/IL-0123.json:"
			if want := file + strings.Join(tt.want, "\n"+file); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestHostileSize reads files made to cost time: the report stays short, and
// comes at once.
func TestHostileSize(t *testing.T) {
	for name, text := range map[string]string{
		"long list of wrong entries": edited(t, `["crash-loop"]`, "["+strings.Repeat("1,", 500000)+"1]"),
		"long list of one slug":      edited(t, `["crash-loop"]`, "["+strings.Repeat(`"crash-loop",`, 70000)+`"crash-loop"]`),
		"many unknown fields":        edited(t, `"lessons"`, strings.Repeat(`"lessons2":1,`, 70000)+`"lessons"`),
		"many fields twice":          edited(t, `"lessons"`, strings.Repeat(`"lessons":null,`, 60000)+`"lessons"`),
		"one long string of bad":     edited(t, "session", strings.Repeat("\u200b", 300000)),
		"many nested lists":          strings.Repeat("[", 1<<20-1),
		"long date":                  edited(t, "2023-11-08", strings.Repeat("9", 1<<20-len(baseCase))),
		"long duration":              edited(t, "1h 34m", strings.Repeat("1h ", 300000)),
		"long address":               edited(t, "https://example.com/post", "https://example.com/"+strings.Repeat("%", 1000000)),
		"two megabytes":              edited(t, "session", strings.Repeat("x", 2<<20)),
	} {
		start := time.Now()
		r, got := report(library(map[string]string{"cases/IL-0123.json": text}))
		if n := len(r.Problems); n == 0 || n > maxFaults+1 || len(got) > 300*n {
			t.Errorf("%s: %d problems in %d bytes", name, n, len(got))
		}
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: took %v", name, d)
		}
	}
}

func TestFileSizes(t *testing.T) {
	fsys := library(map[string]string{"cases/IL-0123.json": strings.Repeat(" ", 2<<20)})
	if _, got := report(fsys); got != "seeds/cases/IL-0123.json: the file has more than 1048576 bytes; make it shorter" {
		t.Error(got)
	}
	full := baseCase + strings.Repeat(" ", maxCase-len(baseCase))
	if _, got := report(library(map[string]string{"cases/IL-0123.json": full})); got != "" {
		t.Errorf("a file of just the limit: %s", got)
	}
}

// TestFolder reads folders with files that are no case, or stand twice.
func TestFolder(t *testing.T) {
	nfd := "cases/\u1112\u1161\u11ab.json" // 한, as a Mac names it
	for _, tt := range []struct {
		name  string
		files map[string]string
		ids   string
		want  string
	}{
		{"backups and hidden files", map[string]string{"cases/IL-0123.json": baseCase, "cases/IL-0123.json~": "x", "cases/IL-0123.json.bck": "x",
			"cases/4913": "x", "cases/.IL-0123.json.swp": "x", "cases/.#IL-0123.json": "x", "cases/#IL-0123.json#": "x",
			"cases/.git/x.json": "x", "cases/README.md": "x", "peers-vocab.json": "{", "cases2/IL-1.json": "x"}, "IL-0123", ""},
		{"sub-folders", map[string]string{"cases/2023/q4/IL-0123.json": baseCase}, "IL-0123", ""},
		{"an empty folder of cases", nil, "", ""},
		{"one id in two folders", map[string]string{"cases/a/IL-0123.json": baseCase, "cases/b/IL-0123.json": baseCase}, "IL-0123",
			"seeds/cases/b/IL-0123.json:2:9: /id: the id IL-0123 is taken by seeds/cases/a/IL-0123.json; give one of the two another id and file name"},
		{"one id in two folders, the first broken", map[string]string{"cases/a/IL-0123.json": "{}}", "cases/b/IL-0123.json": baseCase}, "",
			"seeds/cases/b/IL-0123.json:2:9: /id: the id IL-0123 is taken by seeds/cases/a/IL-0123.json; give one of the two another id and file name"},
		{"ending in capitals", map[string]string{"cases/IL-0123.JSON": baseCase}, "",
			`seeds/cases/IL-0123.JSON:2:9: /id: the id IL-0123 differs from the file's name "IL-0123.JSON"; rename the file to IL-0123.json, or mend the id`},
		{"decomposed Hangul", map[string]string{nfd: baseCase}, "",
			"seeds/" + nfd + ":2:9: /id: the id IL-0123 differs from the file's name \"\u1112\u1161\u11ab.json\"; rename the file to IL-0123.json, or mend the id"},
		{"name that rings the bell", map[string]string{"cases/IL-\a\x1b[31m.json": baseCase}, "",
			`seeds/cases/IL-\a\x1b[31m.json:2:9: /id: the id IL-0123 differs from the file's name "IL-\a\x1b[31m.json"; rename the file to IL-0123.json, or mend the id`},
		{"name that reorders text", map[string]string{"cases/\u202e.json": "{"}, "",
			`seeds/cases/\u202e.json:1:2: the document ends before it is complete; close what is open with }`},
		{"every fault of every file", map[string]string{"cases/IL-0001.json": "[", "cases/IL-0002.json": `"`, "vocab.json": "", "site.json": "{,}", "withdrawn.json": "5"}, "",
			"seeds/cases/IL-0001.json:1:1: this is a list; write a case: a JSON object with the fields of a case\n" +
				"seeds/cases/IL-0001.json:1:2: the document ends before it is complete; close what is open with ]\n" +
				"seeds/cases/IL-0002.json:1:1: the string that begins here has no end; close it with \"\n" +
				"seeds/cases/IL-0002.json:1:1: this is a string; write a case: a JSON object with the fields of a case\n" +
				"seeds/site.json:1:2: there is a comma too many; delete it\n" +
				"seeds/vocab.json:1:1: the file is empty; write {\"axes\": […]}\n" +
				"seeds/withdrawn.json:1:1: this is a number; write {\"withdrawn\": […]}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, got := report(library(tt.files))
			var ids []string
			for _, c := range r.Collection.Cases {
				ids = append(ids, c.ID)
			}
			if tt.name == "one id in two folders, the first broken" { // its 28 missing fields are not the point here
				got = got[strings.LastIndexByte(got, '\n')+1:]
			}
			if got != tt.want || strings.Join(ids, " ") != tt.ids {
				t.Errorf("got ids %q and\n%s\nwant ids %q and\n%s", ids, got, tt.ids, tt.want)
			}
		})
	}
}

func TestCasesIsNoFolder(t *testing.T) {
	if _, got := report(library(map[string]string{"cases": "x"})); got != "seeds/cases: this is not a folder; delete it, or put a folder in its place" {
		t.Error(got)
	}
}

func TestMissingFiles(t *testing.T) {
	_, got := report(fstest.MapFS{})
	if want := "seeds/cases: the folder of the cases is missing; put it back, or make it; --seeds names the folder that it stands in\n" +
		"seeds/site.json: the file is not there; write it\nseeds/vocab.json: the file is not there; write it"; got != want {
		t.Error(got)
	}
}

// TestDirs names the seeds folder in every way that a flag can.
func TestDirs(t *testing.T) {
	fsys := library(map[string]string{"cases/IL-0123.json": "{}}"})
	for dir, want := range map[string]string{"": "", ".": "", "./seeds/": "seeds/", "../x": "../x/", "/a/b": "/a/b/", "/": "/", "a\nb": `a\nb/`} {
		r := Read(fsys, dir, 1)
		r.Problems[0].Line, r.Problems[0].Pointer = 0, "/id"
		Place(fsys, dir, r.Problems[:1])
		if p := r.Problems[0]; p.File != want+"cases/IL-0123.json" || p.Line != 1 {
			t.Errorf("%q: %v", dir, p)
		}
		if got := r.Collection.File("vocab.json"); got != want+"vocab.json" {
			t.Errorf("%q: %s", dir, got)
		}
	}
}

// sealed is a file system that forbids one file.
type sealed struct {
	fs.FS
	name string
}

func (s sealed) Open(name string) (fs.File, error) {
	if name == s.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.FS.Open(name)
}

func TestUnreadable(t *testing.T) {
	for name, want := range map[string]string{
		"cases/IL-0123.json": "seeds/cases/IL-0123.json: the file cannot be read: permission denied; check its permissions",
		"cases/2023":         "seeds/cases/2023: the folder cannot be read: permission denied; check its permissions and its name",
		"cases":              "seeds/cases: the folder cannot be read: permission denied; check its permissions and its name",
	} {
		fsys := sealed{library(map[string]string{"cases/IL-0123.json": baseCase, "cases/2023/IL-0001.json": baseCase}), name}
		_, got := report(fsys)
		if !strings.Contains(got+"\n", want+"\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestOrder reads on one goroutine and on many: the result is the same.
func TestOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		id := fmt.Sprintf("IL-%04d", 9970+i)
		files["cases/"+id+".json"] = strings.Replace(edited(t, `"id": "IL-0123"`, `"id": "`+id+`"`), `"session"`, []string{`"session"`, "5"}[i%2], 1)
	}
	one, many := Read(library(files), "seeds", 1), Read(library(files), "seeds", 8)
	if fmt.Sprint(one.Problems) != fmt.Sprint(many.Problems) || len(one.Problems) != 30 || len(one.Unread) != 30 {
		t.Errorf("problems differ, or are not 30: %d, %d", len(one.Problems), len(many.Problems))
	}
	cases := one.Collection.Cases
	if len(cases) != 30 || cases[0].ID != "IL-9970" || cases[29].ID != "IL-10028" || many.Collection.Cases[29].ID != "IL-10028" {
		t.Errorf("cases are not in ascending order of ids")
	}
}
