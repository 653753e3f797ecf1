package incident_test

import (
	"regexp"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(incident.DurationPattern)
	for s, want := range map[string]int64{
		"1h 34m": 5640, "39m": 2340, "2d 4h": 187200, "45s": 45, "90m": 5400, "24h 0m": 86400, "3h 0m 35s": 10835, "1d 1s": 86401,
		"0m": 0, "": 0, "1h 60m": 0, "1d 24h": 0, "1m 1h": 0, "1h 1h": 0, "1h  2m": 0, " 1h": 0, "1h ": 0, "1.5h": 0, "01h": 0, "1h 05m": 0,
		"1w": 0, "h": 0, "-1h": 0, "1H": 0, "99999999999d": 0, "9999999999d": 0, "1h,2m": 0, "１h": 0,
	} {
		d, err := incident.ParseDuration(s)
		if (err == nil) != (want > 0) || d.Seconds != want {
			t.Errorf("ParseDuration(%q) = %d, %v; want %d", s, d.Seconds, err, want)
		}
		if err == nil && !pattern.MatchString(s) {
			t.Errorf("the pattern refuses %q, which the parser accepts", s)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(incident.DatePattern)
	for s, order := range map[string]int{
		"2023-11-08": 20231108, "2023-11": 20231115, "2023": 20230615, "2024-02-29": 20240229,
		"2023-02-29": 0, "2025-02-30": 0, "2025-1-3": 0, "2025-13": 0, "2025-00-01": 0, "": 0, "미상": 0, "0000": 0, "1899": 0, "3000": 0,
		"2023-11-8": 0, "2023/11/08": 0, "20231108": 0, "2023-11-08 ": 0, "+023": 0,
	} {
		d, err := incident.ParseDate(s)
		if (err == nil) != (order > 0) {
			t.Errorf("ParseDate(%q) = %v, %v", s, d, err)
			continue
		}
		if err == nil && (d.Order() != order || d.String() != s || !pattern.MatchString(s)) {
			t.Errorf("ParseDate(%q): order %d, text %q; want %d", s, d.Order(), d, order)
		}
	}
}

func FuzzDuration(f *testing.F) {
	f.Add("1h 34m")
	f.Add("2d 0h 4s")
	pattern := regexp.MustCompile(incident.DurationPattern)
	f.Fuzz(func(t *testing.T, s string) {
		d, err := incident.ParseDuration(s)
		if err == nil && (!pattern.MatchString(s) || d.Seconds <= 0 || d.Text != s) {
			t.Errorf("ParseDuration(%q) = %+v, and the pattern matches: %v", s, d, pattern.MatchString(s))
		}
	})
}

// A date that is read is written as it was, stands in its year, and matches the
// pattern that other programs check it by.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"2023-11-08", "2023-11", "2023", "2024-02-29", "2023-02-29", "２０２３", "2023-11-08T00:00:00Z", "0000-00-00"} {
		f.Add(s)
	}
	pattern := regexp.MustCompile(incident.DatePattern)
	f.Fuzz(func(t *testing.T, s string) {
		d, err := incident.ParseDate(s)
		if err != nil {
			return
		}
		if d.String() != s || !pattern.MatchString(s) || d.Order()/10000 != d.Year || d.YearString() != s[:4] {
			t.Errorf("ParseDate(%q) = %+v: %q, order %d", s, d, d, d.Order())
		}
	})
}

func TestIDs(t *testing.T) {
	t.Parallel()
	id, slug := regexp.MustCompile(incident.IDPattern), regexp.MustCompile(incident.SlugPattern)
	for _, s := range []string{"IL-0123", "IL-123", "IL-123456789", "IL-1234567890", "il-0123", "IL-0123 ", "IL-01/3", "../IL-0123", "IL-٠١٢٣", "IL-0123\n", ""} {
		if incident.ValidID(s) != id.MatchString(s) {
			t.Errorf("ValidID(%q) = %v, unlike the pattern", s, incident.ValidID(s))
		}
	}
	for _, s := range []string{"a", "a-b", "a--b", "-a", "a-", "A", "a/b", "..", "a.b", "한글", "a\n", "", "1", "a_b"} {
		if incident.ValidSlug(s) != slug.MatchString(s) {
			t.Errorf("ValidSlug(%q) = %v, unlike the pattern", s, incident.ValidSlug(s))
		}
	}
}
