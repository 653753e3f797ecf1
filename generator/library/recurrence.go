package library

import (
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// Chain is the incident and its recurrences, c among them, oldest first; nil
// when c neither repeats an incident nor was repeated. Where several cases
// repeat one, all of them are in it.
func (l *Library) Chain(c *incident.Case) []*incident.Case {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return nil
	}
	return l.chains[rank]
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
