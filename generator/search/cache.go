package search

import (
	"container/list"
	"context"
	"sync"

	"golang.org/x/sync/singleflight"
)

// cache keeps what was read of the immutable files, up to a number of bytes: the
// one that was used longest ago goes first. It is safe for concurrent use.
type cache struct {
	limit int

	mu     sync.Mutex
	size   int
	recent *list.List // of *kept, the one used last in front
	byName map[string]*list.Element

	flights singleflight.Group
}

type kept struct {
	name  string
	value any
	size  int
}

func newCache(limit int) *cache {
	return &cache{limit: limit, recent: list.New(), byName: map[string]*list.Element{}}
}

func (c *cache) get(name string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byName[name]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(e)
	k, _ := e.Value.(*kept)
	return k.value, true
}

func (c *cache) put(name string, value any, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byName[name]; ok {
		return
	}
	c.byName[name] = c.recent.PushFront(&kept{name, value, size})
	for c.size += size; c.size > c.limit && c.recent.Len() > 1; {
		e := c.recent.Back()
		k, _ := c.recent.Remove(e).(*kept)
		delete(c.byName, k.name)
		c.size -= k.size
	}
}

// load is what parse makes of a file. Of several that ask for one file at once,
// one reads it; it goes on when that one has gone.
func load[T any](ctx context.Context, r *Reader, name string, parse func([]byte) (T, error)) (T, error) {
	if v, ok := r.cache.get(name); ok {
		of, _ := v.(T)
		return of, nil
	}
	v, err, _ := r.cache.flights.Do(name, func() (any, error) {
		body, err := r.open(context.WithoutCancel(ctx), name)
		if err != nil {
			return nil, err
		}
		of, err := parse(body)
		if err != nil {
			return nil, err
		}
		r.cache.put(name, of, 2*len(body))
		return of, nil
	})
	of, _ := v.(T)
	return of, err
}
