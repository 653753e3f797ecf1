package generator_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

// A case's page says where its time stands among all, and yet one case's time
// changes hardly any other page: the times of all are in a file of their own,
// and of its place a page says the tenth.
func TestOneTimeChangesFewPages(t *testing.T) {
	t.Parallel()
	const n = 200
	var cases []object
	for i := range n {
		cases = append(cases, newCase(fmt.Sprintf("IL-%04d", i+1), "2024", object{
			"timeline": object{"detected_after": nil, "resolved_after": fmt.Sprintf("%dh %dm", 1+i/60, i%60)}}))
	}
	before := load(t, newSeeds(t, newSite(), newVocab(nil), cases...))
	after := *before
	after.Cases = append([]*incident.Case(nil), before.Cases...)
	edited := *before.Cases[0]
	edited.Timeline.ResolvedAfter = incident.Duration{Seconds: 20 * 86400, Text: "20d"} // from the shortest to the longest
	after.Cases[0] = &edited
	was, is := newSiteOf(t, before, false), newSiteOf(t, &after, false)
	changed := map[string]int{}
	for _, file := range sortedKeys(was.files) {
		if !bytes.Equal(was.bytes(file), is.bytes(file)) {
			kind := strings.TrimPrefix(file, "ko/")
			if strings.HasPrefix(kind, "cases/IL-") && !strings.HasPrefix(kind, "cases/IL-0001") {
				kind = "another case"
			}
			changed[kind]++
		}
	}
	if others := changed["another case"]; others == 0 || others > 2*11 {
		t.Errorf("%d pages of other cases changed of %d", others, 2*n)
	}
	for _, kind := range []string{"index.html", "charts/recovery.svg", "cases/IL-0001/index.html"} {
		if changed[kind] != 2 {
			t.Errorf("%s changed in %d languages", kind, changed[kind])
		}
	}
}

// Every picture of every page can be heard, names nothing twice, and what it
// shows of a file is in the file.
func TestPicturesAreNamed(t *testing.T) {
	t.Parallel()
	s := realSite(t)
	pictures := 0
	for _, file := range sortedKeys(s.pages) {
		for _, svg := range findAll(s.page(file).root, "svg") {
			if attr(svg, "aria-hidden") == "true" {
				continue
			}
			pictures++
			if attr(svg, "role") != "img" || visible(find(svg, "title")) == "" || visible(find(svg, "desc")) == "" {
				t.Errorf("%s has a picture that cannot be heard", file)
			}
		}
	}
	if pictures < 100 {
		t.Errorf("%d pictures", pictures)
	}
}
