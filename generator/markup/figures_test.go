package markup

import (
	"slices"
	"strings"
	"testing"
)

// A figure stands in the place of its block, in sections and nowhere else; one
// that there is not, and a block that only looks like one, stay as they are.
func TestFigures(t *testing.T) {
	t.Parallel()
	r := New(Options{Figure: func(name string) ([]byte, bool) { return []byte("<figure>" + name + "</figure>"), name == "storm" }})
	src := "One.\n\n```figure\nstorm\n```\n\n> ```figure\n> other\n> ```\n\n```figures\nstorm\n```\n"
	var got []byte
	for _, s := range r.Sections(src, 1) {
		got = append(got, s.HTML...)
	}
	if n := strings.Count(string(got), "<figure>storm</figure>"); n != 1 || !strings.Contains(string(got), "<code>other") || !strings.Contains(string(got), "<code>storm") {
		t.Errorf("sections: %s", got)
	}
	if b := r.Block(nil, src, 1); strings.Contains(string(b), "<figure>storm") {
		t.Errorf("a block has a figure: %s", b)
	}
	want := []FigureMark{{"storm", 3}, {"other", 7}}
	if marks := r.Figures(src); !slices.Equal(marks, want) {
		t.Errorf("the figures are %v, not %v", marks, want)
	}
	if marks := New(Options{}).Figures(strings.ReplaceAll(src, "\n", "\r\n")); !slices.Equal(marks, want) {
		t.Errorf("with CRLF the figures are %v, not %v", marks, want)
	}
}
