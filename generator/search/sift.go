package search

import (
	"cmp"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/address"
)

// hard is the filter, by its bit in fails, that no facet lifts: dates, and the
// facets of which a case can have several values.
const hard = 1

// bitOf is the filter of a facet.
func bitOf(facet string) uint16 {
	if Several(facet) {
		return hard
	}
	return hard << (1 + slices.Index(Facets(), facet)) // 10 facets fit
}

func (s *search) facet(name string) (facet, error) {
	return load(s.ctx, s.Reader, address.SearchFile(s.root.Facets[name]), parseFacet)
}

// sift notes which filters keep which cases out.
func (s *search) sift() error {
	for _, name := range Facets() {
		slugs := slices.Compact(slices.Sorted(slices.Values(s.query.Filters[name])))
		if len(slugs) == 0 {
			continue
		}
		f, err := s.facet(name)
		if err != nil {
			return err
		}
		var lists [][]uint32
		for _, slug := range slugs {
			if v := f.value(slug); v != nil {
				lists = append(lists, v.docs)
			}
		}
		need := 1
		if Several(name) {
			need = len(slugs)
		}
		s.keep(lists, need, bitOf(name))
	}
	if s.query.Since == "" && s.query.Until == "" {
		return nil
	}
	days, err := load(s.ctx, s.Reader, address.SearchFile(s.root.Dates), parseDates)
	if err != nil {
		return err
	}
	from, to := s.query.bounds()
	var lists [][]uint32
	for _, d := range days {
		if from <= d.order && d.order <= to {
			lists = append(lists, d.docs)
		}
	}
	s.keep(lists, 1, hard)
	return nil
}

// keep notes the filter with the cases that are in fewer of the lists than they
// need to be.
func (s *search) keep(lists [][]uint32, need int, filter uint16) {
	for _, list := range lists {
		for _, doc := range list {
			if slot, ok := s.slots.slot(doc); ok {
				s.times[slot]++
			}
		}
	}
	for _, slot := range s.found {
		if int(s.times[slot]) < need {
			s.fails[slot] |= filter
		}
	}
	for _, list := range lists {
		for _, doc := range list {
			if slot, ok := s.slots.slot(doc); ok {
				s.times[slot] = 0
			}
		}
	}
}

// count counts the values of all facets among the cases found.
func (s *search) count() ([]Facet, error) {
	l, err := s.language()
	if err != nil {
		return nil, err
	}
	var out []Facet
	for _, name := range Facets() {
		f, err := s.facet(name)
		if err != nil {
			return nil, err
		}
		own := bitOf(name) &^ hard
		labels := l.labels[name]
		one := Facet{Name: name, Label: labels[""]}
		for _, v := range f {
			n := 0
			for _, doc := range v.docs {
				if slot, ok := s.slots.slot(doc); ok && s.fails[slot] != notFound && s.fails[slot]&^own == 0 {
					n++
				}
			}
			selected := slices.Contains(s.query.Filters[name], v.slug)
			if n > 0 || selected {
				label := v.name
				if label == "" {
					label = labels[v.slug]
				}
				one.Values = append(one.Values, FacetValue{v.slug, label, n, selected})
			}
		}
		slices.SortFunc(one.Values, orderOf(name))
		out = append(out, one)
	}
	return out, nil
}

// orderOf is the order of a facet's values.
func orderOf(facet string) func(a, b FacetValue) int {
	return func(a, b FacetValue) int {
		switch facet {
		case FacetYear:
			return strings.Compare(b.Slug, a.Slug)
		case FacetDuration:
			return cmp.Compare(slices.Index(Durations(), a.Slug), slices.Index(Durations(), b.Slug))
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Slug, b.Slug))
	}
}
