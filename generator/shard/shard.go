// Package shard cuts a build into parts that are made apart, on as many machines
// as there are, and joins them again.
//
// Each part is the folder of a build of its own, whose note says which part of
// which build it is. [Join] takes only parts of one build, all of them, and holds
// every file to its digest: so what is joined has the bytes, and the id, of a
// build that was made in one piece.
package shard

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Part is the Kth of N parts, counted from 1. The zero Part is the whole.
type Part struct{ K, N int }

// maxParts is far more than there are machines to make them.
const maxParts = 10_000

// Parse reads "K/N".
func Parse(s string) (Part, error) {
	k, n, ok := strings.Cut(s, "/")
	var p Part
	var errK, errN error
	p.K, errK = strconv.Atoi(k)
	p.N, errN = strconv.Atoi(n)
	if !ok || errK != nil || errN != nil || p.String() != s {
		return Part{}, fmt.Errorf("%q is no shard; write which of how many, such as 3/8", s)
	}
	if p.N < 1 || p.N > maxParts || p.K < 1 || p.K > p.N {
		return Part{}, fmt.Errorf("there is no shard %s; of N shards, at most %d, the first is 1/N and the last N/N", s, maxParts)
	}
	return p, nil
}

// String is the part as Parse reads it.
func (p Part) String() string { return strconv.Itoa(p.K) + "/" + strconv.Itoa(p.N) }

// IsWhole reports whether there is but one part.
func (p Part) IsWhole() bool { return p.N <= 1 }

// Has reports whether the part has what goes by that name. Every name is in one
// part, and in the same one as long as N is the same, whatever else there is: an
// edit of one case leaves the cases of all other parts where they are.
func (p Part) Has(name string) bool {
	if p.IsWhole() {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	// The low bits of this hash alone say too little of a short name.
	sum := h.Sum64()
	sum ^= sum >> 32
	return int(sum*0x9e3779b97f4a7c15>>33)%p.N == p.K-1
}

// First reports whether it is the first part, and Last whether it is the last:
// what cannot be cut is made there.
func (p Part) First() bool { return p.IsWhole() || p.K == 1 }

// Last is like First.
func (p Part) Last() bool { return p.IsWhole() || p.K == p.N }

// Note says of a folder which part of which build it is. Parts are of one build
// when all else is equal.
type Note struct {
	Part     Part
	Seeds    string // digest of the seeds
	Program  string // digest of the program
	Settings string // the settings, as a text
}

const header = "shard 1"

// Text is the note as it is stored: one thing on each line.
func (n Note) Text() []byte {
	return fmt.Appendf(nil, "%s\npart %s\nseeds %q\nprogram %q\nsettings %q\n", header, n.Part, n.Seeds, n.Program, n.Settings)
}

var errNote = errors.New("the note of the shard is damaged")

// parseNote reads what Text wrote and accepts nothing else.
func parseNote(text []byte) (Note, error) {
	var n Note
	rest, ok := strings.CutPrefix(string(text), header+"\n")
	if !ok {
		return n, errNote
	}
	for _, field := range []struct {
		name string
		set  func(string) error
	}{
		{"part", func(s string) (err error) { n.Part, err = Parse(s); return err }},
		{"seeds", unquote(&n.Seeds)},
		{"program", unquote(&n.Program)},
		{"settings", unquote(&n.Settings)},
	} {
		line, after, ok := strings.Cut(rest, "\n")
		value, named := strings.CutPrefix(line, field.name+" ")
		if !ok || !named || field.set(value) != nil {
			return n, errNote
		}
		rest = after
	}
	if rest != "" {
		return n, errNote
	}
	return n, nil
}

func unquote(to *string) func(string) error {
	return func(s string) (err error) {
		*to, err = strconv.Unquote(s)
		return err
	}
}
