package markup

import (
	"strings"
	"testing"
	"time"
)

// TestHostileSizes gives each construct that could nest or be paired without
// end. What takes minutes without the bounds must take a moment.
func TestHostileSizes(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for name, src := range map[string]string{
		"quotes":            strings.Repeat(">", n) + "a",
		"quotes and blanks": strings.Repeat("> ", n) + "a" + strings.Repeat("\n", n),
		"lists":             strings.Repeat("- ", n) + "a",
		"lists and blanks":  strings.Repeat("- ", n) + "a" + strings.Repeat("\n", n) + "b",
		"ordered":           strings.Repeat("1) ", n) + "a",
		"deeper lists":      deeper(700),
		"mixed containers":  strings.Repeat("> - ", n) + "a" + strings.Repeat("\n", n) + "b",
		"open brackets":     strings.Repeat("[", n) + "a",
		"brackets":          strings.Repeat("[", n) + "a" + strings.Repeat("]", n),
		"nested links":      strings.Repeat("[", n) + "a" + strings.Repeat("](b)", n),
		"nested images":     strings.Repeat("![", n) + "a" + strings.Repeat("](b)", n),
		"open destinations": strings.Repeat("[a](<b", n),
		"open parentheses":  strings.Repeat("[a](b", n),
		"open titles":       strings.Repeat("[a](b \"", n) + strings.Repeat("[a](b '", n),
		"spaces":            strings.Repeat("[a]( ", n) + strings.Repeat(" ", n),
		"stars":             strings.Repeat("*", n) + "a" + strings.Repeat("*", n),
		"open emphasis":     strings.Repeat("*a **b ", n),
		"closed emphasis":   strings.Repeat("a** b* ", n),
		"mismatched":        strings.Repeat("*a_ ", n),
		"nested emphasis":   strings.Repeat("*a **b ", n) + strings.Repeat("c** d* ", n),
		"strikes":           strings.Repeat("~~a ", n) + strings.Repeat("a~~ ", n),
		"backticks":         backticks(400),
		"long backticks":    strings.Repeat("`", n) + " a " + strings.Repeat("`", n-1),
		"autolinks":         strings.Repeat("<a:", n) + strings.Repeat("<a@b", n),
		"entities":          strings.Repeat("&", n) + strings.Repeat("&#", n) + strings.Repeat("&amp", n),
		"backslashes":       strings.Repeat("\\", n) + "a\n" + strings.Repeat("\\\n", n),
		"wide table":        strings.Repeat("|a", n) + "\n" + strings.Repeat("|-", n) + strings.Repeat("\n|1", n),
		"long table":        strings.Repeat("|a", 64) + "\n" + strings.Repeat("|-", 64) + strings.Repeat("\n|1", n),
		"delimiter rows":    "a\n" + strings.Repeat("|-|-|\n", n),
		"setext":            strings.Repeat("a\n-\n", n),
		"headings":          strings.Repeat("# a\n", n),
		"fences":            strings.Repeat("```\n", n) + "a",
		"indents":           strings.Repeat(" ", n) + "a\n" + strings.Repeat("\t", n) + "b",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := New(Options{})
			start := time.Now()
			block := r.Block(nil, src, 2)
			line := r.Inline(nil, src, true)
			took := time.Since(start)
			t.Logf("%d bytes: %v, %d and %d bytes", len(src), took, len(block), len(line))
			if took > time.Minute { // far above any machine's noise, far below what blowing up takes
				t.Errorf("took %v", took)
			}
			mustInspect(t, line)
			if left := lost(src, mustInspect(t, block).all); left != "" {
				t.Errorf("lost %.40q", left)
			}
		})
	}
}

// deeper returns a list whose every item is one level further in.
func deeper(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

// backticks returns runs of every length up to n, none of which is closed.
func backticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + "a")
	}
	return b.String()
}
