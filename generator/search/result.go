package search

import (
	"cmp"
	"slices"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// result sifts what was found by the filters, counts and sorts it, and reads what
// to show of a page of it.
func (s *search) result(q *question) (Result, error) {
	var out Result
	if err := s.sift(); err != nil {
		return out, err
	}
	isClose := map[uint32]bool{}
	for _, slot := range s.close {
		isClose[slot] = true
	}
	var exact, near []uint32
	for _, slot := range s.found {
		switch {
		case s.fails[slot] != 0:
		case isClose[slot]:
			near = append(near, slot)
		default:
			exact = append(exact, slot)
		}
	}
	out.Total, out.Exact, out.Relaxed = len(exact)+len(near), len(exact), len(s.close) > 0
	if s.query.Facets {
		var err error
		if out.Facets, err = s.count(); err != nil {
			return out, err
		}
	}
	shown, err := s.page(exact, near)
	if err != nil {
		return out, err
	}
	for _, slot := range shown {
		hit, err := s.hit(slot, q)
		if err != nil {
			return out, err
		}
		hit.Close = isClose[slot]
		out.Hits = append(out.Hits, hit)
	}
	return out, nil
}

// page are the hits to show: of those with all words first.
func (s *search) page(exact, near []uint32) ([]uint32, error) {
	all := len(exact) + len(near)
	from := min(s.query.Offset, all)
	to := from + min(s.query.Limit, all-from)
	if from == to {
		return nil, nil
	}
	order, err := s.order()
	if err != nil {
		return nil, err
	}
	var out []uint32
	for _, part := range [...][]uint32{exact, near} {
		if from < len(part) && to > 0 {
			out = append(out, first(part, min(to, len(part)), order)[max(from, 0):]...)
		}
		from, to = from-len(part), to-len(part)
	}
	return out, nil
}

// first are the first n of a list in some order.
func first(list []uint32, n int, order func(a, b uint32) int) []uint32 {
	if 8*n >= len(list) {
		slices.SortFunc(list, order)
		return list[:n]
	}
	best := make([]uint32, 0, 2*n)
	for _, slot := range list {
		if len(best) >= n && len(best) == cap(best) {
			slices.SortFunc(best, order)
			best = best[:n]
		}
		best = append(best, slot)
	}
	slices.SortFunc(best, order)
	return best[:n]
}

// order is how the hits are sorted.
func (s *search) order() (func(a, b uint32) int, error) {
	by := s.query.Sort
	if by == "" {
		by = SortRelevance
		if isBlank(s.query.Text) {
			by = SortDateDesc
		}
	}
	ranks := make([]uint32, 0)
	switch by {
	case SortRelevance:
		return func(a, b uint32) int { return cmp.Or(cmp.Compare(s.score[b], s.score[a]), cmp.Compare(a, b)) }, nil
	case SortID:
		return cmp.Compare[uint32], nil
	case SortUpdated:
		docs, err := load(s.ctx, s.Reader, address.SearchFile(s.root.Updated), parseUpdated)
		if err != nil {
			return nil, err
		}
		ranks = s.ranks(docs)
	default:
		days, err := load(s.ctx, s.Reader, address.SearchFile(s.root.Dates), parseDates)
		if err != nil {
			return nil, err
		}
		days = slices.Clone(days)
		if by == SortDateAsc {
			slices.Reverse(days)
		}
		var docs []uint32
		for _, d := range days {
			docs = append(docs, d.docs...)
		}
		ranks = s.ranks(docs)
	}
	return func(a, b uint32) int { return cmp.Or(cmp.Compare(ranks[a], ranks[b]), cmp.Compare(a, b)) }, nil
}

// ranks are by slot the places of cases in a list.
func (s *search) ranks(docs []uint32) []uint32 {
	out := make([]uint32, s.slots.size)
	for i, doc := range docs {
		if slot, ok := s.slots.slot(doc); ok {
			out[slot] = uint32(i)
		}
	}
	return out
}

// hit reads what to show of a case.
func (s *search) hit(slot uint32, q *question) (Hit, error) {
	row, err := s.row(s.slots.doc(slot))
	if err != nil {
		return Hit{}, err
	}
	if row == nil {
		return Hit{}, errMalformed
	}
	h := Hit{ID: row[0], Org: row[1], OrgSlug: row[2], Date: row[3], RootCause: row[4], Title: row[5], Lead: row[6],
		Lang: s.lang(), LeadLang: s.lang(), Score: int(s.score[slot])}
	if len(row) > 8 {
		h.Lang, h.LeadLang = incident.Lang(row[7]), incident.Lang(row[8])
	}
	for i := range q.words {
		if s.mask[slot]>>i&1 == 1 {
			h.Matched = append(h.Matched, q.words[i].shown)
		}
	}
	return h, nil
}

func (s *search) lang() incident.Lang {
	if s.query.Lang == incident.KO {
		return incident.KO
	}
	return incident.EN
}

func (s *search) language() (*spoken, error) {
	return load(s.ctx, s.Reader, address.SearchFile(s.root.Languages[string(s.lang())]), parseLanguage)
}

// row is what results show of a case; nil when there is none of that number.
func (s *search) row(doc uint32) ([]string, error) {
	l, err := s.language()
	if err != nil {
		return nil, err
	}
	key, ok := l.keys[doc>>runBits]
	if !ok {
		return nil, nil
	}
	rows, err := load(s.ctx, s.Reader, address.SearchFile(address.SearchDocsFile(string(s.lang()), doc>>runBits, key)), parseRows)
	return rows[doc], err
}
