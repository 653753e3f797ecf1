package mirror

import (
	"bytes"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/ordered"
)

// odd are cases that leave out what may be missing, and say what has to be
// escaped.
func odd() []*incident.Case {
	strange := "\"quoted\" \\ <b>&amp;</b> \u2028 \x7f \t 한글 `\"items\":[]`"
	common := incident.Case{OrgSlug: "a", Date: incident.Date{Year: 2024, Month: 3}, DateKind: "occurred", UpdatedAt: time.Unix(0, 0).UTC(), Updated: "1970-01-01T00:00:00Z"}
	a, b, c := common, common, common
	a.ID, a.Org, a.Title = "IL-0001", strange, incident.Text{EN: strange, KO: strange}
	a.Domain, a.Components, a.RootCause = []string{"web", "data"}, []string{"database"}, "expiry"
	b.ID, b.Org, b.Title, b.Components, b.RootCause = "IL-0002", strange, incident.Text{KO: strange}, a.Components, "expiry"
	b.Summary, c.Summary = incident.Text{EN: strange + " certificates renewed"}, incident.Text{EN: strange + " certificates renewed"}
	c.ID, c.Org, c.Title = "IL-0003", "plain", incident.Text{EN: "plain"}
	return []*incident.Case{&a, &b, &c}
}

// What is written by hand is what the encoder makes of the same values.
func TestWrittenByHand(t *testing.T) {
	t.Parallel()
	site, err := address.NewSite("https://h.example/a\"b", "", "", incident.EN)
	if err != nil {
		t.Fatal(err)
	}
	v := incident.NewVocabulary(nil)
	m := New(library.New(&incident.Collection{Site: incident.Site{Default: incident.EN}, Vocabulary: v, Cases: odd()}), site, ordered.Object{})
	check := func(what string, got []byte, v any) {
		t.Helper()
		var want bytes.Buffer
		if err := encode(&want, v); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want.Bytes())) {
			t.Errorf("%s is\n%s\nwant\n%s", what, got, want.Bytes())
		}
	}
	all := list[summary]{3, 3, nil, m.alone(address.CaseList)}
	alike := 0
	for _, c := range m.lib.Cases() {
		s := m.summary(c)
		check(c.ID, m.appendSummary(nil, c), s)
		all.Items = append(all.Items, s)
		var got bytes.Buffer
		if err := m.writeSimilar(&got, c); err != nil {
			t.Fatal(err)
		}
		near := m.similar(c)
		alike += near.Count
		check("what is near "+c.ID, got.Bytes(), near)
	}
	if alike == 0 {
		t.Error("no case is near another")
	}
	var got bytes.Buffer
	l := m.listing(address.CaseList, m.lib.Cases, func() any { return list[summary]{3, 3, []summary{}, m.alone(address.CaseList)} })
	if err := l.Render(&got); err != nil {
		t.Fatal(err)
	}
	check("the list", got.Bytes(), all)
}
