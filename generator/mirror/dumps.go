package mirror

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// How the dump of all cases is cut. A part has the cases of a range of ids, so
// that an edit changes one part and a new case changes the last; a range of
// more than maxPart bytes is halved until none is, so that a part stays below
// what hosts take as one file, however little it can be compressed.
const (
	idsPerPart = 2000
	maxPart    = 20_000_000

	// compression is fast rather than small: a site is built more often than
	// its dumps are loaded.
	compression = 3
)

// dumpsDoc lists the files with everything in them.
type dumpsDoc struct {
	DataVersion string     `json:"data_version" is:"sha256" doc:"The data_version of the root document that these files belong to."`
	Count       int        `json:"count" doc:"How many cases there are."`
	Files       []dumpFile `json:"files" doc:"The files. Those of kind cases hold every case once between them."`
}

type dumpFile struct {
	Name   string `json:"name" doc:"The file's name."`
	Kind   string `json:"kind" is:"dump" doc:"What is in it: whole cases, or their summaries."`
	Format string `json:"format" is:"format" doc:"Its format: one JSON document a line, compressed with gzip; or CSV."`
	URL    string `json:"url" is:"uri" doc:"Where it is."`
	Size   int    `json:"size" doc:"Its size in bytes."`
	SHA256 string `json:"sha256" is:"sha256" doc:"The SHA-256 of its bytes."`
	Count  int    `json:"count" doc:"How many cases are in it."`
}

// The kinds and formats of dumps.
const (
	kindCases     = "cases"
	kindSummaries = "summaries"
	formatNDJSON  = "ndjson.gz"
	formatCSV     = "csv"

	tableFile = "summaries.csv"
)

// dump is a file whose bytes are wanted twice, for itself and for the list of
// the files, and cost much to make: whoever comes first makes them. They are
// let go once the file is written.
type dump struct {
	name, kind, format string
	count              int
	make               func() ([]byte, error)

	lock  sync.Mutex
	made  bool
	err   error
	bytes []byte // nil once they are written
	size  int
	sum   [sha256.Size]byte
}

// ready makes the bytes if nobody did; the lock is held.
func (d *dump) ready() error {
	if !d.made {
		d.made = true
		if d.bytes, d.err = d.make(); d.err == nil {
			d.size, d.sum = len(d.bytes), sha256.Sum256(d.bytes)
		}
	}
	return d.err
}

func (d *dump) render(dst *bytes.Buffer) error {
	d.lock.Lock()
	defer d.lock.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	if d.bytes == nil {
		again, err := d.make()
		dst.Write(again)
		return err
	}
	dst.Write(d.bytes)
	d.bytes = nil
	return nil
}

func (d *dump) entry(m *Mirror) (dumpFile, error) {
	d.lock.Lock()
	defer d.lock.Unlock()
	err := d.ready()
	return dumpFile{d.name, d.kind, d.format, m.site.Mirror(address.DumpDoc(d.name)), d.size, hex.EncodeToString(d.sum[:]), d.count}, err
}

// dumps are the files and, last, the list of them.
func (m *Mirror) dumps() []output.File {
	var out []output.File
	for _, d := range m.parts {
		out = append(out, file(address.DumpDoc(d.name), d.render))
	}
	return append(out, file(address.DumpsDoc, func(dst *bytes.Buffer) error {
		doc := dumpsDoc{m.lib.DataVersion(), len(m.lib.Cases()), []dumpFile{}}
		for _, d := range m.parts {
			f, err := d.entry(m)
			if err != nil {
				return err
			}
			doc.Files = append(doc.Files, f)
		}
		return encode(dst, doc)
	}))
}

func (m *Mirror) dumpFiles() []*dump {
	out := cutCases(m.lib.Cases())
	cases := m.lib.Cases()
	return append(out,
		&dump{name: "summaries.ndjson.gz", kind: kindSummaries, format: formatNDJSON, count: len(cases), make: func() ([]byte, error) {
			return compress(cases, m.appendSummary)
		}},
		&dump{name: tableFile, kind: kindSummaries, format: formatCSV, count: len(cases), make: func() ([]byte, error) { return m.table(cases), nil }})
}

// cutCases makes the parts of the dump of cases.
func cutCases(cases []*incident.Case) []*dump {
	byPart := map[int][]*incident.Case{}
	for _, c := range cases {
		n := number(c.ID) / idsPerPart
		byPart[n] = append(byPart[n], c)
	}
	var out []*dump
	for _, n := range slices.Sorted(maps.Keys(byPart)) {
		out = append(out, halved(fmt.Sprintf("cases-%02d", n), byPart[n], n*idsPerPart, (n+1)*idsPerPart)...)
	}
	return out
}

// number is the number of an id, which is checked to have one.
func number(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "IL-"))
	return n
}

// halved is a part of the ids from from to before to; or two, whose names
// continue its own, where it has too much in it for one.
func halved(name string, cases []*incident.Case, from, to int) []*dump {
	size := 0
	for _, c := range cases {
		size += c.JSON.Len() + 1
	}
	if size <= maxPart || to-from <= 1 {
		return []*dump{{name: name + ".ndjson.gz", kind: kindCases, format: formatNDJSON, count: len(cases), make: func() ([]byte, error) {
			return compress(cases, func(b []byte, c *incident.Case) []byte { return c.JSON.Append(b) })
		}}}
	}
	middle := (from + to) / 2
	var low, high []*incident.Case
	for _, c := range cases {
		if number(c.ID) < middle {
			low = append(low, c)
		} else {
			high = append(high, c)
		}
	}
	var out []*dump
	for i, half := range [][]*incident.Case{low, high} {
		if len(half) > 0 {
			out = append(out, halved(name+"-"+strconv.Itoa(i), half, [2]int{from, middle}[i], [2]int{middle, to}[i])...)
		}
	}
	return out
}

// compress is what write makes of cases, a line each, in the gzip format: without
// a name and a time, so that the same text gives the same bytes.
func compress(cases []*incident.Case, write func(b []byte, c *incident.Case) []byte) ([]byte, error) {
	var small bytes.Buffer
	z, err := gzip.NewWriterLevel(&small, compression)
	if err != nil {
		return nil, err
	}
	z.ModTime = time.Unix(0, 0) // is written as no time; the zero time is not
	var line []byte
	for _, c := range cases {
		line = append(write(line[:0], c), '\n')
		if _, err := z.Write(line); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return small.Bytes(), err
}

// columns of the table, the texts by language.
func columns() []string {
	return []string{"id", "org", "org_slug", "date", "date_kind", "title_en", "title_ko", "domain", "root_cause", "components", "updated_at", "url", "api_url"}
}

// table is the summaries as CSV by RFC 4180, in UTF-8, with the names of the
// columns first. Terms of a list have | between them; what is not known is
// empty.
func (m *Mirror) table(cases []*incident.Case) []byte {
	var b bytes.Buffer
	row(&b, columns())
	for _, c := range cases {
		s := m.summary(c)
		row(&b, []string{s.ID, harmless(s.Org), s.OrgSlug, s.Date, s.DateKind, harmless(c.Title.EN), harmless(c.Title.KO),
			strings.Join(s.Domain, "|"), c.RootCause, strings.Join(s.Components, "|"), s.UpdatedAt, s.URL, s.APIURL})
	}
	return b.Bytes()
}

func row(b *bytes.Buffer, fields []string) {
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.ContainsAny(f, "\",\r\n") {
			f = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
		}
		b.WriteString(f)
	}
	b.WriteString("\r\n")
}

// harmless puts an apostrophe before a text that a spreadsheet would take for a
// formula: one that begins, behind spaces, with = + - @, with the full-width
// form of one, or with a tab or a line break. The summaries in JSON have the
// text as it is.
func harmless(s string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \u00a0\u3000"))
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}
