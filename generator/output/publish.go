package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"time"
)

// Publish makes Options.Dir hold exactly files, beside what is foreign there.
// The package comment says how. Files are made in the order given.
//
// An error leaves the folder as it was, with one exception: when the work on
// the folder itself, begun after everything is rendered and staged, cannot be
// finished, the error says so and the next call completes it. Errors in paths,
// and those of Render, come joined, sorted by path, at most 20 of the latter, the
// first in the order given. ErrBusy, ErrForeign and ErrNoSwap can be told with
// errors.Is; ctx's error is returned when ctx ends before the work on the folder
// begins, and does not stop it afterwards.
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
	was     []int32 // by index in files: where the old manifest has it, or -1
	compare *comparer
	staging *stageWriter

	next     Manifest        // what files are
	id       string          // of next
	fresh    []bool          // by index in files: not in the folder yet; its bytes are staged
	keys     []Key           // by index in files
	onlyKeys bool            // nothing else is new, but for the note
	retained Manifest        // assets of the build before that stay
	walked   time.Time       // by the clock of the file system: the folder was read for foreign entries from then on
	mixed    map[string]bool // its folders that held one
	removed  []string        // what the folder holds of earlier builds and will not
}

// run is the pipeline: finish what a killed build began, stage what changed,
// put it in place.
func (b *build) run(ctx context.Context) error {
	if err := recoverTarget(b.target, b.jobs); err != nil {
		return err
	}
	var err error
	if b.old, err = readPublished(b.dir, b.files); err != nil {
		return err
	}
	if err := b.old.checkOwner(b.dir); err != nil {
		return err
	}
	if err := checkOwn(b.dir); err != nil {
		return err
	}
	b.was = b.old.manifest.places(b.files)
	if err := b.stageChanged(ctx); err != nil {
		return err
	}
	if err := b.settle(); err != nil {
		return err
	}
	b.onlyKeys = b.nothingToDo()
	if b.onlyKeys && b.keyring().equal(b.old.keys) && bytes.Equal(b.noteText(), b.old.note) {
		return nil
	}
	if b.old.exists && (b.opt.Spare == 0 || b.opt.InPlace) {
		if err := b.dropSpare(b.old.owned()); err != nil {
			return err
		}
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
	if b.compare, err = newComparer(b.dir, b.old.owned()); err != nil {
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
	b.id = b.next.ID()
	for _, e := range b.old.retain(b.next, b.id) {
		there, err := b.compare.folders.regular(e.Path)
		if err != nil {
			return err
		}
		if there {
			b.retained = append(b.retained, e)
		}
	}
	for _, p := range b.old.owned().without(ledger{b.next, b.retained}) {
		there, err := b.compare.folders.regular(p)
		if err != nil {
			return err
		}
		if there {
			b.removed = append(b.removed, p)
		}
	}
	b.removed = slices.DeleteFunc(b.removed, b.respelled())
	return nil
}

// respelled tells paths that a file system which folds case takes for a new
// file's: deleting the one would delete the other.
func (b *build) respelled() func(p string) bool {
	keys := newFolder()
	spelling := maps.Collect(b.next.near(b.removed, keys))
	return func(p string) bool {
		q, ok := spelling[keys.key(p)]
		if !ok {
			return false
		}
		one, err := os.Lstat(b.at(p))
		other, errOther := os.Lstat(b.at(q))
		return err == nil && errOther == nil && os.SameFile(one, other)
	}
}

func (b *build) nothingToDo() bool {
	return b.old.id == b.id &&
		!slices.Contains(b.fresh, true) && len(b.removed) == 0 && slices.Equal(b.retained, b.old.retained)
}

// ownFile is one of the package's own files for the new tree. Its text is made when
// it is written, as it is long; it is nil where the file is not to be there.
type ownFile struct {
	name string
	text func() []byte
}

func (b *build) ownFiles() []ownFile {
	own := []ownFile{{KeysName, b.keysText}, {NoteName, b.noteText}, {MemoryName, b.memory}}
	if !b.onlyKeys {
		own = append(own, ownFile{ManifestName, b.next.Text}, ownFile{RetainedName, b.retainedText})
	}
	return own
}

func (b *build) retainedText() []byte {
	if len(b.retained) == 0 {
		return nil
	}
	return b.retained.Text()
}

func (b *build) result() Result {
	r := Result{ID: b.id, Files: len(b.next), Removed: len(b.removed)}
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
