package figure

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
)

// The frame of a panel, in units of its view box. assets/storm.js draws into
// the same frame.
const (
	width, height            = 320, 176
	left, right, top, bottom = 34, 312, 12, 150
)

// Labels are what a picture says to those who do not see it. ID is what the
// ids of the picture begin with.
type Labels struct{ ID, Title, About string }

// Panel draws a variant on the scale of the whole storm, so that panels can be
// set beside each other.
func (s *Storm) Panel(v *Variant, l Labels) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg class="panel" viewBox="0 0 %d %d" role="img" aria-labelledby="%[3]s-title %[3]s-about">`, width, height, html.EscapeString(l.ID))
	fmt.Fprintf(&b, `<title id="%s-title">%s</title><desc id="%[1]s-about">%[3]s</desc>`, html.EscapeString(l.ID), html.EscapeString(l.Title), html.EscapeString(l.About))
	s.plot(&b, v)
	b.WriteString("</svg>")
	return b.Bytes()
}

// plot draws what is within the frame: the time of the degradation as a band,
// then the calls, before them the failures, and the capacity as a line.
func (s *Storm) plot(b *bytes.Buffer, v *Variant) {
	scale := s.scale()
	n := len(v.CallsBy)
	from, to := x(s.DegradedFrom, n), x(s.DegradedFrom+s.DegradedMinutes, n)
	fmt.Fprintf(b, `<rect class="band" x="%s" y="%d" width="%s" height="%d"/>`, number(from), top, number(to-from), bottom-top)
	b.WriteString(`<g class="ys">`)
	for i := range 4 {
		at := y(float64(scale*i)/3, scale)
		fmt.Fprintf(b, `<path class="grid" d="M%d %sH%d"/><text x="%d" y="%s">%d</text>`, left, number(at), right, left-6, number(at+4), scale*i/3)
	}
	b.WriteString(`</g><g class="xs">`)
	for minute := 0; minute <= n; minute += 15 {
		fmt.Fprintf(b, `<text x="%s" y="%d">%d</text>`, number(x(minute, n)), bottom+17, minute)
	}
	fmt.Fprintf(b, `</g><path class="calls" d="%s"/><path class="fails" d="%s"/>`, steps(v.CallsBy, scale), steps(v.FailuresBy, scale))
	fmt.Fprintf(b, `<path class="cap" d="M%d %sH%d"/>`, left, number(y(float64(s.Capacity), scale)), right)
}

// scale is the top of the vertical axis, in calls a second: three even parts
// that the busiest minute fits below.
func (s *Storm) scale() int {
	most := s.Capacity
	for _, v := range s.Variants {
		for _, calls := range v.CallsBy {
			most = max(most, (calls+59)/60)
		}
	}
	return (most + 299) / 300 * 300
}

// steps is an area under counts by the minute, as a rate a second.
func steps(counts []int, scale int) string {
	b := []byte("M" + strconv.Itoa(left) + " " + strconv.Itoa(bottom))
	for i, c := range counts {
		b = append(b, 'V')
		b = append(b, number(y(float64(c)/60, scale))...)
		b = append(b, 'H')
		b = append(b, number(x(i+1, len(counts)))...)
	}
	return string(b) + "V" + strconv.Itoa(bottom) + "Z"
}

func x(minute, of int) float64 { return left + float64(right-left)*float64(minute)/float64(of) }

func y(rate float64, scale int) float64 {
	return bottom - float64(bottom-top)*rate/float64(scale)
}

// number is short and the same on every machine.
func number(f float64) string {
	s := strconv.FormatFloat(f, 'f', 1, 64)
	if n := len(s) - 2; s[n:] == ".0" {
		return s[:n]
	}
	return s
}

// Sheet is the whole storm as one picture for use outside of the site: it
// brings the site's colours with it.
func (s *Storm) Sheet() []byte {
	var b bytes.Buffer
	rows := (len(s.Variants) + 1) / 2
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><title>Retry storm: upstream calls (grey) and failures shown (red) a second, by the minute</title><style>%s</style><rect class="paper" width="100%%" height="100%%"/>`,
		2*(width+10), rows*(height+26), sheetStyle)
	for i := range s.Variants {
		v := &s.Variants[i]
		fmt.Fprintf(&b, "\n"+`<g transform="translate(%d %d)"><text class="name" x="%d" y="0">%s · %s×</text>`, i%2*(width+10), i/2*(height+26)+22, left, html.EscapeString(v.Name), strconv.FormatFloat(float64(v.Calls)/float64(v.Messages), 'f', 2, 64))
		s.plot(&b, v)
		b.WriteString("</g>")
	}
	b.WriteString("\n</svg>\n")
	return b.Bytes()
}

const sheetStyle = `:root{color-scheme:light dark;--paper:#fbfcfc;--ink:#0e1a21;--soft:#4a5a64;--line:#d2dbdf;--band:#e6ecee;--mark:#c2331a;--calls:#a5b4bc}` +
	`@media (prefers-color-scheme:dark){:root{--paper:#0d1418;--ink:#e6edf0;--soft:#a3b3bc;--line:#2c3b45;--band:#1c2931;--mark:#ff7f60;--calls:#5c6f7b}}` +
	`.paper{fill:var(--paper)}.band{fill:var(--band)}.grid{stroke:var(--line)}.calls{fill:var(--calls)}.fails{fill:var(--mark)}.cap{stroke:var(--ink);stroke-dasharray:4 3}` +
	`text{fill:var(--soft);font:10px ui-monospace,monospace}.ys text{text-anchor:end}.xs text{text-anchor:middle}.name{fill:var(--ink);font-size:12px;font-weight:600}`
