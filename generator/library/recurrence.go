package library

import (
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

const (
	// maxChain bounds how much of a chain stands beside a case.
	maxChain = 12
	// chainEnds and chainNear are how many of a longer chain stand there from
	// either end, and on either side of the case.
	chainEnds, chainNear = 3, 2
)

// ChainLink is a case in a chain.
type ChainLink struct {
	Case *incident.Case
	// Skipped is how many of the chain, between the link before and this one, are
	// left out.
	Skipped int
}

// Chain is the incident and its recurrences, c among them, oldest first; nil
// when c neither repeats an incident nor was repeated. Where several cases
// repeat one, all of them are in it. Of more than 12 it has the earliest, those
// around c, the one that c repeats, and the latest.
func (l *Library) Chain(c *incident.Case) []ChainLink {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return nil
	}
	chain := l.chains[rank]
	at := func(c *incident.Case) int {
		i, _ := slices.BinarySearchFunc(chain, c, oldestFirst)
		return i
	}
	var places []int
	add := func(from, to int) {
		for i := max(from, 0); i < min(to, len(chain)); i++ {
			places = append(places, i)
		}
	}
	if len(chain) <= maxChain {
		add(0, len(chain))
	} else {
		add(0, chainEnds)
		add(at(c)-chainNear, at(c)+chainNear+1)
		add(len(chain)-chainEnds, len(chain))
		if earlier := l.Case(c.RecurrenceOf); earlier != nil {
			add(at(earlier), at(earlier)+1)
		}
	}
	slices.Sort(places)
	var out []ChainLink
	next := 0
	for _, i := range slices.Compact(places) {
		out = append(out, ChainLink{chain[i], i - next})
		next = i + 1
	}
	return out
}

// recurrences groups the cases that recurrence_of connects. Joining sets, not
// following links, ends on a cycle too.
func (l *Library) recurrences() map[uint32][]*incident.Case {
	parent := map[uint32]uint32{}
	root := func(r uint32) uint32 {
		for {
			p, ok := parent[r]
			if !ok || p == r {
				return r
			}
			if pp, ok := parent[p]; ok {
				parent[r] = pp // halves the way for the next who asks
			}
			r = p
		}
	}
	var members []uint32
	for rank, c := range l.newest {
		if c.RecurrenceOf == "" {
			continue
		}
		earlier, ok := l.ranks[c.RecurrenceOf]
		if !ok || earlier == uint32(rank) {
			continue
		}
		members = append(members, uint32(rank), earlier)
		if a, b := root(uint32(rank)), root(earlier); a != b {
			parent[a] = b
		}
	}
	slices.Sort(members)
	members = slices.Compact(members)

	byRoot := map[uint32][]*incident.Case{}
	for _, r := range members {
		byRoot[root(r)] = append(byRoot[root(r)], l.newest[r])
	}
	for _, chain := range byRoot {
		slices.SortFunc(chain, oldestFirst)
	}
	chains := make(map[uint32][]*incident.Case, len(members))
	for _, r := range members {
		chains[r] = byRoot[root(r)]
	}
	return chains
}
