package mcpserver

import "context"

// index finds cases by words and by filters.
type index interface {
	find(ctx context.Context, q query) (found, error)
}

// query asks an index.
type query struct {
	text         string              // "" for all cases
	lang         string              // of the facets' labels and the words that are most likely meant
	filters      map[string][]string // by axis, or "org": slugs that a case must all have
	since, until string              // "" or YYYY-MM-DD, both included
	sort         string              // for an empty text: see the tool list_incidents
	offset       int
	limit        int
	facets       bool
}

// found is what an index found.
type found struct {
	total   int
	relaxed bool // fewer words than asked for had to match
	ids     []string
	facets  map[string][]facet // by axis, "org" or "year"
}

type facet struct {
	slug  string
	label string // "" where it is called by its slug
	count int
}
