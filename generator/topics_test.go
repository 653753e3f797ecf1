package generator_test

import (
	"slices"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

// Two terms of one label, of two axes, can be told apart where they stand beside
// each other.
func TestSeenWithNamesTheAxis(t *testing.T) {
	t.Parallel()
	database := newTerm("database", both("Database", "데이터베이스"), both("A database.", "데이터베이스."))
	vocab := newVocab(map[incident.AxisID][]object{
		incident.Domain: {database}, incident.Components: {database},
		incident.RootCause: {newTerm("bug", both("Bug", "버그"), both("A bug.", "버그."))},
	})
	s := newSiteOf(t, load(t, newSeeds(t, newSite(), vocab, newCase("IL-0001", "2024", object{
		"root_cause": "bug", "domain": []string{"database"}, "components": []string{"database"}}))), false)
	for file, want := range map[string][]string{
		"topics/root-cause/bug/index.html":    {"Database Axis components 1", "Database Axis domain 1"},
		"ko/topics/root-cause/bug/index.html": {"데이터베이스 축 components 1", "데이터베이스 축 domain 1"},
	} {
		var got []string
		for _, tr := range findAll(find(find(s.page(file).root, "#seen-with"), "tbody"), "tr") {
			got = append(got, visible(tr))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
