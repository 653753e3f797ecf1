package generator

import (
	"cmp"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/search"
)

// lateSearch is a search index that is made when somebody asks for it.
type lateSearch struct {
	lib    *library.Library
	once   sync.Once
	made   atomic.Pointer[search.Index]
	before atomic.Pointer[search.Index] // to make it from; nil once it is made
}

// searchAfter is the index of a library, to be made from that of a plan before,
// or from the one that that was to be made from: it does not wait for one that is
// being made.
func searchAfter(p *Plan, lib *library.Library) *lateSearch {
	s := &lateSearch{lib: lib}
	switch {
	case p == nil:
	case p.lib == lib:
		return p.search
	default:
		before := p.search.before.Load() // first: it goes when the other comes
		s.before.Store(cmp.Or(p.search.made.Load(), before))
	}
	return s
}

func (s *lateSearch) index() *search.Index {
	s.once.Do(func() {
		s.made.Store(search.New(s.lib, s.before.Load()))
		s.before.Store(nil)
	})
	return s.made.Load()
}
