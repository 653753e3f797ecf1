package library

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"benchlet.com/incidentlib/generator/incident"
)

// corpusEnv names a folder of seeds to measure with: any with cases/*.json and
// vocab.json. The benchmarks that need one skip without it.
const corpusEnv = "INCIDENTLIB_CORPUS"

// corpusCase is as much of a seed as the indexes read. It trusts its input: a
// measurement needs no checks.
type corpusCase struct {
	ID           string     `json:"id"`
	Org          string     `json:"org"`
	OrgSlug      string     `json:"org_slug"`
	Date         string     `json:"date"`
	DateKind     string     `json:"date_kind"`
	Title        corpusText `json:"title"`
	Summary      corpusText `json:"summary"`
	SymptomsText corpusText `json:"symptoms_text"`
	Domain       []string   `json:"domain"`
	Symptoms     []string   `json:"symptoms"`
	Components   []string   `json:"components"`
	Contributing []string   `json:"contributing"`
	RootCause    string     `json:"root_cause"`
	Detection    string     `json:"detection"`
	Severity     string     `json:"severity"`
	Related      []string   `json:"related"`
	RecurrenceOf string     `json:"recurrence_of"`
	UpdatedAt    time.Time  `json:"updated_at"`
}

type corpusText struct{ EN, KO string }

func readCorpus(tb testing.TB) *incident.Collection {
	tb.Helper()
	dir := os.Getenv(corpusEnv)
	if dir == "" {
		tb.Skip(corpusEnv + " names no corpus")
	}
	files, err := filepath.Glob(filepath.Join(dir, "cases", "*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	c := &incident.Collection{Vocabulary: readCorpusVocabulary(tb, filepath.Join(dir, "vocab.json"))}
	for _, f := range files {
		var in corpusCase
		readJSON(tb, f, &in)
		date, err := incident.ParseDate(in.Date)
		if err != nil {
			tb.Fatal(err)
		}
		c.Cases = append(c.Cases, &incident.Case{
			ID: in.ID, Org: in.Org, OrgSlug: in.OrgSlug, Date: date, DateKind: in.DateKind,
			Title: incident.Text(in.Title), Summary: incident.Text(in.Summary), SymptomsText: incident.Text(in.SymptomsText),
			Domain: in.Domain, Symptoms: in.Symptoms, Components: in.Components, Contributing: in.Contributing,
			RootCause: in.RootCause, Detection: in.Detection, Severity: in.Severity,
			Related: in.Related, RecurrenceOf: in.RecurrenceOf, UpdatedAt: in.UpdatedAt,
		})
	}
	return c
}

func readCorpusVocabulary(tb testing.TB, file string) *incident.Vocabulary {
	var in struct {
		Axes []struct {
			ID    incident.AxisID `json:"id"`
			Terms []struct {
				Slug string `json:"slug"`
			} `json:"terms"`
		} `json:"axes"`
	}
	readJSON(tb, file, &in)
	var axes []incident.Axis
	for _, a := range in.Axes {
		axis := incident.Axis{ID: a.ID}
		for _, t := range a.Terms {
			axis.Terms = append(axis.Terms, incident.Term{Axis: a.ID, Slug: t.Slug})
		}
		axes = append(axes, axis)
	}
	return incident.NewVocabulary(axes)
}

func readJSON(tb testing.TB, file string, into any) {
	tb.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
}

func BenchmarkCorpusNew(b *testing.B) {
	c := readCorpus(b)
	b.ResetTimer()
	for b.Loop() {
		New(c)
	}
	perCase(b, len(c.Cases))
}

func BenchmarkCorpusSimilarIndex(b *testing.B) {
	c := readCorpus(b)
	before := heap()
	l := New(c)
	plain := heap()
	for b.Loop() {
		newSimilarIndex(l.newest, &l.terms, nil)
	}
	perCase(b, len(c.Cases))
	before2 := heap()
	x := l.similar.index()
	b.ReportMetric(float64(plain-before)/float64(len(c.Cases)), "B/case-without")
	b.ReportMetric(float64(heap()-before2)/float64(len(c.Cases)), "B/case-similar")
	runtime.KeepAlive(x)
	runtime.KeepAlive(l)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkCorpusRelated(b *testing.B) {
	l := New(readCorpus(b))
	b.ResetTimer()
	for b.Loop() {
		for _, c := range l.Cases() {
			l.Related(c)
		}
	}
	perCase(b, len(l.Cases()))
}

func BenchmarkCorpusSimilar(b *testing.B) {
	l := New(readCorpus(b))
	l.similar.index()
	b.ResetTimer()
	for b.Loop() {
		for _, c := range l.Cases() {
			l.Similar(c)
		}
	}
	perCase(b, len(l.Cases()))
}

func perCase(b *testing.B, cases int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*cases)/1000, "µs/case")
}

// TestCorpusRecall says how much of the true ten nearest the bounded candidates
// of a large library find.
func TestCorpusRecall(t *testing.T) {
	l := New(readCorpus(t))
	x := l.similar.index()
	found, want, lost := 0, 0, 0
	step := max(1, len(l.cases)/300)
	for i := 0; i < len(l.cases); i += step {
		rank := l.ranks[l.cases[i].ID]
		s := &scratch{words: make([]uint32, x.all), wanted: make([]uint16, len(x.weight))}
		for _, tm := range x.terms.of.of(rank) {
			s.wanted[tm] = x.weight[tm]
		}
		var best []scored
		for r := range uint32(x.all) {
			_, en := x.en.shared(rank, r)
			_, ko := x.ko.shared(rank, r)
			s.words[r] = met | uint32(en)<<english | uint32(ko)
			if r != rank {
				best = keep(best, scored{r, x.score(s, r)})
			}
		}
		got := x.nearest(rank)
		for j, b := range best {
			want++
			if j < len(got) {
				lost += int(b.score - got[j].score)
				if got[j].score == b.score {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d places hold the true score; %.2f points lost a place", found, want, float64(lost)/float64(want))
}
