package seed

import (
	"strings"
	"unicode/utf8"
)

// nearest is the candidate that a misspelt word most likely meant, or "": the
// fewest edits, at most a third of the word's length.
func nearest(word string, candidates []string) string {
	if utf8.RuneCountInString(word) > 60 {
		return ""
	}
	fold := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
	}
	best, least := "", max(1, utf8.RuneCountInString(word)/3)+1
	for _, c := range candidates {
		n := edits(fold(word), fold(c))
		if n < least {
			best, least = c, n
		}
	}
	return best
}

// edits counts the insertions, deletions and replacements from a to b.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range t {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(t)]
}

// didYouMean ends a remedy with the nearest candidate, where there is one.
func didYouMean(word string, candidates []string, otherwise string) string {
	if n := nearest(word, candidates); n != "" {
		return `did you mean "` + n + `"?`
	}
	return otherwise
}
