package page

import (
	"sync"
	"sync/atomic"
)

// fragments makes each piece that recurs once, when a page first asks for it: a
// case's line stands in some sixty lists, and a preview that renders one page
// needs a few of many thousands. Two pages that ask at the same time may both
// make it; they make the same.
type fragments[K comparable, V any] struct {
	places func() map[K]int
	made   []atomic.Pointer[V]
	make   func(K) (V, error)
	failed *atomic.Pointer[error] // the first failure; the page that is being rendered reports it
}

// newFragments are those of keys, which are known beforehand: so that looking one
// up, which is done a million times a build, waits for nobody.
func newFragments[K comparable, V any](failed *atomic.Pointer[error], keys []K, produce func(K) (V, error)) *fragments[K, V] {
	places := func() map[K]int {
		at := make(map[K]int, len(keys))
		for i, k := range keys {
			at[k] = i
		}
		return at
	}
	return &fragments[K, V]{places: sync.OnceValue(places), made: make([]atomic.Pointer[V], len(keys)), make: produce, failed: failed}
}

// of is the fragment of k; one that says nothing when it cannot be made.
func (f *fragments[K, V]) of(k K) V { return *f.at(k) }

// at is the fragment of k where it lies, never nil.
func (f *fragments[K, V]) at(k K) *V {
	i, known := f.places()[k]
	if known {
		if v := f.made[i].Load(); v != nil {
			return v
		}
	}
	v, err := f.make(k)
	if err != nil {
		f.failed.CompareAndSwap(nil, &err)
		return new(V)
	}
	if known {
		f.made[i].Store(&v)
	}
	return &v
}
