package main

import (
	"os"
	"runtime/debug"
)

// While the pages of a large library are rendered, the heap holds the library and
// gets it back as garbage again and again; the Go runtime would let it grow to
// twice what is in use. Collecting sooner costs a thirtieth of a build's time for
// a third of its memory. A small library needs no such thing.
const (
	largeLibrary     = 2000 // cases
	renderingPercent = 40
)

// collectSooner has the collector run more often from now on, where there are many
// cases and the environment does not say by GOGC how often it is to run.
func collectSooner(cases int) {
	if cases >= largeLibrary && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(renderingPercent)
	}
}
