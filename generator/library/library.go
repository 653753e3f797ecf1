// Package library is the indexed whole: every case in its orders, by topic, by
// organisation and by year, and what each case has to do with the others.
//
// [New] makes a [Library] from a checked collection. A Library is never changed
// once made and is safe to read from any goroutine; the slices that it hands
// out are its own, to be read only. All that it answers depends on the
// collection alone, never on the order in which a map was walked.
//
// A case stands in the indexes as its rank: its place in [Library.Newest],
// where 0 is the newest. A list of ranks in ascending order is therefore
// already in the order in which readers see cases, and merging two lists is
// comparing integers.
//
// Three questions relate cases. [Library.Chain] is the incident and its
// recurrences. [Library.Related] has what an editor put beside a case, and the
// cases with the same root cause and a component in common. [Library.Similar]
// is the ten nearest by a score. None compares a case with all others: their
// cost a case stays bounded however large the library grows.
package library

import (
	"cmp"
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// Library is the indexed whole. It is never changed once made.
type Library struct {
	collection *incident.Collection
	cases      []*incident.Case  // ascending id
	newest     []*incident.Case  // by rank
	ranks      map[string]uint32 // by id
	terms      termIndex
	orgs       []Org
	years      []Year
	chains     map[uint32][]*incident.Case // by rank; alone is absent
	chosen     map[uint32][]uint32         // what editors put beside a case, in the order shown
	related    relatedIndex
	version    func() string

	// Reading every word of the library takes longer than all the rest of New,
	// and a run that asks for no similar case need not wait for it.
	similar *lateSimilar

	lastRelated recent[Related]
	lastSimilar recent[[]Similar]
}

// New indexes a collection that was checked: ids and slugs resolve and none is
// given twice. What does not resolve in an unchecked one is passed over.
func New(c *incident.Collection) *Library {
	l := &Library{collection: c, ranks: make(map[string]uint32, len(c.Cases))}
	l.cases = sorted(c.Cases, byID)
	l.newest = sorted(l.cases, newestFirst)
	for rank, c := range l.newest {
		l.ranks[c.ID] = uint32(rank)
	}
	l.terms = newTermIndex(c, l.newest)
	l.related = newRelatedIndex(l.newest, &l.terms)
	l.group()
	l.similar = l.similarAfter(nil)
	return l
}

// group makes what is cheap to make of cases in their order.
func (l *Library) group() {
	l.orgs = groupOrgs(l.newest)
	l.years = groupYears(l.newest)
	l.version = versionOf(l.collection, l.cases)
	l.chains = l.recurrences()
	l.chosen = l.choices()
}

func byID(a, b *incident.Case) int { return incident.CompareIDs(a.ID, b.ID) }

func newestFirst(a, b *incident.Case) int { return cmp.Or(b.Date.Compare(a.Date), byID(a, b)) }

func oldestFirst(a, b *incident.Case) int { return cmp.Or(a.Date.Compare(b.Date), byID(a, b)) }

func sorted(cases []*incident.Case, order func(a, b *incident.Case) int) []*incident.Case {
	cases = slices.Clone(cases)
	slices.SortFunc(cases, order)
	return cases
}

// Collection is what the library was made from: site, vocabulary, cases, prose
// and withdrawn ids.
func (l *Library) Collection() *incident.Collection { return l.collection }

// Cases are all cases, by ascending id.
func (l *Library) Cases() []*incident.Case { return l.cases }

// Newest are all cases, newest date first, then by ascending id. A date that is
// not known to the day stands where [incident.Date.Order] puts it.
func (l *Library) Newest() []*incident.Case { return l.newest }

// Case finds a case; nil when there is none of that id.
func (l *Library) Case(id string) *incident.Case {
	rank, ok := l.ranks[id]
	if !ok {
		return nil
	}
	return l.newest[rank]
}

// Rank is where a case stands in [Library.Newest]; -1 when it is none of the
// library's.
func (l *Library) Rank(c *incident.Case) int {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return -1
	}
	return int(rank)
}

// Neighbours are the cases before and after one in [Library.Newest]; nil at
// either end. A case that is added changes them for two others.
func (l *Library) Neighbours(c *incident.Case) (newer, older *incident.Case) {
	rank, ok := l.ranks[c.ID]
	if !ok {
		return nil, nil
	}
	if rank > 0 {
		newer = l.newest[rank-1]
	}
	if int(rank)+1 < len(l.newest) {
		older = l.newest[rank+1]
	}
	return newer, older
}
