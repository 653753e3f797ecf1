package incident

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Duration is a length of time in whole seconds. The zero Duration is one that
// is not known.
type Duration struct {
	Seconds int64
	Text    string // canonical: "1h 34m"
}

// Known reports whether the duration is known.
func (d Duration) Known() bool { return d.Text != "" }

// durationUnits are the units of a duration, largest first: how many seconds
// each has, and at which count it carries into the unit before it.
func durationUnits() []struct {
	name    byte
	seconds int64
	carry   int64
} {
	return []struct {
		name    byte
		seconds int64
		carry   int64
	}{{'d', 86400, 0}, {'h', 3600, 24}, {'m', 60, 60}, {'s', 1, 60}}
}

// maxDuration keeps sums and products of durations far from overflow: a
// hundred years.
const maxDuration = 100 * 366 * 86400

// ParseDuration reads "1h 34m", "39m", "2d 4h" or "45s": units d, h, m and s,
// largest first, each once, each below its carry except the first, which is not 0.
// The error says what is wrong and, where the meaning is clear, what to write.
func ParseDuration(s string) (Duration, error) {
	var total int64
	next, first := 0, true
	for _, part := range strings.Split(s, " ") {
		unit, n, err := durationPart(part)
		if err != nil {
			return Duration{}, fmt.Errorf("%q: %w", s, err)
		}
		u := durationUnits()[unit]
		switch {
		case unit < next:
			return Duration{}, fmt.Errorf("%q: units go from d to h, m and s, each once", s)
		case first && n == 0:
			return Duration{}, fmt.Errorf("%q begins with 0", s)
		case !first && n >= u.carry:
			return Duration{}, fmt.Errorf("%q: %s carries into the unit before it", s, part)
		}
		total += n * u.seconds
		if total > maxDuration {
			return Duration{}, fmt.Errorf("%q is longer than a hundred years", s)
		}
		next, first = unit+1, false
	}
	return Duration{Seconds: total, Text: s}, nil
}

func durationPart(part string) (unit int, n int64, err error) {
	if len(part) < 2 {
		return 0, 0, errors.New("it is no number with a unit")
	}
	digits, name := part[:len(part)-1], part[len(part)-1]
	unit = -1
	for i, u := range durationUnits() {
		if u.name == name {
			unit = i
		}
	}
	if unit < 0 {
		return 0, 0, errors.New("the units are d, h, m and s")
	}
	if strings.Trim(digits, "0123456789") != "" || (digits[0] == '0' && len(digits) > 1) || len(digits) > 10 {
		return 0, 0, fmt.Errorf("%q is no whole number without leading zeros", digits)
	}
	n, err = strconv.ParseInt(digits, 10, 64)
	return unit, n, err
}
