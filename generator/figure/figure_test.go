package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

func data(t *testing.T) []byte {
	t.Helper()
	src, err := os.ReadFile("../../seeds/figures/retry-storm.json")
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// A picture is well-formed, escapes its labels, styles nothing inline, and is
// the same each time.
func TestPanel(t *testing.T) {
	t.Parallel()
	s, err := ParseStorm(data(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Variants {
		labels := Labels{ID: "x-" + s.Variants[i].Name, Title: `a<b & "c"`, About: "</desc><script>"}
		svg := s.Panel(&s.Variants[i], labels)
		wellFormed(t, svg)
		for _, no := range []string{"style", "<script", "on"} {
			if bytes.Contains(svg, []byte(no+"=")) || bytes.Contains(svg, []byte(no+">")) && no == "<script" {
				t.Errorf("a panel has %q", no)
			}
		}
		if !bytes.Equal(svg, s.Panel(&s.Variants[i], labels)) {
			t.Error("two pictures of one variant differ")
		}
	}
	wellFormed(t, s.Sheet())
}

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %.200s", err, svg)
		}
	}
}

// Data that cannot be drawn is refused, with the line where it goes wrong.
func TestParseStormRefuses(t *testing.T) {
	t.Parallel()
	whole := string(data(t))
	for name, c := range map[string]struct {
		src  string
		line int
	}{
		"empty":          {"", 1},
		"cut off":        {whole[:len(whole)/2], 0},
		"more behind it": {whole + "{}", 0},
		"wrong type":     {strings.Replace(whole, `"seed": 39`, `"seed": "39"`, 1), 2},
		"unknown field":  {strings.Replace(whole, `"seed"`, `"sead"`, 1), 0},
		"no variants":    {`{"seed": 1}`, 1},
		"another name":   {strings.Replace(whole, `"jitter"`, `"jotter"`, 1), 1},
		"no capacity":    {strings.Replace(whole, `"capacity": 270`, `"capacity": 0`, 1), 1},
		"fewer minutes":  {strings.Replace(whole, `"failuresByMinute": [0, `, `"failuresByMinute": [`, 1), 1},
	} {
		_, err := ParseStorm([]byte(c.src))
		e := (*FormatError)(nil)
		if !errors.As(err, &e) || e.Line < 1 || c.line > 0 && e.Line != c.line {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParseStorm(f *testing.F) {
	src, err := os.ReadFile("../../seeds/figures/retry-storm.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Fuzz(func(t *testing.T, src []byte) {
		if s, err := ParseStorm(src); err == nil {
			wellFormed(t, s.Panel(&s.Variants[0], Labels{}))
		}
	})
}
