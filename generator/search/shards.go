package search

import (
	"crypto/sha256"
	"hash/fnv"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/output"
)

// Terms are cut into shards where the hash of a term says so, and within a
// least and a greatest size: so a new term moves no other boundary, or few.
const (
	leastShard    = 8 << 10
	greatestShard = 24 << 10
	spread        = 8 << 10 // bytes between two cuts, on average
)

// shard is a file of terms, by the places of the first and the one behind the
// last.
type shard struct {
	from, to int
	key      output.Key // of its bytes
}

// cut makes the shards, of which prev may have most. Where changed is nil, all
// entries may be other ones.
func (x *Index) cut(prev *Index, changed []bool) {
	entries := x.entries(prev, changed)
	terms := x.terms.keys
	size, from := 0, 0
	for i, n := range x.sizes {
		n := int(n)
		if i > from && (size >= leastShard && cutsAfter(terms[i-1], int(x.sizes[i-1])) || size+n > greatestShard) {
			x.shards = append(x.shards, shard{from: from, to: i})
			size, from = 0, i
		}
		size += n + 1
	}
	if from < len(terms) {
		x.shards = append(x.shards, shard{from: from, to: len(terms)})
	}
	made := map[string]int{} // by first term
	if changed != nil {
		for i, s := range prev.shards {
			made[prev.terms.keys[s.from]] = i
		}
	}
	each(len(x.shards), func() func(int) {
		e := encoder{index: x}
		var body []byte
		return func(i int) {
			s := &x.shards[i]
			if at, ok := made[terms[s.from]]; ok && x.same(s, prev, prev.shards[at], changed) {
				s.key = prev.shards[at].key
				return
			}
			body = e.shard(body[:0], s, entries)
			s.key = keyOf(body)
		}
	})
}

// entries makes those that changed, and notes the sizes of all.
func (x *Index) entries(prev *Index, changed []bool) [][]byte {
	terms := x.terms.keys
	x.sizes = make([]uint32, len(terms))
	entries := make([][]byte, len(terms))
	at := 0
	for i, term := range terms {
		if changed == nil || changed[i] {
			continue
		}
		for prev.terms.keys[at] != term {
			at++
		}
		x.sizes[i] = prev.sizes[at]
	}
	each(len(terms), func() func(int) {
		e := encoder{index: x}
		var body []byte
		return func(i int) {
			if changed == nil || changed[i] {
				body = e.entry(body[:0], i)
				entries[i], x.sizes[i] = slices.Clone(body), uint32(len(body))
			}
		}
	})
	return entries
}

// same reports whether a shard has the bytes of one of an index before.
func (x *Index) same(s *shard, prev *Index, was shard, changed []bool) bool {
	return s.to-s.from == was.to-was.from && x.terms.keys[s.to-1] == prev.terms.keys[was.to-1] && !slices.Contains(changed[s.from:s.to], true)
}

// shard appends the bytes of a shard. Entries that are made already are taken.
func (e *encoder) shard(to []byte, s *shard, entries [][]byte) []byte {
	for i := s.from; i < s.to; i++ {
		to = append(to, "{,"[min(i-s.from, 1)])
		if entries != nil && entries[i] != nil {
			to = append(to, entries[i]...)
		} else {
			to = e.entry(to, i)
		}
	}
	return append(to, "}\n"...)
}

// cutsAfter is true for one of so many bytes of entries.
func cutsAfter(term string, size int) bool {
	h := fnv.New32a()
	h.Write([]byte(term))
	sum := h.Sum32()
	sum = (sum ^ sum>>15) * 0x2c1b3c6d // the last letters alone hardly move the upper bits
	return uint64(sum^sum>>12) < min(uint64(size)<<32/spread, 1<<32)
}

// directory says where the terms are: the first term of each shard, and the key of
// its name.
type directory struct {
	First []string `json:"first"`
	Keys  []string `json:"keys"`
}

// directory gives every shard a name of its own.
func (x *Index) directory() directory {
	d := directory{make([]string, len(x.shards)), make([]string, len(x.shards))}
	taken := map[string]bool{}
	for i := range x.shards {
		s := &x.shards[i]
		d.First[i], d.Keys[i] = x.terms.keys[s.from], address.SearchShard(s.key[:], 0)
		for salt := 1; taken[d.Keys[i]]; salt++ {
			d.Keys[i] = address.SearchShard(s.key[:], salt)
		}
		taken[d.Keys[i]] = true
	}
	return d
}

// each calls do with the numbers below n, on all cores; every one of them has a do
// of its own.
func each(n int, worker func() (do func(i int))) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			do := worker()
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				do(i - 1)
			}
		})
	}
	wait.Wait()
}

// keyOf is the beginning of the SHA-256 of a file.
func keyOf(body []byte) (k output.Key) {
	sum := sha256.Sum256(body)
	copy(k[:], sum[:])
	return k
}
