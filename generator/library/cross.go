package library

import (
	"cmp"
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// Cross counts the cases that carry a term of one axis together with one of
// another. Terms are the most frequent first, then in the order of the
// vocabulary; those that no case carries are left out.
type Cross struct {
	Rows, Columns []TermCount
	Cells         [][]int // by row, then column
	Most          int     // the greatest cell
}

// Cross counts the terms of two axes together in one walk over the cases. A case
// with several terms of an axis counts at each.
func (l *Library) Cross(rows, columns incident.AxisID) Cross {
	x := Cross{Rows: l.byCount(rows), Columns: l.byCount(columns)}
	row, column := l.places(x.Rows), l.places(x.Columns)
	x.Cells = make([][]int, len(x.Rows))
	for i := range x.Cells {
		x.Cells[i] = make([]int, len(x.Columns))
	}
	for rank := range l.newest {
		terms := l.terms.of.of(uint32(rank))
		for _, r := range terms {
			if row[r] == 0 {
				continue
			}
			for _, c := range terms {
				if column[c] == 0 {
					continue
				}
				n := &x.Cells[row[r]-1][column[c]-1]
				*n++
				x.Most = max(x.Most, *n)
			}
		}
	}
	return x
}

// byCount are the terms of an axis that a case carries, the most frequent first.
func (l *Library) byCount(a incident.AxisID) []TermCount {
	var out []TermCount
	for id, ref := range l.terms.refs {
		if n := len(l.terms.cases[id]); ref.Axis == a && n > 0 {
			out = append(out, TermCount{ref, n})
		}
	}
	slices.SortStableFunc(out, func(a, b TermCount) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// places says at which place a term stands in a list, from 1 on, by its number.
func (l *Library) places(list []TermCount) []int {
	at := make([]int, len(l.terms.refs))
	for i, t := range list {
		at[l.terms.ids[t.Term]] = i + 1
	}
	return at
}

// FewestTimes is how many times make a distribution: of fewer nothing is said.
const FewestTimes = 10

// Recoveries are the times to recover of all cases that say one, in seconds, the
// shortest first.
func (l *Library) Recoveries() []int64 {
	var out []int64
	for _, c := range l.cases {
		if d := c.Timeline.ResolvedAfter; d.Known() {
			out = append(out, d.Seconds)
		}
	}
	slices.Sort(out)
	return out
}

// Standing says of one of the sorted times how many in ten of the others are
// shorter, and longer; rounded down.
func Standing(times []int64, own int64) (shorter, longer int) {
	from, _ := slices.BinarySearch(times, own)
	to, _ := slices.BinarySearch(times, own+1)
	others := max(len(times)-1, 1)
	return from * 10 / others, (len(times) - to) * 10 / others
}
