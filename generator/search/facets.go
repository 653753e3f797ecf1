package search

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"benchlet.com/incidentlib/generator/incident"
)

// Names of the facets that are no axis of the vocabulary.
const (
	FacetOrg      = "org"
	FacetYear     = "year"
	FacetDuration = "duration"
)

// Facets are what cases can be filtered and counted by: the axes that classify a
// case, its organisation's slug, its year and how long it took to resolve.
func Facets() []string {
	var out []string
	for _, a := range incident.AxisIDs() {
		if isFacet(a) {
			out = append(out, string(a))
		}
	}
	return append(out, FacetOrg, FacetYear, FacetDuration)
}

func isFacet(a incident.AxisID) bool { return a != incident.DateKind && a != incident.SourceKind }

// Several reports whether a case can have several values of a facet. A filter of
// such a facet asks for all its values; one of another for any of them.
func Several(facet string) bool {
	switch incident.AxisID(facet) {
	case incident.Domain, incident.Symptoms, incident.Components, incident.Contributing:
		return true
	}
	return false
}

// Durations are the values of [FacetDuration], from short to long, then
// "unknown": up to ten minutes, an hour and so on, and longer than the longest.
func Durations() []string {
	return []string{"10m", "1h", "4h", "1d", "7d", "longer", "unknown"}
}

// DurationOf is the value of [FacetDuration] that a duration falls into.
func DurationOf(d incident.Duration) string {
	limits := [...]int64{600, 3600, 4 * 3600, 86400, 7 * 86400}
	names := Durations()
	if !d.Known() {
		return names[len(names)-1]
	}
	for i, limit := range limits {
		if d.Seconds <= limit {
			return names[i]
		}
	}
	return names[len(limits)]
}

// values are a case's values of a facet.
func values(c *incident.Case, facet string) []string {
	switch facet {
	case FacetOrg:
		return []string{c.OrgSlug}
	case FacetYear:
		return []string{strconv.Itoa(c.Date.Year)}
	case FacetDuration:
		return []string{DurationOf(c.Timeline.ResolvedAfter)}
	}
	return c.Terms(incident.AxisID(facet))
}

// facet is a facet's file: for each value the numbers of its cases as distances;
// for an organisation its name comes first.
func (x *Index) facet(facet string) []byte {
	numbers, names := map[string][]uint32{}, map[string]string{}
	for _, d := range x.docs {
		for _, v := range values(d.of, facet) {
			if of := numbers[v]; len(of) == 0 || of[len(of)-1] != d.number {
				numbers[v] = append(of, d.number)
			}
		}
		if facet == FacetOrg {
			names[d.of.OrgSlug] = d.of.Org
		}
	}
	b := []byte{'{'}
	for i, v := range slices.Sorted(maps.Keys(numbers)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, v), `:[`...) // slugs and years
		if facet == FacetOrg {
			b = append(bytes.TrimSuffix(append(b, encoded(names[v])...), []byte("\n")), ',')
		}
		b = append(bytes.TrimSuffix(appendGaps(b, numbers[v]), []byte(",")), ']')
	}
	return append(b, "}\n"...)
}
