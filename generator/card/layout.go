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
	titleMost = 4 // lines
	pulseY    = 484
	footBase  = 566
	footSize  = 34
	chipSize  = 30
	gap       = 28
)

// card draws a whole card.
func (v *canvas) card(c Card) {
	c = Card{clean(c.Site), clean(c.ID), clean(c.Title), clean(c.Org), clean(c.Date), clean(c.Cause)}
	v.head(c)
	v.title(c.Title)
	v.pulse()
	v.foot(c)
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
	const side = 60
	box := image.Rect(margin, headBase-46, margin+side, headBase-46+side)
	v.rounded(box, 12, mark())
	v.stroke(pulsePoints(box.Min.X, box.Min.Y, side*2), 64*5, carved())
	room := Width - 2*margin - side - 20
	if c.ID != "" {
		w := v.width(c.ID, headSize)
		v.write(c.ID, headSize, Width-margin-w, headBase, mark())
		room -= w + gap
	}
	v.write(v.cut(c.Site, headSize, room), headSize, box.Max.X+20, headBase, text())
}

// pulsePoints is the line of the site's icon: steady, a fault, steady again. The
// icon is 32 units wide, which are unit 64ths of a pixel each.
func pulsePoints(x, y, unit int) []image.Point {
	points := []image.Point{{5, 20}, {11, 20}, {14, 9}, {19, 25}, {22, 16}, {27, 16}}
	for i, p := range points {
		points[i] = image.Pt(64*x+p.X*unit, 64*y+p.Y*unit)
	}
	return points
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
	y := titleTop + (pulseY-40-titleTop-step*len(lines))*2/5 + size*15/16
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

// pulse is the line between what happened and who and when it was.
func (v *canvas) pulse() {
	const half, unit = 2, 64 * 3
	x, y := Width-margin-300, pulseY
	left, right := 64*x+11*unit, 64*x+22*unit
	level := func(n int) int { return 64*y + (n-20)*unit }
	v.rect(image.Rect(margin, y-half, left/64, y+half), mark())
	v.rect(image.Rect(right/64, y-half, Width-margin, y+half), mark())
	v.stroke([]image.Point{{left, level(20)}, {64*x + 14*unit, level(7)}, {64*x + 18*unit, level(29)}, {right, level(20)}}, 64*2*half, mark())
}

// foot says whose incident it was and when, and on the right why.
func (v *canvas) foot(c Card) {
	room := Width - 2*margin
	if c.Cause != "" {
		cause := v.cut(c.Cause, chipSize, room/2)
		w := v.width(cause, chipSize) + 44
		chip := image.Rect(Width-margin-w, footBase-40, Width-margin, footBase+16)
		v.rounded(chip, 28, mark())
		v.write(cause, chipSize, chip.Min.X+22, footBase-1, carved())
		room -= w + gap
	}
	if c.Date != "" {
		w := v.width(c.Date, footSize)
		room -= w + gap
	}
	x := margin
	if c.Org != "" {
		x = v.write(v.cut(c.Org, footSize, room), footSize, x, footBase, text()) + gap
	}
	v.write(c.Date, footSize, x, footBase, quiet())
}
