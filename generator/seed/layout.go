package seed

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// layout is how a kind of value is written: the order of an object's members,
// and what stands for a value that nobody knows yet. A nil layout is that of a
// plain value, such as a string, which is null until it is known.
type layout struct {
	members []place // of an object, in their order
	entries *layout // of each entry of a list
	blank   string  // "" for an object, which is written with its members
}

// place is a member of an object.
type place struct {
	name   string
	layout *layout
}

func recordLayout[T any](fields []field[T]) *layout {
	l := &layout{}
	for _, f := range fields {
		l.members = append(l.members, place{f.name, f.layout})
	}
	return l
}

// blankAs is l for a kind that has a word for what is not known.
func (l *layout) blankAs(word string) *layout {
	if l == nil {
		return &layout{blank: word}
	}
	c := *l
	c.blank = word
	return &c
}

// member finds the member whose key, as the file spells it, is raw: its rank
// among all members, and its layout. Members that the shape does not have rank
// alike, behind all others.
func (l *layout) member(raw []byte) (rank int, inner *layout) {
	if l == nil {
		return 0, nil
	}
	name := raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		name, _ = jsontext.AppendUnquote(nil, raw) // what it cannot read is no name of a member
	}
	for i, m := range l.members {
		if m.name == string(name) {
			return i, m.layout
		}
	}
	return len(l.members), nil
}

// entry is the layout of the entries of a list.
func (l *layout) entry() *layout {
	if l == nil {
		return nil
	}
	return l.entries
}
