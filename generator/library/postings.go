package library

import "iter"

// lists are many short lists of numbers in one piece of memory: a slice of
// slices would spend more on its headers than on what they hold.
type lists struct {
	ends  []uint32
	items []uint32
}

func (x *lists) of(i uint32) []uint32 {
	start := uint32(0)
	if i > 0 {
		start = x.ends[i-1]
	}
	return x.items[start:x.ends[i]:x.ends[i]]
}

func (x *lists) append(items []uint32) {
	x.items = append(x.items, items...)
	x.ends = append(x.ends, uint32(len(x.items)))
}

// inverted turns lists around: for each of n items, the lists that hold it, in
// ascending order.
func (x *lists) inverted(n int) lists {
	y := lists{ends: make([]uint32, n), items: make([]uint32, len(x.items))}
	for _, item := range x.items {
		y.ends[item]++
	}
	at := make([]uint32, n) // where the next entry of an item goes
	total := uint32(0)
	for i, count := range y.ends {
		at[i] = total
		total += count
		y.ends[i] = total
	}
	for i := range x.ends {
		for _, item := range x.of(uint32(i)) {
			y.items[at[item]] = uint32(i)
			at[item]++
		}
	}
	return y
}

// postings say for a key which cases have it, newest first.
type postings[K comparable] struct {
	number map[K]uint32 // of the list
	ranks  lists        // by number
}

// newPostings asks keys for the keys of every rank, each once a rank. It also
// returns by rank the numbers of the lists that the rank is in.
func newPostings[K comparable](cases int, keys func(rank uint32, buf []K) []K) (p postings[K], of lists) {
	p = postings[K]{number: map[K]uint32{}}
	var buf []K
	var numbers []uint32
	for rank := range uint32(cases) {
		buf, numbers = keys(rank, buf[:0]), numbers[:0]
		for _, k := range buf {
			n, ok := p.number[k]
			if !ok {
				n = uint32(len(p.number))
				p.number[k] = n
			}
			numbers = append(numbers, n)
		}
		of.append(numbers)
	}
	p.ranks = of.inverted(len(p.number))
	return p, of
}

func (p *postings[K]) of(k K) []uint32 {
	n, ok := p.number[k]
	if !ok {
		return nil
	}
	return p.ranks.of(n)
}

// common yields what two ascending lists have in common.
func common(a, b []uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for len(a) > 0 && len(b) > 0 {
			switch {
			case a[0] < b[0]:
				a = a[1:]
			case a[0] > b[0]:
				b = b[1:]
			default:
				if !yield(a[0]) {
					return
				}
				a, b = a[1:], b[1:]
			}
		}
	}
}
