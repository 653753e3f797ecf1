// Package watch tells which files below some folders changed, and is always in
// step with the disk in the end.
//
//	events of the system ─► inbox ─┐
//	                               ├─► tree ─► pending ─► Batch
//	sweeps of the folders ─────────┘
//
// The events of the system are hints only: they come late, twice, under an old
// name, or not at all. So a tree of what was last seen on the disk is kept, and
// every hint leads to a look at the disk; what differs from the tree is what
// changed. A look at one named path costs the same in a library of 20,000 files
// as in one of ten, so that a save is passed on at once. A second after the
// last activity a sweep looks at everything else, in small steps, for what no
// event told of. When nothing happens, nothing runs.
//
// Folders are watched, never files: a file that is saved by renaming is another
// file, and a watch of the old one is dead. The folders above a root are watched
// too, and the links that lead to it, so that a root may be removed, made again,
// moved, or pointed elsewhere. Where the system has no watches to give, the
// folders concerned are looked at in intervals, and [Options.Notice] is told.
//
// A root may be a link. Below it, links to folders are not followed, as the
// readers of seeds, templates and assets do not; a link to a file counts as
// changed with the file that it leads to.
package watch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Options say how to watch. The zero value is ready for use.
type Options struct {
	// Quiet is how long a burst of changes must be silent before it is passed
	// on; 12 ms if zero. A lone file that is complete is not kept that long:
	// see settle.
	Quiet time.Duration
	// Max is the longest time that a burst is kept; 200 ms if zero.
	Max time.Duration
	// Poll is the interval of looking at what cannot be watched; 500 ms if zero.
	// It grows with the time that a look takes.
	Poll time.Duration
	// Ignore reports whether a path, as a Batch would name it, is none of the
	// watcher's business, a folder with all that is in it. It must give the same
	// answer for a path at all times. [Scratch] if nil.
	Ignore func(path string) bool
	// Notice is told, in one line, what the user should know: that a limit is
	// reached, and how to raise it. It must neither block nor call Close.
	Notice func(msg string)
	// ForcePoll has everything looked at in intervals, as for network file
	// systems, which send no events.
	ForcePoll bool

	// sweepAfter is the time from the last activity to a sweep of everything,
	// sweepBy from the first activity if it does not end. Tests that must not be
	// saved by a sweep put it off.
	sweepAfter, sweepBy time.Duration
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.Quiet, 12 * time.Millisecond}, {&o.Max, 200 * time.Millisecond}, {&o.Poll, 500 * time.Millisecond}, {&o.sweepAfter, time.Second}, {&o.sweepBy, 5 * time.Second}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	o.Max = max(o.Max, o.Quiet)
	if o.Ignore == nil {
		o.Ignore = Scratch
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	return o
}

// Batch is what changed between what the receiver was told last and now. A file
// that was made and removed in between is not in it. Paths are sorted, and begin
// with their root as it was given to New.
type Batch struct {
	Changed []string  // files, and other entries that are not folders: new, written, replaced, or of another mode
	Removed []string  // files that are no more, each by its name even if their folder was removed
	All     bool      // too much happened to be sure: read everything again
	At      time.Time // when the first of it was noticed
}

const (
	sweepChunk = 256 // entries in a step of a sweep: under a millisecond
	sweepPause = time.Millisecond
)

// Watcher watches until it is closed. All that it knows belongs to one
// goroutine; only the inbox is shared.
type Watcher struct {
	opt     Options
	ctx     context.Context
	cancel  context.CancelFunc
	batches chan Batch
	ended   sync.WaitGroup

	inbox *inbox
	tree  *tree
	offer *Batch // made, and not yet taken by the receiver

	sweep      *sweep // running in steps, nil if none
	sweepFrom  time.Time
	sweepNext  time.Time // when the next step may run
	unsweptAt  time.Time // the first activity since the last sweep began
	activityAt time.Time // the last one
	pollNext   time.Time
}

// New begins to watch the roots: folders or files, which may be missing. What
// happens after New began is in the batches; so read the files once it has
// returned, and nothing is missed. An error means that ctx is done, or that
// there is nothing to watch.
func New(ctx context.Context, roots []string, opt Options) (*Watcher, error) {
	opt = opt.withDefaults()
	box := newInbox()
	var sys system
	var lack error
	if !opt.ForcePoll {
		sys, lack = newSystem()
	}
	return start(ctx, roots, opt, box, sys, lack)
}

// start is New with the system's watches given: nil, with the reason, if there
// are none.
func start(ctx context.Context, roots []string, opt Options, box *inbox, sys system, lack error) (*Watcher, error) {
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{opt: opt, ctx: ctx, cancel: cancel, batches: make(chan Batch), inbox: box}
	if sys != nil {
		w.ended.Go(func() { box.pump(sys) })
	}
	w.tree = newTree(ctx, opt, newRegistry(sys, lack, opt))
	err := w.tree.begin(roots)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		err = errors.Join(err, w.tree.watches.close())
		w.ended.Wait()
		return nil, err
	}
	w.ended.Go(w.run)
	return w, nil
}

// Batches gives what changed. While the receiver is busy, batches are merged:
// there is never more than one to take, and it is the newest. The channel is
// closed when the watcher has ended.
func (w *Watcher) Batches() <-chan Batch { return w.batches }

// Close ends the watcher, as the end of its context does, and returns when no
// goroutine of it is left. It may be called more than once.
func (w *Watcher) Close() error {
	w.cancel()
	w.ended.Wait()
	return nil
}

func (w *Watcher) run() {
	defer close(w.batches)
	defer w.tree.watches.close() // before the channel, so that a closed channel means that all is released
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wake := w.turn(time.Now())
		var alarm <-chan time.Time
		if !wake.IsZero() {
			timer.Reset(time.Until(wake))
			alarm = timer.C
		}
		var out chan<- Batch
		var b Batch
		if w.offer != nil {
			out, b = w.batches, *w.offer
		}
		select {
		case <-w.ctx.Done():
			return
		case out <- b:
			w.offer = nil
			w.tree.pending.sent(time.Now())
		case <-w.inbox.ready:
		case <-alarm:
		}
	}
}

// turn does what is due, and says when something is due again; the zero time if
// nothing is.
func (w *Watcher) turn(now time.Time) time.Time {
	p := w.tree.pending
	if m, ok := w.inbox.take(); ok && w.tree.apply(m) {
		w.activityAt = m.last
		if w.unsweptAt.IsZero() {
			w.unsweptAt = m.last
		}
	}
	sweepAt := w.background(now)
	if p.dirty {
		w.offer = nil // it is out of date; receivers get the newest or nothing
	}
	due := p.due()
	if !due.IsZero() && !now.Before(due) {
		w.offer = p.batch()
		due = time.Time{}
	}
	return earlier(due, sweepAt)
}

// background runs a step of the sweep that is running or due, and says when to
// go on.
func (w *Watcher) background(now time.Time) time.Time {
	if w.sweep == nil {
		at, deep := w.nextSweep()
		if at.IsZero() || now.Before(at) {
			return at
		}
		w.sweepFrom, w.sweepNext = now, now
		if deep {
			w.unsweptAt = time.Time{} // activity from here on may be missed by this sweep
		}
		w.sweep = w.tree.beginSweep(deep)
	}
	if now.Before(w.sweepNext) {
		return w.sweepNext
	}
	done := w.tree.step(w.sweep, sweepChunk)
	if w.sweep.deep && w.tree.pending.dirty {
		w.activityAt = now
		w.unsweptAt = earlier(w.unsweptAt, now) // what it finds may be going on
	}
	if !done {
		w.sweepNext = time.Now().Add(sweepPause)
		return w.sweepNext
	}
	w.sweep = nil
	end := time.Now()
	w.pollNext = end.Add(max(w.opt.Poll, 5*end.Sub(w.sweepFrom)))
	at, _ := w.nextSweep()
	return at
}

// nextSweep says when the next sweep is due, and whether it is one of
// everything. The zero time means that none is.
func (w *Watcher) nextSweep() (at time.Time, deep bool) {
	if w.tree.blind() {
		at = w.pollNext
		if at.IsZero() {
			at = time.Now().Add(w.opt.Poll)
			w.pollNext = at
		}
	}
	if w.unsweptAt.IsZero() || w.tree.watches.none() {
		return at, false
	}
	full := earlier(w.activityAt.Add(w.opt.sweepAfter), w.unsweptAt.Add(w.opt.sweepBy))
	if at.IsZero() || full.Before(at) {
		return full, true
	}
	return at, false
}

// earlier gives the earlier of two times, of which the zero one means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
