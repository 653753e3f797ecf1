package feed

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"html"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/output"
)

// entriesAtMost is how many cases a feed holds.
const entriesAtMost = 50

// maker makes the feeds of a library.
type maker struct {
	lib    *library.Library
	site   address.Site
	order  func(l incident.Lang) string // says in which order the entries stand
	markup *markup.Renderer
	tags   map[incident.Lang]func() map[incident.TermRef]tag // of every term; made when a feed is
	kept   [keptEntries]atomic.Pointer[entry]
	bodies sync.Pool // of *[]byte, for the HTML of an entry while it is made
}

// keptEntries is how many entries are remembered, each until another takes its
// place. A case is in some ten feeds, of which the two formats of one are made
// one after the other, and others soon.
const keptEntries = 1024

// channel is a set of cases that somebody may want to follow: all, those of a
// topic, those of an organisation. It is one feed a language and a format.
type channel struct {
	path  address.Path // of the page that lists the same cases
	title func(l incident.Lang) string
	cases func() []*incident.Case // the latest, in the order of the feed
	key   func() output.Key       // what of the cases its files are made from
}

// feeds are the feeds of all channels that have a case: what is followed is
// always told apart by when it was added or changed, so that an old incident
// that was written up today comes first. What is planned here is sorted when
// the first of a channel's four files is made.
func feeds(lib *library.Library, site address.Site, order func(l incident.Lang) string) []output.File {
	m := &maker{lib: lib, site: site, order: order, markup: markup.New(markup.Options{}), tags: map[incident.Lang]func() map[incident.TermRef]tag{}}
	for _, l := range incident.Langs() {
		m.tags[l] = sync.OnceValue(func() map[incident.TermRef]tag { return m.allTags(l) })
	}
	if len(lib.Cases()) == 0 {
		return nil
	}
	c := lib.Collection()
	out := m.channel(address.Home, lib.Cases(), func(incident.Lang) string { return "" })
	if c.Vocabulary != nil {
		for i := range c.Vocabulary.Axes {
			for j := range c.Vocabulary.Axes[i].Terms {
				t := &c.Vocabulary.Axes[i].Terms[j]
				label := func(l incident.Lang) string { return m.line(t.Label, l) }
				out = append(out, m.channel(address.Topic(t.Ref(), 0), lib.Topic(t.Ref()), label)...)
			}
		}
	}
	for _, o := range lib.Orgs() {
		out = append(out, m.channel(address.Org(o.Slug, 0), o.Cases, func(incident.Lang) string { return o.Name })...)
	}
	return out
}

// channel plans the files of a set of cases; none when the set is empty.
func (m *maker) channel(path address.Path, cases []*incident.Case, name func(l incident.Lang) string) []output.File {
	if len(cases) == 0 {
		return nil
	}
	ch := channel{path: path, cases: sync.OnceValue(func() []*incident.Case { return latest(cases) })}
	ch.title = func(l incident.Lang) string {
		title := m.line(m.lib.Collection().Site.Title, l)
		if own := name(l); own != "" {
			title = own + " · " + title
		}
		return title
	}
	ch.key = sync.OnceValue(func() output.Key {
		sum := incident.SumOfAll(ch.cases())
		return output.KeyOf(string(sum[:]))
	})
	var out []output.File
	for _, l := range incident.Langs() {
		out = append(out,
			output.File{Path: m.site.Output(l, address.Atom(path)), Kind: output.Data, Data: ch.key, Render: func(dst *bytes.Buffer) error { return m.atom(dst, ch, l) }},
			output.File{Path: m.site.Output(l, address.JSONFeed(path)), Kind: output.Data, Data: ch.key, Render: func(dst *bytes.Buffer) error { return m.json(dst, ch, l) }})
	}
	return out
}

// latest are the cases that were added or changed last, newest first; of those
// changed at one time, as when many are imported, the lower id comes first.
func latest(cases []*incident.Case) []*incident.Case {
	sorted := slices.Clone(cases)
	slices.SortFunc(sorted, func(a, b *incident.Case) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), incident.CompareIDs(a.ID, b.ID))
	})
	return slices.Clone(sorted[:min(len(sorted), entriesAtMost)]) // the others are not held
}

// entry is a case as it stands in a feed of a language. Where that language has
// no text of its own, the other's stands in, marked with its language.
type entry struct {
	of        *incident.Case
	lang      incident.Lang
	url       string // of its page in the language of its texts; also its id
	title     string
	titleLang incident.Lang
	html      string // the summary, below a line on whom and when
	htmlLang  incident.Lang
	tags      []tag
}

// tag is a topic of a case.
type tag struct{ slug, scheme, label string } // the scheme is the page of its axis

// entry is the entry of a case, made or remembered.
func (m *maker) entry(c *incident.Case, l incident.Lang) *entry {
	place := &m.kept[binary.LittleEndian.Uint32(c.Sum[:])%keptEntries]
	if e := place.Load(); e != nil && e.of == c && e.lang == l {
		return e
	}
	e := m.newEntry(c, l)
	place.Store(e)
	return e
}

func (m *maker) newEntry(c *incident.Case, l incident.Lang) *entry {
	own := l
	if langs := c.PublishedIn(); !slices.Contains(langs, l) {
		own = langs[0]
	}
	e := &entry{of: c, lang: l, url: m.site.URL(own, address.Case(c.ID))}
	_, e.titleLang = c.Title.Best(l)
	e.title = m.line(c.Title, l)
	var summary string
	summary, e.htmlLang = c.Summary.Best(l)
	head := "<p>" + html.EscapeString(c.Org+" · "+c.Date.String()+" · "+c.ID) + "</p>\n"
	body, ok := m.bodies.Get().(*[]byte)
	if !ok {
		body = new([]byte)
	}
	*body = append((*body)[:0], head...)
	*body = m.markup.Linking(func(dest string) (string, bool) {
		return m.site.TextURL(l, address.Case(c.ID), dest)
	}).Block(*body, summary, 2)
	e.html = string(*body)
	m.bodies.Put(body)
	tags := m.tags[l]()
	for _, a := range []incident.AxisID{incident.Domain, incident.RootCause, incident.Components} {
		for _, slug := range c.Terms(a) {
			if t, ok := tags[incident.TermRef{Axis: a, Slug: slug}]; ok {
				e.tags = append(e.tags, t)
			}
		}
	}
	return e
}

// allTags are the tags of all terms in a language.
func (m *maker) allTags(l incident.Lang) map[incident.TermRef]tag {
	tags := map[incident.TermRef]tag{}
	if v := m.lib.Collection().Vocabulary; v != nil {
		for _, a := range v.Axes {
			for i := range a.Terms {
				tags[a.Terms[i].Ref()] = tag{a.Terms[i].Slug, m.site.URL(l, address.Axis(a.ID)), m.line(a.Terms[i].Label, l)}
			}
		}
	}
	return tags
}

// line is a text of one line without markup.
func (m *maker) line(t incident.Text, l incident.Lang) string {
	text, _ := t.Best(l)
	return m.markup.PlainLine(text)
}

func stamp(t time.Time) string { return t.Format(time.RFC3339) }
