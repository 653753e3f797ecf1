package seed

import (
	"cmp"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

func sortCases(cases []incident.Case) {
	slices.SortFunc(cases, func(a, b incident.Case) int {
		return cmp.Or(incident.CompareIDs(a.ID, b.ID), strings.Compare(a.File, b.File))
	})
}
