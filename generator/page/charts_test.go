package page

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/big"
	"os"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

var update = flag.Bool("update", false, "write the vectors anew")

// budgetVector is what an outage costs, in the words of both languages.
type budgetVector struct {
	Seconds  int64  `json:"seconds"`
	Share    int64  `json:"share"`
	Allowed  int64  `json:"allowed"`
	Days     int64  `json:"days"`
	Used     string `json:"used"`
	AmountEN string `json:"amountEn"`
	AmountKO string `json:"amountKo"`
}

// budgetVectors are every choice of the control at some shares, for outages from
// a second to a hundred years, and those where rounding tips over.
func budgetVectors() []budgetVector {
	var out []budgetVector
	for _, seconds := range []int64{1, 1296, 2340, 86399, 12_345_678, 100 * 366 * 86400} {
		for _, share := range []int64{1, 7, 100} {
			for _, t := range spendTargets() {
				for _, days := range spendWindows() {
					out = append(out, budgetVector{seconds, share, t.allowed, days, percent(budgetUsed(seconds, share, t.allowed, days)),
						amount(t.allowed, days, incident.EN), amount(t.allowed, days, incident.KO)})
				}
			}
		}
	}
	return out
}

// Counting in whole numbers is counting exactly.
func TestBudgetIsExact(t *testing.T) {
	t.Parallel()
	for _, v := range budgetVectors() {
		want := new(big.Rat).Mul(big.NewRat(v.Seconds, v.Days*86400), big.NewRat(v.Share, 100))
		want.Mul(want, big.NewRat(100_000*100, v.Allowed))
		n, d := budgetUsed(v.Seconds, v.Share, v.Allowed, v.Days)
		if want.Cmp(big.NewRat(n, d)) != 0 {
			t.Errorf("%+v: %d/%d %%, want %s", v, n, d, want)
		}
	}
}

// The script of the control reckons as this package does: its test reads these
// vectors. Written with: go test ./generator/page -update
func TestBudgetVectors(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	for i, v := range budgetVectors() {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			got.WriteString(",\n")
		}
		got.Write(line)
	}
	all := "[\n" + got.String() + "\n]\n"
	const file = "testdata/budget.json"
	if *update {
		if err := os.WriteFile(file, []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if all != string(want) {
		t.Errorf("%s is not what the page says; if it was meant to change, write it with -update", file)
	}
}

func TestAmount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		allowed, days int64
		en, ko        string
	}{
		{100, 30, "43.2 min", "43.2분"}, {1, 7, "6.05 s", "6.05초"}, {1, 30, "25.92 s", "25.92초"}, {10, 7, "1.01 min", "1.01분"},
		{1000, 30, "7.2 h", "7.2시간"}, {1000, 365, "3.65 d", "3.65일"}, {100, 365, "8.76 h", "8.76시간"},
	} {
		if got := amount(c.allowed, c.days, incident.EN); got != c.en {
			t.Errorf("%d in %d days: %s, want %s", c.allowed, c.days, got, c.en)
		}
		if got := amount(c.allowed, c.days, incident.KO); got != c.ko {
			t.Errorf("%d in %d days: %s, want %s", c.allowed, c.days, got, c.ko)
		}
	}
}

func TestLengthText(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64][2]string{
		0: {"0s", "0초"}, 39: {"39s", "39초"}, 60: {"1m", "1분"}, 5640: {"1h 34m", "1시간 34분"}, 3635: {"1h", "1시간"}, 3695: {"1h 1m", "1시간 1분"},
		216000: {"2d 12h", "2일 12시간"}, 86460: {"1d", "1일"}, 3 * 86400: {"3d", "3일"},
	} {
		if got := [2]string{lengthText(seconds, incident.EN), lengthText(seconds, incident.KO)}; got != want {
			t.Errorf("%d s: %q, want %q", seconds, got, want)
		}
	}
}

// wordless is a maker whose words are their own keys, so that a test sees which
// is asked for.
func wordless(l incident.Lang, keys map[string]string) *maker {
	m := &maker{lang: l, words: words{}}
	for k, v := range keys {
		m.words[k] = incident.Text{EN: v, KO: v}
	}
	return m
}

// Of ten others, as many as are said were over sooner or later: it is rounded
// down, and the greater of the two is said.
func TestRank(t *testing.T) {
	t.Parallel()
	m := wordless(incident.EN, map[string]string{"rank-longest": "longest", "rank-shortest": "shortest", "rank-longer": "longer {n}", "rank-shorter": "shorter {n}",
		"rank-longer-half": "longer half", "rank-shorter-half": "shorter half"})
	times := []int64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110}
	for own, want := range map[int64]string{10: "shortest", 20: "shorter 9", 50: "shorter 6", 60: "longer half", 70: "longer 6", 100: "longer 9", 110: "longest"} {
		if got := m.rankSaid(own, times); got != want {
			t.Errorf("%d: %q, want %q", own, got, want)
		}
	}
	if got := m.rankSaid(5, []int64{1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 9}); got != "" {
		t.Errorf("of many that are alike: %q", got)
	}
	m.lang = incident.KO
	if got := m.rankSaid(70, times); got != "longer 여섯" {
		t.Errorf("in Korean: %q", got)
	}
}

// The time between two incidents is said no more exactly than both dates are
// known.
func TestGap(t *testing.T) {
	t.Parallel()
	m := wordless(incident.EN, map[string]string{"gap": "{time}", "gap-about": "~{time}"})
	for _, c := range []struct{ from, to, en, ko string }{
		{"2019-07-09", "2019-07-10", "1 day", "1일"},
		{"2019-07-09", "2019-07-09", "", ""},
		{"2019-07-31", "2019-08-30", "30 days", "30일"},
		{"2019-07-09", "2019-08-09", "1 month", "1개월"},
		{"2019-12-31", "2021-01-01", "1 year", "1년"},
		{"2015-03-26", "2019-07-09", "4 years 3 months", "4년 3개월"},
		{"2019-11", "2020-02", "~3 months", "~3개월"},
		{"2019-11-05", "2019-11", "", ""},
		{"2019", "2021-05-01", "~2 years", "~2년"},
		{"2019", "2019", "", ""},
	} {
		from, err1 := incident.ParseDate(c.from)
		to, err2 := incident.ParseDate(c.to)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		m.lang = incident.EN
		if got := m.gap(from, to); got != c.en {
			t.Errorf("%s to %s: %q, want %q", c.from, c.to, got, c.en)
		}
		m.lang = incident.KO
		if got := m.gap(from, to); got != c.ko {
			t.Errorf("%s to %s: %q, want %q", c.from, c.to, got, c.ko)
		}
	}
}
