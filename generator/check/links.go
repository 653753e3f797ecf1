package check

import (
	"fmt"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

// ids knows which ids can be linked to.
type ids struct {
	files     map[string]string // of the cases that could be read
	unread    map[string]bool
	withdrawn map[string]incident.Withdrawn
}

func newIDs(c *incident.Collection, unread map[string]bool) ids {
	s := ids{map[string]string{}, unread, map[string]incident.Withdrawn{}}
	for i := range c.Cases {
		s.files[c.Cases[i].ID] = c.Cases[i].File
	}
	for _, w := range c.Withdrawn {
		s.withdrawn[w.ID] = w
	}
	return s
}

func (s ids) exists(id string) bool { return s.files[id] != "" || s.unread[id] }

// missing says what is wrong with a link from the case or the withdrawn id from
// to the case to; what is "" when nothing is.
func (s ids) missing(from, to string) (what, remedy string) {
	w, gone := s.withdrawn[to]
	switch {
	case to == from:
		return to + " leads to itself", "delete it, or name another case"
	case s.exists(to):
		return "", ""
	case gone && w.ReplacedBy != "":
		return to + " is withdrawn", "name " + w.ReplacedBy + ", which took its place"
	case gone:
		return to + " is withdrawn", "delete it"
	}
	what = "there is no case " + to
	if near := s.nearest(from, to); near != "" {
		return what, "did you mean " + near + "?"
	}
	return what, "write the id of a case of this library"
}

// nearest is an id that exists and differs from a missing one by one slip of
// the finger: two digits exchanged, one wrong, one too few or too many. Trying
// the slips costs the same however many cases there are. It is never the case
// from which the link goes.
func (s ids) nearest(from, id string) string {
	digits := strings.TrimPrefix(id, "IL-")
	for _, slip := range slips(digits) {
		if candidate := "IL-" + slip; candidate != id && candidate != from && incident.ValidID(candidate) && s.exists(candidate) {
			return candidate
		}
	}
	return ""
}

func slips(digits string) []string {
	var out []string
	for i := range len(digits) - 1 {
		out = append(out, digits[:i]+digits[i+1:i+2]+digits[i:i+1]+digits[i+2:])
	}
	for i := len(digits) - 1; i >= 0; i-- { // the last digit is the likeliest to be wrong
		for d := '0'; d <= '9'; d++ {
			out = append(out, digits[:i]+string(d)+digits[i+1:])
		}
	}
	for i := range len(digits) {
		out = append(out, digits[:i]+digits[i+1:])
	}
	for i := range len(digits) + 1 {
		for d := '0'; d <= '9'; d++ {
			out = append(out, digits[:i]+string(d)+digits[i:])
		}
	}
	return out
}

// links checks the ids that cases name.
func links(cases []*incident.Case, known ids) []problem.Problem {
	var ps []problem.Problem
	for _, one := range cases {
		for j, to := range one.Related {
			if what, remedy := known.missing(one.ID, to); what != "" {
				ps = append(ps, fault(one, pointerTo("related/%d", j), what, remedy))
			}
		}
		if one.RecurrenceOf != "" {
			if what, remedy := known.missing(one.ID, one.RecurrenceOf); what != "" {
				ps = append(ps, fault(one, "/recurrence_of", what, remedy))
			}
		}
	}
	return ps
}

// cycles reports chains of recurrences that come back to their beginning, each
// once, at the case of lowest id. A case that repeats itself is one of links.
func cycles(c *incident.Collection) []problem.Problem {
	byID := map[string]*incident.Case{}
	for i := range c.Cases {
		byID[c.Cases[i].ID] = c.Cases[i]
	}
	var ps []problem.Problem
	walk := map[string]int{} // the number of the walk that came by first
	for i := range c.Cases {
		one := c.Cases[i]
		for one != nil && walk[one.ID] == 0 {
			walk[one.ID] = i + 1
			one = byID[one.RecurrenceOf]
		}
		if one == nil || walk[one.ID] != i+1 || one.RecurrenceOf == one.ID {
			continue // it ends, or meets an older walk, or is a loop of one
		}
		chain := []string{one.ID}
		for next := one.RecurrenceOf; next != one.ID; next = byID[next].RecurrenceOf {
			chain = append(chain, next)
		}
		ps = append(ps, cycle(byID, chain))
	}
	return ps
}

func cycle(byID map[string]*incident.Case, chain []string) problem.Problem {
	lowest := slices.Index(chain, slices.MinFunc(chain, incident.CompareIDs))
	chain = slices.Concat(chain[lowest:], chain[:lowest+1])
	shown := chain
	if len(shown) > 12 {
		shown = slices.Concat(chain[:6], []string{"…"}, chain[len(chain)-5:])
	}
	return fault(byID[chain[0]], "/recurrence_of", "the recurrences "+strings.Join(shown, " → ")+" run in a circle",
		"write null in the earliest of these cases")
}

// withdrawals checks withdrawn.json against the cases.
func withdrawals(c *incident.Collection, known ids) []problem.Problem {
	var ps []problem.Problem
	for _, w := range c.Withdrawn {
		say := func(field, what, remedy string) {
			ps = append(ps, problem.Problem{File: c.File("withdrawn.json"), Pointer: pointerTo("withdrawn/%d/%s", w.Index, field), What: what, Remedy: remedy})
		}
		switch file := known.files[w.ID]; {
		case file != "":
			say("id", fmt.Sprintf("%s is withdrawn, and is a case still in %s", w.ID, file), "delete one of the two")
		case known.unread[w.ID]:
			say("id", w.ID+" is withdrawn, and its file is there still", "delete one of the two")
		}
		if w.ReplacedBy != "" {
			if what, remedy := known.missing(w.ID, w.ReplacedBy); what != "" {
				say("replaced_by", what, remedy)
			}
		}
	}
	return ps
}

// seeAlso checks that the terms that terms refer to exist.
func seeAlso(v *incident.Vocabulary, file string) []problem.Problem {
	var ps []problem.Problem
	for i, a := range v.Axes {
		for j, t := range a.Terms {
			for k, to := range t.SeeAlso {
				p := problem.Problem{File: file, Pointer: pointerTo("axes/%d/terms/%d/see_also/%d", i, j, k)}
				switch {
				case to == t.Ref():
					p.What, p.Remedy = to.String()+" leads to itself", "delete it"
				case v.Term(to.Axis, to.Slug) == nil:
					p.What, p.Remedy = "there is no term "+to.String(), meantTerm(v, to)
				default:
					continue
				}
				ps = append(ps, p)
			}
		}
	}
	return ps
}

// meantTerm is the remedy for a reference that leads nowhere: the term of that
// slug on another axis, or the nearest slug of its own.
func meantTerm(v *incident.Vocabulary, to incident.TermRef) string {
	for _, a := range v.Axes {
		if v.Term(a.ID, to.Slug) != nil {
			return fmt.Sprintf("did you mean \"%s/%s\"?", a.ID, to.Slug)
		}
	}
	var slugs []string
	if a := v.Axis(to.Axis); a != nil {
		for _, t := range a.Terms {
			slugs = append(slugs, t.Slug)
		}
	}
	if near := seed.Nearest(to.Slug, slugs); near != "" {
		return fmt.Sprintf("did you mean \"%s/%s\"?", to.Axis, near)
	}
	return "write a term of this file, or delete it"
}
