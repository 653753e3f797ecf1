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

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// Mirror makes the documents. It is never changed once made and is safe for
// concurrent use.
type Mirror struct {
	lib    *library.Library
	site   address.Site
	schema []byte
}

// New prepares the mirror of a library. schema is the JSON Schema of a case.
func New(lib *library.Library, site address.Site, schema []byte) *Mirror {
	return &Mirror{lib, site, schema}
}

// Case are the documents of one case of the library.
func (m *Mirror) Case(c *incident.Case) []output.File {
	return []output.File{
		file(address.CaseDoc(c.ID), func(dst *bytes.Buffer) error {
			dst.Grow(len(c.JSON) + 1)
			dst.Write(c.JSON)
			return dst.WriteByte('\n')
		}),
		document(address.SimilarDoc(c.ID), func() any { return m.similar(c) })}
}

// Rest are all other documents.
func (m *Mirror) Rest() []output.File {
	var out []output.File
	for _, w := range m.lib.Collection().Withdrawn {
		out = append(out, document(address.CaseDoc(w.ID), func() any { return tombstone(w) }))
	}
	out = append(out, m.lists()...)
	out = append(out, m.topics()...)
	return append(out,
		document(address.VocabDoc, func() any { return m.vocab() }),
		file(address.SchemaCase, func(dst *bytes.Buffer) error {
			dst.Write(m.schema)
			return dst.WriteByte('\n')
		}))
}

// document is a file of a value that is made when it is asked for.
func document(d address.Doc, make func() any) output.File {
	return file(d, func(dst *bytes.Buffer) error {
		e := json.NewEncoder(dst) // compact, one final newline
		e.SetEscapeHTML(false)
		return e.Encode(make())
	})
}

func file(d address.Doc, render func(dst *bytes.Buffer) error) output.File {
	return output.File{Path: address.MirrorFile(d), Kind: output.Data, Render: render}
}

// text is a bilingual text; a language that has none is null.
type text struct {
	EN *string `json:"en"`
	KO *string `json:"ko"`
}

func textOf(t incident.Text) *text {
	if t.IsZero() {
		return nil
	}
	return &text{nullable(t.EN), nullable(t.KO)}
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// tombstoneDoc stands where a case was that is no longer published.
type tombstoneDoc struct {
	ID         string  `json:"id"`
	Withdrawn  bool    `json:"withdrawn"`
	Since      string  `json:"since"`
	Reason     *text   `json:"reason"`
	ReplacedBy *string `json:"replaced_by"`
}

func tombstone(w incident.Withdrawn) tombstoneDoc {
	return tombstoneDoc{w.ID, true, w.Since.String(), textOf(w.Reason), nullable(w.ReplacedBy)}
}
