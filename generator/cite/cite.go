// Package cite writes how to cite a case, for the programs that keep references:
// BibTeX and CSL-JSON. The year of a citation is that of the text that is cited,
// which is when the case was last changed; when the incident was stands beside
// it. Nobody's access date is made up: who cites knows when they read.
package cite

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/incident"
)

// Work is a case as citations see it. Its texts are plain.
type Work struct {
	ID       string
	Title    string
	Lang     incident.Lang // of the title
	Org      string
	Incident incident.Date
	Site     string
	URL      string
	Changed  time.Time
}

// BibTeX is an entry for BibTeX and biblatex, in UTF-8.
func (w Work) BibTeX() string {
	var b strings.Builder
	field := func(name, value string) { b.WriteString("  " + name + " = " + value + ",\n") }
	b.WriteString("@misc{" + w.ID + ",\n")
	field("author", "{{"+bibText(w.Site)+"}}") // one name, not a family's and a given one
	field("title", "{{"+bibText(w.ID+": "+w.Title)+"}}")
	field("year", "{"+strconv.Itoa(w.Changed.Year())+"}")
	field("month", strings.ToLower(w.Changed.Month().String()[:3]))
	field("note", "{"+bibText(w.Org+", "+w.Incident.String())+"}")
	field("url", "{"+bibAddress(w.URL)+"}")
	field("langid", "{"+bibLanguage(w.Lang)+"}")
	b.WriteString("}\n")
	return b.String()
}

// bibText escapes what means something to TeX. Braces have to stay in balance
// even where they are escaped, as BibTeX counts them; so they are named instead.
func bibText(s string) string {
	if !strings.ContainsAny(s, "\\{}~^#$%&_\n") {
		return s // as most
	}
	return strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\textbraceleft{}`, "}", `\textbraceright{}`,
		"~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
		"#", `\#`, "$", `\$`, "%", `\%`, "&", `\&`, "_", `\_`, "\n", " ").Replace(s)
}

// bibAddress encodes what an address would do to the entry around it.
func bibAddress(url string) string {
	if !strings.ContainsAny(url, `{}\`) {
		return url
	}
	return strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C").Replace(url)
}

func bibLanguage(l incident.Lang) string {
	if l == incident.KO {
		return "korean"
	}
	return "english"
}

// CSL is a list of one entry of CSL-JSON 1.0.2, as Zotero, Pandoc and others read
// it, with a field a line.
func (w Work) CSL() (string, error) {
	event := []int{w.Incident.Year}
	if w.Incident.Month > 0 {
		event = append(event, w.Incident.Month)
	}
	if w.Incident.Day > 0 {
		event = append(event, w.Incident.Day)
	}
	year, month, day := w.Changed.Date()
	b := bytes.NewBufferString("[{")
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for i, f := range []struct {
		name  string
		value any
	}{
		{"id", w.ID}, {"type", "webpage"}, {"title", w.ID + ": " + w.Title}, {"author", []name{{w.Site}}}, {"container-title", w.Site},
		{"issued", date{[][]int{{year, int(month), day}}}}, {"event-date", date{[][]int{event}}}, {"note", w.Org + ", " + w.Incident.String()},
		{"URL", w.URL}, {"language", w.Lang},
	} {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  \"" + f.name + `": `)
		if err := e.Encode(f.value); err != nil {
			return "", err
		}
		b.Truncate(b.Len() - 1) // the encoder's end of line
	}
	b.WriteString("\n}]\n")
	return b.String(), nil
}

type name struct {
	Literal string `json:"literal"`
}

type date struct {
	Parts [][]int `json:"date-parts"`
}
