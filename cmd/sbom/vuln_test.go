package main

import (
	"strings"
	"testing"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	const std = `{"osv":{"id":"GO-1","summary":"One"}}{"finding":{"osv":"GO-1","fixed_version":"v1.26.9","trace":[{"module":"stdlib","version":"v1.26.8","function":"F"}]}}`
	const idle = `{"finding":{"osv":"GO-2","fixed_version":"v2.0.0","trace":[{"module":"m.example","version":"v1.0.0"}]}}`
	const own = `{"finding":{"osv":"GO-3","fixed_version":"v2.0.0","trace":[{"module":"m.example","version":"v1.0.0","function":"G"}]}}`
	for in, want := range map[string]string{
		std:              "GO-1: stdlib v1.26.8, mended in v1.26.9 (One)\nknown faults that are called: 0 in modules, 1 in the standard library\n",
		`{"config":{}}`:  "known faults that are called: 0 in modules, 0 in the standard library\n",
		std + std + idle: "GO-1: stdlib v1.26.8, mended in v1.26.9 (One)\nknown faults that are called: 0 in modules, 1 in the standard library\n",
	} {
		var b strings.Builder
		if err := faults(strings.NewReader(in), &b); err != nil || b.String() != want {
			t.Errorf("%s: %v, %q", in, err, b.String())
		}
	}
	var b strings.Builder
	for _, in := range []string{"", "nonsense", std[:40], own} {
		if err := faults(strings.NewReader(in), &b); err == nil {
			t.Errorf("%q is let pass", in)
		}
	}
}
