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

// docRun is a file of what results show of the cases of some numbers, by the
// places of the first and the one behind the last.
type docRun struct {
	number   uint32
	from, to int
	key      output.Key // of its bytes
}

// publish makes the files.
func (x *Index) publish(lib *library.Library, prev *Index) {
	r := root{Version: version, DataVersion: lib.DataVersion(), Count: len(x.docs), Languages: map[string]string{}, Facets: map[string]string{}}
	if n := len(x.docs); n > 0 {
		r.Max = x.docs[n-1].number
	}
	d := x.directory()
	for i, name := range d.Keys {
		x.add(address.SearchShardFile(name), x.shards[i].key, func(dst *bytes.Buffer) {
			e := x.encoder()
			dst.Write(e.shard(dst.AvailableBuffer(), &x.shards[i], nil))
			x.encoders.Put(e)
		})
	}
	r.Terms = x.part("terms", encoded(d))
	for i, l := range incident.Langs() {
		x.runs[i] = x.docRuns(i, l, prev)
		r.Languages[string(l)] = x.part(string(l), encoded(x.language(i, l)))
	}
	for _, f := range Facets() {
		r.Facets[f] = x.part(f, x.facet(f))
	}
	r.Dates = x.part("dates", dates(lib))
	r.Updated = x.part("updated", updated(lib))
	x.files = append(x.files, output.Bytes(address.SearchIndex, output.Data, encoded(r)))
}

// add adds a file with a digest of its bytes, which is its key.
func (x *Index) add(name string, digest output.Key, render func(dst *bytes.Buffer)) {
	x.files = append(x.files, output.File{Path: address.SearchFile(name), Kind: output.Asset,
		Render: func(dst *bytes.Buffer) error { render(dst); return nil }, Key: func() output.Key { return digest }})
}

func (x *Index) part(what string, body []byte) (name string) {
	name = address.SearchPart(what, body)
	x.add(name, keyOf(body), func(dst *bytes.Buffer) { dst.Write(body) })
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
		key := address.SearchDocs(r.key[:])
		out.Keys = append(out.Keys, key)
		before = r.number
		x.add(address.SearchDocsFile(string(l), r.number, key), r.key, func(dst *bytes.Buffer) {
			dst.Write(x.rows(dst.AvailableBuffer(), x.docs[r.from:r.to], l))
		})
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

// docRuns are the runs of the documents with their keys, of which prev may have
// most.
func (x *Index) docRuns(lang int, l incident.Lang, prev *Index) []docRun {
	runs := runsOf(x.docs)
	var body []byte
	for i := range runs {
		r := &runs[i]
		if was := prev.docRun(lang, r.number); was != nil && slices.EqualFunc(prev.docs[was.from:was.to], x.docs[r.from:r.to], sameDocument) {
			r.key = was.key
			continue
		}
		body = x.rows(body[:0], x.docs[r.from:r.to], l)
		r.key = keyOf(body)
	}
	return runs
}

// runsOf cuts documents into runs.
func runsOf(docs []document) []docRun {
	var runs []docRun
	for from := 0; from < len(docs); {
		r := docRun{number: docs[from].number >> runBits, from: from, to: from + 1}
		for r.to < len(docs) && docs[r.to].number>>runBits == r.number {
			r.to++
		}
		runs = append(runs, r)
		from = r.to
	}
	return runs
}

// docRun is the run of a number; nil when there is none.
func (x *Index) docRun(lang int, number uint32) *docRun {
	i, ok := slices.BinarySearchFunc(x.runs[lang], number, func(r docRun, n uint32) int { return cmp.Compare(r.number, n) })
	if !ok {
		return nil
	}
	return &x.runs[lang][i]
}

func sameDocument(a, b document) bool {
	return a.number == b.number && a.key == b.key && a.key != (output.Key{})
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
