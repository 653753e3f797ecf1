package seed

import (
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/problem"
)

func TestOffsetOf(t *testing.T) {
	const src = `{"a": {"b": [10, [20, {"c": 30}], {}]}, "x/y": 40, "m~n": 50, "": 60, "~1": 70, "0": [80], "k\u0065y": 90, "u": "한", "한": 100}`
	for pointer, want := range map[string]string{
		"":           src[:5],
		"/a":         `{"b": [10`,
		"/a/b":       `[10`,
		"/a/b/0":     `10`,
		"/a/b/1":     `[20`,
		"/a/b/1/0":   `20`,
		"/a/b/1/1":   `{"c"`,
		"/a/b/1/1/c": `30`,
		"/a/b/2":     `{}`,
		"/x~1y":      `40`,
		"/m~0n":      `50`,
		"/":          `60`,
		"/~01":       `70`,
		"/0":         `[80]`,
		"/0/0":       `80`,
		"/key":       `90`,
		"/한":         `100`,
		// What is not there is placed at the innermost value that is.
		"/a/b/3":   `[10`,
		"/a/b/01":  `[10`,
		"/a/b/-":   `[10`,
		"/a/z":     `{"b"`,
		"/z":       src[:5],
		"/u/0":     `"한"`,
		"/a/b/0/x": `10`,
		"/x":       src[:5],
	} {
		if got := offsetOf([]byte(src), pointer); !strings.HasPrefix(src[got:], want) {
			t.Errorf("%q leads to %q, want %q", pointer, src[got:min(len(src), got+12)], want)
		}
	}
	for _, broken := range []string{"", " ", "{", `{"a"`, `{"a":`, `{"a":1,,`, `[1`, "nul"} {
		if got := offsetOf([]byte(broken), "/a/0"); got > len(broken) {
			t.Errorf("%q: %d is behind its end", broken, got)
		}
	}
}

func TestPlace(t *testing.T) {
	fsys := library(map[string]string{"cases/IL-0123.json": "\ufeff" + baseCase})
	ps := []problem.Problem{
		{File: "seeds/cases/IL-0123.json", Pointer: "/related/0"},
		{File: "seeds/vocab.json", Pointer: "/axes/1/terms/0/slug"},
		{File: "seeds/cases/IL-0123.json", Pointer: "/sources/0/archived"},
		{File: "seeds/cases/IL-0123.json", Pointer: "/id", Line: 7, Column: 8}, // has its place
		{File: "seeds/cases/IL-0123.json"},                                     // the file as a whole
		{File: "seeds/cases/IL-9999.json", Pointer: "/id"},                     // gone since
	}
	Place(fsys, "seeds", ps)
	for i, want := range [][2]int{{13, 15}, {5, 69}, {15, 97}, {7, 8}, {0, 0}, {0, 0}} {
		if got := [2]int{ps[i].Line, ps[i].Column}; got != want {
			t.Errorf("%v is at %v, want %v", ps[i], got, want)
		}
	}
}
