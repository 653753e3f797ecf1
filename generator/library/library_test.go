package library

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/incident"
)

// seed is a case in a line: "IL-0001 2024-05-01 cause component,component".
func seed(t testing.TB, line string) *incident.Case {
	t.Helper()
	f := strings.Fields(line)
	date, err := incident.ParseDate(f[1])
	if err != nil {
		t.Fatal(err)
	}
	c := &incident.Case{ID: f[0], Date: date, Org: "Org", OrgSlug: "org"}
	if len(f) > 2 && f[2] != "-" {
		c.RootCause = f[2]
	}
	if len(f) > 3 {
		c.Components = strings.Split(f[3], ",")
	}
	return c
}

func collection(cases ...*incident.Case) *incident.Collection {
	slices.SortFunc(cases, func(a, b *incident.Case) int { return incident.CompareIDs(a.ID, b.ID) })
	return &incident.Collection{Vocabulary: incident.NewVocabulary(nil), Cases: cases}
}

func seeds(t testing.TB, lines ...string) []*incident.Case {
	t.Helper()
	var cases []*incident.Case
	for _, line := range lines {
		cases = append(cases, seed(t, line))
	}
	return cases
}

func ids(cases []*incident.Case) string {
	var out []string
	for _, c := range cases {
		out = append(out, c.ID)
	}
	return strings.Join(out, " ")
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestOrders(t *testing.T) {
	t.Parallel()
	cases := seeds(t, "IL-0001 2023", "IL-0002 2023-06-14", "IL-0003 2023-06-16", "IL-0004 2023-07",
		"IL-10000 2024-01-01", "IL-9999 2024-01-01", "IL-0005 2023-06")
	l := New(collection(cases...))
	equal(t, "Cases", ids(l.Cases()), "IL-0001 IL-0002 IL-0003 IL-0004 IL-0005 IL-9999 IL-10000")
	equal(t, "Newest", ids(l.Newest()), "IL-9999 IL-10000 IL-0004 IL-0003 IL-0001 IL-0005 IL-0002")
	for _, c := range l.Newest() {
		if l.Case(c.ID) != c {
			t.Errorf("Case(%q) is another", c.ID)
		}
	}
	if l.Case("IL-0404") != nil {
		t.Error("a case that does not exist was found")
	}
}

func TestOrgsAndYears(t *testing.T) {
	t.Parallel()
	cases := seeds(t, "IL-0001 2021-03-01", "IL-0002 2023", "IL-0003 2021-09", "IL-0004 2022", "IL-0005 2022", "IL-0006 2020")
	for i, org := range []string{"eBay|ebay", "Elastic|elastic", "eBay|ebay", "카카오|kakao", "Elastic|elastic-2", "AWS|aws"} {
		cases[i].Org, cases[i].OrgSlug, _ = strings.Cut(org, "|")
	}
	l := New(collection(cases...))
	var slugs []string
	for _, o := range l.Orgs() {
		slugs = append(slugs, o.Slug)
	}
	equal(t, "Orgs", strings.Join(slugs, " "), "aws ebay elastic elastic-2 kakao")
	equal(t, "cases of an organisation", l.Orgs()[1].Name+" "+ids(l.Orgs()[1].Cases), "eBay IL-0003 IL-0001")

	var years []int
	for _, y := range l.Years() {
		years = append(years, y.Year)
	}
	if want := []int{2023, 2022, 2021, 2020}; !slices.Equal(years, want) {
		t.Errorf("Years: got %v, want %v", years, want)
	}
	equal(t, "cases of a year", ids(l.Years()[1].Cases), "IL-0004 IL-0005")
}

func TestTopics(t *testing.T) {
	t.Parallel()
	c := collection(seeds(t, "IL-0001 2021 bug dns,cache", "IL-0002 2023 bug cache", "IL-0003 2022 change cache,dns", "IL-0004 2020 - queue")...)
	c.Cases[0].Severity = "major"
	// The vocabulary's order, not the alphabet's, parts equal counts.
	c.Vocabulary = incident.NewVocabulary([]incident.Axis{
		{ID: incident.Components, Terms: []incident.Term{
			{Axis: incident.Components, Slug: "queue"}, {Axis: incident.Components, Slug: "dns"}, {Axis: incident.Components, Slug: "cache"}}},
		{ID: incident.RootCause, Terms: []incident.Term{
			{Axis: incident.RootCause, Slug: "change"}, {Axis: incident.RootCause, Slug: "bug"}}},
	})
	cache := incident.TermRef{Axis: incident.Components, Slug: "cache"}
	c.Topics = []incident.TopicText{{Term: cache, Lang: incident.KO, Text: "캐시"}}
	l := New(c)
	equal(t, "Topic", ids(l.Topic(cache)), "IL-0002 IL-0003 IL-0001")
	equal(t, "Count", l.Count(cache), 3)
	equal(t, "Count of none", l.Count(incident.TermRef{Axis: incident.Components, Slug: "none"}), 0)
	equal(t, "severity has topics too", ids(l.Topic(incident.TermRef{Axis: incident.Severity, Slug: "major"})), "IL-0001")
	equal(t, "TopicText", l.TopicText(cache, incident.KO).Text, "캐시")
	if l.TopicText(cache, incident.EN) != nil {
		t.Error("prose in a language that has none")
	}
	counts := func(found []TermCount) string {
		var out []string
		for _, f := range found {
			out = append(out, f.Term.String()+":"+string(rune('0'+f.Count)))
		}
		return strings.Join(out, " ")
	}
	equal(t, "CoOccurring", counts(l.CoOccurring(cache)), "components/dns:2 root_cause/bug:2 root_cause/change:1")
	equal(t, "CoOccurring on an axis", counts(l.CoOccurring(cache, incident.RootCause)), "root_cause/bug:2 root_cause/change:1")
}

func TestCoOccurringIsBounded(t *testing.T) {
	t.Parallel()
	c := seed(t, "IL-0001 2021 bug")
	for i := range 40 {
		c.Components = append(c.Components, "c"+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	l := New(collection(c))
	equal(t, "terms", len(l.CoOccurring(incident.TermRef{Axis: incident.RootCause, Slug: "bug"})), maxCoOccurring)
}

func TestChain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		links string // later>earlier
		want  map[string]string
	}{
		{"alone", "", map[string]string{"IL-0001": "", "IL-0005": ""}},
		{"a chain", "IL-0003>IL-0001 IL-0005>IL-0003", map[string]string{
			"IL-0001": "IL-0001 IL-0003 IL-0005", "IL-0005": "IL-0001 IL-0003 IL-0005", "IL-0002": ""}},
		{"a tree", "IL-0002>IL-0001 IL-0003>IL-0001 IL-0004>IL-0002", map[string]string{
			"IL-0003": "IL-0001 IL-0002 IL-0003 IL-0004", "IL-0004": "IL-0001 IL-0002 IL-0003 IL-0004"}},
		{"a cycle, which the checks refuse", "IL-0001>IL-0002 IL-0002>IL-0001", map[string]string{
			"IL-0001": "IL-0001 IL-0002", "IL-0003": ""}},
		{"itself and nothing, which the checks refuse", "IL-0001>IL-0001 IL-0002>IL-0404", map[string]string{
			"IL-0001": "", "IL-0002": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cases := seeds(t, "IL-0001 2019", "IL-0002 2020", "IL-0003 2020", "IL-0004 2022", "IL-0005 2023")
			for _, link := range strings.Fields(tt.links) {
				later, earlier, _ := strings.Cut(link, ">")
				i := slices.IndexFunc(cases, func(c *incident.Case) bool { return c.ID == later })
				cases[i].RecurrenceOf = earlier
			}
			l := New(collection(cases...))
			for id, want := range tt.want {
				equal(t, id, chained(l.Chain(l.Case(id))), want)
			}
		})
	}
}

// chained writes a chain down: its ids, and "+n" for n that are left out.
func chained(chain []ChainLink) string {
	var out []string
	for _, link := range chain {
		if link.Skipped > 0 {
			out = append(out, fmt.Sprintf("+%d", link.Skipped))
		}
		out = append(out, link.Case.ID)
	}
	return strings.Join(out, " ")
}

// A chain of 400 shows both its ends and what is around the case.
func TestLongChain(t *testing.T) {
	t.Parallel()
	var cases []*incident.Case
	for i := range 400 {
		c := seed(t, fmt.Sprintf("IL-%04d 2020 bug dns", i))
		if i > 0 {
			c.RecurrenceOf = fmt.Sprintf("IL-%04d", i-1)
		}
		cases = append(cases, c)
	}
	cases[300].RecurrenceOf = "IL-0100"
	l := New(collection(cases...))
	for id, want := range map[string]string{
		"IL-0000": "IL-0000 IL-0001 IL-0002 +394 IL-0397 IL-0398 IL-0399",
		"IL-0003": "IL-0000 IL-0001 IL-0002 IL-0003 IL-0004 IL-0005 +391 IL-0397 IL-0398 IL-0399",
		"IL-0200": "IL-0000 IL-0001 IL-0002 +195 IL-0198 IL-0199 IL-0200 IL-0201 IL-0202 +194 IL-0397 IL-0398 IL-0399",
		"IL-0300": "IL-0000 IL-0001 IL-0002 +97 IL-0100 +197 IL-0298 IL-0299 IL-0300 IL-0301 IL-0302 +94 IL-0397 IL-0398 IL-0399",
	} {
		equal(t, id, chained(l.Chain(l.Case(id))), want)
	}
}

func TestEmptyLibrary(t *testing.T) {
	t.Parallel()
	l := New(&incident.Collection{})
	stranger := &incident.Case{ID: "IL-0001"}
	if l.Chain(stranger) != nil || l.Similar(stranger) != nil || l.Related(stranger).Total != 0 {
		t.Error("an empty library knows a case")
	}
	if len(l.Cases())+len(l.Newest())+len(l.Orgs())+len(l.Years()) != 0 {
		t.Error("an empty library has something")
	}
}

// randomLibrary makes a random collection: few terms and words, so that much is shared.
type randomLibrary struct {
	cases, causes, components, most int
}

func (x randomLibrary) make(r *rand.Rand) *incident.Collection {
	pick := func(prefix string, of, most int) []string {
		out := make([]string, 0, most)
		for range r.IntN(most + 1) {
			out = append(out, prefix+string(rune('a'+skewed(r, of))))
		}
		return distinct(out)
	}
	one := func(prefix string, of int) string {
		if r.IntN(8) == 0 {
			return ""
		}
		return prefix + string(rune('a'+r.IntN(of)))
	}
	cases := make([]*incident.Case, x.cases)
	for i := range cases {
		id := "IL-" + string([]byte{'0' + byte(i/1000), '0' + byte(i/100%10), '0' + byte(i/10%10), '0' + byte(i%10)})
		c := &incident.Case{ID: id, Org: "Org", OrgSlug: "org"}
		c.Date = incident.Date{Year: 2015 + r.IntN(6), Month: r.IntN(13)}
		c.RootCause, c.Detection = one("r", x.causes), one("d", 3)
		c.Components, c.Symptoms = pick("c", x.components, x.most), pick("s", 12, 4)
		c.Contributing, c.Domain = pick("k", 9, 3), pick("m", 5, 2)
		c.Title = incident.Text{EN: prose(r, 6, "word"), KO: prose(r, 6, "낱말")}
		c.Summary = incident.Text{EN: prose(r, 30, "word"), KO: prose(r, 30, "낱말")}
		if r.IntN(6) == 0 {
			c.Summary.KO, c.Title.KO = "", ""
		}
		if i > 0 && r.IntN(10) == 0 {
			c.RecurrenceOf = cases[r.IntN(i)].ID
		}
		for range r.IntN(8) - 5 {
			c.Related = append(c.Related, "IL-000"+string(rune('0'+r.IntN(10))))
		}
		c.Related = distinct(c.Related)
		cases[i] = c
	}
	return collection(cases...)
}

// skewed is a number below n, small ones more often.
func skewed(r *rand.Rand, n int) int { return min(r.IntN(n), r.IntN(n)) }

// prose is words of which some are common and most are rare.
func prose(r *rand.Rand, words int, of string) string {
	var b strings.Builder
	for range words {
		b.WriteString(of)
		top := 1 << (2 + r.IntN(9))
		for n := r.IntN(top); n > 0; n /= 20 {
			if of == "word" {
				b.WriteByte("bcdfghjklmnpqrtvwxza"[n%20])
			} else {
				b.WriteRune([]rune("강남북동서문물불산천길달별꽃돌밤낮봄밥집")[n%20])
			}
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// Terms are crossed the most frequent first; a case counts once for each of its
// components, and not at all without a cause.
func TestCross(t *testing.T) {
	t.Parallel()
	l := New(collection(seeds(t,
		"IL-0001 2024-01-01 bug a,b", "IL-0002 2024-01-02 bug b", "IL-0003 2024-01-03 cut b,c", "IL-0004 2024-01-04 - c,c", "IL-0005 2024-01-05 cut")...))
	x := l.Cross(incident.Components, incident.RootCause)
	equal(t, "rows", fmt.Sprint(x.Rows), "[{components/b 3} {components/c 2} {components/a 1}]")
	equal(t, "columns", fmt.Sprint(x.Columns), "[{root_cause/cut 2} {root_cause/bug 2}]")
	equal(t, "cells", fmt.Sprint(x.Cells, x.Most), "[[1 2] [1 0] [0 1]] 2")
	equal(t, "nothing", fmt.Sprint(New(collection()).Cross(incident.Components, incident.RootCause)), "{[] [] [] 0}")
}

func TestRecoveries(t *testing.T) {
	t.Parallel()
	cases := seeds(t, "IL-0001 2024-01-01", "IL-0002 2024-01-02", "IL-0003 2024-01-03")
	cases[0].Timeline.ResolvedAfter = incident.Duration{Seconds: 90, Text: "1m 30s"}
	cases[2].Timeline.ResolvedAfter = incident.Duration{Seconds: 39, Text: "39s"}
	equal(t, "times", fmt.Sprint(New(collection(cases...)).Recoveries()), "[39 90]")
}
