package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/chart"
)

var update = flag.Bool("update", false, "write testdata/pictures.txt anew; read the difference before you commit it")

func labels(id string) chart.Labels {
	return chart.Labels{ID: id, Title: `a<b & "c"`, About: "</desc><script>"}
}

func day(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// recovery is one case in every column and eleven in one.
func recovery() chart.Recovery {
	r := chart.Recovery{Counts: make([]int, len(chart.Edges())-1)}
	for i := range r.Counts {
		r.Counts[i] = 1
	}
	r.Counts[8] = 11
	for _, t := range chart.TickTimes() {
		r.Ticks = append(r.Ticks, chart.Tick{Seconds: t, Text: fmt.Sprint(t)})
	}
	return r
}

// pictures are one of each kind, and those at the edges of what can be drawn.
func pictures() []struct {
	name string
	svg  []byte
} {
	mark := func(seconds int64) chart.Mark { return chart.Mark{Seconds: seconds, Text: "<here>"} }
	century := make([]int, 100)
	century[17] = 12345
	return []struct {
		name string
		svg  []byte
	}{
		{"years", chart.Years{First: 2012, Counts: []int{3, 0, 20}}.Draw(labels("y"))},
		{"years, small", chart.Years{First: 2012, Counts: []int{3, 0, 20, 1, 1, 1, 1, 1, 1, 1, 1, 1}, Small: true}.Draw(labels("y"))},
		{"a century", chart.Years{First: 1900, Counts: century}.Draw(labels("y"))},
		{"no year", chart.Years{}.Draw(labels("y"))},
		{"recovery", recovery().Draw(mark(5640), labels("r"))},
		{"recovery of nobody", chart.Recovery{}.Draw(mark(0), labels("r"))},
		{"sheet", recovery().Sheet()},
		{"on the sheet", chart.OnSheet("/a?b&c.svg", mark(1<<40), labels("s"))},
		{"timeline", chart.Timeline{Detected: 840, Resolved: 10800, Start: "start", Detect: "<14m>", Finish: "3h"}.Draw(labels("t"))},
		{"timeline, detected late", chart.Timeline{Detected: 10800, Resolved: 60}.Draw(labels("t"))},
		{"timeline of a hundred years", chart.Timeline{Detected: 1, Resolved: 100 * 366 * 86400}.Draw(labels("t"))},
		{"timeline of nothing", chart.Timeline{}.Draw(labels("t"))},
		{"chain", chart.Chain([]chart.Link{{From: day(2019, 7, 9), To: day(2019, 7, 9), Here: true}, {From: day(2020, 1, 1), To: day(2020, 12, 31)}}, labels("c"))},
		{"chain of a day", chart.Chain([]chart.Link{{From: day(2019, 7, 9), To: day(2019, 7, 9)}}, labels("c"))},
		{"chain of none", chart.Chain(nil, labels("c"))},
		{"bar", chart.Bar(2, 3)},
		{"bar of little", chart.Bar(1, 1000000)},
		{"spent", chart.Spent(90.2777)},
		{"spent twice", chart.Spent(217.6)},
	}
}

// Pictures are, to the letter, what testdata/pictures.txt has; run with -update
// to write it anew.
func TestPictures(t *testing.T) {
	t.Parallel()
	var all bytes.Buffer
	for _, p := range pictures() {
		fmt.Fprintf(&all, "-- %s --\n%s\n", p.name, bytes.ReplaceAll(p.svg, []byte("><"), []byte(">\n<")))
	}
	const name = "testdata/pictures.txt"
	if *update {
		if err := os.WriteFile(name, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(all.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(got), len(lines)) {
		if got[i] != lines[i] {
			t.Fatalf("line %d is %s, not %s", i+1, got[i], lines[i])
		}
	}
	if len(got) != len(lines) {
		t.Errorf("%d lines, not %d", len(got), len(lines))
	}
}

// Every picture is well formed, escapes what it is told, styles nothing inline,
// stays within its frame, and has whole numbers for coordinates.
func TestPicturesAreSound(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(` (?:x|y|width|height)="(-?[0-9.]+)(%?)"`)
	for _, p := range pictures() {
		wellFormed(t, p.name, p.svg)
		for _, no := range []string{"style=", "<script", "NaN", "Inf", "<here>"} {
			if bytes.Contains(p.svg, []byte(no)) {
				t.Errorf("%s has %q", p.name, no)
			}
		}
		for _, m := range number.FindAllSubmatch(p.svg, -1) {
			n := string(m[1])
			if strings.HasPrefix(n, "-") || len(m[2]) == 0 && strings.Contains(n, ".") {
				t.Errorf("%s has%s", p.name, m[0])
			}
		}
	}
}

func wellFormed(t *testing.T, name string, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v in %.200s", name, err, svg)
		}
	}
}

// Every time has a column, whose edges are on either side of it; what is beyond
// the axis counts in the column beside it.
func TestColumn(t *testing.T) {
	t.Parallel()
	edges := chart.Edges()
	for i := range len(edges) - 1 {
		for seconds, want := range map[int64]int{edges[i]: i, edges[i+1] - 1: i} {
			if got := chart.Column(seconds); got != want {
				t.Errorf("%d s counts in column %d, not %d", seconds, got, want)
			}
		}
		if r := float64(edges[i+1]) / float64(edges[i]); r < 1.8 || r > 2.1 {
			t.Errorf("column %d spans a factor of %.2f", i, r)
		}
	}
	for seconds, want := range map[int64]int{0: 0, 1: 0, 59: 0, edges[len(edges)-1]: len(edges) - 2, 1 << 50: len(edges) - 2} {
		if got := chart.Column(seconds); got != want {
			t.Errorf("%d s counts in column %d, not %d", seconds, got, want)
		}
	}
}

// A column twice as high stands for twice as many: the axis begins at nothing.
func TestColumnsAreToScale(t *testing.T) {
	t.Parallel()
	svg := string(chart.Years{First: 2000, Counts: []int{24, 48, 96}}.Draw(labels("y")))
	var heights []string
	for _, m := range regexp.MustCompile(`<rect x="[0-9]+" y="[0-9]+" width="[0-9]+" height="([0-9]+)"/>`).FindAllStringSubmatch(svg, -1) {
		heights = append(heights, m[1])
	}
	if got := strings.Join(heights, " "); got != "24 48 96" {
		t.Errorf("heights %s", got)
	}
}
