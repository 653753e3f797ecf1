package check

import (
	"slices"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

// Memory applies the rules to the same seeds again and again. After a result in
// which nothing was wrong, cases that were edited are judged alone, as long as no
// rule could have anything new to say about the others. What it returns is what
// [Run] would.
type Memory struct {
	good  *incident.Collection // the last one without a fault; nil when there was none
	known ids                  // of good
	texts *textChecker         // of good
}

// Run is [Run]. The cases, lists and texts that did not change since the result
// before must be the same pointers and slices in both, as in those of one
// [seed.Store].
func (m *Memory) Run(r seed.Result) []problem.Problem {
	edited, alone := m.edited(r)
	var ps []problem.Problem
	if alone {
		ps = slices.Concat(links(edited, m.known), urls(edited, r.Collection.Site))
		for _, c := range edited {
			ps = append(ps, m.texts.judge(caseTexts(c))...)
		}
	} else {
		ps = Run(r)
	}
	switch {
	case len(ps) > 0 || len(r.Unread) > 0:
	case alone:
		m.good = r.Collection
	default:
		m.good, m.known = r.Collection, newIDs(r.Collection, r.Unread)
		m.texts = newTextChecker(r.Collection, m.known)
	}
	return ps
}

// edited are the cases that differ from those of good; alone is false when
// something else differs, or when an edit can reach the rules of other cases.
func (m *Memory) edited(r seed.Result) (edited []*incident.Case, alone bool) {
	was, is := m.good, r.Collection
	if was == nil || len(r.Unread) > 0 || was.Vocabulary != is.Vocabulary || was.Site != is.Site || len(was.Cases) != len(is.Cases) ||
		!sameSlice(was.Withdrawn, is.Withdrawn) || !sameSlice(was.Topics, is.Topics) || !sameSlice(was.Articles, is.Articles) || !sameSlice(was.Figures, is.Figures) {
		return nil, false
	}
	for i, c := range is.Cases {
		if old := was.Cases[i]; c != old {
			if !reachesItself(old, c) {
				return nil, false
			}
			edited = append(edited, c)
		}
	}
	return edited, true
}

// reachesItself reports whether an edit left alone what other cases are judged
// by: what can be linked to, what an organisation is called, what repeats what.
func reachesItself(was, is *incident.Case) bool {
	return was.ID == is.ID && was.File == is.File && was.Org == is.Org && was.OrgSlug == is.OrgSlug &&
		was.Date.Year == is.Date.Year && was.RecurrenceOf == is.RecurrenceOf
}

// sameSlice reports whether two slices are one.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
