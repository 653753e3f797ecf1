// Package chart draws the numbers of a library as SVG: cases by year, times to
// recover on a logarithmic scale, the timeline of a case, a chain of
// recurrences, the bar of a row. Numbers go in, bytes come out: what is counted
// is the library's business, what is said of it the page's.
//
// A picture has no colours and no sizes of type of its own but classes, which
// the style sheet gives theirs. Coordinates are whole numbers, so that a picture
// is the same on every machine; every length is drawn from nothing, so that a
// bar twice as long stands for twice as much.
//
// All are drawn for a phone: 360 units are about the pixels there. Where there
// is more room the sheet sets smaller type, in units.
package chart

import (
	"bytes"
	"html"
	"strconv"
)

// width is that of every picture's view box.
const width = 360

// Labels are what a picture says to those who do not see it. ID is what the
// ids of the picture begin with.
type Labels struct{ ID, Title, About string }

// begin opens a picture of a kind, which its class names.
func begin(b *bytes.Buffer, kind string, height int, l Labels) {
	id := html.EscapeString(l.ID)
	put(b, `<svg class="chart `, kind, `" viewBox="0 0 `, strconv.Itoa(width), ` `, strconv.Itoa(height), `" role="img" aria-labelledby="`, id, `-title `, id, `-about">`,
		`<title id="`, id, `-title">`, html.EscapeString(l.Title), `</title><desc id="`, id, `-about">`, html.EscapeString(l.About), `</desc>`)
}

func put(b *bytes.Buffer, parts ...string) {
	for _, s := range parts {
		b.WriteString(s)
	}
}

func end(b *bytes.Buffer) []byte {
	b.WriteString("</svg>")
	return b.Bytes()
}

// rect draws a rectangle with a class, which may be "".
func rect(b *bytes.Buffer, class string, x, y, w, h int) {
	b.WriteString("<rect")
	if class != "" {
		put(b, ` class="`, class, `"`)
	}
	put(b, ` x="`, strconv.Itoa(x), `" y="`, strconv.Itoa(y), `" width="`, strconv.Itoa(w), `" height="`, strconv.Itoa(h), `"/>`)
}

// text writes a label with its middle at x, or as near to it as half its width
// lets it stand without leaving the picture.
func text(b *bytes.Buffer, class string, x, y, half int, s string) {
	textAt(b, class, min(max(x, half), width-half), y, s)
}

func textAt(b *bytes.Buffer, class string, x, y int, s string) {
	put(b, `<text class="`, class, `" x="`, strconv.Itoa(x), `" y="`, strconv.Itoa(y), `">`, html.EscapeString(s), `</text>`)
}

// flag writes a label of a length that is not known: to the right of x near the
// left edge, to the left of it near the right one.
func flag(b *bytes.Buffer, class string, x, y int, s string) {
	const margin = 100
	switch {
	case x < margin:
		class += " at-start"
	case x > width-margin:
		class += " at-end"
	}
	textAt(b, class, x, y, s)
}

// Bar is a part of a whole as the bar of a row, which the page gives its room;
// nothing is drawn of nothing. The number stands at its end in words, so nobody
// is told of it twice.
func Bar(part, whole int) []byte {
	if part <= 0 || whole <= 0 {
		return nil
	}
	return []byte(`<svg class="length" width="` + share(part, whole) + `%" height="12" aria-hidden="true"><rect width="100%" height="100%"/></svg>`)
}

// share is a percentage with one decimal; something is never drawn as nothing.
func share(part, whole int) string {
	tenths := min(max((part*2000+whole)/(2*whole), 5), 1000)
	if tenths%10 == 0 {
		return strconv.Itoa(tenths / 10)
	}
	return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10)
}

// Spent is the bar of a budget of which some percentage is used up. Where that
// is more than there was, the bar is all that was used: what was there, then
// what was beyond it.
func Spent(percentage float64) []byte {
	within, beyond := percentage, 0.0
	if percentage > 100 {
		within = 100 * 100 / percentage
		beyond = 100 - within
	}
	at := strconv.FormatFloat(within, 'f', 1, 64)
	return []byte(`<svg class="spent" aria-hidden="true"><rect class="within" width="` + at + `%" height="100%"/><rect class="beyond" x="` + at + `%" width="` +
		strconv.FormatFloat(beyond, 'f', 1, 64) + `%" height="100%"/></svg>`)
}
