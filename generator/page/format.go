package page

import (
	"strconv"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/incident"
)

// dateText writes a date as readers of a language do; what is not known is left
// out, not guessed.
func dateText(d incident.Date, l incident.Lang) string {
	if l == incident.KO {
		s := strconv.Itoa(d.Year) + "년"
		if d.Month > 0 {
			s += " " + strconv.Itoa(d.Month) + "월"
		}
		if d.Day > 0 {
			s += " " + strconv.Itoa(d.Day) + "일"
		}
		return s
	}
	s := strconv.Itoa(d.Year)
	if d.Month > 0 {
		s = time.Month(d.Month).String() + " " + s
	}
	if d.Day > 0 {
		s = strconv.Itoa(d.Day) + " " + s
	}
	return s
}

// durationText writes a duration as readers of a language do.
func durationText(d incident.Duration, l incident.Lang) string {
	if l != incident.KO {
		return d.Text
	}
	var b strings.Builder
	for _, c := range d.Text {
		switch c {
		case 'd':
			b.WriteString("일")
		case 'h':
			b.WriteString("시간")
		case 'm':
			b.WriteString("분")
		case 's':
			b.WriteString("초")
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// durationISO is a duration as the datetime attribute has it.
func durationISO(d incident.Duration) string {
	s := strings.ToUpper(strings.ReplaceAll(d.Text, " ", ""))
	days, rest, ok := strings.Cut(s, "D")
	if !ok {
		return "PT" + s
	}
	if rest != "" {
		rest = "T" + rest
	}
	return "P" + days + "D" + rest
}

// countText is a number of cases, or of what noun names, in words of a language.
func countText(n int, noun noun, l incident.Lang) string {
	if l == incident.KO {
		return noun.ko + " " + group(n) + noun.unit
	}
	if n == 1 {
		return "1 " + noun.one
	}
	return group(n) + " " + noun.many
}

// noun is a word that is counted: 1 case, 14 cases; 사례 14건.
type noun struct{ one, many, ko, unit string }

func nounCase() noun { return noun{"case", "cases", "사례", "건"} }
func nounTerm() noun { return noun{"term", "terms", "용어", "개"} }
func nounOrg() noun  { return noun{"organisation", "organisations", "조직", "곳"} }

func nounComponent() noun { return noun{"component", "components", "구성 요소", "개"} }
func nounCause() noun     { return noun{"root cause", "root causes", "원인", "개"} }

// Nouns of time: in Korean the unit says it all.
func nounYear() noun  { return noun{"year", "years", "", "년"} }
func nounMonth() noun { return noun{"month", "months", "", "개월"} }
func nounDay() noun   { return noun{"day", "days", "", "일"} }

// group writes a number with commas between thousands, as both languages do.
func group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// excerpt cuts a plain text to at most limit characters, at a word.
func excerpt(s string, limit int) string {
	for i := range s {
		if limit > 0 {
			limit--
			continue
		}
		cut := s[:i]
		if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
			cut = cut[:i]
		}
		return strings.TrimRight(cut, " ,;:.") + "…"
	}
	return s
}
