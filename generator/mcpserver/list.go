package mcpserver

import (
	"cmp"
	"context"

	"benchlet.com/incidentlib/generator/incident"
)

// listAnswer is what list_incidents answers.
type listAnswer struct {
	Lang       incident.Lang            `json:"lang"`
	Total      int                      `json:"total"`
	Results    []caseSummary            `json:"results"`
	Facets     map[string][]facetAnswer `json:"facets,omitempty"`
	NextCursor string                   `json:"next_cursor,omitempty"`
}

type facetAnswer struct {
	Slug  string `json:"slug"`
	Label string `json:"label"`
	Count int    `json:"count"`
}

// maxFacets is how many terms of an axis are counted in an answer.
const maxFacets = 15

func listIncidents(ctx context.Context, r *request) (*answer, error) {
	q := query{lang: string(r.lang), limit: r.ints["limit"], sort: cmp.Or(r.texts["sort"], "date_desc"), facets: r.flags["facets"]}
	if err := r.filters(ctx, &q); err != nil {
		return nil, err
	}
	const name = "list_incidents"
	var err error
	if q.offset, err = readCursor(r.texts["cursor"], r.version, r.key(name)); err != nil {
		return nil, err
	}
	f, err := r.lib.index.find(ctx, q)
	if err != nil {
		return nil, err
	}
	all, _, err := r.summaries(ctx, f.ids)
	if err != nil {
		return nil, err
	}
	return fitted(len(all), func(n int) (*answer, error) {
		return structured(listAnswer{r.lang, f.total, append([]caseSummary{}, all[:n]...), facetAnswers(f.facets), r.next(name, q.offset, n, f.total)})
	})
}

// facetAnswers are counts with what the terms are called; nil for none.
func facetAnswers(counts map[string][]facet) map[string][]facetAnswer {
	if counts == nil {
		return nil
	}
	out := map[string][]facetAnswer{}
	for axis, list := range counts {
		answers := []facetAnswer{}
		for _, f := range list[:min(len(list), maxFacets)] {
			answers = append(answers, facetAnswer{f.slug, clean(cmp.Or(f.label, f.slug)), f.count})
		}
		out[axis] = answers
	}
	return out
}
