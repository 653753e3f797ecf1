package mirror

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"slices"
	"time"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// How many changes a document holds. Pages are cut where an entry itself says
// so, or where they are full: see [cut].
const (
	maxChanges = 500
	minChanges = 250
	cutEvery   = 128
)

// changesDoc is what changed, the newest first: the last state of every case,
// once, and every withdrawn id (MIRROR 2.6).
type changesDoc struct {
	From  *string  `json:"from" is:"time" doc:"The time of the oldest entry here: whoever was in step at that time or later needs no more than this document. Null in an empty library."`
	To    *string  `json:"to" is:"time" doc:"The time of the newest entry here."`
	Items []change `json:"items" doc:"The changes, newest first."`
	Links links    `json:"links" doc:"next leads to older entries, where there are any."`
}

// changesPage is a page of older changes. It does not change when the library
// grows.
type changesPage struct {
	From  string    `json:"from" is:"time" doc:"The time of the oldest entry here."`
	To    string    `json:"to" is:"time" doc:"The time of the newest entry here."`
	Items []change  `json:"items" doc:"The changes, newest first."`
	Links pageLinks `json:"links" doc:"next leads to older entries, prev to newer ones, first to the newest of all."`
}

// change is a case with the time of its last change, or a withdrawn id. One of
// the two is there.
type change struct {
	ID string `json:"id" is:"id" doc:"The case's id."`
	*edited
	*gone
}

type edited struct {
	UpdatedAt string `json:"updated_at" is:"time" doc:"When it was last changed, as its document has it."`
	H         string `json:"h" is:"short" doc:"The first 16 hexadecimal digits of the SHA-256 of its document."`
}

type gone struct {
	WithdrawnAt string  `json:"withdrawn_at" is:"date" doc:"Since when it is no longer published: a day, a month or a year."`
	Reason      text    `json:"reason" doc:"Why, as Markdown."`
	ReplacedBy  *string `json:"replaced_by" is:"id" doc:"The case that took its place; null where none did."`
}

// moment is a change with its time.
type moment struct {
	at time.Time
	change
}

// when is the time of a change as the document has it.
func (m moment) when() string {
	if m.edited != nil {
		return m.UpdatedAt
	}
	return m.WithdrawnAt
}

// utc is the time of a change in one form, to be compared.
func utc(m moment) string { return m.at.UTC().Format(time.RFC3339Nano) }

// moments are all changes, newest first, then by id. They come from the seeds
// alone, so any two builds agree. What was withdrawn in a month or a year stands
// at the end of it: it is rather told twice than missed.
func (m *Mirror) moments() []moment {
	c := m.lib.Collection()
	out := make([]moment, 0, len(c.Cases)+len(c.Withdrawn))
	for _, one := range m.lib.Cases() {
		out = append(out, moment{one.UpdatedAt, change{ID: one.ID, edited: &edited{one.Updated, one.Sum.Short()}}})
	}
	for _, w := range c.Withdrawn {
		out = append(out, moment{endOf(w.Since), change{ID: w.ID, gone: &gone{w.Since.String(), textOf(w.Reason), nullable(w.ReplacedBy)}}})
	}
	slices.SortFunc(out, func(a, b moment) int { return cmp.Or(b.at.Compare(a.at), incident.CompareIDs(a.ID, b.ID)) })
	return out
}

// endOf is the last second of a date, in UTC.
func endOf(d incident.Date) time.Time {
	next := time.Date(d.Year, time.Month(d.Month), d.Day+1, 0, 0, 0, 0, time.UTC)
	switch {
	case d.Month == 0:
		next = time.Date(d.Year+1, 1, 1, 0, 0, 0, 0, time.UTC)
	case d.Day == 0:
		next = time.Date(d.Year, time.Month(d.Month)+1, 1, 0, 0, 0, 0, time.UTC)
	}
	return next.Add(-time.Second)
}

// run is a page of the changes: those from from to before to.
type run struct{ from, to int }

// cut makes pages of changes, newest first. An edit takes a change from where
// it stands to the very top; were pages filled by number, all from there on
// would change. So a page ends, from the oldest on, at an entry that says so by
// a digest of its own, once the page is half full: behind the next such entry
// all pages are as they were.
func cut(all []moment) []run {
	var out []run
	for to := len(all); to > 0; {
		from := to - 1
		for to-from < maxChanges && from > 0 && (to-from < minChanges || !ends(all[from])) {
			from--
		}
		out = append(out, run{from, to})
		to = from
	}
	slices.Reverse(out)
	return out
}

func ends(m moment) bool {
	h := fnv.New64a()
	h.Write([]byte(m.ID))
	h.Write([]byte(m.when()))
	return h.Sum64()%cutEvery == 0
}

// changes are the document of the newest changes, and pages of all where there
// are more. A page has the id of its oldest entry as its name: an id is there
// once, so no other page ever has that name at the same time.
func (m *Mirror) changes() []output.File {
	n := len(m.lib.Collection().Cases) + len(m.lib.Collection().Withdrawn)
	if n <= maxChanges {
		return []output.File{document(address.ChangesDoc, func() any { return m.newestChanges(nil) })}
	}
	pages := cut(m.history())
	out := []output.File{document(address.ChangesDoc, func() any { return m.newestChanges(pages) })}
	for i := range pages {
		out = append(out, document(m.changesAt(pages, i), func() any { return m.changesPage(pages, i) }))
	}
	return out
}

func (m *Mirror) changesAt(pages []run, i int) address.Doc {
	return address.ChangesDoc.Part(m.history()[pages[i].to-1].ID)
}

// changesLink is the address of a page; null when there is none.
func (m *Mirror) changesLink(pages []run, i int) *string {
	if i < 0 || i >= len(pages) {
		return nil
	}
	return nullable(m.site.Mirror(m.changesAt(pages, i)))
}

func (m *Mirror) newestChanges(pages []run) changesDoc {
	all := m.history()
	head := all[:min(maxChanges, len(all))]
	d := changesDoc{Items: changesOf(head), Links: m.alone(address.ChangesDoc)}
	if len(head) > 0 {
		d.From, d.To = nullable(utc(head[len(head)-1])), nullable(utc(head[0]))
	}
	for i, p := range pages {
		if p.from <= maxChanges && maxChanges < p.to {
			d.Links.Next, d.Links.Last = m.changesLink(pages, i), m.changesLink(pages, len(pages)-1)
		}
	}
	return d
}

func (m *Mirror) changesPage(pages []run, i int) changesPage {
	part := m.history()[pages[i].from:pages[i].to]
	return changesPage{utc(part[len(part)-1]), utc(part[0]), changesOf(part), pageLinks{m.site.Mirror(m.changesAt(pages, i)),
		nullable(m.site.Mirror(address.ChangesDoc)), m.changesLink(pages, i-1), m.changesLink(pages, i+1)}}
}

func changesOf(part []moment) []change {
	out := make([]change, len(part))
	for i := range part {
		out[i] = part[i].change
	}
	return out
}

// manifestEntry is a case in the list of all digests.
type manifestEntry struct {
	ID        string `json:"id" is:"id" doc:"The case's id."`
	UpdatedAt string `json:"updated_at" is:"time" doc:"When it was last changed, as its document has it."`
	H         string `json:"h" is:"short" doc:"The first 16 hexadecimal digits of the SHA-256 of its document."`
	Size      int    `json:"size" doc:"The size of its document in bytes."`
}

// manifestFile lists every case with its digest, a line each, by ascending id.
func (m *Mirror) manifestFile() output.File {
	return file(address.ManifestDoc, func(dst *bytes.Buffer) error {
		dst.Write(m.manifest())
		return nil
	})
}

func (m *Mirror) manifestLines() []byte {
	var b bytes.Buffer
	for _, c := range m.lib.Cases() {
		encode(&b, m.manifestEntry(c)) // plain data into memory: nothing can fail
	}
	return b.Bytes()
}

func (m *Mirror) manifestEntry(c *incident.Case) manifestEntry {
	return manifestEntry{c.ID, c.Updated, c.Sum.Short(), c.JSON.Len() + 1}
}
