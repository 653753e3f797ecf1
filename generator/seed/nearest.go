package seed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nearest is the candidate that a misspelt word most likely meant, or "": the
// fewest edits, at most a third of the word's length.
func nearest(word string, candidates []string) string {
	if utf8.RuneCountInString(word) > 60 {
		return ""
	}
	folded := foldName(word)
	best, least := "", max(1, utf8.RuneCountInString(word)/3)+1
	for _, c := range candidates {
		n := edits(folded, foldName(c))
		if n < least {
			best, least = c, n
		}
	}
	return best
}

// foldName is a name without what people mix up in names: case and separators.
func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' || r == '.' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
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
