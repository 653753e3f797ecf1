package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// scan is an index that looks at every case: slow, and plainly right.
type scan struct {
	e *Edition
}

type scanned struct {
	id, date, updated string
	terms             map[string][]string
	text              string
}

func (s scan) all(ctx context.Context) (out []scanned, err error) {
	for page := 1; ; page++ {
		doc, err := s.e.Open(ctx, fmt.Sprintf("api/v1/cases/pages/%04d.json", page))
		if err != nil {
			return out, nil
		}
		var list struct{ Items []struct{ ID string } }
		if err := json.Unmarshal(doc, &list); err != nil {
			return nil, err
		}
		for _, item := range list.Items {
			doc, err := s.e.Open(ctx, "api/v1/cases/"+item.ID+".json")
			if err != nil {
				return nil, err
			}
			var c map[string]any
			if err := json.Unmarshal(doc, &c); err != nil {
				return nil, err
			}
			one := scanned{id: item.ID, date: c["date"].(string), updated: c["updated_at"].(string), terms: map[string][]string{"org": {c["org_slug"].(string)}}, text: strings.ToLower(string(doc))}
			for _, a := range filterAxes() {
				switch v := c[a].(type) {
				case string:
					one.terms[a] = []string{v}
				case []any:
					for _, t := range v {
						one.terms[a] = append(one.terms[a], t.(string))
					}
				}
			}
			one.terms["year"] = []string{one.date[:4]}
			out = append(out, one)
		}
	}
}

func (s scan) find(ctx context.Context, q query) (found, error) {
	all, err := s.all(ctx)
	if err != nil {
		return found{}, err
	}
	all = slices.DeleteFunc(all, func(c scanned) bool {
		for _, w := range strings.Fields(strings.ToLower(q.text)) {
			if !strings.Contains(c.text, w) {
				return true
			}
		}
		for axis, want := range q.filters {
			for _, slug := range want {
				if !slices.Contains(c.terms[axis], slug) {
					return true
				}
			}
		}
		return q.since != "" && c.date < q.since[:len(c.date)] || q.until != "" && c.date > q.until[:len(c.date)]
	})
	slices.SortStableFunc(all, func(a, b scanned) int {
		switch q.sort {
		case "date_asc":
			return cmp.Compare(a.date, b.date)
		case "updated_desc":
			return cmp.Compare(b.updated, a.updated)
		case "id":
			return cmp.Compare(a.id, b.id)
		}
		return cmp.Compare(b.date, a.date)
	})
	f := found{total: len(all)}
	if q.facets {
		f.facets = map[string][]facet{}
		for axis := range all[0].terms {
			counts := map[string]int{}
			for _, c := range all {
				for _, t := range c.terms[axis] {
					counts[t]++
				}
			}
			for t, n := range counts {
				f.facets[axis] = append(f.facets[axis], facet{t, "", n})
			}
			slices.SortFunc(f.facets[axis], func(a, b facet) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.slug, b.slug)) })
		}
	}
	for _, c := range all[min(q.offset, len(all)):min(q.offset+q.limit, len(all))] {
		f.ids = append(f.ids, c.id)
	}
	return f, nil
}
