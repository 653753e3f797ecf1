package seed

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// meantDate is a date that people write otherwise, as a seed has it: "2013-1-14"
// or "2013. 1. 14." is 2013-01-14.
func meantDate(s string) string {
	m := regexp.MustCompile(`^\s*(\d{4})[-/.년]\s*(\d{1,2})(?:[-/.월]\s*(\d{1,2}))?(?:[.월일T].*)?$`).FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	date := m[1]
	for _, part := range m[2:] {
		if n, err := strconv.Atoi(part); err == nil {
			date += fmt.Sprintf("-%02d", n)
		}
	}
	return date
}

// meantDuration is a duration that people write otherwise, as a seed has it:
// "94 minutes" or "PT1H34M" is 1h 34m.
func meantDuration(s string) string {
	part := regexp.MustCompile(`^[\s,]*(\d{1,9})\s*(days?|d|일|hours?|hrs?|h|시간|minutes?|mins?|m|분|seconds?|secs?|s|초)`)
	rest := strings.ToLower(strings.TrimSpace(s))
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "p"), "t")
	var seconds int64
	for rest != "" {
		m := part.FindStringSubmatch(rest)
		if m == nil {
			return ""
		}
		n, _ := strconv.ParseInt(m[1], 10, 64)
		seconds += n * unitSeconds(m[2])
		rest = strings.TrimPrefix(strings.TrimSpace(rest[len(m[0]):]), "t")
	}
	return canonical(seconds)
}

// canonical writes a number of seconds as a duration.
func canonical(seconds int64) string {
	var parts []string
	for _, u := range []string{"d", "h", "m", "s"} {
		if n := seconds / unitSeconds(u); n > 0 {
			parts = append(parts, strconv.FormatInt(n, 10)+u)
			seconds %= unitSeconds(u)
		}
	}
	return strings.Join(parts, " ")
}

func unitSeconds(unit string) int64 {
	switch {
	case unit[0] == 'd' || unit == "일":
		return 86400
	case unit[0] == 'h' || unit == "시간":
		return 3600
	case unit[0] == 'm' || unit == "분":
		return 60
	}
	return 1
}
