package page

import (
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

func TestDatesAsReadersWriteThem(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][2]string{
		"2023-11-08": {"8 November 2023", "2023년 11월 8일"},
		"2023-11":    {"November 2023", "2023년 11월"},
		"2023":       {"2023", "2023년"},
	} {
		d, err := incident.ParseDate(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{dateText(d, incident.EN), dateText(d, incident.KO)}; got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func TestDurationsAsReadersWriteThem(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][3]string{
		"1h 34m":      {"1h 34m", "1시간 34분", "PT1H34M"},
		"39m":         {"39m", "39분", "PT39M"},
		"2d 4h":       {"2d 4h", "2일 4시간", "P2DT4H"},
		"3d":          {"3d", "3일", "P3D"},
		"1d 1h 1m 1s": {"1d 1h 1m 1s", "1일 1시간 1분 1초", "P1DT1H1M1S"},
	} {
		d, err := incident.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]string{durationText(d, incident.EN), durationText(d, incident.KO), durationISO(d)}; got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// The essay that the section comes from: 39 minutes are 90.3 % of the 43.2
// minutes that 99.9 % allows in 30 days.
func TestErrorBudget(t *testing.T) {
	t.Parallel()
	d, err := incident.ParseDuration("39m")
	if err != nil {
		t.Fatal(err)
	}
	v := budgetFor(d, incident.EN)
	want := []budgetRow{
		{"99.9%", "43.2 min", []string{"90.3%", "45.1%", "9%", "0.9%"}},
		{"99.95%", "21.6 min", []string{"180.6%", "90.3%", "18.1%", "1.8%"}},
		{"99.99%", "4.32 min", []string{"902.8%", "451.4%", "90.3%", "9%"}},
	}
	for i, row := range v.Rows {
		if row.Target != want[i].Target || row.Budget != want[i].Budget || len(row.Used) != len(want[i].Used) {
			t.Errorf("row %d: %+v, want %+v", i, row, want[i])
			continue
		}
		for j := range row.Used {
			if row.Used[j] != want[i].Used[j] {
				t.Errorf("%s at %s: %s, want %s", row.Target, v.Shares[j], row.Used[j], want[i].Used[j])
			}
		}
	}
	if budgetFor(incident.Duration{}, incident.EN) != nil {
		t.Error("an incident of unknown length has an error budget")
	}
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for want, r := range map[string][2]int64{
		"90.3%": {9028, 100}, "100%": {100, 1}, "<0.1%": {1, 100}, "0.1%": {5, 100},
		"2,176%": {21759, 10}, "999.9%": {99994, 100}, "1,000%": {99996, 100}, "73,050,000%": {73_050_000, 1},
	} {
		if got := percent(r[0], r[1]); got != want {
			t.Errorf("percent(%d/%d) = %s, want %s", r[0], r[1], got, want)
		}
	}
}

func TestGroup(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := group(n); got != want {
			t.Errorf("group(%d) = %s, want %s", n, got, want)
		}
	}
}

// Pages are filled from the oldest: what is full stays as it is when a case is
// added on top.
func TestPagesFillFromTheOldest(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 260; n++ {
		spans := pages(n, 50)
		at := 0
		for i, s := range spans {
			if s.from != at || s.to <= s.from || s.to-s.from > 50 || (i > 0 && s.to-s.from != 50) {
				t.Fatalf("%d entries: page %d holds %d to %d", n, s.page, s.from, s.to)
			}
			if want := (len(spans) - i) % len(spans); s.page != want {
				t.Fatalf("%d entries: span %d is page %d, want %d", n, i, s.page, want)
			}
			at = s.to
		}
		if at != n {
			t.Fatalf("%d entries: pages end at %d", n, at)
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{"several words here", 12, "several…"},
		{"several words, here", 15, "several words…"},
		{"데이터베이스 연결이 실패했다", 12, "데이터베이스 연결이…"},
		{"한국어만길게이어진글", 4, "한국어만…"},
	} {
		if got := excerpt(c.in, c.limit); got != c.want {
			t.Errorf("excerpt(%q, %d) = %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}
