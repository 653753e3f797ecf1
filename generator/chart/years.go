package chart

import (
	"bytes"
	"slices"
	"strconv"
)

// How wide a label is at the size of type of a phone, in units.
const (
	yearRoom  = 34
	digitRoom = 8
)

// Heights of the pictures of years: one that is looked at, and one that stands
// among words.
const (
	tall  = 132
	short = 78
)

// The room above the columns for their numbers, and below for the years.
const above, below = 17, 19

// widest keeps the columns of a few years from becoming walls.
const widest = 44

// Years are counts by year from First on, without a gap.
type Years struct {
	First  int
	Counts []int
	Small  bool // as it stands among words
}

// Draw draws a column for each year, with its number where there is room, else
// the greatest alone.
func (y Years) Draw(l Labels) []byte {
	var b bytes.Buffer
	height := tall
	if y.Small {
		height = short
	}
	begin(&b, "years", height, l)
	most := max(1, slices.Max(append([]int{1}, y.Counts...)))
	slot := min(width*10/max(1, len(y.Counts)), widest*10) // in tenths, so that all fit
	floor := height - below
	left := func(i int) int { return (i*slot + 5) / 10 }
	b.WriteString(`<g class="cols">`)
	for i, n := range y.Counts {
		if h := (n*(floor-above)*2 + most) / (2 * most); n > 0 {
			gap := max(1, (left(i+1)-left(i))/6)
			rect(&b, "", left(i), floor-max(h, 1), left(i+1)-left(i)-gap, max(h, 1))
		}
	}
	b.WriteString("</g>")
	rect(&b, "base", 0, floor, left(len(y.Counts)), 1)
	y.label(&b, left, func(n int) int { return floor - max(1, (n*(floor-above)*2+most)/(2*most)) - 4 }, most, height-4)
	return end(&b)
}

// label writes the numbers above the columns and the years below.
func (y Years) label(b *bytes.Buffer, left func(int) int, top func(int) int, most, bottom int) {
	slot := max(1, left(1)-left(0))
	all := len(strconv.Itoa(most))*digitRoom <= slot
	said := false
	every := 1
	for _, every = range []int{1, 2, 5, 10, 20, 50, 100} {
		if slot*every >= yearRoom {
			break
		}
	}
	for i, n := range y.Counts {
		x := (left(i) + left(i+1) - max(1, slot/6)) / 2
		if n > 0 && (all || n == most && !said) {
			text(b, "number", x, top(n), len(strconv.Itoa(n))*digitRoom/2, strconv.Itoa(n))
			said = said || n == most
		}
		if (y.First+i)%every == 0 {
			text(b, "tick", x, bottom, yearRoom/2, strconv.Itoa(y.First+i))
		}
	}
}
