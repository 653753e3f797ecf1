package check

import (
	"slices"
	"strings"
	"unicode"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// Two titles are nearly equal when they share this part of all their words.
const (
	nearShared = 4
	nearOf     = 5
)

// maxBucket bounds how many titles with one rare word are compared.
const maxBucket = 20

// nearTitles reports each case whose title nearly equals an earlier one's in
// either language, once.
//
// Of two titles that share four words of five, each has one of the other's
// among its rarest fifth: only titles that meet there are compared.
func nearTitles(c *incident.Collection) []problem.Problem {
	var ps []problem.Problem
	reported := map[int]bool{}
	for _, l := range incident.Langs() {
		titles := titleWords(c, l)
		buckets := map[string][]int{}
		for i, words := range titles {
			first := -1
			for _, w := range words[:min(len(words), len(words)/nearOf+1)] {
				for _, j := range buckets[w] {
					if first >= 0 && j >= first {
						break
					}
					if near(titles[j], words) {
						first = j
					}
				}
				if len(buckets[w]) < maxBucket {
					buckets[w] = append(buckets[w], i)
				}
			}
			if first >= 0 && !reported[i] {
				reported[i] = true
				ps = append(ps, fault(c.Cases[i], pointerTo("title/%s", l), "the title nearly equals that of "+c.Cases[first].ID,
					"make the titles tell the two apart, or the two one case"))
			}
		}
	}
	return ps
}

// titleWords are the words of each case's title, each once, the rarest first.
func titleWords(c *incident.Collection, l incident.Lang) [][]string {
	out := make([][]string, len(c.Cases))
	count := map[string]int{}
	for i := range c.Cases {
		words := strings.FieldsFunc(folded(c.Cases[i].Title.In(l)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		slices.Sort(words)
		out[i] = slices.Compact(words)
		for _, w := range out[i] {
			count[w]++
		}
	}
	for _, words := range out {
		slices.SortStableFunc(words, func(a, b string) int { return count[a] - count[b] })
	}
	return out
}

func near(a, b []string) bool {
	if len(a)*nearOf < len(b)*nearShared || len(b)*nearOf < len(a)*nearShared {
		return false
	}
	shared := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			shared++
		}
	}
	return shared > 0 && shared*nearOf >= (len(a)+len(b)-shared)*nearShared
}
