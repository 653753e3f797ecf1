package main

import (
	"runtime/debug"
	"testing"
)

// The collector runs sooner in a large library, unless somebody set how often.
func TestCollectSooner(t *testing.T) {
	const usual = 100
	before := debug.SetGCPercent(usual)
	defer debug.SetGCPercent(before)
	for _, c := range []struct {
		cases int
		gogc  string
		want  int
	}{
		{largeLibrary - 1, "", usual},
		{largeLibrary, "", renderingPercent},
		{largeLibrary, "100", usual},
	} {
		t.Setenv("GOGC", c.gogc)
		collectSooner(c.cases)
		if got := debug.SetGCPercent(usual); got != c.want {
			t.Errorf("with %d cases and GOGC=%q the heap grows by %d %%, want %d %%", c.cases, c.gogc, got, c.want)
		}
	}
}
