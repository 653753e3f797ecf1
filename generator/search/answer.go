package search

import (
	"context"
	"fmt"
	mathbits "math/bits"
	"slices"
	"strconv"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// numbering gives each case a slot: its number, or, where the numbers are far
// apart, its place among them.
type numbering struct {
	size  int
	slots map[uint32]uint32 // nil when the number is the slot
	docs  []uint32          // by slot; nil when the number is the slot
}

// farApart is true of so many numbers up to a greatest one that memory by number
// would be wasted on.
func farApart(greatest uint32, count int) bool { return uint64(greatest) >= 8*uint64(count)+10_000 }

func (n *numbering) slot(doc uint32) (uint32, bool) {
	if n.slots == nil {
		return doc, int(doc) < n.size
	}
	slot, ok := n.slots[doc]
	return slot, ok
}

func (n *numbering) doc(slot uint32) uint32 {
	if n.docs == nil {
		return slot
	}
	return n.docs[slot]
}

func (r *Reader) numbering(ctx context.Context, x *root) (*numbering, error) {
	if !farApart(x.Max, x.Count) {
		return &numbering{size: int(x.Max) + 1}, nil
	}
	key := "numbering by " + x.Dates
	if v, ok := r.cache.get(key); ok {
		n, _ := v.(*numbering)
		return n, nil
	}
	days, err := load(ctx, r, address.SearchFile(x.Dates), parseDates)
	if err != nil {
		return nil, err
	}
	n := newNumbering(days)
	r.cache.put(key, n, 32*n.size)
	return n, nil
}

func newNumbering(days []day) *numbering {
	n := &numbering{slots: map[uint32]uint32{}}
	for _, d := range days {
		n.docs = append(n.docs, d.docs...)
	}
	slices.Sort(n.docs)
	n.docs = slices.Compact(n.docs)
	n.size = len(n.docs)
	for slot, doc := range n.docs {
		n.slots[doc] = uint32(slot)
	}
	return n
}

// search is one query being answered.
type search struct {
	*Reader
	ctx   context.Context
	root  *root
	query Query
	slots *numbering
	*scratch
}

// answer answers a query from one index.
func (r *Reader) answer(ctx context.Context, x *root, q Query) (Result, error) {
	if err := q.check(); err != nil {
		return Result{}, err
	}
	slots, err := r.numbering(ctx, x)
	if err != nil {
		return Result{}, err
	}
	s := &search{r, ctx, x, q, slots, r.takeScratch(slots.size)}
	question := parse(q.Text)
	if err := s.find(&question); err != nil {
		return Result{}, err // and the scratch is not clean
	}
	result, err := s.result(&question)
	if err == nil {
		r.giveScratch(s.scratch)
	}
	return result, err
}

func (q *Query) check() error {
	for name := range q.Filters {
		if !slices.Contains(Facets(), name) {
			return &QueryError{fmt.Sprintf("there is no facet %q; there are %q", name, Facets())}
		}
	}
	if q.Sort != "" && !slices.Contains(Sorts(), q.Sort) {
		return &QueryError{fmt.Sprintf("there is no order %q; there are %q", q.Sort, Sorts())}
	}
	for _, date := range []string{q.Since, q.Until} {
		if _, err := incident.ParseDate(date); date != "" && err != nil {
			return &QueryError{err.Error()}
		}
	}
	if q.Offset < 0 || q.Limit < 0 {
		return &QueryError{"offset and limit count from 0"}
	}
	return nil
}

// bounds are the least and the greatest date of a query as [incident.Date.Order]
// has them.
func (q *Query) bounds() (from, to uint32) {
	to = 1<<32 - 1
	if d, err := incident.ParseDate(q.Since); err == nil {
		from = uint32(d.Year*10000 + d.Month*100 + d.Day)
	}
	if d, err := incident.ParseDate(q.Until); err == nil {
		if d.Month == 0 {
			d.Month = 99
		}
		if d.Day == 0 {
			d.Day = 99
		}
		to = uint32(d.Year*10000 + d.Month*100 + d.Day)
	}
	return from, to
}

// find marks the cases that are found and scores them.
func (s *search) find(q *question) error {
	if isBlank(s.query.Text) {
		return s.everything()
	}
	if n, err := strconv.ParseUint(q.id, 10, 32); err == nil {
		row, err := s.row(uint32(n))
		if err != nil {
			return err
		}
		if slot, ok := s.slots.slot(uint32(n)); ok && row != nil {
			q.words = []word{{shown: row[0]}}
			s.accept(slot, 1)
			s.mask[slot] = 1
			return nil
		}
	}
	exact, err := s.words(q.words)
	if err != nil || len(q.words) == 0 {
		return err
	}
	if exact < fewHits && q.loose != nil {
		s.forget()
		words := slices.Clone(q.words)
		words[len(words)-1] = *q.loose
		q.words = words
		if exact, err = s.words(words); err != nil {
			return err
		}
	}
	s.judge(q.words, exact < fewHits)
	return nil
}

func isBlank(s string) bool {
	for _, r := range s {
		if scriptOf(r) != space {
			return false
		}
	}
	return true
}

// everything finds all cases.
func (s *search) everything() error {
	days, err := load(s.ctx, s.Reader, address.SearchFile(s.root.Dates), parseDates)
	for _, d := range days {
		for _, doc := range d.docs {
			if slot, ok := s.slots.slot(doc); ok {
				s.accept(slot, 0)
			}
		}
	}
	return err
}

// words scores the cases that have words of a question, and returns how many
// have all of them.
func (s *search) words(words []word) (exact int, err error) {
	d, err := s.directory(s.ctx, s.root)
	if err != nil {
		return 0, err
	}
	for i := range words {
		if err := s.word(d, &words[i], i); err != nil {
			return 0, err
		}
		if err := s.pair(d, &words[i], i); err != nil {
			return 0, err
		}
	}
	all := uint32(1)<<len(words) - 1
	for _, slot := range s.touched {
		if s.mask[slot] == all {
			exact++
		}
	}
	return exact, nil
}

// pair scores the cases that have a word and the one before as one.
func (s *search) pair(d *directory, w *word, bit int) error {
	if w.pair == "" {
		return nil
	}
	known := false
	bits := uint32(0b11) << (bit - 1)
	err := s.each(d, choice{term: w.pair, weight: fullWeight}, 1, func(slot, score uint32) {
		s.touch(slot)
		s.score[slot] += score
		s.parts[slot] += uint16(2 - mathbits.OnesCount32(s.mask[slot]&bits))
		s.mask[slot] |= bits
		s.have[slot], known = 1, true
	})
	for _, slot := range s.touched {
		if known && w.strict && s.have[slot] == 0 {
			s.mask[slot] &^= bits
		}
		s.have[slot] = 0
	}
	return err
}

// word scores the cases that have a word or parts of it.
func (s *search) word(d *directory, w *word, bit int) error {
	var some []uint32 // slots that have a part of the word
	for _, choices := range w.parts {
		var met []uint32
		for _, c := range choices {
			err := s.each(d, c, w.bigrams, func(slot, score uint32) {
				if s.best[slot] == 0 {
					met = append(met, slot)
				}
				s.best[slot] = max(s.best[slot], score)
			})
			if err != nil {
				return err
			}
		}
		for _, slot := range met {
			s.touch(slot)
			s.score[slot] += s.best[slot]
			s.best[slot] = 0
			if s.have[slot] == 0 {
				some = append(some, slot)
			}
			s.have[slot]++
		}
	}
	for _, slot := range some {
		if int(s.have[slot]) == len(w.parts) {
			s.mask[slot] |= 1 << bit
		}
		s.parts[slot] += s.have[slot]
		s.have[slot] = 0
	}
	for _, term := range w.extra {
		err := s.each(d, choice{term: term, weight: fullWeight}, w.bigrams, func(slot, score uint32) {
			s.touch(slot)
			s.score[slot] += score
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls do with the cases of a choice and what it adds to their scores.
func (s *search) each(d *directory, c choice, bigrams int, do func(slot, score uint32)) error {
	return s.eachTerm(s.ctx, d, c, func(list []byte) error {
		return eachPosting(list, func(doc uint32, impact int) {
			if slot, ok := s.slots.slot(doc); ok {
				do(slot, uint32(max(1, impact*c.weight*2/(bigrams+1))))
			}
		})
	})
}

// judge accepts the cases that have all words and, where those are few, the ones
// that have six of ten parts.
func (s *search) judge(words []word, few bool) {
	all, parts := uint32(1)<<len(words)-1, 0
	for i := range words {
		parts += len(words[i].parts)
	}
	for _, slot := range s.touched {
		switch {
		case s.mask[slot] == all:
			s.accept(slot, s.score[slot])
		case few && int(s.parts[slot])*5 >= parts*3:
			s.close = append(s.close, slot)
			s.accept(slot, s.score[slot]/2)
		}
	}
}
