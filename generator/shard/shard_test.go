package shard

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"1/1": "", "3/8": "", "10000/10000": "",
		"": "no shard", "3": "no shard", "3/": "no shard", "/8": "no shard", "3/8/2": "no shard", "03/8": "no shard", "+3/8": "no shard", " 3/8": "no shard",
		"0/8": "the first is 1/N", "9/8": "the first is 1/N", "-1/8": "the first is 1/N", "1/0": "the first is 1/N", "1/10001": "at most 10000",
	} {
		p, err := Parse(in)
		if want == "" && (err != nil || p.String() != in) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v", in, p, err)
		}
	}
}

// Every name is in exactly one part, and parts are of much the same size.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 8, 100} {
		counts := make([]int, n)
		const names = 20_000
		for i := range names {
			in := 0
			for k := range n {
				if (Part{k + 1, n}).Has(fmt.Sprintf("IL-%04d", i)) {
					counts[k]++
					in++
				}
			}
			if in != 1 {
				t.Fatalf("IL-%04d is in %d of %d parts", i, in, n)
			}
		}
		for k, c := range counts {
			if fair := names / n; c < fair*7/10 || c > fair*13/10 {
				t.Errorf("part %d of %d has %d names of %d", k+1, n, c, names)
			}
		}
	}
}

// A note says what was noted, and one that lost a byte says nothing.
func TestNote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, maxParts).Draw(t, "N")
		text := rapid.String()
		note := Note{Part{rapid.IntRange(1, n).Draw(t, "K"), n}, text.Draw(t, "seeds"), text.Draw(t, "program"), text.Draw(t, "settings")}
		stored := note.Text()
		if got, err := parseNote(stored); err != nil || got != note {
			t.Fatalf("%+v, %v, want %+v", got, err, note)
		}
		cut := rapid.IntRange(0, len(stored)-1).Draw(t, "cut")
		if got, err := parseNote(stored[:cut]); err == nil {
			t.Fatalf("cut at %d: %+v", cut, got)
		}
	})
}
