package card

import (
	"image"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Where things stand, in pixels.
const (
	margin    = 72
	headBase  = 116 // the base line of the site's name and the id
	headSize  = 36
	titleTop  = 176
	titleMost = 4   // lines
	level     = 474 // where the line is that the outage draws
	line      = 5   // how thick it is
	depth     = 76  // how far it falls
	footBase  = 558
	footSize  = 34
	causeSize = 31
	gap       = 28
)

// card draws a whole card.
func (v *canvas) card(c Card) {
	c = Card{clean(c.Site), clean(c.ID), clean(c.Title), clean(c.Org), clean(c.Date), clean(c.Cause)}
	v.head(c)
	v.title(c.Title)
	v.foot(c, v.outage(c.Cause))
}

// clean is a text as it can be drawn: composed, in one line, without characters
// that are not seen.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r) || r >= 0xFE00 && r <= 0xFE0F {
			return -1
		}
		return r
	}, s)
	return norm.NFC.String(strings.Join(strings.Fields(s), " "))
}

// head is the mark of the site with its name, and the case's id.
func (v *canvas) head(c Card) {
	const side = 64
	v.mark(image.Pt(margin, headBase-side+16))
	room := Width - 2*margin - side - 20
	if c.ID != "" {
		w := v.width(c.ID, headSize)
		v.write(c.ID, headSize, Width-margin-w, headBase, mark())
		room -= w + gap
	}
	v.write(v.cut(c.Site, headSize, room), headSize, margin+side+20, headBase, text())
}

// mark draws the site's icon, twice as large: level, a fall, a while below with
// what was lost above it, level again.
func (v *canvas) mark(at image.Point) {
	v.rounded(image.Rect(0, 0, 64, 64).Add(at), 12, text())
	v.rect(image.Rect(24, 18, 40, 41).Add(at), mark())
	for _, r := range []image.Rectangle{image.Rect(8, 15, 25, 21), image.Rect(19, 15, 25, 47), image.Rect(19, 41, 45, 47), image.Rect(39, 15, 45, 47), image.Rect(39, 15, 56, 21)} {
		v.rect(r.Add(at), carved())
	}
}

// title writes the title as large as four lines let it be. One that is too long
// for the smallest size ends in "…".
func (v *canvas) title(s string) {
	var words []word
	for _, text := range strings.Fields(s) {
		words = append(words, word{text, v.advances(text, nil)})
	}
	size, lines := 0, []string(nil)
	for _, size = range []int{68, 60, 54, 48, 44, 40} {
		if lines = v.wrapped(words, size); len(lines) <= titleMost {
			break
		}
	}
	if len(lines) > titleMost {
		rest := strings.Join(lines[titleMost-1:], " ")
		lines = append(lines[:titleMost-1], v.cut(rest, size, Width-2*margin))
	}
	step := size * 21 / 16
	// Centred in its field, a little above the middle.
	y := titleTop + (level-40-titleTop-step*len(lines))*2/5 + size*15/16
	for _, line := range lines {
		v.write(line, size, margin, y, text())
		y += step
	}
}

// word is a word and how wide it is, in units of the font.
type word struct {
	text  string
	units int
}

// wrapped breaks a text into lines between words; in Korean, too, no word is
// broken unless it is wider than a line.
func (v *canvas) wrapped(words []word, size int) []string {
	const room = Width - 2*margin
	var lines []string
	space := v.letter(' ').advance
	line, units := "", 0
	for _, w := range words {
		if line != "" && v.pixels(units+space+w.units, size) <= room {
			line, units = line+" "+w.text, units+space+w.units
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for line, units = w.text, w.units; v.pixels(units, size) > room; units = v.advances(line, nil) {
			n := v.fitting(line, size, room)
			lines, line = append(lines, line[:n]), line[n:]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// fitting is how many bytes of a text fit into a width: at least a character.
func (v *canvas) fitting(s string, size, room int) int {
	n, units := 0, 0
	for i, r := range s {
		if units += v.letter(r).advance; i > 0 && v.pixels(units, size) > room {
			break
		}
		n = i + len(string(r))
	}
	return n
}

// cut is a text that fits into a width; one that does not ends in "…", after a
// word where that loses little.
func (v *canvas) cut(s string, size, room int) string {
	if v.width(s, size) <= room {
		return s
	}
	const dots = "…"
	part := s[:v.fitting(s, size, max(0, room-v.width(dots, size)))]
	if i := strings.LastIndexByte(part, ' '); i > len(part)*3/4 {
		part = part[:i]
	}
	return strings.TrimRight(part, " ,.;:·(") + dots
}

// outage draws the line that an outage draws, with the cause in what was lost,
// and returns where on the left it falls.
func (v *canvas) outage(cause string) int {
	cause = v.cut(cause, causeSize, (Width-2*margin)*6/10)
	w := v.width(cause, causeSize) + 48
	if cause == "" {
		w = depth
	}
	const tail = 56 // of the line, on the right
	lost := image.Rect(Width-margin-tail-w, level, Width-margin-tail, level+depth)
	v.rect(lost, mark())
	for _, r := range []image.Rectangle{
		image.Rect(margin, level, lost.Min.X, level+line),
		image.Rect(lost.Min.X-line, level, lost.Min.X, lost.Max.Y+line),
		image.Rect(lost.Min.X-line, lost.Max.Y, lost.Max.X+line, lost.Max.Y+line),
		image.Rect(lost.Max.X, level, lost.Max.X+line, lost.Max.Y+line),
		image.Rect(lost.Max.X, level, Width-margin, level+line),
	} {
		v.rect(r, text())
	}
	v.write(cause, causeSize, lost.Min.X+24, level+depth/2+causeSize*11/32, carved())
	return lost.Min.X - line
}

// foot says whose incident it was and when, left of where the line falls.
func (v *canvas) foot(c Card, right int) {
	room := right - gap - margin
	if c.Date != "" {
		room -= v.width(c.Date, footSize) + gap
	}
	x := margin
	if c.Org != "" {
		x = v.write(v.cut(c.Org, footSize, room), footSize, x, footBase, text()) + gap
	}
	v.write(c.Date, footSize, x, footBase, quiet())
}
