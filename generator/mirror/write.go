package mirror

import (
	"bytes"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/escape"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// A case stands in some thirty lists, so that its summary is written more often
// than all else in the mirror: by hand, as encoding/json would write [summary]
// and [near], which stay what schemas and examples are made from. It is kept,
// some 500 bytes a case, once it was wanted.

// listing is a document with summaries of cases in it: those of its one empty
// list of items, which frame has.
func (m *Mirror) listing(d address.Doc, cases func() []*incident.Case, frame func() any) output.File {
	return file(d, func(dst *bytes.Buffer) error {
		return framed(dst, frame(), func(b []byte) []byte {
			for i, c := range cases() {
				b = m.appendSummary(next(b, i), c)
			}
			return b
		})
	})
}

// framed writes a document, and items into its empty list of them. No string in
// it can be taken for the list, since quotes in strings are escaped.
func framed(dst *bytes.Buffer, frame any, items func(b []byte) []byte) error {
	var whole bytes.Buffer
	if err := encode(&whole, frame); err != nil {
		return err
	}
	before, after, _ := bytes.Cut(whole.Bytes(), []byte(`"items":[]`))
	b := append(append(dst.AvailableBuffer(), before...), `"items":[`...)
	b = append(append(items(b), ']'), after...)
	dst.Write(b)
	return nil
}

// next goes on to an item of a list.
func next(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// around is what stands before and after an id in an address, as JSON.
type around struct{ before, after string }

func aroundID(url string) around {
	before, after, _ := strings.Cut(string(escape.JSON(nil, url)), idParam)
	return around{before, after}
}

func (a around) append(b []byte, id string) []byte {
	return append(append(append(b, a.before...), id...), a.after...)
}

// appendSummary appends [Mirror.summary].
func (m *Mirror) appendSummary(b []byte, c *incident.Case) []byte {
	return append(m.appendMembers(b, c), '}')
}

// appendMembers is appendSummary without the end of the object.
func (m *Mirror) appendMembers(b []byte, c *incident.Case) []byte {
	rank := m.lib.Rank(c)
	if rank < 0 {
		return m.makeMembers(b, c)
	}
	if kept := m.members[rank].Load(); kept != nil {
		return append(b, *kept...)
	}
	start := len(b)
	b = m.makeMembers(b, c)
	made := string(b[start:])
	m.members[rank].Store(&made)
	return b
}

func (m *Mirror) makeMembers(b []byte, c *incident.Case) []byte {
	b = escape.JSON(append(b, `{"id":`...), c.ID)
	b = escape.JSON(append(b, `,"org":`...), c.Org)
	b = escape.JSON(append(b, `,"org_slug":`...), c.OrgSlug)
	b = escape.JSON(append(b, `,"date":`...), c.Date.String())
	b = escape.JSON(append(b, `,"date_kind":`...), c.DateKind)
	b = orNull(append(b, `,"title":{"en":`...), c.Title.EN)
	b = orNull(append(b, `,"ko":`...), c.Title.KO)
	b = stringsOf(append(b, `},"domain":`...), c.Domain)
	b = orNull(append(b, `,"root_cause":`...), c.RootCause)
	b = stringsOf(append(b, `,"components":`...), c.Components)
	b = escape.JSON(append(b, `,"updated_at":`...), c.Updated)
	b = m.caseURL.append(append(b, `,"url":`...), c.ID)
	return m.caseDoc.append(append(b, `,"api_url":`...), c.ID)
}

func orNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return escape.JSON(b, s)
}

func stringsOf(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		b = escape.JSON(next(b, i), s)
	}
	return append(b, ']')
}

// writeSimilar writes [Mirror.similar].
func (m *Mirror) writeSimilar(dst *bytes.Buffer, c *incident.Case) error {
	found := m.lib.Similar(c)
	frame := list[near]{len(found), len(found), []near{}, m.alone(address.SimilarDoc(c.ID))}
	return framed(dst, frame, func(b []byte) []byte {
		for i := range found {
			b = m.appendNear(next(b, i), &found[i])
		}
		return b
	})
}

func (m *Mirror) appendNear(b []byte, s *library.Similar) []byte {
	b = m.appendMembers(b, s.Case)
	b = strconv.AppendInt(append(b, `,"score":`...), int64(s.Score), 10)
	b = append(b, `,"why":[`...)
	for i, p := range s.Parts {
		axis := string(p.Axis)
		if axis == "" {
			axis = wording
		}
		b = escape.JSON(append(next(b, i), `{"axis":`...), axis)
		b = stringsOf(append(b, `,"terms":`...), p.Terms)
		if p.Axis == "" {
			b = stringsOf(append(b, `,"words":{"en":`...), s.WordsEN)
			b = append(stringsOf(append(b, `,"ko":`...), s.WordsKO), '}')
		}
		b = append(strconv.AppendInt(append(b, `,"score":`...), int64(p.Score), 10), '}')
	}
	return append(b, "]}"...)
}
