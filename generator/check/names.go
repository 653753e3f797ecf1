package check

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// folded is a name without what tells equal names apart only to a machine:
// Unicode form, case and the number of spaces.
func folded(s string) string {
	return strings.Join(strings.Fields(norm.NFC.String(cases.Fold().String(norm.NFKC.String(s)))), " ")
}

// urls checks that each case says where its page is.
func urls(cases []*incident.Case, site incident.Site) []problem.Problem {
	var ps []problem.Problem
	base := cmp.Or(strings.TrimSuffix(site.BaseURL, "/"), "https://…")
	for _, one := range cases {
		if page, found := strings.CutSuffix(strings.TrimSuffix(one.URL, "/"), one.ID); !found || !strings.HasSuffix(page, "/cases/") {
			ps = append(ps, fault(one, "/url", "the address does not end in /cases/"+one.ID, "write "+base+"/cases/"+one.ID))
		}
	}
	return ps
}

// numbers checks that no two ids claim one number, those of withdrawn cases
// included: search knows a case by its number.
func numbers(c *incident.Collection) []problem.Problem {
	var ps []problem.Problem
	taken := map[string]string{} // number → id
	for _, one := range c.Cases {
		number := strings.TrimLeft(strings.TrimPrefix(one.ID, "IL-"), "0")
		if first, again := taken[number]; again {
			ps = append(ps, fault(one, "/id", fmt.Sprintf("%s and %s differ in zeros only", first, one.ID), "give one of the two another number"))
			continue
		}
		taken[number] = one.ID
	}
	for _, w := range c.Withdrawn {
		number := strings.TrimLeft(strings.TrimPrefix(w.ID, "IL-"), "0")
		first, again := taken[number]
		if again && first != w.ID { // the same id twice is reported elsewhere
			ps = append(ps, problem.Problem{File: c.File("withdrawn.json"), Pointer: pointerTo("withdrawn/%d/id", w.Index),
				What: fmt.Sprintf("%s and %s differ in zeros only", first, w.ID), Remedy: "give one of the two another number"})
			continue
		}
		taken[number] = w.ID
	}
	return ps
}

// organisations checks that a slug stands for one organisation and an
// organisation has one slug.
func organisations(c *incident.Collection) []problem.Problem {
	bySlug := map[string][]*incident.Case{}
	var slugs []string // in the order of the cases
	for i := range c.Cases {
		one := c.Cases[i]
		if bySlug[one.OrgSlug] == nil {
			slugs = append(slugs, one.OrgSlug)
		}
		bySlug[one.OrgSlug] = append(bySlug[one.OrgSlug], one)
	}
	var ps []problem.Problem
	claimed := map[string]*incident.Case{} // folded name → the first case of it
	for _, slug := range slugs {
		model := usual(bySlug[slug])
		for _, one := range bySlug[slug] {
			if norm.NFC.String(one.Org) != norm.NFC.String(model.Org) {
				ps = append(ps, fault(one, "/org", fmt.Sprintf("the organisation %q of the slug %s is %q in %s", one.Org, slug, model.Org, model.File),
					"write one name in all cases of a slug, or give this organisation a slug of its own"))
			}
		}
		first, taken := claimed[folded(model.Org)]
		if taken {
			ps = append(ps, fault(model, "/org_slug", fmt.Sprintf("the organisation %q has the slug %s here and %s in %s", model.Org, slug, first.OrgSlug, first.File),
				"write one slug for one organisation"))
			continue
		}
		claimed[folded(model.Org)] = model
	}
	return ps
}

// usual is the first of the cases that write their organisation's name as most
// of them do.
func usual(cases []*incident.Case) *incident.Case {
	count := map[string]int{}
	for _, c := range cases {
		count[norm.NFC.String(c.Org)]++
	}
	best := cases[0]
	for _, c := range cases {
		if count[norm.NFC.String(c.Org)] > count[norm.NFC.String(best.Org)] {
			best = c
		}
	}
	return best
}

// labels checks that no two terms of an axis, and no two axes, are called the
// same.
func labels(v *incident.Vocabulary, file string) []problem.Problem {
	var ps []problem.Problem
	for _, l := range incident.Langs() {
		axes := map[string]string{} // folded label → id
		for i, a := range v.Axes {
			ps = append(ps, claim(axes, a.Label.In(l), string(a.ID), file, pointerTo("axes/%d/label/%s", i, l))...)
			terms := map[string]string{} // folded label → slug
			for j, t := range a.Terms {
				ps = append(ps, claim(terms, t.Label.In(l), t.Slug, file, pointerTo("axes/%d/terms/%d/label/%s", i, j, l))...)
			}
		}
	}
	return ps
}

// claim enters a label for its owner, or reports that another has it.
func claim(taken map[string]string, label, owner, file, pointer string) []problem.Problem {
	key := folded(label)
	first, again := taken[key]
	switch {
	case key == "":
		return nil
	case again:
		return []problem.Problem{{File: file, Pointer: pointer, What: fmt.Sprintf("%s and %s are both called %q", first, owner, label),
			Remedy: "give one of the two another label, or make one of them"}}
	}
	taken[key] = owner
	return nil
}
