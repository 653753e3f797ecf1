package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// message is one of the documents that govulncheck -format json writes.
type message struct {
	OSV *struct {
		ID      string `json:"id"`
		Summary string `json:"summary"`
	} `json:"osv"`
	Finding *struct {
		OSV   string `json:"osv"`
		Fixed string `json:"fixed_version"`
		Trace []struct {
			Module   string `json:"module"`
			Version  string `json:"version"`
			Function string `json:"function"`
		} `json:"trace"`
	} `json:"finding"`
}

// faults reads what govulncheck found and says what our programs call of it. A
// fault of a module is an error; one of the standard library comes with the Go
// that is installed, and is told with the version that mends it.
func faults(r io.Reader, w io.Writer) error {
	summaries, called := map[string]string{}, map[string]string{}
	own := 0
	d := json.NewDecoder(r)
	for read := 0; ; read++ {
		var m message
		err := d.Decode(&m)
		if errors.Is(err, io.EOF) && read > 0 {
			break
		}
		if err != nil {
			return fmt.Errorf("this is not what govulncheck writes: %w", err)
		}
		if m.OSV != nil {
			summaries[m.OSV.ID] = m.OSV.Summary
		}
		f := m.Finding
		if f == nil || len(f.Trace) == 0 || f.Trace[0].Function == "" || called[f.OSV] != "" {
			continue
		}
		called[f.OSV] = fmt.Sprintf("%s %s, mended in %s", f.Trace[0].Module, f.Trace[0].Version, f.Fixed)
		if f.Trace[0].Module != "stdlib" {
			own++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(called)) {
		fmt.Fprintf(w, "%s: %s (%s)\n", id, called[id], strings.TrimSpace(summaries[id]))
	}
	fmt.Fprintf(w, "known faults that are called: %d in modules, %d in the standard library\n", own, len(called)-own)
	if own > 0 {
		return errors.New("take the versions of the modules that mend these")
	}
	return nil
}
