package chart

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// The frame of a chain: the incidents on a line, the years below.
const (
	chainHeight = 46
	chainLine   = 14
	dot         = 6 // half of what an incident is drawn as
)

// Link is an incident in a chain. A date that is known to the month or the year
// is drawn as long as that is.
type Link struct {
	From, To time.Time // the first and the last day that it may have been
	Here     bool
}

// Chain draws incidents, oldest first, on an axis of whole years.
func Chain(links []Link, l Labels) []byte {
	var b bytes.Buffer
	begin(&b, "chain", chainHeight, l)
	if len(links) > 0 {
		drawChain(&b, links)
	}
	return end(&b)
}

func drawChain(b *bytes.Buffer, links []Link) {
	first, last := links[0].From.Year(), links[0].To.Year()
	for _, k := range links {
		first, last = min(first, k.From.Year()), max(last, k.To.Year())
	}
	from := days(time.Date(first, 1, 1, 0, 0, 0, 0, time.UTC))
	whole := days(time.Date(last+1, 1, 1, 0, 0, 0, 0, time.UTC)) - from
	x := func(t time.Time) int { return dot + int((days(t)-from)*(width-2*dot)/whole) }
	rect(b, "base", 0, chainLine, width, 1)
	every := 1
	for _, every = range []int{1, 2, 5, 10, 20, 50, 100} {
		if (width-2*dot)*every/(last+1-first) >= yearRoom {
			break
		}
	}
	for year := first; year <= last+1; year++ {
		if year%every == 0 || last-first < 2 {
			at := x(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC))
			rect(b, "base", at, chainLine-3, 1, 7)
			text(b, "tick", at, chainHeight-6, yearRoom/2, strconv.Itoa(year))
		}
	}
	// What is known to the year lies below what is known to the day, and this
	// case above all, where they meet.
	links = slices.Clone(links)
	slices.SortStableFunc(links, func(a, b Link) int {
		switch {
		case a.Here:
			return 1
		case b.Here:
			return -1
		}
		return cmp.Compare(b.To.Sub(b.From), a.To.Sub(a.From))
	})
	for _, k := range links {
		class := "knot"
		if k.Here {
			class = "knot here"
		}
		fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, class, x(k.From)-dot, chainLine-dot, x(k.To)-x(k.From)+2*dot, 2*dot, dot)
	}
}

// days counts days from some day on.
func days(t time.Time) int64 { return t.Unix() / day }
