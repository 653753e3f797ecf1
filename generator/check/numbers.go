package check

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"benchlet.com/incidentlib/generator/incident"
)

// number is the form of a number: 30000 for "30,000" and "3만" alike.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// clock is the form of a time of day.
func clock(hour, minute int) string { return fmt.Sprintf("%d:%02d", hour%24, minute) }

// reader finds numbers and times in texts. Its patterns are made once, for all
// the texts of a run; it is never changed.
type reader struct {
	address, clock, digits, name, scale, unit, and *regexp.Regexp
	numerals                                       map[incident.Lang]numerals
}

func newReader() reader {
	return reader{
		address: regexp.MustCompile(`https?://\S+`),
		clock: regexp.MustCompile(`(?i)(오전|오후|새벽|아침|저녁|밤|낮)?\s*(\d{1,2})` +
			`(?::(\d{2})(?::(\d{2}))?|시(간)?(?:\s*(\d{1,2})분(?:\s*(\d{1,2})초)?|\s*(반))?)?(?:\s?(a|p)\.?m\b\.?)?`),
		digits: regexp.MustCompile(`^\d{1,3}(?:,\d{3})+(?:\.\d+)?|^\d+(?:\.\d+)*`),
		name:   regexp.MustCompile(`^[0-9A-Za-z_.-]*`),
		scale:  regexp.MustCompile(`^(?:[\s-]?(hundred|thousand|million|billion|trillion)\b|(K|k|M|B|bn|T)\b)`),
		unit:   regexp.MustCompile(`^[\s-]?(?:(weeks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|d|h|m|s)\b|(주|일|시간|분|초))`),
		and:    regexp.MustCompile(`^(?:,|\s|and|과|와)*$`),
		numerals: map[incident.Lang]numerals{
			incident.EN: english(), incident.KO: korean(),
		},
	}
}

// read finds the numbers and times of a text, in digits and in words.
func (r reader) read(text string, l incident.Lang) []fact {
	text = r.address.ReplaceAllString(text, " ")
	spelt := r.numerals[l].find(text, l)
	out, text := r.clocks(text)
	phrase := len(out) // where the duration begins that the next number may go on with: 4 hours 20 minutes
	for {
		at := strings.IndexFunc(text, unicode.IsDigit)
		if at < 0 {
			break
		}
		if isName(text[:at]) {
			phrase = len(out)
			text = text[at+len(r.name.FindString(text[at:])):]
			continue
		}
		f, size := r.number(head(text[at:]), l)
		if size == 0 { // a digit of another script
			text = text[at+1:]
			continue
		}
		if f.seconds == 0 || !r.and.MatchString(text[:at]) {
			phrase = len(out)
		}
		out = append(out, f)
		total(out[phrase:])
		text = text[at+size:]
	}
	return append(out, spelt...)
}

// head is as much of a text as a number with its scale and unit can fill: the
// patterns that look at its beginning cost what their whole input is long.
func head(text string) string { return text[:min(len(text), 80)] }

// isName reports whether a digit that follows belongs to a name, not to a
// number: bf16, us-east-1, HTTP/2.
func isName(before string) bool {
	trimmed := strings.TrimRight(before, "-_/.")
	if len(before)-len(trimmed) > 1 || trimmed == "" {
		return false
	}
	c := trimmed[len(trimmed)-1] | 0x20
	return c >= 'a' && c <= 'z'
}

// number reads the number that a text begins with, with its scale and unit.
func (r reader) number(s string, l incident.Lang) (f fact, size int) {
	digits := r.digits.FindString(s)
	size = len(digits)
	if strings.Count(digits, ".") > 1 { // a version
		return fact{text: digits, forms: []string{digits}}, size
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	if err != nil {
		return fact{}, 0
	}
	f.forms = []string{number(n)}
	if list := strings.Split(digits, ","); len(list) > 1 { // "502,503" may be two
		f.forms = append(f.forms, strings.TrimLeft(list[0], "0"))
		f.also = list[1:]
	}
	if big, n2 := scaled(s, r.digits); l == incident.KO && n2 > 0 {
		f.forms, size = []string{number(big)}, n2
	} else if m := r.scale.FindStringSubmatch(s[size:]); m != nil {
		f.forms = append([]string{number(n * scaleOf(m[1]+m[2]))}, f.forms...)
		size += len(m[0])
	}
	f.text = s[:size]
	if m := r.unit.FindStringSubmatch(s[size:]); m != nil {
		f.seconds = n * unitOf(m[1]+m[2])
		f.text += m[0]
		size += len(m[0])
	}
	return f, size
}

func scaleOf(word string) float64 {
	switch word {
	case "hundred":
		return 100
	case "thousand", "K", "k":
		return 1e3
	case "million", "M":
		return 1e6
	case "billion", "B", "bn":
		return 1e9
	}
	return 1e12
}

func unitOf(word string) float64 {
	switch {
	case word == "주" || word[0] == 'w':
		return 7 * 86400
	case word == "일" || word[0] == 'd':
		return 86400
	case word == "시간" || word[0] == 'h':
		return 3600
	case word == "분" || word[0] == 'm':
		return 60
	}
	return 1
}

// total gives each part of a duration the whole as one more form, so that
// 1시간 30분 answers for 90 minutes.
func total(phrase []fact) {
	var sum float64
	for _, f := range phrase {
		sum += f.seconds
	}
	if sum == 0 {
		return
	}
	for i := range phrase {
		phrase[i].forms = append(phrase[i].forms, number(sum)+"s")
	}
}

// scaled reads a Korean number with its units of ten thousands: 3만 5천,
// 1억 2,000만. size is 0 when no such unit follows.
func scaled(s string, digits *regexp.Regexp) (n float64, size int) {
	var section, current float64
	for i := 0; ; {
		d := digits.FindString(s[i:])
		if d == "" {
			break
		}
		current, _ = strconv.ParseFloat(strings.ReplaceAll(d, ",", ""), 64)
		i += len(d)
		unit, step := koreanUnit(s[i:])
		for step > 0 {
			if unit >= 1e4 {
				n, section = n+(section+current)*unit, 0
			} else {
				section += current * unit
			}
			current = 0
			i += step
			size = i
			unit, step = koreanUnit(s[i:])
		}
		if size != i { // a number without a unit: the last part, or another number
			if size > 0 && current < 1e4 && n > 0 {
				section, size = section+current, i
			}
			break
		}
		if strings.HasPrefix(s[i:], " ") {
			i++
		}
	}
	return n + section, size
}

func koreanUnit(s string) (unit float64, size int) {
	for name, unit := range map[string]float64{"백": 1e2, "천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12} {
		if strings.HasPrefix(s, name) {
			return unit, len(name)
		}
	}
	return 0, 0
}

// clocks finds the times of day in a text, and returns the text without them.
func (r reader) clocks(text string) (out []fact, rest string) {
	var b strings.Builder
	done := 0
	for _, m := range r.clock.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		if !isClock(text, m, group) {
			continue
		}
		out = append(out, timeOfDay(strings.TrimSpace(text[m[0]:m[1]]), group))
		b.WriteString(text[done:m[0]] + " ")
		done = m[1]
	}
	return out, b.String() + text[done:]
}

// The groups of the clock pattern: after the half of the day in Korean (1) and
// the hour (2).
const (
	minutes   = 3
	seconds   = 4
	hours     = 5 // the hour is a number of hours: 3시간
	minutesKO = 6
	secondsKO = 7
	halfPast  = 8
	noon      = 9 // the half of the day in English
)

// isClock reports whether a match of the clock pattern is a time: a number
// alone is none, nor are hours that something took (3시간).
func isClock(text string, m []int, group func(int) string) bool {
	before, after := byte(' '), byte(' ')
	if m[4] > 0 {
		before = text[m[4]-1]
	}
	if m[1] < len(text) {
		after = text[m[1]]
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	if digit(before) || letter(before) || before == '.' || before == ',' || before == ':' || digit(after) || group(hours) != "" {
		return false
	}
	return group(minutes) != "" || strings.Contains(text[m[4]:m[1]], "시") || group(noon) != ""
}

// timeOfDay is a time with the forms that the other language may give it.
func timeOfDay(text string, group func(int) string) fact {
	hour, _ := strconv.Atoi(group(2))
	minute, _ := strconv.Atoi(group(minutes) + group(minutesKO))
	second, _ := strconv.Atoi(group(seconds) + group(secondsKO))
	if group(halfPast) != "" {
		minute = 30
	}
	f := fact{text: text}
	for _, n := range []int{hour, hour % 12, hour%12 + 12, minute, second} {
		f.also = append(f.also, number(float64(n)))
	}
	half := group(1) + strings.ToLower(group(noon))
	switch {
	case half == "오전" || half == "새벽" || half == "아침" || half == "a" || half == "밤" && (hour < 6 || hour == 12):
		f.forms = []string{clock(hour%12, minute)}
	case half != "" && hour <= 12:
		f.forms = []string{clock(hour%12+12, minute)}
	case hour >= 1 && hour <= 12: // either half of the day
		f.forms = []string{clock(hour%12, minute), clock(hour%12+12, minute)}
	default:
		f.forms = []string{clock(hour, minute)}
	}
	if minute == 0 { // "from 3 to 5pm" names an hour without saying that it is one
		f.forms = append(f.forms, number(float64(hour)))
	}
	return f
}
