package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"io"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/output"
)

// keptHeader is the first line of an index that is kept, before the SHA-256 of the
// program and of all that follows.
const keptHeader = "incidentlib index 2\n"

// keptIndex is what is kept of an index, for a later one to be made from: the
// documents, but not their cases, and what is made of their texts. The data of the
// two tables comes behind it.
type keptIndex struct {
	Numbers []uint32 // of the documents
	Keys    []byte
	Lengths []uint64

	Terms    string // with a line end between two
	TermEnds []uint32
	Sizes    []uint32
	Pairs    []uint64
	PairEnds []uint32

	ShardEnds []uint32
	ShardKeys []byte
	RunKeys   [2][]byte // by language
}

// Keep is the index as bytes, from which [Recall] makes one again in the same
// program, which a text tells from others.
func (x *Index) Keep(program string) []byte {
	k := keptIndex{TermEnds: x.terms.ends, Sizes: x.sizes, Pairs: x.pairs.keys, PairEnds: x.pairs.ends}
	for i := range x.docs {
		d := &x.docs[i]
		k.Numbers, k.Keys, k.Lengths = append(k.Numbers, d.number), append(k.Keys, d.key[:]...), append(k.Lengths, d.length)
	}
	k.Terms = strings.Join(x.terms.keys, "\n")
	for i := range x.shards {
		k.ShardEnds, k.ShardKeys = append(k.ShardEnds, uint32(x.shards[i].to)), append(k.ShardKeys, x.shards[i].key[:]...)
	}
	for lang := range x.runs {
		for i := range x.runs[lang] {
			k.RunKeys[lang] = append(k.RunKeys[lang], x.runs[lang][i].key[:]...)
		}
	}
	var b bytes.Buffer
	b.WriteString(keptHeader)
	b.Write(make([]byte, sha256.Size))
	_ = gob.NewEncoder(&b).Encode(k) // numbers and texts alone do not fail
	b.Grow(len(x.terms.data) + len(x.pairs.data))
	b.Write(x.terms.data)
	b.Write(x.pairs.data)
	sum := keptSum(program, b.Bytes()[len(keptHeader)+sha256.Size:])
	copy(b.Bytes()[len(keptHeader):], sum[:])
	return b.Bytes()
}

func keptSum(program string, body []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	_, _ = io.WriteString(h, program+"\n")
	h.Write(body)
	h.Sum(sum[:0])
	return sum
}

// Recall is the index that was kept, for [New] to make another one from. It is nil
// where the bytes are not whole, or were kept by another program: what is made
// without it is the same.
func Recall(text []byte, program string) *Index {
	rest, ok := bytes.CutPrefix(text, []byte(keptHeader))
	if !ok || len(rest) < sha256.Size {
		return nil
	}
	body := rest[sha256.Size:]
	if sum := keptSum(program, body); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil
	}
	var k keptIndex
	r := bytes.NewReader(body) // of which no more is read than is decoded
	if gob.NewDecoder(r).Decode(&k) != nil {
		return nil
	}
	return k.index(body[len(body)-r.Len():])
}

func (k *keptIndex) index(data []byte) *Index {
	end := 0 // of the terms' lists
	if n := len(k.TermEnds); n > 0 {
		end = int(k.TermEnds[n-1])
	}
	x := &Index{sizes: k.Sizes, terms: &table[string]{ends: k.TermEnds, data: data[:end]}, pairs: &table[uint64]{k.Pairs, k.PairEnds, data[end:]}}
	if k.Terms != "" {
		x.terms.keys = strings.Split(k.Terms, "\n")
	}
	keys := keysOf(k.Keys)
	total := uint64(0)
	for i, n := range k.Numbers {
		x.docs = append(x.docs, document{number: n, key: keys[i], length: k.Lengths[i], step: stepOf(k.Lengths[i])})
		total += k.Lengths[i]
	}
	x.scale = newScale(len(x.docs), total)
	from := 0
	for i, key := range keysOf(k.ShardKeys) {
		x.shards = append(x.shards, shard{from, int(k.ShardEnds[i]), key})
		from = int(k.ShardEnds[i])
	}
	for lang := range x.runs {
		x.runs[lang] = runsOf(x.docs)
		for i, key := range keysOf(k.RunKeys[lang]) {
			x.runs[lang][i].key = key
		}
	}
	return x
}

func keysOf(b []byte) []output.Key {
	var keys []output.Key
	for one := range slices.Chunk(b, len(output.Key{})) {
		keys = append(keys, output.Key(one))
	}
	return keys
}
