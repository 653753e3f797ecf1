package library

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"benchlet.com/incidentlib/generator/incident"
)

// Org is an organisation and its cases, newest first. Its name is as each of them
// has it, but for how accents and Hangul are put together: no case decides of it.
type Org struct {
	Slug  string
	Name  string
	Cases []*incident.Case
}

// Year is a year and its cases, newest first.
type Year struct {
	Year  int
	Cases []*incident.Case
}

// Orgs are all organisations by name, upper and lower case as one, then by
// slug. No locale's collation is asked: the order is the same in every language
// and on every machine.
func (l *Library) Orgs() []Org { return l.orgs }

// Years are all years that have a case, newest first.
func (l *Library) Years() []Year { return l.years }

func groupOrgs(newest []*incident.Case) []Org {
	var orgs []Org
	at := map[string]int{}
	for _, c := range newest {
		i, ok := at[c.OrgSlug]
		if !ok {
			i = len(orgs)
			at[c.OrgSlug] = i
			orgs = append(orgs, Org{Slug: c.OrgSlug, Name: norm.NFC.String(c.Org)})
		}
		orgs[i].Cases = append(orgs[i].Cases, c)
	}
	slices.SortFunc(orgs, func(a, b Org) int {
		return cmp.Or(strings.Compare(fold(a.Name), fold(b.Name)), strings.Compare(a.Slug, b.Slug))
	})
	return orgs
}

// fold makes names equal that differ in case only. Going through upper case
// first joins letters that have two lower-case forms, such as the Greek sigma.
func fold(s string) string { return strings.ToLower(strings.ToUpper(s)) }

func groupYears(newest []*incident.Case) []Year {
	var years []Year
	for _, c := range newest {
		if len(years) == 0 || years[len(years)-1].Year != c.Date.Year {
			years = append(years, Year{Year: c.Date.Year})
		}
		y := &years[len(years)-1]
		y.Cases = append(y.Cases, c)
	}
	return years
}
