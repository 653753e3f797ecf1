package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// target is a locked folder to publish into.
type target struct {
	dir    string // absolute; not itself a symbolic link
	exists bool   // dir was there when it was locked
	work   string // the work folder, on the same file system
	lock   *os.File

	// committed: work on dir has begun, and the work folder is needed to
	// finish it, now or in the next run.
	committed bool
}

func (t *target) stage() string       { return join(t.work, stageName) }
func (t *target) spare() string       { return join(t.work, spareName) }
func (t *target) dropped() string     { return join(t.work, droppedName) }
func (t *target) aside() string       { return join(t.work, asideName) }
func (t *target) sincePath() string   { return join(t.work, sinceName) }
func (t *target) journalPath() string { return join(t.work, journalName) }
func (t *target) swapPath() string    { return join(t.work, swapName) }

// at is where the site's file p is on disk.
func (t *target) at(p string) string { return join(t.dir, p) }

// staged is where the site's file p waits for being published.
func (t *target) staged(p string) string { return join(t.stage(), p) }

// join is filepath.Join for a clean folder and a clean slash-separated path,
// which need no cleaning: it is called for every file, several times.
func join(dir, p string) string {
	return dir + string(filepath.Separator) + filepath.FromSlash(p)
}

// lockTarget finds the folder, makes the work folder and takes the lock.
func lockTarget(dir string, inPlace bool) (*target, error) {
	t := &target{}
	var err error
	if t.dir, t.exists, err = resolve(dir); err != nil {
		return nil, err
	}
	if !inPlace && t.exists && !canSwap {
		return nil, fmt.Errorf("publish to %s: %w", t.dir, ErrNoSwap)
	}
	if t.work, err = t.placeWork(inPlace); err != nil {
		return nil, fmt.Errorf("publish to %s: %w", t.dir, err)
	}
	if t.lock, err = lockIn(t.work); err != nil {
		return nil, fmt.Errorf("publish to %s: %w", t.dir, err)
	}
	return t, nil
}

// resolve makes dir absolute, goes through it when it is a symbolic link, and
// makes its parents when it is missing.
func resolve(dir string) (abs string, exists bool, err error) {
	if dir == "" {
		return "", false, errors.New("no folder to publish to")
	}
	if abs, err = filepath.Abs(dir); err != nil {
		return "", false, err
	}
	info, err := os.Lstat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return abs, false, os.MkdirAll(filepath.Dir(abs), 0o777)
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		link := abs
		if abs, err = filepath.EvalSymlinks(link); err != nil {
			return "", false, fmt.Errorf("%s leads nowhere: %w", link, err)
		}
		info, err = os.Lstat(abs)
	}
	if err != nil {
		return "", false, err
	}
	if !info.IsDir() {
		return "", false, fmt.Errorf("%s is not a folder", abs)
	}
	if filepath.Dir(abs) == abs {
		return "", false, fmt.Errorf("%s is the root of a file system, not a folder for a site", abs)
	}
	return abs, true, nil
}

// placeWork decides where the work folder is and makes it: beside the folder,
// or inside when files could not be moved over from there.
func (t *target) placeWork(inPlace bool) (string, error) {
	parent, base := filepath.Split(t.dir)
	beside := filepath.Join(parent, "."+base+workSuffix)
	if t.exists && !sameMount(parent, t.dir) {
		if !inPlace {
			return "", fmt.Errorf("it is a mount point: %w", ErrNoSwap)
		}
		return t.at(insideWork), nil
	}
	err := makeWork(beside)
	if err == nil {
		return beside, nil
	}
	if errors.Is(err, ErrForeign) || !t.exists || !inPlace {
		return "", err
	}
	return t.at(insideWork), nil
}

// makeWork makes the work folder, or accepts the one that is there.
func makeWork(work string) error {
	err := os.Mkdir(work, 0o700)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(work)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is in the way: %w", work, ErrForeign)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // another build has just ended; lockIn tries again
	}
	return err
}

// Lock takes the lock in a work folder, which is made when it is missing, for work
// that comes before a call of Publish. The error is ErrBusy where another has it.
// The release removes the folder, too, when nothing is left in it.
func Lock(work string) (release func(), err error) {
	f, err := lockIn(work)
	if err != nil {
		return nil, err
	}
	return func() {
		_ = dropLock(f) // it may be gone with the folder
		_ = os.Remove(work)
	}, nil
}

// lockIn takes the lock in the work folder. A build that ends removes both, so
// the lock counts only if its file is still the one that others would open.
func lockIn(work string) (*os.File, error) {
	name := filepath.Join(work, lockName)
	for range 100 {
		if err := makeWork(work); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := tryLock(f); err != nil {
			f.Close()
			return nil, err
		}
		mine, errMine := f.Stat()
		current, err := os.Lstat(name)
		if errMine == nil && err == nil && os.SameFile(mine, current) {
			return f, nil
		}
		f.Close()
	}
	return nil, ErrBusy
}

// release removes the work folder, unless the folder's next build needs it,
// and drops the lock.
func (t *target) release() error {
	var err error
	if !t.committed {
		err = t.clean()
	}
	err = errors.Join(err, dropLock(t.lock))
	_ = os.Remove(t.work) // stays when it is not empty
	return err
}

// clean removes what a build that has not begun to change the folder leaves.
func (t *target) clean() error {
	var errs []error
	for _, name := range []string{t.stage(), t.aside(), t.sincePath(), t.journalPath() + tmpSuffix, t.swapPath() + tmpSuffix} {
		errs = append(errs, os.RemoveAll(name))
	}
	return errors.Join(errs...)
}
