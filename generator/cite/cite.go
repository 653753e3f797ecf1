// Package cite writes how to cite a case, for the programs that keep references:
// BibTeX and CSL-JSON. The year of a citation is that of the text that is cited,
// which is when the case was last changed; when the incident was stands beside
// it. Nobody's access date is made up: who cites knows when they read.
package cite

import (
	"strconv"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/escape"
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
	b.Grow(512)
	field := func(name, value string) {
		for _, s := range [...]string{"  ", name, " = ", value, ",\n"} {
			b.WriteString(s)
		}
	}
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
func (w Work) CSL() string {
	year, month, day := w.Changed.Date()
	b := append(make([]byte, 0, 1024), '[')
	before := byte('{')
	field := func(name string) {
		b = append(append(append(append(b, before), "\n  \""...), name...), `": `...)
		before = ','
	}
	text := func(name, s string) {
		field(name)
		b = escape.JSON(b, s)
	}
	dated := func(name string, d incident.Date) {
		field(name)
		b = strconv.AppendInt(append(b, `{"date-parts":[[`...), int64(d.Year), 10)
		if d.Month > 0 {
			b = strconv.AppendInt(append(b, ','), int64(d.Month), 10)
		}
		if d.Day > 0 {
			b = strconv.AppendInt(append(b, ','), int64(d.Day), 10)
		}
		b = append(b, "]]}"...)
	}
	text("id", w.ID)
	text("type", "webpage")
	text("title", w.ID+": "+w.Title)
	field("author")
	b = append(escape.JSON(append(b, `[{"literal":`...), w.Site), "}]"...)
	text("container-title", w.Site)
	dated("issued", incident.Date{Year: year, Month: int(month), Day: day})
	dated("event-date", w.Incident)
	text("note", w.Org+", "+w.Incident.String())
	text("URL", w.URL)
	text("language", string(w.Lang))
	return string(append(b, "\n}]\n"...))
}
