package search

import (
	"hash/fnv"

	"benchlet.com/incidentlib/generator/address"
)

// Terms are cut into shards where the hash of a term says so, and within a
// least and a greatest size: so a new term moves no other boundary, or few.
const (
	leastShard    = 8 << 10
	greatestShard = 24 << 10
	spread        = 8 << 10 // bytes between two cuts, on average
)

// shard is a file of terms. It is never changed once made.
type shard struct {
	first, last uint32 // terms
	terms       int
	body        []byte
}

// cut makes the shards, of which prev may have most.
func (x *Index) cut(prev *Index, changed []bool) {
	terms := x.terms
	made := map[uint32]*shard{} // by first term
	if changed != nil {
		for i := range prev.shards {
			made[prev.shards[i].first] = &prev.shards[i]
		}
	}
	size, from := 0, 0
	for i, t := range x.order {
		n := len(x.entries[t])
		if i > from && (size >= leastShard && cutsAfter(terms[x.order[i-1]], len(x.entries[x.order[i-1]])) || size+n > greatestShard) {
			x.shards = append(x.shards, x.shard(x.order[from:i], made, changed))
			size, from = 0, i
		}
		size += n + 1
	}
	if from < len(x.order) {
		x.shards = append(x.shards, x.shard(x.order[from:], made, changed))
	}
}

// cutsAfter is true for one of so many bytes of entries.
func cutsAfter(term string, size int) bool {
	h := fnv.New32a()
	h.Write([]byte(term))
	sum := h.Sum32()
	sum = (sum ^ sum>>15) * 0x2c1b3c6d // the last letters alone hardly move the upper bits
	return uint64(sum^sum>>12) < min(uint64(size)<<32/spread, 1<<32)
}

// shard is the shard of some terms. Their entries become parts of it, so that
// memory holds them once.
func (x *Index) shard(terms []uint32, made map[uint32]*shard, changed []bool) shard {
	if s := made[terms[0]]; s != nil && s.last == terms[len(terms)-1] && s.terms == len(terms) && unchanged(terms, changed) {
		return *s
	}
	size := 2
	for _, t := range terms {
		size += len(x.entries[t]) + 1
	}
	s := shard{terms[0], terms[len(terms)-1], len(terms), make([]byte, 0, size)}
	for i, t := range terms {
		s.body = append(s.body, "{,"[min(i, 1)])
		at := len(s.body)
		s.body = append(s.body, x.entries[t]...)
		x.entries[t] = s.body[at:len(s.body):len(s.body)]
	}
	s.body = append(s.body, "}\n"...)
	return s
}

func unchanged(terms []uint32, changed []bool) bool {
	for _, t := range terms {
		if changed[t] {
			return false
		}
	}
	return true
}

// directory says where the terms are: the first term of each shard, and the
// key of its
// name.
type directory struct {
	First []string `json:"first"`
	Keys  []string `json:"keys"`
}

// keys gives every shard a key of its own.
func (x *Index) keys() []string {
	keys := make([]string, len(x.shards))
	taken := map[string]bool{}
	for i := range x.shards {
		for salt := 0; keys[i] == "" || taken[keys[i]]; salt++ {
			keys[i] = address.SearchShard(x.shards[i].body, salt)
		}
		taken[keys[i]] = true
	}
	return keys
}
