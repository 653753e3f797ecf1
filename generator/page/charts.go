package page

import (
	"html/template"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/chart"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// How much of the library a chart shows. What is left out is said.
const (
	mostYears      = 40 // columns of years
	matrixRows     = 20
	matrixColumns  = 16
	teaserRows     = 8
	teaserColumns  = 6
	matrixShades   = 5
	fewestDrawn    = 3  // cases of a topic that are drawn over time
	longestYearGap = 60 // years that a list of years may span to show those without a case too
)

// counts are what the charts of all pages draw from: counted in one walk over
// the cases when a page first asks, whatever the number of pages and languages.
type counts struct {
	times func() []int64 // to recover, in seconds, the shortest first
	cross func() library.Cross
}

func newCounts(lib *library.Library) *counts {
	return &counts{
		times: sync.OnceValue(lib.Recoveries),
		cross: sync.OnceValue(func() library.Cross { return lib.Cross(incident.Components, incident.RootCause) }),
	}
}

// drawing is a picture with what is said below it and its numbers as a table.
type drawing struct {
	SVG     template.HTML
	Note    string
	Caption string // of the table
	Of      string // head of its first column
	Rows    []counted
}

// barsView is a table whose numbers are drawn as bars.
type barsView struct {
	Caption, Of string
	Rows        []counted
	Brief       bool // short names leave more room for the bars
}

// homeCharts are the charts of the home page.
type homeCharts struct {
	Years, Recovery *drawing
	YearsHref       string
	Causes          *barsView
	CausesHref      string
	Matrix          *matrixView
	MatrixHref      string
}

func (m *maker) homeCharts() homeCharts {
	return homeCharts{
		Years: m.libraryYears(), YearsHref: m.href(address.Years), Recovery: m.recovery(),
		Causes: m.causes(), CausesHref: m.href(address.Axis(incident.RootCause)),
		Matrix: m.matrix(teaserRows, teaserColumns), MatrixHref: m.href(address.Topics) + "#matrix",
	}
}

// said is a sentence of words.json with its holes filled: names and values in
// turn, "{from}", "2012".
func said(sentence string, pairs ...string) string {
	var b strings.Builder
	length := len(sentence)
	for _, s := range pairs {
		length += len(s)
	}
	b.Grow(length) // more than enough, unless a hole comes twice
	for {
		before, rest, _ := strings.Cut(sentence, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			b.WriteString(sentence)
			return b.String()
		}
		b.WriteString(before)
		hole := sentence[len(before) : len(before)+len(name)+2]
		value := hole
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == hole {
				value = pairs[i+1]
			}
		}
		b.WriteString(value)
		sentence = after
	}
}

func (m *maker) countOf(n int) string { return countText(n, nounCase(), m.lang) }

func (m *maker) libraryYears() *drawing {
	d := m.years(m.lib.Years(), false)
	if d != nil {
		for i, y := range m.lib.Years() {
			d.Rows[i].Href = m.href(address.Year(y.Year, 0))
		}
		d.Note = strings.TrimSpace(m.word("years-note") + " " + d.Note)
	}
	return d
}

// topicYears are a topic's cases over time; nil where there is no time to speak
// of.
func (m *maker) topicYears(ref incident.TermRef) *drawing {
	var years []library.Year
	if m.lib.Count(ref) < fewestDrawn {
		return nil
	}
	for _, c := range m.lib.Topic(ref) {
		if n := len(years); n == 0 || years[n-1].Year != c.Date.Year {
			years = append(years, library.Year{Year: c.Date.Year})
		}
		y := &years[len(years)-1]
		y.Cases = append(y.Cases, c)
	}
	return m.years(years, true)
}

// years draws the cases of each year, of which there are some, newest first; a
// year without any has its place too. Of a single year there is nothing to draw.
func (m *maker) years(years []library.Year, small bool) *drawing {
	if len(years) < 2 {
		return nil
	}
	last := years[0].Year
	first := max(years[len(years)-1].Year, last-mostYears+1)
	y := chart.Years{First: first, Counts: make([]int, last-first+1), Small: small}
	l := chart.Labels{ID: "years", Title: m.word("by-year")}
	d := &drawing{Caption: l.Title, Of: m.word("year")}
	earlier, most := 0, years[0]
	for _, year := range years {
		d.Rows = append(d.Rows, counted{Label: m.escaped(yearText(year.Year, m.lang)), Count: group(len(year.Cases))})
		if year.Year < first {
			earlier += len(year.Cases)
			continue
		}
		y.Counts[year.Year-first] = len(year.Cases)
		if len(year.Cases) >= len(most.Cases) {
			most = year
		}
	}
	if earlier > 0 {
		d.Note = said(m.word("years-earlier"), "{year}", yearText(first, m.lang), "{cases}", m.countOf(earlier))
	}
	l.About = said(m.word("years-about"), "{from}", yearText(first, m.lang), "{to}", yearText(last, m.lang),
		"{year}", yearText(most.Year, m.lang), "{cases}", m.countOf(len(most.Cases)))
	d.SVG = trusted(y.Draw(l))
	return d
}

// yearBars are all years as bars, newest first. A year between two others that
// has no case stands there with none, unless that would make the list long.
func (m *maker) yearBars() *barsView {
	v := &barsView{Caption: m.word("years-note"), Of: m.word("year"), Brief: true}
	years, most := m.lib.Years(), 0
	for _, y := range years {
		most = max(most, len(y.Cases))
	}
	for i, y := range years {
		if i > 0 && years[0].Year-years[len(years)-1].Year < longestYearGap {
			for empty := years[i-1].Year - 1; empty > y.Year; empty-- {
				v.Rows = append(v.Rows, counted{Label: m.escaped(yearText(empty, m.lang)), Count: "0", Bar: trusted(chart.Bar(0, most))})
			}
		}
		v.Rows = append(v.Rows, counted{Href: m.href(address.Year(y.Year, 0)), Label: m.escaped(yearText(y.Year, m.lang)),
			Count: group(len(y.Cases)), Bar: trusted(chart.Bar(len(y.Cases), most))})
	}
	return v
}

// causes are the root causes as bars, each of all cases; what has none is said.
func (m *maker) causes() *barsView {
	terms := m.counts.cross().Columns
	if len(terms) == 0 {
		return nil
	}
	known := 0
	for _, t := range terms {
		known += t.Count
	}
	caption := m.word("causes-caption")
	if rest := len(m.lib.Cases()) - known; rest > 0 {
		caption += " " + said(m.word("causes-rest"), "{cases}", m.countOf(rest))
	}
	return &barsView{Caption: caption, Of: m.word("root-cause"), Rows: m.bars(terms[:min(len(terms), matrixColumns)], terms[0].Count)}
}

// seenWith are the terms that a topic occurs with, each as the part of the
// topic's cases that it stands for.
func (m *maker) seenWith(ref incident.TermRef) *barsView {
	terms := m.lib.CoOccurring(ref)
	if len(terms) == 0 {
		return nil
	}
	all := m.lib.Count(ref)
	v := &barsView{Caption: said(m.word("seen-with-caption"), "{cases}", m.countOf(all)), Of: m.word("term"), Rows: m.bars(terms, all)}
	for i := range v.Rows {
		v.Rows[i].Axis = m.axes.of(terms[i].Term.Axis) // terms of two axes may share a label
	}
	return v
}

// bars are terms with their counts, drawn as parts of a whole.
func (m *maker) bars(terms []library.TermCount, whole int) []counted {
	out := make([]counted, len(terms))
	for i, t := range terms {
		out[i] = m.counted(m.lib.Collection().Vocabulary.Term(t.Term.Axis, t.Term.Slug), t.Count)
		out[i].Bar = trusted(chart.Bar(t.Count, whole))
	}
	return out
}

// matrixView is how often each component fails for each root cause: a table
// whose cells are shaded by their numbers.
type matrixView struct {
	Caption, Rest string
	Columns       []counted
	Rows          []matrixRow
}

type matrixRow struct {
	counted
	Cells []matrixCell
}

// matrixCell is how many cases a component and a root cause share, with the way
// to them; a cell without any is empty.
type matrixCell struct {
	Href, Title, Count string
	Shade              int
}

// leftOutOf names how many components and root causes a table leaves out.
func (m *maker) leftOutOf(rows, columns int) string {
	var parts []string
	if rows > 0 {
		parts = append(parts, countText(rows, nounComponent(), m.lang))
	}
	if columns > 0 {
		parts = append(parts, countText(columns, nounCause(), m.lang))
	}
	return strings.Join(parts, ", ")
}

// matrix shows the most frequent components and root causes, and says how many
// are left out; nil where no two occur together.
func (m *maker) matrix(rows, columns int) *matrixView {
	x := m.counts.cross()
	if x.Most == 0 {
		return nil
	}
	rows, columns = min(rows, len(x.Rows)), min(columns, len(x.Columns))
	v := &matrixView{Caption: m.word("matrix-caption"), Columns: m.bars(x.Columns[:columns], x.Most)}
	if rows < len(x.Rows) || columns < len(x.Columns) {
		v.Rest = said(m.word("matrix-rest"), "{what}", m.leftOutOf(len(x.Rows)-rows, len(x.Columns)-columns))
	}
	names := make([]string, columns)
	for j := range names {
		names[j] = m.terms.at(x.Columns[j].Term).label
	}
	for i, row := range m.bars(x.Rows[:rows], x.Most) {
		r := matrixRow{counted: row, Cells: make([]matrixCell, columns)}
		name := m.terms.at(x.Rows[i].Term).label
		for j := range r.Cells {
			if n := x.Cells[i][j]; n > 0 {
				r.Cells[j] = matrixCell{m.href(address.Filtered(x.Columns[j].Term, x.Rows[i].Term)), name + " × " + names[j], group(n),
					1 + (n-1)*matrixShades/x.Most}
			}
		}
		v.Rows = append(v.Rows, r)
	}
	return v
}
