package card

import "image/color"

// The colours of a card are those of the site by day. They are 16, so that a
// pixel takes four bits: what is not paper is a step from paper to ink or from
// paper to accent, and a steeper step is a darker pixel.
const (
	paper     = 0
	inkFirst  = 1
	inkSteps  = 9
	markFirst = inkFirst + inkSteps
	markSteps = 6
)

func colours() color.Palette {
	ground := rgb(0xfb, 0xfc, 0xfc)
	p := color.Palette{ground}
	p = append(p, ramp(ground, rgb(0x0e, 0x1a, 0x21), inkSteps)...)
	return append(p, ramp(ground, rgb(0xc2, 0x33, 0x1a), markSteps)...)
}

func rgb(r, g, b uint8) color.RGBA { return color.RGBA{r, g, b, 0xff} }

// ramp is a row of n colours that ends at to and leaves from out.
func ramp(from, to color.RGBA, n int) color.Palette {
	step := func(a, b uint8, i int) uint8 { return uint8((int(a)*(n-i) + int(b)*i) / n) }
	var p color.Palette
	for i := 1; i <= n; i++ {
		p = append(p, rgb(step(from.R, to.R, i), step(from.G, to.G, i), step(from.B, to.B, i)))
	}
	return p
}

// ink is a way to turn how much of a pixel is covered into its colour.
type ink struct {
	first, steps int
	inverted     bool // on a ground of the same ramp, towards paper
}

func text() ink  { return ink{inkFirst, inkSteps, false} }
func quiet() ink { return ink{inkFirst, inkSteps - 3, false} }
func mark() ink  { return ink{markFirst, markSteps, false} }
func carved() ink {
	return ink{markFirst, markSteps, true}
}

// of is the colour of a pixel that is covered by alpha of 255, given what it is
// now.
func (k ink) of(alpha, now uint8) uint8 {
	step := (int(alpha)*k.steps + 127) / 255
	switch {
	case step == 0:
		return now
	case k.inverted:
		if step == k.steps {
			return paper
		}
		return uint8(k.first + k.steps - 1 - step)
	}
	return max(now, uint8(k.first+step-1))
}
