package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// version is the form of the index that a reader has to know.
const version = 1

// root is the file that a reader opens first. Names are those of
// [address.SearchFile].
type root struct {
	Version     int               `json:"v"`
	DataVersion string            `json:"data_version"`
	Count       int               `json:"count"` // of cases
	Max         uint32            `json:"max"`   // the greatest number of a case
	Terms       string            `json:"terms"`
	Languages   map[string]string `json:"languages"`
	Facets      map[string]string `json:"facets"`
	Dates       string            `json:"dates"`
	Updated     string            `json:"updated"`
}

// language is what a reader of one language needs: where the runs of cases are,
// the numbers as distances and the keys of their names, and what axes (by "")
// and terms are called.
type language struct {
	Runs   []uint32                     `json:"runs"`
	Keys   []string                     `json:"keys"`
	Labels map[string]map[string]string `json:"labels"`
}

// runBits is the logarithm of how many numbers a run spans.
const runBits = 4

// docRun is a file of what results show of the cases of some numbers.
type docRun struct {
	number uint32
	docs   []*document
	key    string
	body   []byte
}

// publish makes the files.
func (x *Index) publish(lib *library.Library, prev *Index) {
	r := root{Version: version, DataVersion: lib.DataVersion(), Count: len(x.docs), Languages: map[string]string{}, Facets: map[string]string{}}
	if n := len(x.docs); n > 0 {
		r.Max = x.docs[n-1].number
	}
	d := directory{make([]string, len(x.shards)), x.keys()}
	terms := x.terms
	for i := range x.shards {
		d.First[i] = terms[x.shards[i].first]
		x.add(address.SearchShardFile(d.Keys[i]), x.shards[i].body)
	}
	r.Terms = x.part("terms", encoded(d))
	for i, l := range incident.Langs() {
		x.runs[i] = x.docRuns(i, prev)
		r.Languages[string(l)] = x.part(string(l), encoded(x.language(i, l)))
	}
	for _, f := range Facets() {
		r.Facets[f] = x.part(f, x.facet(f))
	}
	r.Dates = x.part("dates", dates(lib))
	r.Updated = x.part("updated", updated(lib))
	x.files = append(x.files, output.Bytes(address.SearchIndex, output.Data, encoded(r)))
}

func (x *Index) add(name string, body []byte) {
	x.files = append(x.files, output.Bytes(address.SearchFile(name), output.Asset, body))
}

func (x *Index) part(what string, body []byte) (name string) {
	name = address.SearchPart(what, body)
	x.add(name, body)
	return name
}

// encoded is a value of ours, which is one that JSON can hold.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b) // compact, one final newline; maps by key
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return b.Bytes()
}

func (x *Index) language(i int, l incident.Lang) language {
	out := language{Runs: []uint32{}, Keys: []string{}, Labels: map[string]map[string]string{}}
	before := uint32(0)
	for _, r := range x.runs[i] {
		out.Runs = append(out.Runs, r.number-before)
		out.Keys = append(out.Keys, r.key)
		before = r.number
		x.add(address.SearchDocsFile(string(l), r.number, r.key), r.body)
	}
	for _, axis := range x.vocabulary.Axes {
		if !isFacet(axis.ID) {
			continue
		}
		label, _ := axis.Label.Best(l)
		labels := map[string]string{"": label}
		for j := range axis.Terms {
			labels[axis.Terms[j].Slug], _ = axis.Terms[j].Label.Best(l)
		}
		out.Labels[string(axis.ID)] = labels
	}
	return out
}

// docRuns cuts the documents into runs, of which prev may have most.
func (x *Index) docRuns(lang int, prev *Index) []docRun {
	var runs []docRun
	for from := 0; from < len(x.docs); {
		number, to := x.docs[from].number>>runBits, from+1
		for to < len(x.docs) && x.docs[to].number>>runBits == number {
			to++
		}
		runs = append(runs, x.docRun(lang, number, x.docs[from:to], prev))
		from = to
	}
	return runs
}

func (x *Index) docRun(lang int, number uint32, docs []*document, prev *Index) docRun {
	if prev != nil {
		i, ok := slices.BinarySearchFunc(prev.runs[lang], number, func(r docRun, n uint32) int { return cmp.Compare(r.number, n) })
		if ok && slices.Equal(prev.runs[lang][i].docs, docs) {
			return prev.runs[lang][i]
		}
	}
	rows := make([][]byte, len(docs))
	for i, d := range docs {
		rows[i] = d.rows[lang]
	}
	body := slices.Concat([]byte("["), bytes.Join(rows, []byte(",")), []byte("]\n"))
	return docRun{number, docs, address.SearchDocs(body), body}
}

// dates are the cases by date: each date as [incident.Date.Order] has it, newest
// first, with how many cases have it and their numbers as distances.
func dates(lib *library.Library) []byte {
	b := []byte{'['}
	newest := lib.Newest()
	for from := 0; from < len(newest); {
		order, to := newest[from].Date.Order(), from+1
		for to < len(newest) && newest[to].Date.Order() == order {
			to++
		}
		numbers := numbersOf(newest[from:to])
		slices.Sort(numbers)
		b = appendGaps(appendGaps(b, []uint32{uint32(order)}), []uint32{uint32(len(numbers))})
		b = appendGaps(b, numbers)
		from = to
	}
	return closed(b)
}

// updated are the numbers of the cases, the one that changed last first.
func updated(lib *library.Library) []byte {
	cases := slices.Clone(lib.Cases())
	slices.SortStableFunc(cases, func(a, b *incident.Case) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	b := []byte{'['}
	for _, n := range numbersOf(cases) {
		b = appendGaps(b, []uint32{n})
	}
	return closed(b)
}

func numbersOf(cases []*incident.Case) []uint32 {
	out := make([]uint32, len(cases))
	for i, c := range cases {
		out[i], _ = Number(c.ID)
	}
	return out
}

// closed ends a list whose numbers each have a comma.
func closed(b []byte) []byte {
	return append(bytes.TrimSuffix(b, []byte(",")), "]\n"...)
}
