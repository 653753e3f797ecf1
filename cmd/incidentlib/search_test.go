package main

import "testing"

// Nothing that a terminal acts on, or that turns the direction of writing, is
// printed.
func TestVisible(t *testing.T) {
	for s, want := range map[string]string{"a\x1b[2Jb": "a[2Jb", "x\u202ey\u200bz": "xyz", "장애 복구": "장애 복구", "a\r\nb\u0085": "ab"} {
		if got := visible(s); got != want {
			t.Errorf("%q is printed as %q", s, got)
		}
	}
}
