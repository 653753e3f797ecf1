package incident

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Date is a day, a month or a year: Month and Day are 0 where they are not known.
type Date struct{ Year, Month, Day int }

// ParseDate reads YYYY-MM-DD, YYYY-MM or YYYY. The error says what is wrong.
func ParseDate(s string) (Date, error) {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if !sameForm(s, layout) {
			continue
		}
		t, err := time.Parse(layout, s)
		if err != nil || t.Year() < 1900 || t.Year() > 2999 {
			return Date{}, fmt.Errorf("%q is no date that exists", s)
		}
		d := Date{Year: t.Year()}
		if len(layout) > 4 {
			d.Month = int(t.Month())
		}
		if len(layout) > 7 {
			d.Day = t.Day()
		}
		return d, nil
	}
	return Date{}, fmt.Errorf("%q is not of the form YYYY-MM-DD, YYYY-MM or YYYY", s)
}

// sameForm reports whether s has digits where layout has, and the rest alike.
func sameForm(s, layout string) bool {
	if len(s) != len(layout) {
		return false
	}
	for i := range len(s) {
		digit := s[i] >= '0' && s[i] <= '9'
		if digit != (layout[i] != '-') || !digit && s[i] != '-' {
			return false
		}
	}
	return true
}

// String is the date as the seed writes it; "" for the zero Date.
func (d Date) String() string {
	if d == (Date{}) {
		return ""
	}
	b := padded(make([]byte, 0, len(time.DateOnly)), d.Year, 4)
	if d.Month != 0 {
		b = padded(append(b, '-'), d.Month, 2)
		if d.Day != 0 {
			b = padded(append(b, '-'), d.Day, 2)
		}
	}
	return string(b)
}

// padded appends a number with zeros before it up to a width.
func padded(b []byte, n, width int) []byte {
	var room [20]byte
	digits := strconv.AppendInt(room[:0], int64(n), 10)
	for range width - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// YearString is the year alone, for lists.
func (d Date) YearString() string { return strconv.Itoa(d.Year) }

// Order is a number that sorts dates from old to new. A date that is not known
// to the day stands near the middle of its period, the 15th of its month and
// June of its year, so that it is neither before nor after all the rest of it.
func (d Date) Order() int {
	m, day := d.Month, d.Day
	if m == 0 {
		m = 6
	}
	if day == 0 {
		day = 15
	}
	return (d.Year*100+m)*100 + day
}

// Compare sorts dates from old to new by [Date.Order].
func (d Date) Compare(e Date) int { return cmp.Compare(d.Order(), e.Order()) }
