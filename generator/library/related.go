package library

import (
	"cmp"
	"math/bits"
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// maxShared is how many cases the related section lists at most, so that no
// page grows with the library.
const maxShared = 30

// maxSubset is up to how many components a case is found by every subset of
// them: 63 lists at most. A case with more, which no editor writes but a file
// may hold, is counted against its components one by one.
const maxSubset = 6

// Related is what stands beside a case. No case is in it twice, and none that
// [Library.Chain] shows.
type Related struct {
	// Chosen are by an editor's hand: those that the case names, in its order,
	// then those that name it, newest first and at most 30 of them, for a case
	// that everything refers to.
	Chosen []*incident.Case
	// Shared have the same root cause and at least one component in common: more
	// components in common first, then newest, then by id; at most 30.
	Shared []SharedCase
	// Total is how many cases Shared would have without a limit.
	Total int
}

// SharedCase is a case with the components that it has in common with the
// page's case, in the order of the page's case.
type SharedCase struct {
	Case       *incident.Case
	Components []string
}

// Chosen are the cases that an editor put beside c, without those of its chain:
// what [Related.Chosen] has, for who needs no more.
func (l *Library) Chosen(c *incident.Case) []*incident.Case {
	rank, ok := l.ranks[c.ID]
	if !ok || len(l.chosen[rank]) == 0 {
		return nil
	}
	var out []*incident.Case
	hidden := l.chained(c, rank)
	for _, r := range l.chosen[rank] {
		if !slices.Contains(hidden, r) {
			out = append(out, l.newest[r])
		}
	}
	return out
}

// chained are the ranks of c itself and of its chain, which is shown elsewhere.
func (l *Library) chained(c *incident.Case, rank uint32) []uint32 {
	ranks := []uint32{rank}
	for _, link := range l.Chain(c) {
		ranks = append(ranks, l.ranks[link.Case.ID])
	}
	return ranks
}

// Related finds what stands beside c. Its lists are shared: they are not to be
// changed.
func (l *Library) Related(c *incident.Case) Related {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return Related{}
	}
	return l.lastRelated.of(rank, l.findRelated)
}

func (l *Library) findRelated(rank uint32) Related {
	c := l.newest[rank]
	out := Related{Chosen: l.Chosen(c)}
	hidden := l.chained(c, rank)
	hidden = append(hidden, l.chosen[rank]...)
	slices.Sort(hidden)
	hidden = slices.Compact(hidden)

	var found []match
	found, out.Total = l.related.find(rank, hidden)
	out.Shared = l.explain(c, found)
	return out
}

// explain adds to each case what it has in common with c.
func (l *Library) explain(c *incident.Case, found []match) []SharedCase {
	if len(found) == 0 {
		return nil
	}
	slugs := distinct(c.Components)
	ids := make([]uint32, len(slugs))
	all := 0
	for i, slug := range slugs {
		ids[i] = l.terms.ids[incident.TermRef{Axis: incident.Components, Slug: slug}]
	}
	for _, m := range found {
		all += m.shared
	}
	out := make([]SharedCase, 0, len(found))
	room := make([]string, 0, all) // of all cases
	for _, m := range found {
		from, has := len(room), l.related.components.of(m.rank)
		for i, id := range ids {
			if _, ok := slices.BinarySearch(has, id); ok {
				room = append(room, slugs[i])
			}
		}
		out = append(out, SharedCase{l.newest[m.rank], room[from:len(room):len(room)]})
	}
	return out
}

// choices are what editors put beside each case, in both directions.
func (l *Library) choices() map[uint32][]uint32 {
	chosen, naming := map[uint32][]uint32{}, map[uint32][]uint32{}
	for rank, c := range l.newest {
		for _, id := range c.Related {
			if r, ok := l.ranks[id]; ok && r != uint32(rank) {
				chosen[uint32(rank)] = append(chosen[uint32(rank)], r)
				naming[r] = append(naming[r], uint32(rank))
			}
		}
	}
	for rank, from := range naming {
		chosen[rank] = append(chosen[rank], from[:min(len(from), maxShared)]...)
	}
	for rank, all := range chosen {
		chosen[rank] = distinct(all)
	}
	return chosen
}

// distinct drops repetitions and keeps the order.
func distinct[T comparable](all []T) []T {
	seen := make(map[T]bool, len(all))
	var out []T
	for _, v := range all {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// relatedIndex finds the cases of one root cause that share components, without
// touching those that are not listed.
type relatedIndex struct {
	cause      []uint32 // by rank: the root cause's number plus one; 0 is none
	components lists    // by rank: ascending
	narrow     postings[subset]
	wide       postings[[2]uint32] // cause and component, of cases above maxSubset
}

// subset is a root cause and up to maxSubset components, ascending, each as its
// number plus one; zeros fill the rest.
type subset [1 + maxSubset]uint32

// match is a case that shares components.
type match struct {
	rank   uint32
	shared int
}

func newRelatedIndex(newest []*incident.Case, terms *termIndex) relatedIndex {
	x := relatedIndex{cause: make([]uint32, len(newest))}
	var buf []uint32
	for rank := range newest {
		buf = terms.onAxis(buf[:0], uint32(rank), incident.RootCause)
		if len(buf) > 0 {
			x.cause[rank] = buf[0] + 1
		}
		x.components.append(terms.onAxis(buf[:0], uint32(rank), incident.Components))
	}
	x.narrow, _ = newPostings(len(newest), func(rank uint32, keys []subset) []subset {
		components := x.components.of(rank)
		if x.cause[rank] == 0 || len(components) > maxSubset {
			return keys
		}
		for mask := 1; mask < 1<<len(components); mask++ {
			keys = append(keys, subsetOf(x.cause[rank], components, mask))
		}
		return keys
	})
	x.wide, _ = newPostings(len(newest), func(rank uint32, keys [][2]uint32) [][2]uint32 {
		components := x.components.of(rank)
		if x.cause[rank] == 0 || len(components) <= maxSubset {
			return keys
		}
		for _, c := range components {
			keys = append(keys, [2]uint32{x.cause[rank], c})
		}
		return keys
	})
	return x
}

// subsetOf is the subset whose components the bits of mask choose.
func subsetOf(cause uint32, components []uint32, mask int) subset {
	k, n := subset{cause}, 1
	for ; mask != 0; mask &= mask - 1 {
		k[n] = components[bits.TrailingZeros(uint(mask))] + 1
		n++
	}
	return k
}

// find lists the first maxShared cases of a rank and counts all of them. Those
// in hidden, which is sorted and holds the rank itself, are left out.
func (x *relatedIndex) find(rank uint32, hidden []uint32) (found []match, total int) {
	components := x.components.of(rank)
	if x.cause[rank] == 0 || len(components) == 0 {
		return nil, 0
	}
	counts := map[uint32]int{}
	x.count(counts, rank, hidden)
	if len(components) <= maxSubset {
		found, total = x.walk(rank, hidden)
	}
	for r, n := range counts {
		found = append(found, match{r, n})
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.rank, b.rank))
	})
	return found[:min(len(found), maxShared)], total + len(counts)
}

// count counts the components in common with those cases that the subsets do
// not lead to: with wide ones, and of a wide case with all.
func (x *relatedIndex) count(counts map[uint32]int, rank uint32, hidden []uint32) {
	components := x.components.of(rank)
	add := func(ranks []uint32) {
		for _, r := range ranks {
			if _, skip := slices.BinarySearch(hidden, r); !skip {
				counts[r]++
			}
		}
	}
	for _, c := range components {
		add(x.wide.of([2]uint32{x.cause[rank], c}))
		if len(components) > maxSubset {
			add(x.narrow.of(subset{x.cause[rank], c + 1}))
		}
	}
}

// walk goes through the lists of the subsets of a case's components, the
// largest first, until it has enough. The number of all is the size of the
// union of the single components' lists: by inclusion and exclusion it follows
// from the lengths of the same lists.
func (x *relatedIndex) walk(rank uint32, hidden []uint32) (found []match, total int) {
	components := x.components.of(rank)
	var levels [maxSubset + 1][][]uint32 // by number of components
	for mask := 1; mask < 1<<len(components); mask++ {
		size := bits.OnesCount(uint(mask))
		list := x.narrow.of(subsetOf(x.cause[rank], components, mask))
		levels[size] = append(levels[size], list)
		if size%2 == 1 {
			total += len(list)
		} else {
			total -= len(list)
		}
	}
	for _, r := range hidden {
		if x.cause[r] == x.cause[rank] && len(x.components.of(r)) <= maxSubset && x.shared(rank, r) > 0 {
			total--
		}
	}
	for size := len(components); size > 0 && len(found) < maxShared; size-- {
		found = x.level(found, rank, size, levels[size], hidden)
	}
	return found, total
}

// level merges the lists of all subsets of one size. A case that shares more
// than that size was found on a level before, one that shares no more is in one
// of the lists only.
func (x *relatedIndex) level(found []match, rank uint32, size int, all [][]uint32, hidden []uint32) []match {
	for len(found) < maxShared {
		first := -1
		for i, list := range all {
			if len(list) > 0 && (first < 0 || list[0] < all[first][0]) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		r := all[first][0]
		all[first] = all[first][1:]
		if _, skip := slices.BinarySearch(hidden, r); !skip && x.shared(rank, r) == size {
			found = append(found, match{r, size})
		}
	}
	return found
}

// shared counts the components that two cases have in common.
func (x *relatedIndex) shared(a, b uint32) int {
	n := 0
	for range common(x.components.of(a), x.components.of(b)) {
		n++
	}
	return n
}
