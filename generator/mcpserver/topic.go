package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// topicAnswer is what get_topic answers.
type topicAnswer struct {
	Lang        incident.Lang `json:"lang"`
	Axis        string        `json:"axis"`
	Slug        string        `json:"slug"`
	Label       string        `json:"label"`
	Summary     string        `json:"summary"`
	Text        string        `json:"text,omitempty"`
	Count       int           `json:"count"`
	ByYear      []yearCount   `json:"by_year"`
	Cases       []caseSummary `json:"cases"`
	CoOccurring []termCount   `json:"co_occurring"`
	Fallback    []string      `json:"fallback,omitempty"`
	Truncated   []string      `json:"truncated,omitempty"`
	NextCursor  string        `json:"next_cursor,omitempty"`
}

type yearCount struct {
	Year  int `json:"year"`
	Count int `json:"count"`
}

type termCount struct {
	Axis  string `json:"axis"`
	Slug  string `json:"slug"`
	Label string `json:"label"`
	Count int    `json:"count"`
}

// topicDoc is what is read of a topic's document.
type topicDoc struct {
	Text *langText `json:"text"`
	With []struct {
		Axis  string `json:"axis"`
		Slug  string `json:"slug"`
		Count int    `json:"count"`
	} `json:"seen_with"`
}

// maxTopicText is how much of a topic's prose an answer has, in characters.
const maxTopicText = 8_000

func getTopic(ctx context.Context, r *request) (*answer, error) {
	t, err := r.topic(r.texts["topic"])
	if err != nil {
		return nil, err
	}
	const name = "get_topic"
	offset, err := readCursor(r.texts["cursor"], r.version, r.key(name))
	if err != nil {
		return nil, err
	}
	var doc topicDoc
	if err := r.lib.decode(ctx, address.TopicDoc(t.ref(), 0), &doc); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := r.lib.index.find(ctx, query{lang: string(r.lang), filters: map[string][]string{t.Axis: {t.Slug}}, sort: "date_desc", offset: offset, limit: r.ints["limit"], facets: true})
	if err != nil {
		return nil, err
	}
	cases, _, err := r.summaries(ctx, f.ids)
	if err != nil {
		return nil, err
	}
	out := topicAnswer{Lang: r.lang, Axis: t.Axis, Slug: t.Slug, Count: t.Count, ByYear: byYear(f.facets["year"]), CoOccurring: []termCount{}}
	for _, w := range doc.With {
		out.CoOccurring = append(out.CoOccurring, termCount{w.Axis, w.Slug, r.vocab.label(w.Axis, w.Slug, r.lang), w.Count})
	}
	out.Label = r.inLang(&t.Label, "label", &out.Fallback)
	out.Summary = r.inLang(&t.Summary, "summary", &out.Fallback)
	if prose := r.inLang(doc.Text, "text", &out.Fallback); prose != "" && offset == 0 { // once is enough
		if out.Text = shortened(prose, maxTopicText); out.Text != prose {
			out.Truncated = []string{"text"}
		}
	}
	return fitted(len(cases), func(n int) (*answer, error) {
		out.Cases, out.NextCursor = append([]caseSummary{}, cases[:n]...), r.next(name, offset, n, f.total)
		return structured(out)
	})
}

// inLang is a text in the language of the call; when it is in the other one only,
// that is noted.
func (r *request) inLang(t *langText, name string, fallback *[]string) string {
	s, from := t.text().Best(r.lang)
	if s != "" && from != r.lang {
		*fallback = append(*fallback, name)
	}
	return s
}

// byYear are counts of cases, the oldest year first.
func byYear(years []facet) []yearCount {
	out := []yearCount{}
	for _, f := range years {
		if year, err := strconv.Atoi(f.slug); err == nil {
			out = append(out, yearCount{year, f.count})
		}
	}
	slices.SortFunc(out, func(a, b yearCount) int { return cmp.Compare(a.Year, b.Year) })
	return out
}

// topic is the term that a call names: by axis and slug, by its page's address, or
// by a slug that one axis alone has.
func (r *request) topic(name string) (*vocabTerm, error) {
	parts := strings.Split(strings.Trim(name, "/ "), "/")
	slug := parts[len(parts)-1]
	if len(parts) > 1 {
		axis := strings.ReplaceAll(parts[len(parts)-2], "-", "_")
		if r.vocab.axis(axis) == nil {
			var axes []string
			for _, a := range r.vocab.axes {
				axes = append(axes, a.ID)
			}
			return nil, faultf("topic: there is no axis %s; write axis/slug, the axis one of %s", quoted(axis), strings.Join(axes, ", "))
		}
		if err := r.known(axis, slug); err != nil {
			return nil, err
		}
		return r.vocab.term(axis, slug), nil
	}
	var terms []*vocabTerm
	var names []string
	var all []candidate
	for i := range r.vocab.axes {
		for j := range r.vocab.axes[i].Terms {
			t := &r.vocab.axes[i].Terms[j]
			all = append(all, candidate{t.ref().String(), t.words()})
			if t.Slug == slug {
				terms, names = append(terms, t), append(names, t.ref().String())
			}
		}
	}
	if a := r.vocab.axis(slug); a != nil && len(terms) == 0 {
		return nil, faultf("%s is an axis; write %s/slug, the slug one of those that vocab has with axis %s", slug, slug, slug)
	}
	switch len(terms) {
	case 1:
		return terms[0], nil
	case 0:
		return nil, faultf("there is no topic %s; the nearest are %s; call vocab for all", quoted(slug), strings.Join(nearest(slug, all, 5), ", "))
	}
	return nil, faultf("topic %s is on several axes; write one of %s", quoted(slug), strings.Join(names, ", "))
}
