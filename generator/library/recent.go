package library

import "sync/atomic"

// recentCases is of how many cases is remembered what was found. The files of a
// case are made one after the other, by a few at a time.
const recentCases = 64

// recent remembers what was found of the cases that were last asked for.
type recent[T any] struct {
	slots [recentCases]atomic.Pointer[found[T]]
}

type found[T any] struct {
	rank uint32
	it   T
}

// of is what was found of a case, or what find finds.
func (r *recent[T]) of(rank uint32, find func(rank uint32) T) T {
	slot := &r.slots[rank%recentCases]
	if last := slot.Load(); last != nil && last.rank == rank {
		return last.it
	}
	it := find(rank)
	slot.Store(&found[T]{rank, it})
	return it
}
