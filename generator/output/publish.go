package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"sync"
)

// Publish makes Options.Dir hold exactly files, beside what is foreign there.
// The package comment says how.
//
// An error leaves the folder as it was, with one exception: when the work on
// the folder itself, begun after everything is rendered and staged, cannot be
// finished, the error says so and the next call completes it. Errors in paths,
// and those of Render, come joined, sorted by path, at most 20 of the latter.
// ErrBusy, ErrForeign and ErrNoSwap can be told with errors.Is; ctx's error is
// returned when ctx ends before the work on the folder begins, and does not
// stop it afterwards.
//
// A folder without our manifest is accepted when it holds nothing but entries
// whose names begin with a dot.
func Publish(ctx context.Context, files []File, opt Options) (Result, error) {
	sorted, turns, err := checkFiles(files)
	if err != nil {
		return Result{}, err
	}
	t, err := lockTarget(opt.Dir, opt.InPlace)
	if err != nil {
		return Result{}, err
	}
	b := &build{target: t, files: sorted, turns: turns, opt: opt, jobs: jobCount(opt.Jobs)}
	err = b.run(ctx)
	if err := errors.Join(err, t.release()); err != nil {
		return Result{}, fmt.Errorf("publish to %s: %w", t.dir, err)
	}
	return b.result(), nil
}

// build is one call of Publish under way. Its fields are filled from top to
// bottom.
type build struct {
	*target
	files []File   // sorted by path
	turns []uint32 // by when it is its turn to be made: the index in files
	opt   Options
	jobs  int

	old     *published
	compare *comparer
	staging *stageWriter

	next     Manifest // what files are
	fresh    []bool   // by index in files: not in the folder yet; its bytes are staged
	keys     []Key    // by index in files
	keysNow  []byte   // the keys to store
	onlyKeys bool     // nothing else is new, but for the note
	retained Manifest // assets of the build before that stay
	removed  []string // what the folder holds of earlier builds and will not
}

// run is the pipeline: finish what a killed build began, stage what changed,
// put it in place.
func (b *build) run(ctx context.Context) error {
	if err := recoverTarget(b.target, b.jobs); err != nil {
		return err
	}
	var err error
	if b.old, err = readPublished(b.dir); err != nil {
		return err
	}
	if err := b.old.checkOwner(b.dir); err != nil {
		return err
	}
	if err := checkOwn(b.dir); err != nil {
		return err
	}
	if err := b.stageChanged(ctx); err != nil {
		return err
	}
	if err := b.settle(); err != nil {
		return err
	}
	b.onlyKeys, b.keysNow = b.nothingToDo(), b.keysText()
	if b.onlyKeys && bytes.Equal(b.keysNow, b.old.keysText()) && bytes.Equal(b.noteText(), b.old.note) {
		return nil
	}
	if b.old.exists && (b.onlyKeys || b.opt.InPlace) { // new keys are no reason to swap the folder
		return b.publishInPlace(ctx)
	}
	return b.publishWhole(ctx)
}

// chunkSize is how much of a published file is read at once to compare it.
const chunkSize = 64 << 10

// stageChanged renders every file and writes those that differ from the
// folder's into the staging tree.
func (b *build) stageChanged(ctx context.Context) error {
	var err error
	if b.compare, err = newComparer(b.dir, b.old.owned); err != nil {
		return err
	}
	if err := b.compare.survey(b.files); err != nil {
		return err
	}
	b.staging = &stageWriter{root: b.stage()}
	if err := b.staging.start(); err != nil {
		return err
	}
	if err := b.likeOld(); err != nil {
		return err
	}
	b.fresh, b.keys = make([]bool, len(b.files)), make([]Key, len(b.files))
	r := renderer{files: b.files, turns: b.turns, jobs: b.jobs, progress: b.opt.Progress, known: b.known}
	b.next, err = r.run(ctx, func(w *worker, i int) error {
		if w.chunk == nil {
			w.chunk = make([]byte, chunkSize)
		}
		data := w.buf.Bytes()
		changed, err := b.compare.changed(b.files[i].Path, data, w.chunk)
		if err != nil || !changed || r.failed.Load() {
			return err
		}
		b.fresh[i] = true
		return b.staging.write(b.files[i].Path, data)
	})
	return err
}

// settle decides what becomes of the files of earlier builds.
func (b *build) settle() error {
	for _, e := range b.old.retain(b.next) {
		there, err := b.compare.folders.regular(e.Path)
		if err != nil {
			return err
		}
		if there {
			b.retained = append(b.retained, e)
		}
	}
	stays := newLedger(b.next, b.retained)
	for p := range b.old.owned.files {
		if stays.has(p) {
			continue
		}
		there, err := b.compare.folders.regular(p)
		if err != nil {
			return err
		}
		if there {
			b.removed = append(b.removed, p)
		}
	}
	slices.Sort(b.removed)
	b.removed = slices.DeleteFunc(b.removed, b.respelled())
	return nil
}

// respelled tells paths that a file system which folds case takes for a new
// file's: deleting the one would delete the other.
func (b *build) respelled() func(p string) bool {
	keys := newFolder()
	spelling := sync.OnceValue(func() map[string]string {
		m := make(map[string]string, len(b.next))
		for _, e := range b.next {
			m[keys.key(e.Path)] = e.Path
		}
		return m
	})
	return func(p string) bool {
		q, ok := spelling()[keys.key(p)]
		if !ok {
			return false
		}
		one, err := os.Lstat(b.at(p))
		other, errOther := os.Lstat(b.at(q))
		return err == nil && errOther == nil && os.SameFile(one, other)
	}
}

func (b *build) nothingToDo() bool {
	return b.old.hasManifest && b.next.ID() == b.old.manifest.ID() &&
		!slices.Contains(b.fresh, true) && len(b.removed) == 0 && slices.Equal(b.retained, b.old.retained)
}

// ownFiles are the package's own files for the new tree, by name; nil for one
// that is not to be there.
func (b *build) ownFiles() map[string][]byte {
	if b.onlyKeys {
		return map[string][]byte{KeysName: b.keysNow, NoteName: b.noteText(), MemoryName: b.memory()}
	}
	own := map[string][]byte{ManifestName: b.next.Text(), RetainedName: nil, KeysName: b.keysNow, NoteName: b.noteText(), MemoryName: b.memory()}
	if len(b.retained) > 0 {
		own[RetainedName] = b.retained.Text()
	}
	return own
}

func (b *build) result() Result {
	r := Result{ID: b.next.ID(), Files: len(b.next), Removed: len(b.removed)}
	for i, e := range b.next {
		r.Bytes += e.Size
		if b.fresh[i] {
			r.Written++
		}
		if i == 0 || e.Size > r.LargestBytes {
			r.LargestPath, r.LargestBytes = e.Path, e.Size
		}
	}
	r.Unchanged = r.Files - r.Written
	return r
}

// foldersOf lists the folders that the paths are in, each once, parents before
// children.
func foldersOf(paths []string) []string {
	seen := map[string]bool{}
	var dirs []string
	for _, p := range paths {
		for d := path.Dir(p); d != "." && !seen[d]; d = path.Dir(d) {
			seen[d] = true
			dirs = append(dirs, d)
		}
	}
	slices.Sort(dirs)
	return dirs
}
