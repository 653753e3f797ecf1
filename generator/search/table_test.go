package search

import "testing"

// Postings of any count and at any distance come back from a list, which is as long
// as was foretold; one that is cut off ends it.
func TestPostings(t *testing.T) {
	t.Parallel()
	var all []posting
	var list []byte
	before, size := uint32(0), uint32(0)
	for _, gap := range []uint32{0, 1, 15, 16, 17, 2047, 2048, 1 << 28, 1 << 29, 1 << 31} {
		for count := range 256 {
			p := posting{before + gap, uint8(count)}
			list, size = appendPosting(list, before, p), size+sizeOf(before, p)
			all, before = append(all, p), p.number
		}
	}
	if len(list) != int(size) {
		t.Fatalf("the list has %d bytes, and was to have %d", len(list), size)
	}
	walk := postings{rest: list}
	for i, want := range all {
		if !walk.next() || walk.posting != want {
			t.Fatalf("posting %d is %v, want %v", i, walk.posting, want)
		}
	}
	cut := appendPosting(nil, 0, posting{1 << 20, 255})
	for n := range cut {
		if walk = (postings{rest: cut[:n]}); walk.next() {
			t.Errorf("%d bytes of %d are a posting", n, len(cut))
		}
	}
}
