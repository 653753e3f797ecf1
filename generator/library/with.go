package library

import (
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// With is what [New] returns for a collection, made from a library of the same
// seeds before an edit: the two answer every question alike. What the edit did
// not reach is shared with l, or copied with the edited cases in their places,
// which is a small part of the work of making it. Cases that were not edited
// must be the same pointers in both collections.
func (l *Library) With(c *incident.Collection) *Library {
	edits, ok := l.edits(c)
	if !ok {
		next := New(c)
		next.similar = next.similarAfter(l.base())
		return next
	}
	next := &Library{collection: c, cases: c.Cases, ranks: l.ranks}
	next.newest = slices.Clone(l.newest)
	for _, e := range edits {
		next.newest[e.rank] = e.is
	}
	if sameTerms(edits) {
		next.terms, next.related = l.terms.after(c, edits), l.related
	} else {
		next.terms = newTermIndex(c, next.newest)
		next.related = newRelatedIndex(next.newest, &next.terms)
	}
	next.group()
	next.similar = next.similarAfter(l.base())
	return next
}

// edit is a case before and after.
type edit struct {
	rank    uint32
	was, is *incident.Case
}

// edits are the cases that differ. It is not ok when there are others, or an
// edit moves a case in time: ranks are then other ones.
func (l *Library) edits(c *incident.Collection) (edits []edit, ok bool) {
	if l.collection.Vocabulary != c.Vocabulary || len(l.cases) != len(c.Cases) || !slices.IsSortedFunc(c.Cases, byID) {
		return nil, false
	}
	for i, is := range c.Cases {
		was := l.cases[i]
		if was == is {
			continue
		}
		if was.ID != is.ID || was.Date != is.Date {
			return nil, false
		}
		edits = append(edits, edit{l.ranks[is.ID], was, is})
	}
	return edits, true
}

// sameTerms reports whether no edit changed a term of its case.
func sameTerms(edits []edit) bool {
	return !slices.ContainsFunc(edits, func(e edit) bool {
		return slices.ContainsFunc(incident.AxisIDs(), func(a incident.AxisID) bool {
			return !slices.Equal(e.was.Terms(a), e.is.Terms(a))
		})
	})
}

// after is the index with edited cases in their places, none of which changed
// its terms.
func (x *termIndex) after(c *incident.Collection, edits []edit) termIndex {
	next := termIndex{refs: x.refs, ids: x.ids, of: x.of, cases: slices.Clone(x.cases), texts: textsOf(c)}
	own := map[uint32]bool{}
	for _, e := range edits {
		for _, t := range x.of.of(e.rank) {
			if !own[t] {
				own[t] = true
				next.cases[t] = slices.Clone(next.cases[t])
			}
			i, _ := slices.BinarySearchFunc(next.cases[t], e.was, newestFirst)
			next.cases[t][i] = e.is
		}
	}
	return next
}

func textsOf(c *incident.Collection) map[topicKey]*incident.TopicText {
	texts := make(map[topicKey]*incident.TopicText, len(c.Topics))
	for i := range c.Topics {
		t := &c.Topics[i]
		texts[topicKey{t.Term, t.Lang}] = t
	}
	return texts
}
