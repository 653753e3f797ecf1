// Package mirror turns a library into its static JSON documents (DESIGN 6,
// MIRROR 2.3 and 2.4), for scripts and AI tools.
//
// A case's document is the seed's own JSON, compacted: same keys, order,
// numbers and values. Whatever the mirror adds lives beside it. No document
// holds the time of the build, so unchanged data means unchanged bytes. Lists
// are never null, integers stay integers, and nothing is escaped for HTML.
package mirror

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/ordered"
	"benchlet.com/incidentlib/generator/output"
)

// Mirror makes the documents. It is never changed once made and is safe for
// concurrent use.
type Mirror struct {
	lib        *library.Library
	site       address.Site
	caseSchema ordered.Object
	history    func() []moment // see changes.go
	manifest   func() []byte
	parts      []*dump

	caseURL, caseDoc around                   // of every case
	members          []atomic.Pointer[string] // by rank: see write.go
}

// New prepares the mirror of a library. caseSchema is the JSON Schema of a case.
func New(lib *library.Library, site address.Site, caseSchema ordered.Object) *Mirror {
	m := &Mirror{lib: lib, site: site, caseSchema: caseSchema}
	m.caseURL = aroundID(site.URL(site.Default(), address.Case(idParam)))
	m.caseDoc = aroundID(site.Mirror(address.CaseDoc(idParam)))
	m.members = make([]atomic.Pointer[string], len(lib.Newest()))
	m.history = sync.OnceValue(m.moments)
	m.manifest = sync.OnceValue(m.manifestLines)
	m.parts = m.dumpFiles()
	return m
}

// Case are the documents of one case of the library.
func (m *Mirror) Case(c *incident.Case) []output.File {
	return []output.File{
		file(address.CaseDoc(c.ID), func(dst *bytes.Buffer) error {
			dst.Grow(c.JSON.Len() + 1)
			dst.Write(append(c.JSON.Append(dst.AvailableBuffer()), '\n'))
			return nil
		}),
		file(address.SimilarDoc(c.ID), func(dst *bytes.Buffer) error { return m.writeSimilar(dst, c) })}
}

// Rest are all other documents, and the files beside the mirror that lead to it.
func (m *Mirror) Rest() []output.File {
	out := []output.File{document(address.RootDoc, func() any { return m.root() }), m.manifestFile(),
		document(address.VocabDoc, func() any { return m.vocab() })}
	for _, w := range m.lib.Collection().Withdrawn {
		out = append(out, document(address.CaseDoc(w.ID), func() any { return tombstone(w) }))
	}
	return slices.Concat(out, m.lists(), m.topics(), m.orgs(), m.years(), m.changes(), m.dumps(), m.schemas(), m.openAPI(), m.discovery())
}

// document is a file of a value that is made when it is asked for.
func document(d address.Doc, make func() any) output.File {
	return file(d, func(dst *bytes.Buffer) error { return encode(dst, make()) })
}

func encode(dst *bytes.Buffer, v any) error {
	e := json.NewEncoder(dst) // compact, one final newline
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func file(d address.Doc, render func(dst *bytes.Buffer) error) output.File {
	return output.File{Path: address.MirrorFile(d), Kind: output.Data, Render: render}
}

// text is a bilingual text; a language that has none is null.
type text struct {
	EN *string `json:"en" doc:"In English; null where there is none."`
	KO *string `json:"ko" doc:"In Korean; null where there is none."`
}

func textOf(t incident.Text) text { return text{nullable(t.EN), nullable(t.KO)} }

// optional is a text that may be missing in both languages, and is null then.
func optional(t incident.Text) *text {
	if t.IsZero() {
		return nil
	}
	known := textOf(t)
	return &known
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// tombstoneDoc stands where a case was that is no longer published.
type tombstoneDoc struct {
	ID         string  `json:"id" is:"id" doc:"The id that is no longer published."`
	Withdrawn  bool    `json:"withdrawn" is:"true" doc:"Always true: by this a tombstone is told from a case."`
	Since      string  `json:"since" is:"date" doc:"Since when: a day, a month or a year."`
	Reason     text    `json:"reason" doc:"Why, as Markdown."`
	ReplacedBy *string `json:"replaced_by" is:"id" doc:"The case that took its place; null where none did."`
}

func tombstone(w incident.Withdrawn) tombstoneDoc {
	return tombstoneDoc{w.ID, true, w.Since.String(), textOf(w.Reason), nullable(w.ReplacedBy)}
}
