package seed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest is the candidate that a misspelt word most likely meant, or "": the
// fewest edits, at most a third of the word's length.
func Nearest(word string, candidates []string) string {
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

// edits counts the insertions, deletions, replacements and exchanges of two
// neighbours from a to b.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	var before []int // the row for s without its last two
	last := make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i, x := range s {
		row := make([]int, len(t)+1)
		row[0] = i + 1
		for j, y := range t {
			change := last[j]
			if x != y {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x == t[j-1] && s[i-1] == y {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(t)]
}

// didYouMean ends a remedy with the nearest candidate, where there is one.
func didYouMean(word string, candidates []string, otherwise string) string {
	if n := Nearest(word, candidates); n != "" {
		return `did you mean "` + n + `"?`
	}
	return otherwise
}
