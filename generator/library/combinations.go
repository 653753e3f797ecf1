package library

import (
	"cmp"
	"slices"
)

const (
	// maxVisited is how many entries of lists a search reads at most.
	maxVisited = 1024
	// maxExact is up to how many cases each is compared with all: a search would
	// look at as many anyway.
	maxExact = maxVisited
	// maxCombined is how many terms of a case are combined: those that weigh most.
	maxCombined = 8
)

// combinations find the cases that have several terms in common with a case:
// lists of the cases that have a term, or two or three at once. Which of them
// are short enough to be read depends on the size of the library: in a small
// one that of a rare term is, in a large one only those of three terms are.
type combinations struct {
	read  lists // by rank: numbers of lists, the shortest first
	cases lists // by number: ranks, newest first
}

// combination is up to three terms, ascending, each as its number plus one, of
// 21 bits; zeros fill the rest. No vocabulary has two million terms.
type combination uint64

func combinationOf(a, b, c uint32) combination {
	return combination(a)<<42 | combination(b)<<21 | combination(c)
}

func newCombinations(cases int, terms *termIndex, weight []uint16) combinations {
	var heavy []uint32
	carried, of := newPostings(cases, func(rank uint32, keys []combination) []combination {
		heavy = heaviest(heavy[:0], terms.of.of(rank), weight)
		return combine(keys, heavy)
	})
	return shortest(of, carried.ranks)
}

// heaviest appends the maxCombined terms that weigh most, ascending.
func heaviest(buf, all []uint32, weight []uint16) []uint32 {
	for _, t := range all {
		if weight[t] > 0 {
			buf = append(buf, t)
		}
	}
	if len(buf) > maxCombined {
		slices.SortFunc(buf, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
		})
		buf = buf[:maxCombined]
		slices.Sort(buf)
	}
	return buf
}

// combine appends every combination of terms.
func combine(keys []combination, terms []uint32) []combination {
	for i, a := range terms {
		keys = append(keys, combinationOf(a+1, 0, 0))
		for j, b := range terms[i+1:] {
			keys = append(keys, combinationOf(a+1, b+1, 0))
			for _, c := range terms[i+1+j+1:] {
				keys = append(keys, combinationOf(a+1, b+1, c+1))
			}
		}
	}
	return keys
}

// shortest keeps for each case the lists that a search will read, and of all
// lists those that any search will.
func shortest(of, cases lists) combinations {
	order, number := byLength(cases)
	var x combinations
	used := make([]bool, len(order))
	var buf []uint32
	for rank := range uint32(len(of.ends)) {
		buf = buf[:0]
		for _, n := range of.of(rank) {
			if number[n] != alone {
				buf = append(buf, number[n])
			}
		}
		slices.Sort(buf)
		visited, read := 0, 0
		for read < len(buf) && visited < maxVisited {
			visited += len(cases.of(order[buf[read]]))
			used[buf[read]] = true
			read++
		}
		x.read.append(buf[:read])
	}
	for i, n := range order {
		var kept []uint32
		if used[i] {
			kept = cases.of(n)[:min(maxVisited, len(cases.of(n)))]
		}
		x.cases.append(kept)
	}
	return x
}

// alone is the number of a list that one case only is in: it leads nowhere.
const alone = ^uint32(0)

// byLength numbers lists anew, the shortest first: order gives the old number
// of a new one, number the new one of an old.
func byLength(cases lists) (order, number []uint32) {
	number = slices.Repeat([]uint32{alone}, len(cases.ends))
	for n := range uint32(len(cases.ends)) {
		if len(cases.of(n)) > 1 {
			order = append(order, n)
		}
	}
	slices.SortStableFunc(order, func(a, b uint32) int {
		return cmp.Compare(len(cases.of(a)), len(cases.of(b)))
	})
	for i, n := range order {
		number[n] = uint32(i)
	}
	return order, number
}

// visit hands over the lists of a case until maxVisited entries were read.
func (x *combinations) visit(rank uint32, list func(ranks []uint32)) {
	left := maxVisited
	for _, n := range x.read.of(rank) {
		ranks := x.cases.of(n)
		ranks = ranks[:min(left, len(ranks))]
		list(ranks)
		left -= len(ranks)
	}
}
