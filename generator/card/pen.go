package card

import (
	"image"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// maskSize is the longest side of a mask that vector fills in fixed point.
const maskSize = 512

// pen collects an outline in 64ths of a pixel and fills it.
type pen struct {
	lines  []fixed.Point26_6 // of all contours
	starts []int             // where each contour begins
	raster vector.Rasterizer
	mask   image.Alpha
}

func (p *pen) reset() { p.lines, p.starts = p.lines[:0], p.starts[:0] }

func (p *pen) moveTo(at fixed.Point26_6) {
	p.starts = append(p.starts, len(p.lines))
	p.lines = append(p.lines, at)
}

func (p *pen) lineTo(at fixed.Point26_6) { p.lines = append(p.lines, at) }

// curveSteps is how many lines stand for a curve. The largest letter is some 70
// pixels high; its bows are smooth.
const curveSteps = 8

// curveTo adds a Bézier curve of degree 2 or 3 by its other points, as lines.
func (p *pen) curveTo(points ...fixed.Point26_6) {
	from := p.lines[len(p.lines)-1]
	for t := int64(1); t <= curveSteps; t++ {
		s := int64(curveSteps) - t
		var weights [4]int64
		switch len(points) {
		case 2:
			weights = [4]int64{s * s, 2 * s * t, t * t}
		default:
			weights = [4]int64{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}
		}
		x, y, sum := weights[0]*int64(from.X), weights[0]*int64(from.Y), weights[0]
		for i, q := range points {
			x, y, sum = x+weights[i+1]*int64(q.X), y+weights[i+1]*int64(q.Y), sum+weights[i+1]
		}
		p.lineTo(fixed.Point26_6{X: fixed.Int26_6(x / sum), Y: fixed.Int26_6(y / sum)})
	}
}

// bounds are the pixels that the outline touches.
func (p *pen) bounds() image.Rectangle {
	if len(p.lines) == 0 {
		return image.Rectangle{}
	}
	r := fixed.Rectangle26_6{Min: p.lines[0], Max: p.lines[0]}
	for _, q := range p.lines {
		r.Min.X, r.Min.Y = min(r.Min.X, q.X), min(r.Min.Y, q.Y)
		r.Max.X, r.Max.Y = max(r.Max.X, q.X), max(r.Max.Y, q.Y)
	}
	return image.Rect(r.Min.X.Floor(), r.Min.Y.Floor(), r.Max.X.Ceil(), r.Max.Y.Ceil())
}

// fill paints the outline onto the canvas. An outline larger than a mask is
// none of ours.
func (v *canvas) fill(k ink) {
	p := &v.pen
	r := p.bounds()
	if r.Empty() || r.Dx() > maskSize || r.Dy() > maskSize {
		return
	}
	p.raster.Reset(r.Dx(), r.Dy())
	for i, from := range p.starts {
		to := len(p.lines)
		if i+1 < len(p.starts) {
			to = p.starts[i+1]
		}
		for j, q := range p.lines[from:to] {
			// Exact: a 64th is one of a float's, too.
			x, y := float32(int(q.X)-64*r.Min.X)/64, float32(int(q.Y)-64*r.Min.Y)/64
			if j == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	n := r.Dx() * r.Dy()
	if cap(p.mask.Pix) < n {
		p.mask.Pix = make([]uint8, n)
	}
	p.mask.Pix, p.mask.Stride, p.mask.Rect = p.mask.Pix[:n], r.Dx(), image.Rect(0, 0, r.Dx(), r.Dy())
	clear(p.mask.Pix)
	p.raster.Draw(&p.mask, p.mask.Rect, image.Opaque, image.Point{})
	v.blend(r, k)
}

// blend paints the mask, which stands at r.
func (v *canvas) blend(r image.Rectangle, k ink) {
	on := r.Intersect(v.img.Rect)
	for y := on.Min.Y; y < on.Max.Y; y++ {
		row := v.pen.mask.Pix[(y-r.Min.Y)*v.pen.mask.Stride:]
		for x := on.Min.X; x < on.Max.X; x++ {
			if alpha := row[x-r.Min.X]; alpha > 0 {
				i := y*v.img.Stride + x
				v.img.Pix[i] = k.of(alpha, v.img.Pix[i])
			}
		}
	}
}

// letter is a character in the font: the number of its outline and how far it
// moves the pen, in units of the font.
type letter struct {
	glyph   sfnt.GlyphIndex
	advance int
}

// letter finds a character. One that the font lacks is its empty box, so that a
// reader sees that something is missing.
func (v *canvas) letter(r rune) letter {
	if l, ok := v.letters[r]; ok {
		return l
	}
	g, err := v.font.GlyphIndex(&v.buf, r)
	v.keep(err)
	advance, err := v.font.GlyphAdvance(&v.buf, g, v.unit(), font.HintingNone)
	v.keep(err)
	l := letter{g, advance.Round()}
	v.letters[r] = l
	return l
}

// unit is the size at which a unit of the font is a pixel.
func (v *canvas) unit() fixed.Int26_6 { return fixed.I(int(v.font.UnitsPerEm())) }

// kern is how much nearer than usual two characters stand. Most fonts have none
// for Korean; looking for it takes longer than all the rest of drawing.
func (v *canvas) kern(before, after letter) int {
	pair := [2]sfnt.GlyphIndex{before.glyph, after.glyph}
	k, ok := v.kerns[pair]
	if !ok {
		if len(v.kerns) > maxKerns {
			clear(v.kerns)
		}
		if found, err := v.font.Kern(&v.buf, before.glyph, after.glyph, v.unit(), font.HintingNone); err == nil {
			k = found.Round()
		}
		v.kerns[pair] = k
	}
	return k
}

// maxKerns bounds what a canvas remembers of pairs.
const maxKerns = 1 << 15

func (v *canvas) keep(err error) {
	if v.err == nil {
		v.err = err
	}
}

// advances calls each with the glyphs of a text and where they begin, and
// returns how wide the text is, in units of the font.
func (v *canvas) advances(s string, each func(g sfnt.GlyphIndex, x int)) int {
	x := 0
	var before letter
	for i, r := range s {
		l := v.letter(r)
		if i > 0 {
			x += v.kern(before, l)
		}
		if each != nil {
			each(l.glyph, x)
		}
		x, before = x+l.advance, l
	}
	return x
}

// pixels is a width of the font's units at a size, rounded up.
func (v *canvas) pixels(units, size int) int {
	em := int(v.font.UnitsPerEm())
	return (units*size + em - 1) / em
}

func (v *canvas) width(s string, size int) int { return v.pixels(v.advances(s, nil), size) }

// write writes a line with its left end at x on the base line y, and returns
// where it ends.
func (v *canvas) write(s string, size, x, y int, k ink) int {
	end := v.advances(s, func(g sfnt.GlyphIndex, units int) {
		at := fixed.Int26_6(units * size * 64 / int(v.font.UnitsPerEm()))
		segments, err := v.font.LoadGlyph(&v.buf, g, fixed.I(size), nil)
		if err != nil {
			v.keep(err)
			return
		}
		v.pen.reset()
		for _, s := range segments {
			q := s.Args
			for i := range q {
				q[i] = q[i].Add(fixed.Point26_6{X: fixed.I(x) + at, Y: fixed.I(y)})
			}
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				v.pen.moveTo(q[0])
			case sfnt.SegmentOpLineTo:
				v.pen.lineTo(q[0])
			case sfnt.SegmentOpQuadTo:
				v.pen.curveTo(q[0], q[1])
			case sfnt.SegmentOpCubeTo:
				v.pen.curveTo(q[0], q[1], q[2])
			}
		}
		v.fill(k)
	})
	return x + v.pixels(end, size)
}

// rect fills a rectangle of whole pixels.
func (v *canvas) rect(r image.Rectangle, k ink) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v.img.Pix[y*v.img.Stride+x] = k.of(0xff, paper)
		}
	}
}

// rounded fills a rectangle with round corners.
func (v *canvas) rounded(r image.Rectangle, radius int, k ink) {
	v.pen.reset()
	a, b := fixed.P(r.Min.X, r.Min.Y), fixed.P(r.Max.X, r.Max.Y)
	d := fixed.I(radius)
	h := d * 29 / 64 // the control point of a quarter circle stands 0.55 of the radius in
	at := func(x, y fixed.Int26_6) fixed.Point26_6 { return fixed.Point26_6{X: x, Y: y} }
	v.pen.moveTo(at(a.X+d, a.Y))
	v.pen.lineTo(at(b.X-d, a.Y))
	v.pen.curveTo(at(b.X-h, a.Y), at(b.X, a.Y+h), at(b.X, a.Y+d))
	v.pen.lineTo(at(b.X, b.Y-d))
	v.pen.curveTo(at(b.X, b.Y-h), at(b.X-h, b.Y), at(b.X-d, b.Y))
	v.pen.lineTo(at(a.X+d, b.Y))
	v.pen.curveTo(at(a.X+h, b.Y), at(a.X, b.Y-h), at(a.X, b.Y-d))
	v.pen.lineTo(at(a.X, a.Y+d))
	v.pen.curveTo(at(a.X, a.Y+h), at(a.X+h, a.Y), at(a.X+d, a.Y))
	v.fill(k)
}
