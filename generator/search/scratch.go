package search

// scratch is the memory of one search, by slot. It is all zeros between two, but
// for fails.
type scratch struct {
	score []uint32
	best  []uint32 // of the choices of a part
	mask  []uint32 // the words that a case has
	parts []uint16 // how many parts of words it has
	have  []uint16 // how many of the word at hand

	touched []uint32

	fails []uint16 // which filters keep an accepted case out; notFound for others
	found []uint32
	close []uint32 // those of found that have not all words
	times []uint16 // how often a case is met in the lists of a filter
}

// notFound is in the fails of a case that was not found.
const notFound = 1<<16 - 1

func (r *Reader) takeScratch(size int) *scratch {
	s, _ := r.scratch.Get().(*scratch)
	if s == nil || len(s.score) < size {
		s = &scratch{score: make([]uint32, size), best: make([]uint32, size), mask: make([]uint32, size),
			parts: make([]uint16, size), have: make([]uint16, size), fails: make([]uint16, size), times: make([]uint16, size)}
		for i := range s.fails {
			s.fails[i] = notFound
		}
	}
	return s
}

// giveScratch clears what a search touched.
func (r *Reader) giveScratch(s *scratch) {
	s.forget()
	for _, slot := range s.found {
		s.fails[slot] = notFound
	}
	s.found, s.close = s.found[:0], s.close[:0]
	r.scratch.Put(s)
}

// forget clears the scores.
func (s *scratch) forget() {
	for _, slot := range s.touched {
		s.score[slot], s.best[slot], s.mask[slot], s.parts[slot], s.have[slot] = 0, 0, 0, 0, 0
	}
	s.touched = s.touched[:0]
}

// touch notes that a slot has a score. Every score is more than 0.
func (s *scratch) touch(slot uint32) {
	if s.score[slot] == 0 {
		s.touched = append(s.touched, slot)
	}
}

// accept notes that a case is found.
func (s *scratch) accept(slot, score uint32) {
	if s.score[slot] == 0 && score > 0 {
		s.touched = append(s.touched, slot)
	}
	s.score[slot] = score
	s.fails[slot] = 0
	s.found = append(s.found, slot)
}
