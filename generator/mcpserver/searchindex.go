package mcpserver

import (
	"context"
	"errors"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/search"
)

// published is the index that the pages search, read by the same code.
type publishedIndex struct{ reader *search.Reader }

func newSearchIndex(e *Edition) index { return publishedIndex{search.NewReader(e.Open)} }

func (p publishedIndex) find(ctx context.Context, q query) (found, error) {
	r, err := p.reader.Search(ctx, search.Query{Text: q.text, Lang: incident.Lang(q.lang), Filters: q.filters, Since: q.since, Until: q.until,
		Sort: q.sort, Offset: q.offset, Limit: q.limit, Facets: q.facets})
	if wrong := (*search.QueryError)(nil); errors.As(err, &wrong) {
		return found{}, fault(clean(wrong.What))
	}
	if err != nil {
		return found{}, err
	}
	f := found{total: r.Total, relaxed: r.Relaxed, ids: make([]string, len(r.Hits))}
	for i, h := range r.Hits {
		f.ids[i] = h.ID
	}
	if q.facets {
		f.facets = map[string][]facet{}
		for _, one := range r.Facets {
			for _, v := range one.Values {
				f.facets[one.Name] = append(f.facets[one.Name], facet{v.Slug, v.Label, v.Count})
			}
		}
	}
	return f, nil
}
