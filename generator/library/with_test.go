package library

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchlet.com/incidentlib/generator/incident"
)

// answers are all that a library answers.
type answers struct {
	Newest  []*incident.Case
	Orgs    []Org
	Years   []Year
	Chains  map[string][]ChainLink
	Related map[string]Related
	Similar map[string][]Similar
	Topics  map[incident.TermRef][]*incident.Case
	With    map[incident.TermRef][]TermCount
	Cross   Cross
	Times   []int64
}

func everything(l *Library, similar bool) answers {
	a := answers{Newest: l.Newest(), Orgs: l.Orgs(), Years: l.Years(),
		Chains: map[string][]ChainLink{}, Related: map[string]Related{}, Similar: map[string][]Similar{},
		Topics: map[incident.TermRef][]*incident.Case{}, With: map[incident.TermRef][]TermCount{},
		Cross: l.Cross(incident.Components, incident.RootCause), Times: l.Recoveries()}
	for _, c := range l.Cases() {
		a.Chains[c.ID], a.Related[c.ID] = l.Chain(c), l.Related(c)
		if similar {
			a.Similar[c.ID] = l.Similar(c)
		}
		for _, axis := range incident.AxisIDs() {
			for _, slug := range c.Terms(axis) {
				ref := incident.TermRef{Axis: axis, Slug: slug}
				a.Topics[ref], a.With[ref] = l.Topic(ref), l.CoOccurring(ref)
			}
		}
	}
	return a
}

// editor changes collections at random, as the seeds' store does: a case that
// changes is another one, the others stay the same.
type editor struct {
	*rand.Rand
	fresh []*incident.Case // not yet in the library, and those taken out
}

func (e *editor) edit(cases []*incident.Case) []*incident.Case {
	cases = slices.Clone(cases)
	i := e.IntN(len(cases))
	c := *cases[i]
	other := cases[e.IntN(len(cases))]
	switch e.IntN(13) {
	case 0:
		c.Title.EN = prose(e.Rand, 6, "word") + " Words"
	case 1:
		c.Summary.KO = prose(e.Rand, 30, "낱말") + "데이터를"
	case 2:
		c.Summary.EN = other.Summary.EN
	case 3:
		c.UpdatedAt = time.Unix(e.Int64N(1e9), 0)
	case 4:
		c.Date = other.Date
	case 5:
		c.Components = other.Components
	case 6:
		c.RootCause = other.RootCause
	case 7:
		c.Org, c.OrgSlug = prose(e.Rand, 1, "word"), fmt.Sprint("org", e.IntN(3))
	case 8:
		c.Related = []string{other.ID}
	case 9:
		c.RecurrenceOf = other.ID
	case 12:
		c.Timeline.ResolvedAfter = incident.Duration{Seconds: e.Int64N(1e6), Text: "some"}
	case 10:
		if len(e.fresh) > 0 {
			c, e.fresh = *e.fresh[0], e.fresh[1:]
			at, _ := slices.BinarySearchFunc(cases, &c, byID)
			return slices.Insert(cases, at, &c)
		}
	case 11:
		if len(cases) > 2 {
			e.fresh = append(e.fresh, cases[i])
			return slices.Delete(cases, i, i+1)
		}
	}
	cases[i] = &c
	return cases
}

// A library made from the one before an edit is the one that New makes, however
// many edits there were.
func TestWithIsNew(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 66, 300, 1100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			e := &editor{Rand: rand.New(rand.NewPCG(7, uint64(n)))}
			c := randomLibrary{cases: n, causes: 4, components: 15, most: 4}.make(e.Rand)
			c.Vocabulary = incident.NewVocabulary(nil)
			e.fresh = slices.Clone(c.Cases[n-n/5:])
			c.Cases = c.Cases[:n-n/5]
			l := New(c)
			for range min(25, 3300/n) {
				next := *c
				for range 1 + e.IntN(3) {
					next.Cases = e.edit(next.Cases)
				}
				c, l = &next, l.With(&next)
				similar := e.IntN(3) > 0 // else the index is made from one of some edits ago
				if want, got := everything(New(c), similar), everything(l, similar); !reflect.DeepEqual(want, got) {
					t.Fatalf("another library (-new +with)\n%.4000s", cmp.Diff(want, got))
				}
			}
		})
	}
}
