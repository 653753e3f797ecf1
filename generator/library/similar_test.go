package library

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

// definition scores by the published definition alone: from slugs and spelt
// words, with none of the indexes.
type definition struct {
	l     *Library
	terms map[incident.TermRef]int
	words map[incident.Lang]map[string]int
	of    map[string]map[incident.Lang][]string // distinctive words by case
}

func define(l *Library) *definition {
	d := &definition{l: l, terms: map[incident.TermRef]int{}, words: map[incident.Lang]map[string]int{},
		of: map[string]map[incident.Lang][]string{}}
	for _, c := range l.Cases() {
		d.of[c.ID] = map[incident.Lang][]string{}
		for _, a := range SimilarityAxes() {
			for _, slug := range distinct(c.Terms(a.Axis)) {
				d.terms[incident.TermRef{Axis: a.Axis, Slug: slug}]++
			}
		}
	}
	for _, lang := range incident.Langs() {
		d.words[lang] = map[string]int{}
		for _, c := range l.Cases() {
			d.of[c.ID][lang] = distinct(strings.Fields(c.Title.In(lang) + c.Summary.In(lang)))
			for _, w := range d.of[c.ID][lang] {
				d.words[lang][w]++
			}
		}
	}
	return d
}

// fours is how often n divides by four, rounded up, until it is 1.
func fours(n int) int { return int(math.Ceil(math.Log(float64(n))/math.Log(4) - 1e-9)) }

func (d *definition) score(a, b *incident.Case) int {
	all := fours(len(d.l.Cases()))
	score := 0
	for _, axis := range SimilarityAxes() {
		for _, slug := range distinct(a.Terms(axis.Axis)) {
			if slices.Contains(b.Terms(axis.Axis), slug) {
				seen := d.terms[incident.TermRef{Axis: axis.Axis, Slug: slug}]
				score += axis.Weight * (1 + min(3, all-fours(seen)))
			}
		}
	}
	most := 0
	for _, lang := range incident.Langs() {
		sum := 0
		for _, w := range d.of[a.ID][lang] {
			if slices.Contains(d.of[b.ID][lang], w) {
				sum += max(0, min(4, all-1)-fours(d.words[lang][w]))
			}
		}
		most = max(most, sum)
	}
	return score + 3*int(math.Sqrt(float64(most)))
}

func (d *definition) nearest(c *incident.Case) string {
	type near struct {
		c     *incident.Case
		score int
	}
	var all []near
	for _, o := range d.l.Newest() {
		if s := d.score(c, o); o != c && s > 0 {
			all = append(all, near{o, s})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, n := range all[:min(len(all), 10)] {
		out = append(out, fmt.Sprintf("%s:%d", n.c.ID, n.score))
	}
	return strings.Join(out, " ")
}

func near(found []Similar) string {
	var out []string
	for _, s := range found {
		out = append(out, fmt.Sprintf("%s:%d", s.Case.ID, s.Score))
	}
	return strings.Join(out, " ")
}

// Up to 1,024 cases the ten nearest are those of comparing with every case.
func TestSimilarIsExactlyTheDefinition(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 5, 17, 60, 250, 1000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			l := New(randomLibrary{cases: n, causes: 4, components: 15, most: 4}.make(rand.New(rand.NewPCG(3, uint64(n)))))
			d := define(l)
			for i := 0; i < n; i += 1 + n/25 {
				c := l.Cases()[i]
				equal(t, c.ID, near(l.Similar(c)), d.nearest(c))
			}
		})
	}
}

// In a larger library what is found is in order, explained, and scored by the
// definition, which is symmetric; and nearly nothing nearer is missed.
func TestSimilarOfManyIsScoredByTheDefinition(t *testing.T) {
	t.Parallel()
	l := New(randomLibrary{cases: 1300, causes: 8, components: 15, most: 4}.make(rand.New(rand.NewPCG(3, 9))))
	d := define(l)
	places, found := 0, 0
	for i := 0; i < len(l.Cases()); i += 90 {
		c := l.Cases()[i]
		similar := l.Similar(c)
		for _, s := range similar {
			equal(t, c.ID+" to "+s.Case.ID, s.Score, d.score(c, s.Case))
			equal(t, s.Case.ID+" to "+c.ID, s.Score, d.score(s.Case, c))
			sum := 0
			for _, p := range s.Parts {
				sum += p.Score
			}
			equal(t, "sum of the parts", sum, s.Score)
		}
		if !slices.IsSortedFunc(similar, func(a, b Similar) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), newestFirst(a.Case, b.Case))
		}) {
			t.Errorf("%s: not in order: %s", c.ID, near(similar))
		}
		for _, want := range strings.Fields(d.nearest(c)) {
			places++
			if slices.Contains(strings.Fields(near(similar)), want) {
				found++
			}
		}
	}
	if found*100 < places*98 {
		t.Errorf("%d of %d nearest were found", found, places)
	}
}

func TestSimilarExplainsItself(t *testing.T) {
	t.Parallel()
	cases := seeds(t, "IL-0001 2020 bug dns,cache,queue", "IL-0002 2021 bug queue,dns")
	for i := 3; i <= 40; i++ {
		cases = append(cases, seed(t, fmt.Sprintf("IL-%04d 2022 other", i)))
	}
	a, b := cases[0], cases[1]
	a.Org, b.Org = "Acme Widgets", "Nimbus"
	a.Symptoms, b.Symptoms = []string{"crash-loop"}, []string{"crash-loop"}
	a.Summary = incident.Text{EN: "Acme's Redis replicas promoted; failovers in 2023", KO: "레디스 복제본이 승격됐다. Redis를 껐다."}
	b.Summary = incident.Text{EN: "The replica of Redis at Acme was promoting itself 2023 times", KO: "복제본을 승격했고 Redis가 멈췄다."}
	l := New(collection(cases...))
	got := l.Similar(l.Case("IL-0001"))
	if len(got) != 1 {
		t.Fatalf("got %d similar cases", len(got))
	}
	s := got[0]
	want := []Part{
		{incident.RootCause, []string{"bug"}, 4 * 3},
		{incident.Components, []string{"dns", "queue"}, 2 * 4 * 3},
		{incident.Symptoms, []string{"crash-loop"}, 3 * 3},
		{"", nil, 3}, // three words of weight 1: 3 × √3, whole
	}
	if !reflect.DeepEqual(s.Parts, want) {
		t.Errorf("parts:\n got %v\nwant %v", s.Parts, want)
	}
	equal(t, "score", s.Score, 12+24+9+3)
	equal(t, "English words", strings.Join(s.Words(incident.EN), " "), "promoted redis replica")
	equal(t, "Korean words", strings.Join(s.Words(incident.KO), " "), "redis 복제본 승격")
}

// What is remembered of one case is not taken for another's.
func TestRelatedFromManyGoroutines(t *testing.T) {
	t.Parallel()
	all := randomLibrary{cases: 3*recentCases + 8, causes: 4, components: 15, most: 4}.make(rand.New(rand.NewPCG(1, 1)))
	want := map[string]string{}
	l := New(all)
	for rank, c := range l.newest {
		want[c.ID] = near(l.findSimilar(uint32(rank))) + shared(l.findRelated(uint32(rank)))
	}
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for range 2 {
				for _, c := range l.Cases() {
					equal(t, c.ID, near(l.Similar(c))+shared(l.Related(c)), want[c.ID])
				}
			}
		})
	}
	readers.Wait()
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 4: 1, 5: 2, 16: 2, 17: 3, 64: 3, 65: 4, 256: 4, 257: 5, 100000: 9} {
		equal(t, fmt.Sprintf("level(%d)", n), level(n), want)
	}
	for _, tt := range []struct{ seen, all, want int }{
		{2, 4, 0}, {2, 17, 1}, {5, 17, 0}, {2, 567, 3}, {4, 567, 3}, {5, 567, 2}, {64, 567, 1}, {65, 567, 0},
		{maxSeen, 100000, 1}, {maxSeen + 1, 100000, 0},
	} {
		equal(t, fmt.Sprintf("wordWeight(%d, %d)", tt.seen, tt.all), wordWeight(tt.seen, tt.all), tt.want)
	}
	for n := range 5000 {
		equal(t, fmt.Sprintf("sqrt(%d)", n), sqrt(n), int(math.Sqrt(float64(n))))
	}
}

func BenchmarkRelated(b *testing.B) {
	l := New(randomLibrary{cases: 3000, causes: 14, components: 26, most: 4}.make(rand.New(rand.NewPCG(1, 1))))
	for i := 0; b.Loop(); i++ {
		l.Related(l.Cases()[i%3000])
	}
}

func BenchmarkSimilar(b *testing.B) {
	l := New(randomLibrary{cases: 3000, causes: 14, components: 26, most: 4}.make(rand.New(rand.NewPCG(1, 1))))
	l.similar.index()
	for i := 0; b.Loop(); i++ {
		l.Similar(l.Cases()[i%3000])
	}
}
