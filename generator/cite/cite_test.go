package cite

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
)

func work() Work {
	return Work{ID: "IL-0001", Title: `100 % of {a_b} & #1 cost $5 \ ~ ^ "한글"`, Lang: incident.KO, Org: "R&D_x", Incident: incident.Date{Year: 2024, Month: 2},
		Site: "library", URL: "https://h.example/cases/IL-0001/?a={b}&c=%20_", Changed: time.Date(2026, 11, 29, 23, 0, 0, 0, time.UTC)}
}

// What means something to TeX is escaped, and braces stay in balance however
// the text has them.
func TestBibTeX(t *testing.T) {
	t.Parallel()
	want := `@misc{IL-0001,
  author = {{library}},
  title = {{IL-0001: 100 \% of \textbraceleft{}a\_b\textbraceright{} \& \#1 cost \$5 \textbackslash{} \textasciitilde{} \textasciicircum{} "한글"}},
  year = {2026},
  month = nov,
  note = {R\&D\_x, 2024-02},
  url = {https://h.example/cases/IL-0001/?a=%7Bb%7D&c=%20_},
  langid = {korean},
}
`
	if got := work().BibTeX(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, title := range []string{"{", "}", "}}{", `\}`, "a\nb"} {
		w := work()
		w.Title = title
		if b := w.BibTeX(); strings.Count(b, "{") != strings.Count(b, "}") || strings.Count(b, "\n") != strings.Count(want, "\n") {
			t.Errorf("%q breaks its entry:\n%s", title, b)
		}
	}
}

// A date that is not known to the day has no day, and nobody's access date is
// made up.
func TestCSL(t *testing.T) {
	t.Parallel()
	src := work().CSL()
	var got []map[string]any
	if err := json.Unmarshal([]byte(src), &got); err != nil || len(got) != 1 {
		t.Fatalf("%v in %s", err, src)
	}
	if got[0]["title"] != "IL-0001: "+work().Title || got[0]["accessed"] != nil {
		t.Errorf("%v", got[0])
	}
	if !strings.Contains(src, `  "event-date": {"date-parts":[[2024,2]]},`+"\n") || !strings.Contains(src, `  "issued": {"date-parts":[[2026,11,29]]},`+"\n") {
		t.Error(src)
	}
}

// FuzzCite cites a case of any texts: BibTeX is one entry of ten lines whose
// braces are in balance and whose letters are all there; CSL-JSON is read back as
// it was.
func FuzzCite(f *testing.F) {
	f.Add("{", "}}{", "https://h.example/{}", "\\input{x}")
	f.Add("a\nb @misc{x,", "%", "x", "R&D_\u2028")
	f.Fuzz(func(t *testing.T, title, org, url, site string) {
		for _, s := range []string{title, org, url, site} {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return incident.WhyForbidden(r) != "" }) {
				return // which no seed may hold
			}
		}
		w := work()
		w.Title, w.Org, w.Site = title, org, site
		b := w.BibTeX()
		depth, closed := 0, 0
		for _, r := range b {
			switch r {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					closed++
				}
			}
			if depth < 0 {
				break
			}
		}
		if depth != 0 || closed != 1 || strings.Count(b, "\n") != 9 {
			t.Errorf("%q %q %q is no entry:\n%s", title, org, site, b)
		}
		w.URL = url
		csl := w.CSL()
		var got []map[string]any
		if err := json.Unmarshal([]byte(csl), &got); err != nil || len(got) != 1 || got[0]["title"] != w.ID+": "+title || got[0]["URL"] != url || got[0]["container-title"] != site {
			t.Errorf("%v: %s", err, csl)
		}
	})
}
