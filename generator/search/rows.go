package search

import (
	"strings"

	"benchlet.com/incidentlib/generator/escape"
	"benchlet.com/incidentlib/generator/incident"
)

// How many characters of a summary a result shows.
const (
	leadEN = 160
	leadKO = 110
)

// rows appends what results show of some documents.
func (x *Index) rows(b []byte, docs []document, l incident.Lang) []byte {
	for i := range docs {
		b = x.row(append(b, "[,"[min(i, 1)]), docs[i].of, l)
	}
	return append(b, "]\n"...)
}

// row appends what a result shows of a case: id, organisation and its slug, date,
// root cause, title, beginning of the summary; then, where a text is not in the
// language asked for, the language of the title and that of the summary.
func (x *Index) row(b []byte, c *incident.Case, l incident.Lang) []byte {
	title, in := c.Title.Best(l)
	summary, from := c.Summary.Best(l)
	b = append(b, '[')
	for _, s := range [...]string{c.ID, c.Org, c.OrgSlug, c.Date.String(), c.RootCause, x.plain.PlainLine(title)} {
		b = append(escape.JSON(b, s), ',')
	}
	b = escape.JSON(b, lead(x.plain.PlainStart(summary, leadEN+1), from))
	if in != l || from != l {
		b = append(b, ',')
		b = append(escape.JSON(b, string(in)), ',')
		b = escape.JSON(b, string(from))
	}
	return append(b, ']')
}

// lead is the beginning of a text, cut at a word.
func lead(s string, l incident.Lang) string {
	limit := leadEN
	if l == incident.KO {
		limit = leadKO
	}
	space, n := 0, 0
	for at, r := range s {
		if r == ' ' {
			space = at
		}
		if n++; n > limit {
			if space == 0 {
				space = at
			}
			return strings.TrimRight(s[:space], " ,;:.") + "…"
		}
	}
	return s
}
