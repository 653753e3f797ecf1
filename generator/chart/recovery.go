package chart

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The frame of the picture of recovery times: the label of a mark, the numbers
// of the columns, the columns, the axis.
const (
	recoveryHeight  = 146
	recoveryTop     = 36
	recoveryFloor   = 126
	recoveryLeft    = 6
	recoveryRight   = 354
	recoveryLabelAt = 12
)

const minute, hour, day = 60, 3600, 86400

// Edges are where the columns of recovery times begin and end, in seconds: each
// about twice the one before, at numbers that people say. What is shorter than
// the first or longer than the last counts in the column beside it.
func Edges() []int64 {
	return []int64{minute, 2 * minute, 4 * minute, 8 * minute, 15 * minute, 30 * minute,
		hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour, 32 * hour, 60 * hour, 5 * day, 10 * day, 20 * day, 40 * day}
}

// Column is the column that a time counts in.
func Column(seconds int64) int {
	edges := Edges()
	i, found := slices.BinarySearch(edges, seconds)
	if !found {
		i--
	}
	return min(max(i, 0), len(edges)-2)
}

// Tick is a time on the axis with its name.
type Tick struct {
	Seconds int64
	Text    string
}

// TickTimes are the times that the axis names.
func TickTimes() []int64 { return []int64{minute, 10 * minute, hour, 6 * hour, day, 7 * day, 30 * day} }

// at is where a time stands on the axis, which is logarithmic. Rounding to whole
// units is far coarser than what two machines' logarithms differ by.
func at(seconds int64) int {
	edges := Edges()
	first, last := edges[0], edges[len(edges)-1]
	seconds = min(max(seconds, first), last)
	part := math.Log(float64(seconds)/float64(first)) / math.Log(float64(last)/float64(first))
	return recoveryLeft + int(math.Round(part*(recoveryRight-recoveryLeft)))
}

// Recovery are how many cases each column of times has, and the axis below.
type Recovery struct {
	Counts []int // by column, one fewer than [Edges]
	Ticks  []Tick
}

// Mark is a time that a picture points out.
type Mark struct {
	Seconds int64
	Text    string
}

// Draw draws the times of all cases with one marked.
func (r Recovery) Draw(m Mark, l Labels) []byte {
	var b bytes.Buffer
	begin(&b, "recovery", recoveryHeight, l)
	r.plot(&b)
	m.draw(&b)
	r.label(&b)
	return end(&b)
}

func (r Recovery) most() int { return slices.Max(append([]int{1}, r.Counts...)) }

// height is that of a column of n cases; a single one of many is still seen.
func (r Recovery) height(n int) int {
	return max(1, (n*(recoveryFloor-recoveryTop)*2+r.most())/(2*r.most()))
}

// plot draws the columns and the axis.
func (r Recovery) plot(b *bytes.Buffer) {
	edges := Edges()
	b.WriteString(`<g class="cols">`)
	for i, n := range r.Counts {
		if h := r.height(n); n > 0 {
			rect(b, "", at(edges[i]), recoveryFloor-h, at(edges[i+1])-at(edges[i])-2, h)
		}
	}
	b.WriteString("</g>")
	rect(b, "base", 0, recoveryFloor, width, 1)
	for _, t := range r.Ticks {
		rect(b, "base", at(t.Seconds), recoveryFloor, 1, 4)
		text(b, "tick", at(t.Seconds), recoveryHeight-3, 12, t.Text)
	}
}

// label writes the numbers above the columns, and above a mark that crosses one:
// their outline is drawn first.
func (r Recovery) label(b *bytes.Buffer) {
	edges := Edges()
	b.WriteString(`<g class="outlined" paint-order="stroke">`)
	for i, n := range r.Counts {
		if n > 0 {
			text(b, "number", (at(edges[i])+at(edges[i+1]))/2-1, recoveryFloor-r.height(n)-4, digitRoom, strconv.Itoa(n))
		}
	}
	b.WriteString("</g>")
}

// draw points at a time from above.
func (m Mark) draw(b *bytes.Buffer) {
	x := at(m.Seconds)
	put(b, `<path class="mark" d="M`, strconv.Itoa(x), ` `, strconv.Itoa(recoveryLabelAt+5), `V`, strconv.Itoa(recoveryFloor), `"/>`)
	flag(b, "marked", x, recoveryLabelAt, m.Text)
}

// The parts of a sheet. A mark stands over the columns and under their numbers.
const (
	sheetColumns = "columns"
	sheetNumbers = "numbers"
)

// Sheet is the picture without a mark as a file of its own. A page of a case
// shows it by [OnSheet] and says nothing of the others in its own bytes, so that
// one case's time does not change the pages of all. A file has no part in the
// style sheet of the page that shows it, but the page's custom properties reach
// into it: so it names them, with what stands in where there is no page.
func (r Recovery) Sheet() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><g id="%s">`, width, recoveryHeight, sheetColumns)
	r.plot(&b)
	fmt.Fprintf(&b, `</g><g id="%s">`, sheetNumbers)
	r.label(&b)
	b.WriteString("</g></svg>\n")
	s := strings.NewReplacer(
		`class="cols"`, `fill="var(--chart-column,#888)"`,
		`class="base"`, `fill="var(--chart-base,#888)"`,
		`class="tick"`, `fill="var(--soft,#666)" text-anchor="middle"`,
		`class="number"`, `fill="var(--ink,#222)" text-anchor="middle"`,
		`class="outlined"`, `stroke="var(--paper,#fff)" stroke-width="3"`,
	).Replace(b.String())
	return []byte(s)
}

// OnSheet shows a sheet, which is published at an address, with a time marked on
// it. Where the mark stands depends on that time alone.
func OnSheet(href string, m Mark, l Labels) []byte {
	var b bytes.Buffer
	href = html.EscapeString(href)
	begin(&b, "recovery", recoveryHeight, l)
	put(&b, `<use href="`, href, `#`, sheetColumns, `"/>`)
	m.draw(&b)
	put(&b, `<use href="`, href, `#`, sheetNumbers, `"/>`)
	return end(&b)
}
