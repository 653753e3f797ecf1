package watch

import (
	"slices"
	"time"
)

// change is what happened to one path since the receiver was told last.
type change struct {
	had, has bool  // then, now
	was, is  entry // then, now
	touched  bool  // it must be told even if the two look alike
	moved    bool  // it was put in its place complete
}

// pending holds the changes that the receiver was not told yet, as the
// difference between what it knows and what is.
type pending struct {
	opt     Options
	changes map[string]*change
	all     bool // the receiver is to read everything
	away    bool // a root is missing since
	at      time.Time
	sentAt  time.Time

	dirty       bool      // there is more than in the batch that was made last
	since, last time.Time // when the first and the last of that came
}

func newPending(opt Options) *pending {
	return &pending{opt: opt, changes: make(map[string]*change)}
}

// mark says that there is something new to tell, noticed at the given time.
func (p *pending) mark(at time.Time) {
	if p.at.IsZero() {
		p.at = at
	}
	if !p.dirty {
		p.dirty, p.since = true, at
	}
	p.last = at
}

// note records that the entry at path, which was seen before if had, is now what
// is says, if has.
func (p *pending) note(path string, had bool, was entry, has bool, is entry, h hint, at time.Time) {
	c := p.changes[path]
	if c == nil {
		c = &change{had: had, was: was}
		p.changes[path] = c
	}
	if !had && has && c.had && c.was.young {
		c.touched = true // while it was out of sight, no event could tell that it was written
	}
	c.has, c.is = has, is
	c.touched = c.touched && has || has && h.ops&written != 0
	c.moved = has && (h.moved || h.ops == created && is.renamed())
	if !c.had && !c.has || c.had && c.has && !c.touched && c.was.stamp == c.is.stamp {
		delete(p.changes, path)
	}
	p.mark(at)
}

func (p *pending) empty() bool { return len(p.changes) == 0 && !p.all }

// due says when the next batch is to be made: when nothing more came for a
// while, or too much for too long. The zero time means that there is nothing.
func (p *pending) due() time.Time {
	if !p.dirty {
		return time.Time{}
	}
	return earlier(p.last.Add(p.settle()), p.since.Add(p.opt.Max))
}

// settle is how long to wait for more. A file that was renamed into its place is
// complete; one that was written is, most of the time, complete at once. But one
// that is missing or empty is in the middle of being saved, and a root that is
// missing will soon be back. None of this makes a batch wrong: what changes later
// is told later.
func (p *pending) settle() time.Duration {
	if p.away {
		return p.opt.Max
	}
	if p.all || len(p.changes) != 1 || p.last.Sub(p.sentAt) < p.opt.Max {
		return p.opt.Quiet
	}
	for _, c := range p.changes {
		switch {
		case !c.has || !c.is.complete():
			return p.opt.Quiet
		case c.moved:
			return 0
		}
	}
	return p.opt.Quiet / 4
}

// batch makes the batch that tells everything, nil if it comes to nothing.
func (p *pending) batch() *Batch {
	p.dirty = false
	if p.empty() {
		p.reset()
		return nil
	}
	b := &Batch{All: p.all, At: p.at}
	for path, c := range p.changes {
		if c.has {
			b.Changed = append(b.Changed, path)
		} else {
			b.Removed = append(b.Removed, path)
		}
	}
	slices.Sort(b.Changed)
	slices.Sort(b.Removed)
	return b
}

// sent says that the receiver has the batch that was made last.
func (p *pending) sent(now time.Time) {
	p.sentAt = now
	p.reset()
}

func (p *pending) reset() {
	p.changes = make(map[string]*change) // not cleared: a map keeps the size of its largest burst
	p.all, p.away, p.at, p.dirty = false, false, time.Time{}, false
}
