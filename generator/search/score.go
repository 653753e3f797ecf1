package search

import "math/bits"

// The score of a term in a case is BM25 with k1 = 0.6 and b = 0.6, counted in
// whole numbers so that every machine gets the same, and kept as its impact:
// four times the score, rounded, at least 1. Rarity and length come from coarse
// steps, so that an edit of one case changes the impacts of its own terms only:
// the number of cases and the mean length move in steps of the square root of
// two, and so does the length of a case.
const (
	one       = 1 << 16 // 1 in fixed point
	ln2       = 45426   // the natural logarithm of 2
	sqrt2     = 92682
	maxImpact = 255
	maxCount  = 255 // of a term in a case, in fifths; more adds nothing
	steps     = 64  // more than the steps between any two lengths
)

// log2 is the logarithm of a number from 1, in fixed point.
func log2(x uint64) int64 {
	k := bits.Len64(x) - 1
	m := x << (63 - k) >> 32 // from 2^31 up to 2^32
	out := int64(k) << 16
	for bit := int64(one / 2); bit > 0; bit >>= 1 {
		if m = m * m >> 31; m >= 1<<32 {
			m >>= 1
			out |= bit
		}
	}
	return out
}

// step is the number of whole steps of the square root of two below x.
func step(x uint64) int {
	if x == 0 {
		return 0
	}
	k := bits.Len64(x) - 1
	if x>>31 != 0 || x*x < 1<<(2*k+1) {
		return 2 * k
	}
	return 2*k + 1
}

// scale is the part of the scores that is the same for all terms of a library.
type scale struct {
	cases int // steps, rounded up
	mean  int // steps
}

func newScale(cases int, length uint64) scale {
	s := scale{cases: step(uint64(cases))}
	if level(s.cases) < uint64(cases) {
		s.cases++
	}
	if cases > 0 {
		s.mean = step(length / uint64(cases))
	}
	return s
}

// level is the number at a step.
func level(step int) uint64 {
	n := uint64(1) << (step / 2)
	if step%2 == 1 {
		n = n * sqrt2 >> 16
	}
	return n
}

// rarity is the weight of a term that so many cases have, in fixed point.
func (s scale) rarity(cases int) int64 {
	all := level(s.cases)
	return max(log2(2*all+2)-log2(2*uint64(cases)+1), one/16) * ln2 >> 16
}

// frequencies are, by the step of a case's length and the count of a term in
// it, how much the count is worth, in fixed point.
func (s scale) frequencies() *[steps][maxCount + 1]int64 {
	var out [steps][maxCount + 1]int64
	for length := range out {
		ratio := int64(one) // of the length to the mean
		if d := length - s.mean; d >= 0 {
			ratio = int64(level(min(d, 40))) << 16
			if d%2 == 1 {
				ratio = int64(sqrt2) << min(d/2, 20)
			}
		} else {
			ratio = ratio >> ((1 - d) / 2)
			if d%2 != 0 {
				ratio = ratio * sqrt2 >> 16
			}
		}
		limit := 3 * (2*one + 3*ratio) / 5 // five times k1 (1 - b + b ratio)
		for count := range int64(maxCount + 1) {
			out[length][count] = count * 8 * one / 5 * one / (count*one + limit)
		}
	}
	return &out
}

// impact is the score of a term in a case.
func impact(rarity, frequency int64) int {
	return int(min(max((4*rarity*frequency+1<<31)>>32, 1), maxImpact))
}
