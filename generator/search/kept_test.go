package search

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// After any edits, an index made from the one that another process kept is the one
// made anew, and what is kept of it is the same.
func TestKeptIsCold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		next := edits(r)
		text := New(next(), nil).Keep("program")
		for range rapid.IntRange(1, 4).Draw(r, "edits") {
			lib := next()
			before := Recall(text, "program")
			if before == nil {
				r.Fatal("nothing is recalled")
			}
			cold, warm := New(lib, nil), New(lib, before)
			if d := differs(t, cold, warm); d != "" {
				r.Fatal(d)
			}
			if text = warm.Keep("program"); !bytes.Equal(text, cold.Keep("program")) {
				r.Fatal("another index is kept than of one made anew")
			}
		}
	})
}

// What is not whole, not ours or of another program is not taken for an index.
func TestRecallOnlyWhatIsWhole(t *testing.T) {
	t.Parallel()
	good := New(made(manyCases(30)...), nil).Keep("program")
	if Recall(good, "program") == nil || Recall(good, "another") != nil || Recall(nil, "program") != nil {
		t.Error("an index is recalled in another program, or not in its own")
	}
	rapid.Check(t, func(r *rapid.T) {
		bad := slices.Clone(good)
		at := rapid.IntRange(0, len(bad)-1).Draw(r, "at")
		switch rapid.IntRange(0, 2).Draw(r, "what") {
		case 0:
			bad = bad[:at]
		case 1:
			bad[at] ^= byte(rapid.IntRange(1, 255).Draw(r, "bits"))
		default:
			bad = slices.Insert(bad, at, byte(rapid.IntRange(0, 255).Draw(r, "byte")))
		}
		if !bytes.Equal(bad, good) && Recall(bad, "program") != nil {
			r.Error("a damaged index is recalled")
		}
	})
}

// An edit of a few cases reads only those.
func TestRecallSavesReading(t *testing.T) {
	t.Parallel()
	cases := manyCases(300)
	before := Recall(New(made(cases...), nil).Keep(""), "")
	one := *cases[7]
	one.Title.EN = "zebra"
	cases[7] = summed(&one)
	x := &Index{docs: New(made(cases...), nil).docs}
	if fresh := x.recall(before); len(fresh) != 1 || x.docs[fresh[0]].of != cases[7] {
		t.Errorf("%d of %d cases are read anew", len(fresh), len(cases))
	}
	n, _ := newShards(t, New(made(cases...), nil), New(made(cases...), before))
	if n != 0 {
		t.Errorf("%d shards are others", n)
	}
}
