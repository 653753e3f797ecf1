package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// drainer empties a tree that was the site once, as the old one after a swap. What
// the build that made it lists goes, and what is the same file in the site; anything
// else appeared or was changed between our reading and the swap, or since, and is
// moved over.
type drainer struct {
	*target
	root string // the tree
	old  ledger // what the tree's manifests list
	next ledger // what the site's do
	fork forker

	late   bool     // the tree was the site some time ago: what is in it is older than what the site has
	coming Manifest // what the site is to hold soon, of which nothing may be in the way
}

// run empties and removes the tree.
func (d *drainer) run() error {
	if err := d.folder(".", d.old); err != nil {
		return err
	}
	// The manifests go last: after a kill they say again what may go.
	for _, name := range []string{sinceName, MemoryName, KeysName, NoteName, RetainedName, ManifestName} {
		if err := d.unlink(name); err != nil {
			return err
		}
	}
	if err := syscall.Rmdir(d.root); err != nil {
		return &os.PathError{Op: "remove", Path: d.root, Err: err}
	}
	return nil
}

// in is where p is in the tree.
func (d *drainer) in(p string) string { return join(d.root, p) }

// list reads one folder of the tree, which is to be changed.
func (d *drainer) list(dir string) ([]fs.DirEntry, error) {
	if is, err := statusOf(d.in(dir)); err == nil && is.shut {
		_ = os.Chmod(d.in(dir), 0o700) // reading and changing it say why they cannot
	}
	return os.ReadDir(d.in(dir))
}

// folder empties one folder of the tree, of which it is given what is ours, and
// removes it, unless it is the root.
func (d *drainer) folder(dir string, ours ledger) error {
	entries, err := d.list(dir)
	if err != nil {
		return err
	}
	var below []string
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			below = append(below, p)
			continue
		case e.Type().IsRegular() && ours.has(p):
			err = d.unlink(p)
		case ownName(p) || p == sinceName:
		default:
			err = d.rescue(p)
		}
		if err != nil {
			return err
		}
	}
	if err := d.fork.each(len(below), func(i int) error { return d.below(below[i], ours.in(below[i])) }); err != nil {
		return err
	}
	if dir == "." {
		return nil
	}
	if err := syscall.Rmdir(d.in(dir)); err != nil {
		return &os.PathError{Op: "remove", Path: d.in(dir), Err: err}
	}
	return nil
}

// below empties a folder, or moves it over whole when the site has nothing of that
// name and it was never ours.
func (d *drainer) below(dir string, ours ledger) error {
	if !ours.empty() {
		return d.folder(dir, ours)
	}
	if len(d.coming.in(dir)) > 0 {
		return d.folder(dir, ours)
	}
	info, err := os.Lstat(d.at(dir))
	switch {
	case d.claimed(dir):
		return d.moveAside(dir)
	case errors.Is(err, fs.ErrNotExist):
		return d.move(dir, d.at(dir))
	case errors.Is(err, syscall.ENOTDIR):
		return d.moveAside(dir)
	case err != nil:
		return err
	case info.IsDir():
		return d.folder(dir, ours)
	}
	return d.moveAside(dir)
}

// rescue sees to it that a foreign file of the tree is in the site.
func (d *drainer) rescue(p string) error {
	was, err := os.Lstat(d.in(p))
	if err != nil {
		return err
	}
	is, err := os.Lstat(d.at(p))
	switch {
	case err == nil && (os.SameFile(was, is) || d.sameLink(p, was, is)):
		return d.unlink(p)
	case d.claimed(p):
		return d.moveAside(p)
	case errors.Is(err, fs.ErrNotExist):
		return d.move(p, d.at(p))
	case errors.Is(err, syscall.ENOTDIR):
		return d.moveAside(p)
	case err != nil:
		return err
	case d.late || d.next.has(p) || is.IsDir() || was.ModTime().Before(is.ModTime()):
		return d.moveAside(p)
	}
	// Somebody replaced the file after we had linked it: the site's copy is the
	// one that was replaced.
	return d.move(p, d.at(p))
}

// claimed reports whether p would be in the way of what is coming.
func (d *drainer) claimed(p string) bool {
	_, file := d.coming.find(p)
	return file || len(d.coming.in(p)) > 0 || underFile(d.coming, p)
}

// sameLink reports whether p is one symbolic link in both trees.
func (d *drainer) sameLink(p string, was, is fs.FileInfo) bool {
	if was.Mode().Type() != fs.ModeSymlink || is.Mode().Type() != fs.ModeSymlink {
		return false
	}
	a, err := os.Readlink(d.in(p))
	b, errB := os.Readlink(d.at(p))
	return err == nil && errB == nil && a == b
}

// moveAside moves an entry of the tree, whose place is taken in the site, to a name
// in the site's root that says where it was.
func (d *drainer) moveAside(p string) error {
	base := keptPrefix + strings.ReplaceAll(p, "/", "-")
	for n := 1; ; n++ {
		name := d.at(fmt.Sprintf("%s-%d", base[:min(len(base), maxSegment-20)], n))
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return d.move(p, name)
		} else if err != nil {
			return err
		}
	}
}

func (d *drainer) move(p, to string) error {
	if parent := filepath.Dir(to); parent != d.dir && os.MkdirAll(parent, 0o777) != nil {
		return d.moveAside(p)
	}
	return os.Rename(d.in(p), to)
}

// unlink removes a file of the tree, which may be gone.
func (d *drainer) unlink(p string) error {
	name := d.in(p)
	err := syscall.Unlink(name)
	if errors.Is(err, fs.ErrPermission) && os.Chmod(filepath.Dir(name), 0o700) == nil {
		err = syscall.Unlink(name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &os.PathError{Op: "remove", Path: name, Err: err}
	}
	return nil
}
