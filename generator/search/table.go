package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// table has for each key the documents that have it, in few bytes. It is never
// changed once made.
type table[K cmp.Ordered] struct {
	keys []K      // ascending; each has a document
	ends []uint32 // of their lists in data
	data []byte
}

// posting is a document by its number, with what it counts for a key.
type posting struct {
	number uint32
	count  uint8
}

// list are the postings of a key, by ascending numbers: see [appendPosting].
func (t *table[K]) list(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.data[start:t.ends[i]]
}

// find is the list of a key; nil for one that no document has.
func (t *table[K]) find(key K) []byte {
	i, ok := slices.BinarySearch(t.keys, key)
	if !ok {
		return nil
	}
	return t.list(i)
}

// commonCounts are what nearly all postings count: a word once, its stem, and a
// few of those.
const commonCounts = "\x05\x02\x0a\x14\x0f\x04\x19"

// A count of those has a code, its place; any other has the code uncoded.
const (
	codeBits = 3
	uncoded  = 1<<codeBits - 1
)

// appendPosting appends a posting to a list: the distance from the one before with
// the code of the count in its lowest bits, and the count itself where it has
// none. Most take one byte so, and all of a large library little more than that.
func appendPosting(list []byte, before uint32, p posting) []byte {
	gap := uint64(p.number-before) << codeBits
	if code := strings.IndexByte(commonCounts, p.count); code >= 0 {
		return binary.AppendUvarint(list, gap|uint64(code))
	}
	return append(binary.AppendUvarint(list, gap|uncoded), p.count)
}

// sizeOf is how many bytes [appendPosting] appends.
func sizeOf(before uint32, p posting) uint32 {
	size := uint32(bits.Len64(uint64(p.number-before)<<codeBits|1)+6) / 7
	if strings.IndexByte(commonCounts, p.count) < 0 {
		size++
	}
	return size
}

// postings walks along a list.
type postings struct {
	rest []byte
	posting
}

func (p *postings) next() bool {
	if len(p.rest) == 0 {
		return false
	}
	v, n := uint64(p.rest[0]), 1
	if v >= 0x80 {
		if v, n = binary.Uvarint(p.rest); n <= 0 {
			return false
		}
	}
	p.number += uint32(v >> codeBits)
	if code := v & uncoded; code != uncoded {
		p.count = commonCounts[code]
	} else if n < len(p.rest) {
		p.count = p.rest[n]
		n++
	} else {
		return false
	}
	p.rest = p.rest[n:]
	return true
}

// reading is a document with a list of the keys that it has, by the numbers that a
// lexicon gave them.
type reading struct {
	number uint32
	list   []byte
}

// turned is the table of documents that were read, which come by ascending
// numbers.
func turned[K cmp.Ordered](docs []reading, keys []K) *table[K] {
	lists := make([]struct{ at, last uint32 }, len(keys)) // first their sizes, then their ends so far
	total := uint32(0)
	for _, d := range docs {
		for p := (postings{rest: d.list}); p.next(); {
			l := &lists[p.number]
			size := sizeOf(l.last, posting{d.number, p.count})
			l.at, l.last = l.at+size, d.number
			total += size
		}
	}
	var order []uint32
	for key := range lists {
		if lists[key].at > 0 {
			order = append(order, uint32(key))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
	t := &table[K]{make([]K, len(order)), make([]uint32, len(order)), make([]byte, total)}
	end := uint32(0)
	for i, key := range order {
		l := &lists[key]
		end, l.at, l.last = end+l.at, end, 0
		t.keys[i], t.ends[i] = keys[key], end
	}
	for _, d := range docs {
		for p := (postings{rest: d.list}); p.next(); {
			l := &lists[p.number]
			l.at += uint32(len(appendPosting(t.data[l.at:l.at], l.last, posting{d.number, p.count})))
			l.last = d.number
		}
	}
	return t
}

// edit is what happens to the documents of a table.
type edit struct {
	gone  ascending       // no longer there, or read anew
	moved map[uint32]bool // those read anew that weigh another way than before
}

// edited is the table after an edit, with what the documents have that were read
// anew. The keys that changed are those of which the list did, or the weight of a
// document on it.
func (t *table[K]) edited(e edit, fresh *table[K]) (next *table[K], changed []K) {
	if len(t.keys) == 0 {
		return fresh, fresh.keys
	}
	next = &table[K]{make([]K, 0, len(t.keys)), make([]uint32, 0, len(t.ends)), make([]byte, 0, len(t.data)+len(fresh.data))}
	add := func(key K, was, added []byte) {
		start := len(next.data)
		if added == nil && !meets(was, e.gone) {
			next.data = append(next.data, was...)
		} else if next.data = e.merge(next.data, was, added); !bytes.Equal(next.data[start:], was) || e.moves(added) {
			changed = append(changed, key)
		}
		if len(next.data) > start {
			next.keys, next.ends = append(next.keys, key), append(next.ends, uint32(len(next.data)))
		}
	}
	j := 0
	for i, key := range t.keys {
		for ; j < len(fresh.keys) && fresh.keys[j] < key; j++ {
			add(fresh.keys[j], nil, fresh.list(j))
		}
		var added []byte
		if j < len(fresh.keys) && fresh.keys[j] == key {
			added = fresh.list(j)
			j++
		}
		add(key, t.list(i), added)
	}
	for ; j < len(fresh.keys); j++ {
		add(fresh.keys[j], nil, fresh.list(j))
	}
	return next, changed
}

// ascending are numbers that are asked for in order.
type ascending []uint32

func (a *ascending) has(number uint32) bool {
	for len(*a) > 0 && (*a)[0] < number {
		*a = (*a)[1:]
	}
	return len(*a) > 0 && (*a)[0] == number
}

// meets reports whether a list has one of some numbers.
func meets(list []byte, numbers ascending) bool {
	for p := (postings{rest: list}); len(numbers) > 0 && p.next(); {
		if numbers.has(p.number) {
			return true
		}
	}
	return false
}

// merge appends a list without what is gone and with what is added.
func (e *edit) merge(to, was, added []byte) []byte {
	before, gone := uint32(0), e.gone
	put := func(p posting) {
		to = appendPosting(to, before, p)
		before = p.number
	}
	a := postings{rest: added}
	more := a.next()
	for p := (postings{rest: was}); p.next(); {
		for ; more && a.number <= p.number; more = a.next() {
			put(a.posting)
		}
		if !gone.has(p.number) {
			put(p.posting)
		}
	}
	for ; more; more = a.next() {
		put(a.posting)
	}
	return to
}

// moves reports whether a list has a document that weighs another way.
func (e *edit) moves(list []byte) bool {
	for p := (postings{rest: list}); len(e.moved) > 0 && p.next(); {
		if e.moved[p.number] {
			return true
		}
	}
	return false
}
