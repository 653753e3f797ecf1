package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// publishInPlace writes down what is to be done, does it, and tears up the
// note.
func (b *build) publishInPlace(ctx context.Context) error {
	j, err := b.plan()
	if err != nil {
		return err
	}
	if err := b.precheck(j); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := writeWhole(b.journalPath(), j.text()); err != nil {
		return err
	}
	b.committed = true
	if err := j.apply(b.target, b.jobs); err != nil {
		return fmt.Errorf("the folder holds a part of the new site, which the next build completes: %w", err)
	}
	return nil
}

// plan sorts what changed into the journal's steps, and stages the package's
// own files.
func (b *build) plan() (*journal, error) {
	info, err := os.Lstat(b.dir)
	if err != nil {
		return nil, err
	}
	j := &journal{folder: identity(info)}
	for _, kind := range []Kind{Asset, Data, Page} {
		list := &j.others
		if kind == Asset {
			list = &j.assets
		}
		for i, f := range b.files {
			if b.fresh[i] && f.Kind == kind {
				*list = append(*list, f.Path)
			}
		}
	}
	for _, p := range b.removed {
		if len(b.next.in(p)) > 0 || underFile(b.next, p) {
			j.clear = append(j.clear, p)
		} else {
			j.remove = append(j.remove, p)
		}
	}
	for _, own := range b.ownFiles() {
		text := own.text()
		if text == nil {
			j.remove = append(j.remove, own.name)
			continue
		}
		j.own = append(j.own, own.name)
		if err := b.staging.write(own.name, text); err != nil {
			return nil, err
		}
	}
	slices.Sort(j.own) // keys without their manifest say nothing, so they may come first
	return j, nil
}

// underFile reports whether p is in a folder that is to become a file.
func underFile(next Manifest, p string) bool {
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		if _, ok := next.find(d); ok {
			return true
		}
	}
	return false
}

// precheck meets, before anything is done, what would stop the work half-way:
// a foreign file that has appeared since we compared, and a folder that we may
// not write to.
func (b *build) precheck(j *journal) error {
	for _, p := range slices.Concat(j.assets, j.others) {
		if b.compare.owned.has(p) {
			continue
		}
		info, err := os.Lstat(b.at(p))
		if err == nil && !info.IsDir() && !b.compare.aliases()[newFolder().key(p)] {
			return inTheWay(b.dir, p, p)
		}
	}
	all := slices.Concat(j.clear, j.assets, j.others, j.remove)
	for _, d := range append(foldersOf(all), ".") {
		state, err := b.compare.folders.look(d)
		if err != nil {
			return err
		}
		if state.is == present {
			if err := writable(b.at(d)); err != nil {
				return err
			}
		}
	}
	return nil
}

// apply does what the journal says, whether for the first time or again, and
// removes it.
func (j *journal) apply(t *target, jobs int) error {
	a := applier{target: t, jobs: jobs}
	if err := a.remove(j.clear); err != nil {
		return err
	}
	if err := a.makeFolders(slices.Concat(j.assets, j.others)); err != nil {
		return err
	}
	for _, puts := range [][]string{j.assets, j.others} {
		if err := a.put(puts); err != nil {
			return err
		}
	}
	if err := a.remove(j.remove); err != nil {
		return err
	}
	if err := a.put(j.own); err != nil {
		return err
	}
	if err := os.Remove(t.journalPath()); err != nil {
		return err
	}
	t.committed = false
	return nil
}

// applier carries out a journal's steps.
type applier struct {
	*target
	jobs int
}

// makeFolders makes the folders for files to put in place.
func (a *applier) makeFolders(puts []string) error {
	dirs, err := newFolders(a.dir)
	if err != nil {
		return err
	}
	for _, d := range foldersOf(puts) {
		state, err := dirs.look(d)
		switch {
		case err != nil:
			return err
		case state.is == missing:
			if err := os.Mkdir(a.at(d), 0o777); err != nil {
				return err
			}
			dirs.known[d] = folderState{is: present}
		case state.is != present:
			return inTheWay(a.dir, dirs.block(d), d)
		}
	}
	return nil
}

// put renames staged files into place. One that is not staged any more was
// put in place before.
func (a *applier) put(paths []string) error {
	return parallel(context.Background(), a.jobs, len(paths), func(_, i int) error {
		err := os.Rename(a.staged(paths[i]), a.at(paths[i]))
		if err == nil {
			return nil
		}
		if info, errThere := os.Lstat(a.at(paths[i])); errThere == nil && info.IsDir() {
			return inTheWay(a.dir, paths[i], paths[i]) // it came since the files were compared
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_, missing := os.Lstat(a.at(paths[i]))
		return missing
	})
}

// remove deletes files of ours, as far as they are there, and the folders
// that this leaves empty. What is no regular file now is somebody else's, and
// so is what a symbolic link leads to.
func (a *applier) remove(paths []string) error {
	dirs, err := newFolders(a.dir)
	if err != nil {
		return err
	}
	var gone []string
	for _, p := range paths {
		state, err := dirs.look(path.Dir(p))
		if err != nil {
			return err
		}
		if state.is == present {
			gone = append(gone, p)
		}
	}
	err = parallel(context.Background(), a.jobs, len(gone), func(_, i int) error {
		info, err := os.Lstat(a.at(gone[i]))
		if err == nil && info.Mode().IsRegular() {
			err = syscall.Unlink(a.at(gone[i]))
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return &os.PathError{Op: "remove", Path: a.at(gone[i]), Err: err}
	})
	folders := foldersOf(gone)
	slices.Reverse(folders)
	for _, d := range folders {
		_ = syscall.Rmdir(a.at(d)) // refused, as it should be, where something is left
	}
	return err
}
