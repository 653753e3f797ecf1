package library

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

func shared(r Related) string {
	var out []string
	for _, s := range r.Shared {
		out = append(out, s.Case.ID+":"+strings.Join(s.Components, ","))
	}
	return strings.Join(out, " ")
}

// The pages given with the project: what they list, in their order.
func TestRelatedOfTheGivenPages(t *testing.T) {
	t.Parallel()
	l := New(collection(seeds(t,
		"IL-0123 2023-11-08 software-bug memory-limit,model-routing",
		"IL-0022 2025-08-05 software-bug model-routing",
		"IL-0132 2022 software-bug model-routing",
		"IL-0196 2020 software-bug memory-limit",
		"IL-0119 2024 config-change memory-limit,model-routing",
		"IL-0371 2023-04-21 deploy-defect database-backup,database,service-discovery",
		"IL-9001 2019 deploy-defect database,database-backup",
		"IL-0136 2026 deploy-defect database",
		"IL-0510 2026 deploy-defect queue,database",
		"IL-0547 2025-09 deploy-defect database",
		"IL-0324 2025-06-03 deploy-defect database",
		"IL-0307 2025-02 deploy-defect database",
		"IL-0523 2023-11 deploy-defect database",
		"IL-0567 2023-10-01 deploy-defect database",
		"IL-0524 2023-09 deploy-defect database",
		"IL-9002 2021 deploy-defect service-discovery",
		"IL-9003 2024 deploy-defect queue",
	)...))
	equal(t, "IL-0123", shared(l.Related(l.Case("IL-0123"))),
		"IL-0022:model-routing IL-0132:model-routing IL-0196:memory-limit")
	equal(t, "IL-0371", shared(l.Related(l.Case("IL-0371"))),
		"IL-9001:database-backup,database IL-0136:database IL-0510:database IL-0547:database IL-0324:database "+
			"IL-0307:database IL-0523:database IL-0567:database IL-0524:database IL-9002:service-discovery")
}

func TestRelatedChosenByAnEditor(t *testing.T) {
	t.Parallel()
	cases := seeds(t, "IL-0001 2020 bug dns", "IL-0002 2021 bug dns", "IL-0003 2022 bug dns", "IL-0004 2023 bug dns",
		"IL-0005 2024 change dns", "IL-0006 2019 bug dns", "IL-0007 2018 - dns")
	cases[0].Related = []string{"IL-0005", "IL-0002", "IL-0006", "IL-0404", "IL-0001"}
	cases[1].Related = []string{"IL-0001"}
	cases[3].Related = []string{"IL-0001"}
	cases[6].Related = []string{"IL-0001"}
	cases[5].RecurrenceOf = "IL-0001"
	l := New(collection(cases...))

	r := l.Related(l.Case("IL-0001"))
	equal(t, "own order first, then those that name it", ids(r.Chosen), "IL-0005 IL-0002 IL-0004 IL-0007")
	equal(t, "neither chosen nor in the chain", shared(r), "IL-0003:dns")
	equal(t, "total", r.Total, 1)
	r = l.Related(l.Case("IL-0005"))
	equal(t, "the other direction", ids(r.Chosen), "IL-0001")
	r = l.Related(l.Case("IL-0007"))
	equal(t, "no root cause", fmt.Sprint(ids(r.Chosen), shared(r), r.Total), "IL-00010")
}

func TestRelatedIsBounded(t *testing.T) {
	t.Parallel()
	var cases []*incident.Case
	for i := range 100 {
		c := seed(t, fmt.Sprintf("IL-%04d 2020 bug dns,cache", i))
		c.Related = []string{"IL-0200"}
		cases = append(cases, c)
	}
	l := New(collection(append(cases, seed(t, "IL-0200 2020 bug cache"))...))
	r := l.Related(l.Case("IL-0005"))
	equal(t, "shared", len(r.Shared), maxShared)
	equal(t, "first", r.Shared[0].Case.ID, "IL-0000")
	equal(t, "total", r.Total, 99)
	r = l.Related(l.Case("IL-0200"))
	equal(t, "named by all", len(r.Chosen), maxShared)
	equal(t, "total but for those", r.Total, 100-maxShared)
}

// bruteRelated is the definition, by comparing with every case.
func bruteRelated(l *Library, c *incident.Case) Related {
	var out Related
	elsewhere := []string{c.ID}
	for _, link := range l.Chain(c) {
		elsewhere = append(elsewhere, link.Case.ID)
	}
	choose := func(id string) {
		if o := l.Case(id); o != nil && !slices.Contains(elsewhere, id) {
			out.Chosen = append(out.Chosen, o)
			elsewhere = append(elsewhere, id)
		}
	}
	for _, id := range c.Related {
		choose(id)
	}
	named := 0
	for _, o := range l.Newest() {
		if o.ID != c.ID && slices.Contains(o.Related, c.ID) && named < maxShared {
			named++
			choose(o.ID)
		}
	}
	for _, o := range l.Newest() {
		s := SharedCase{Case: o}
		for _, slug := range c.Components {
			if slices.Contains(o.Components, slug) {
				s.Components = append(s.Components, slug)
			}
		}
		if len(s.Components) > 0 && c.RootCause != "" && o.RootCause == c.RootCause && !slices.Contains(elsewhere, o.ID) {
			out.Shared = append(out.Shared, s)
		}
	}
	slices.SortStableFunc(out.Shared, func(a, b SharedCase) int { return cmp.Compare(len(b.Components), len(a.Components)) })
	out.Total = len(out.Shared)
	out.Shared = out.Shared[:min(out.Total, maxShared)]
	return out
}

func TestRelatedIsWhatComparingAllGives(t *testing.T) {
	t.Parallel()
	for i, x := range []randomLibrary{
		{cases: 40, causes: 3, components: 6, most: 3},
		{cases: 150, causes: 1, components: 8, most: 6},
		{cases: 200, causes: 2, components: 20, most: 7}, // few wide ones
		{cases: 120, causes: 2, components: 20, most: 18},
		{cases: 9, causes: 1, components: 2, most: 2},
	} {
		t.Run(fmt.Sprintf("%+v", x), func(t *testing.T) {
			t.Parallel()
			for round := range uint64(3) {
				l := New(x.make(rand.New(rand.NewPCG(uint64(i), round))))
				for _, c := range l.Cases() {
					got, want := l.Related(c), bruteRelated(l, c)
					equal(t, c.ID+" chosen", ids(got.Chosen), ids(want.Chosen))
					equal(t, c.ID+" shared", shared(got), shared(want))
					equal(t, c.ID+" total", got.Total, want.Total)
				}
			}
		})
	}
}

// The order in which the cases are handed over must not show anywhere.
func TestOrderOfInputDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	c := randomLibrary{cases: 1200, causes: 4, components: 15, most: 8}.make(r)
	mixed := &incident.Collection{Vocabulary: c.Vocabulary, Cases: slices.Clone(c.Cases)}
	r.Shuffle(len(mixed.Cases), func(i, j int) { mixed.Cases[i], mixed.Cases[j] = mixed.Cases[j], mixed.Cases[i] })
	a, b := New(c), New(mixed)
	for _, x := range []func(l *Library) any{
		func(l *Library) any { return l.Newest() },
		func(l *Library) any { return l.Orgs() },
		func(l *Library) any { return l.Years() },
	} {
		if !reflect.DeepEqual(x(a), x(b)) {
			t.Error("an order differs")
		}
	}
	for i, k := range a.Cases() {
		if i%4 > 0 {
			continue
		}
		if !reflect.DeepEqual(a.Related(k), b.Related(b.Case(k.ID))) {
			t.Errorf("related of %s differs", k.ID)
		}
		if !reflect.DeepEqual(a.Similar(k), b.Similar(b.Case(k.ID))) {
			t.Errorf("similar of %s differs", k.ID)
		}
		if !reflect.DeepEqual(a.Chain(k), b.Chain(b.Case(k.ID))) {
			t.Errorf("chain of %s differs", k.ID)
		}
	}
}
