package output

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// maxErrors bounds how many faults of one build are reported.
const maxErrors = 20

// Digest renders files to nowhere and returns their manifest: for tests, dry
// runs and comparing two builds. Errors are those of Publish for paths and
// rendering. jobs of 0 means GOMAXPROCS.
func Digest(files []File, jobs int) (Manifest, error) {
	sorted, turns, err := checkFiles(files)
	if err != nil {
		return nil, err
	}
	r := renderer{files: sorted, turns: turns, jobs: jobCount(jobs)}
	return r.run(context.Background(), func(*worker, int) error { return nil })
}

func jobCount(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return runtime.GOMAXPROCS(0)
}

// keptBuffer is how much of a buffer is worth keeping for the next file: a few
// files are a hundred times as large as most.
const keptBuffer = 1 << 20

// worker is what one goroutine reuses from file to file.
type worker struct {
	buf   bytes.Buffer // the file's bytes
	chunk []byte       // for reading the published file
}

func (w *worker) empty() {
	if w.buf.Cap() > keptBuffer {
		w.buf = bytes.Buffer{}
	}
	w.buf.Reset()
}

// renderer makes every file once and hands it on, in the order in which they were
// given: those of one case come together, and what they share is at hand.
type renderer struct {
	files    []File   // sorted by path
	turns    []uint32 // the order in which they are made, as indices in files
	jobs     int
	progress func(done, total int)
	known    func(i int) (Entry, bool) // a file that need not be made; may be nil

	mu       sync.Mutex // guards faults, and calls of progress
	faults   []fault
	failed   atomic.Bool // there are faults: nothing more needs to be written
	done     atomic.Int64
	reported int64 // guarded by mu
}

// fault is what went wrong at that turn.
type fault struct {
	turn int
	err  error
}

// errEnough stops the rendering once maxErrors faults are known.
var errEnough = errors.New("too many errors")

// run renders all files, calls keep with the index of each and its bytes in
// the worker's buffer, and returns their manifest. After the first fault (an
// error of Render, or one of keep that is an ErrForeign) the build is lost and
// r.failed set, but rendering goes on until maxErrors are found, so that an
// author sees them in one go. They come sorted by path, and are the first ones by
// turn, so the same for any number of jobs. Any other error of keep ends the run at
// once. What files are made from is let go of, file by file.
func (r *renderer) run(ctx context.Context, keep func(w *worker, i int) error) (Manifest, error) {
	m := make(Manifest, len(r.files))
	workers := make([]worker, r.jobs)
	err := parallel(ctx, r.jobs, len(r.files), func(n, turn int) error {
		i := int(r.turns[turn])
		if r.known != nil {
			if e, ok := r.known(i); ok {
				m[i] = e
				r.advance(i)
				return nil
			}
		}
		w := &workers[n]
		w.empty()
		err := r.render(w, i)
		if err == nil {
			m[i] = Entry{
				Path:   r.files[i].Path,
				Kind:   r.files[i].Kind,
				Size:   int64(w.buf.Len()),
				SHA256: sha256.Sum256(w.buf.Bytes()),
			}
			err = keep(w, i)
			if err != nil && !errors.Is(err, ErrForeign) {
				return err
			}
		}
		r.advance(i)
		return r.note(turn, err)
	})
	if faults := r.sortedFaults(); len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (r *renderer) render(w *worker, i int) error {
	f := &r.files[i]
	if err := f.Render(&w.buf); err != nil {
		return fmt.Errorf("render %s: %w", f.Path, err)
	}
	return nil
}

// note records a fault and says when there are enough.
func (r *renderer) note(turn int, err error) error {
	if err == nil {
		return nil
	}
	r.failed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, fault{turn, err})
	if len(r.faults) >= maxErrors {
		return errEnough
	}
	return nil
}

func (r *renderer) sortedFaults() []error {
	slices.SortFunc(r.faults, func(a, b fault) int { return cmp.Compare(a.turn, b.turn) })
	first := r.faults[:min(len(r.faults), maxErrors)]
	slices.SortFunc(first, func(a, b fault) int { return cmp.Compare(r.turns[a.turn], r.turns[b.turn]) })
	var errs []error
	for _, f := range first {
		errs = append(errs, f.err)
	}
	return errs
}

// advance lets go of what a file is made from and counts it; it reports about a
// hundred times in all.
func (r *renderer) advance(i int) {
	r.files[i] = File{Path: r.files[i].Path, Kind: r.files[i].Kind}
	done, total := r.done.Add(1), int64(len(r.files))
	step := max(total/100, 1)
	if r.progress == nil || done%step != 0 && done != total {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if done > r.reported { // else another worker has said more already
		r.reported = done
		r.progress(int(done), int(total))
	}
}

// parallel calls do(worker, i) for every i below n on as many goroutines as
// jobs, handing out i in order. After an error or when ctx ends it hands out
// no more; calls under way are completed, so the error returned, that of the
// lowest i, does not depend on jobs where do's errors do not.
func parallel(ctx context.Context, jobs, n int, do func(worker, i int) error) error {
	var (
		wg    sync.WaitGroup
		next  atomic.Int64
		stop  atomic.Bool
		mu    sync.Mutex
		first = fault{turn: n}
	)
	for w := range min(jobs, n) {
		wg.Go(func() {
			for !stop.Load() && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(w, i); err != nil {
					stop.Store(true)
					mu.Lock()
					if i < first.turn {
						first = fault{i, err}
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if first.err != nil {
		return first.err
	}
	return context.Cause(ctx)
}

// forker lends spare goroutines to a recursion over folders; its capacity is
// their number.
type forker chan struct{}

func newForker(jobs int) forker { return make(forker, max(jobs-1, 0)) }

// each calls do for every i below n, on a spare goroutine when there is one
// and else itself, waits for all of them, and returns one of their errors.
func (f forker) each(n int, do func(i int) error) error {
	var (
		wg   sync.WaitGroup
		errs = make([]error, n)
	)
	for i := range n {
		select {
		case f <- struct{}{}:
			wg.Go(func() {
				defer func() { <-f }()
				errs[i] = do(i)
			})
		default:
			errs[i] = do(i)
		}
	}
	wg.Wait()
	return cmp.Or(errs...)
}
