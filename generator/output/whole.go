package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// publishWhole completes the staging tree and puts it in the folder's place.
func (b *build) publishWhole(ctx context.Context) error {
	if b.old.exists && b.opt.Spare > 0 {
		if err := b.buildOnSpare(ctx); err != nil {
			return err
		}
	}
	if err := b.linkOurs(ctx); err != nil {
		return err
	}
	for _, own := range b.ownFiles() {
		text := own.text()
		if text == nil {
			continue
		}
		if err := b.staging.write(own.name, text); err != nil {
			return err
		}
	}
	if !b.old.exists {
		return b.moveIn(ctx)
	}
	if err := b.copyForeign(ctx); err != nil {
		return err
	}
	return b.swapIn(ctx)
}

// copyForeign gives the staging tree what is foreign in the folder, and its modes.
func (b *build) copyForeign(ctx context.Context) error {
	now, err := statusOf(b.staged(ManifestName)) // just written
	if err != nil {
		return err
	}
	b.walked = now.changed
	w := foreignWalk{build: b, fork: newForker(b.jobs), mixed: map[string]bool{}}
	if err := w.folder(ctx, ".", b.old.owned()); err != nil {
		return err
	}
	b.mixed = w.mixed
	return b.copyModes(w.found)
}

// linkOurs gives the staging tree the unchanged files and the retained assets.
func (b *build) linkOurs(ctx context.Context) error {
	err := parallel(ctx, b.jobs, len(b.next), func(_, i int) error {
		if b.fresh[i] {
			return nil
		}
		return b.staging.have(b.at(b.next[i].Path), b.next[i].Path)
	})
	if err != nil {
		return err
	}
	return parallel(ctx, b.jobs, len(b.retained), func(_, i int) error {
		return b.staging.have(b.at(b.retained[i].Path), b.retained[i].Path)
	})
}

// moveIn renames the staging tree to where no folder is.
func (b *build) moveIn(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := os.Rename(b.stage(), b.dir); err != nil {
		return err
	}
	return b.dropSpare(ledger{b.next, b.retained}) // of a folder that is gone
}

// swapIn exchanges the complete staging tree with the folder and drains the
// old tree. The note of which tree was to be swapped in comes before, so that
// the next run knows on which side of the exchange this one was killed.
func (b *build) swapIn(ctx context.Context) error {
	info, err := os.Lstat(b.stage())
	if err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := writeWhole(b.swapPath(), []byte(identity(info)+"\n")); err != nil {
		return err
	}
	if err := exchange(b.stage(), b.dir); err != nil {
		err = errors.Join(err, os.Remove(b.swapPath()))
		if noLink(err) {
			err = fmt.Errorf("%w: %w", ErrNoSwap, err)
		}
		return err
	}
	b.committed = true
	if err := b.putAway(); err != nil {
		return fmt.Errorf("the new site is in place, but what was there before could not be cleared from %s, "+
			"which the next build tries again: %w", b.work, err)
	}
	b.committed = false
	return os.Remove(b.swapPath())
}

// putAway drains the old tree, or makes it the spare one.
func (b *build) putAway() error {
	d := drainer{target: b.target, root: b.stage(), old: b.old.owned(), next: ledger{b.next, b.retained}, fork: newForker(b.jobs)}
	if b.opt.Spare == 0 || b.old.id == "" || b.onlyInOld() > b.opt.Spare {
		return d.run()
	}
	if b.keepOld(&d) == nil {
		return nil
	}
	return d.run() // as where none was asked for
}

// writeWhole writes a file so that a kill leaves all of it or none.
func writeWhole(name string, text []byte) error {
	tmp := name + tmpSuffix
	if err := os.WriteFile(tmp, text, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// foreignWalk finds everything in the old tree that is not ours and gives the
// staging tree its share of it.
type foreignWalk struct {
	*build
	fork forker

	mu    sync.Mutex
	found []foreignFolder
	mixed map[string]bool // folders with a foreign entry
}

// foreignFolder is a folder that somebody else made.
type foreignFolder struct {
	path    string
	state   folderState
	modTime time.Time
}

// folder goes through one folder of the old tree, of which it is given what is ours.
func (w *foreignWalk) folder(ctx context.Context, dir string, ours ledger) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	entries, err := os.ReadDir(join(w.dir, dir))
	if err != nil {
		return err
	}
	var below []string
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			below = append(below, p)
		case e.Type().IsRegular() && (ours.has(p) || ownName(p)):
		default:
			if err := w.entry(p, e.Type()); err != nil {
				return err
			}
		}
	}
	return w.fork.each(len(below), func(i int) error {
		ours := ours.in(below[i])
		if ours.empty() {
			if err := w.foreign(below[i]); err != nil {
				return err
			}
		}
		return w.folder(ctx, below[i], ours)
	})
}

// entry links a foreign file, link or special file.
func (w *foreignWalk) entry(p string, mode fs.FileMode) error {
	w.mix(p)
	err := w.staging.link(w.at(p), p, mode)
	if errors.Is(err, fs.ErrExist) { // it has appeared since we compared
		return inTheWay(w.dir, p, p)
	}
	return err
}

// mix notes that p is foreign.
func (w *foreignWalk) mix(p string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mixed[path.Dir(p)] = true
}

// foreign makes a folder that is there already, for files of ours or because
// it is somebody's, like the one in the old tree.
func (w *foreignWalk) foreign(dir string) error {
	info, err := os.Lstat(w.at(dir))
	if err != nil {
		return err
	}
	w.mix(dir)
	if err := w.staging.folder(dir); err != nil {
		return err
	}
	state := folderState{is: present, mode: info.Mode(), owner: ownerOf(info)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = append(w.found, foreignFolder{dir, state, info.ModTime()})
	return nil
}

// likeOld gives the staging tree's root the folder's owner and mode, so that
// what is made in it inherits a group as it would there.
func (b *build) likeOld() error {
	like := b.compare.folders.known["."]
	if like.is != present {
		return nil
	}
	giveTo(b.stage(), like.owner)
	return os.Chmod(b.stage(), like.mode|0o700)
}

// copyModes makes the folders of the staging tree like those of the old one:
// foreign ones in everything, ours in owner and mode. It comes last, as a
// folder's time changes with every entry and its mode may forbid them.
func (b *build) copyModes(foreign []foreignFolder) error {
	seen := map[string]bool{}
	slices.SortFunc(foreign, func(x, y foreignFolder) int { return strings.Compare(y.path, x.path) })
	for _, f := range foreign {
		seen[f.path] = true
		name := b.staged(f.path)
		if err := likeFolder(name, f.state); err != nil {
			return err
		}
		if err := setModTime(name, f.modTime); err != nil {
			return err
		}
	}
	for _, d := range slices.Backward(slices.Sorted(maps.Keys(b.staging.made))) {
		state, err := b.compare.folders.look(d)
		if err != nil {
			return err
		}
		if seen[d] || state.is != present {
			continue
		}
		if err := likeFolder(b.staged(d), state); err != nil {
			return err
		}
	}
	return nil
}

// likeFolder gives a folder this owner and mode, where they differ.
func likeFolder(name string, want folderState) error {
	info, err := os.Lstat(name)
	if err != nil || !info.IsDir() {
		return err
	}
	if ownerOf(info) != want.owner {
		giveTo(name, want.owner)
	} else if info.Mode() == want.mode {
		return nil
	}
	return os.Chmod(name, want.mode)
}
