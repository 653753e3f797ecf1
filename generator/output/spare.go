package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"sync/atomic"
	"time"
)

// The spare tree is the site as it was before the last swap: most of its files are
// further names of those of the site. A build that swaps makes its own tree of it,
// by changing what differs, instead of giving every file a name first and taking one
// away afterwards. Nothing that the spare tree holds is believed: a file in it
// counts only if it is the very file that the site has.

// onlyInOld is how many bytes are in files that the old tree has and the new one has
// not.
func (b *build) onlyInOld() (size int64) {
	shared := make([]bool, len(b.old.manifest))
	for i, at := range b.was {
		if at >= 0 && !b.fresh[i] {
			shared[at] = true
		}
	}
	var alone Manifest
	for i, e := range b.old.manifest {
		if !shared[i] {
			alone = append(alone, e)
		}
	}
	for _, m := range []Manifest{alone, b.old.retained.without(b.next)} {
		for _, e := range m.without(b.retained) {
			size += e.Size
		}
	}
	return size
}

// keepOld makes the old tree the spare one, after a swap. What is foreign in it is in
// the site too by now; here it goes.
func (b *build) keepOld(d *drainer) error {
	t := tidier{drainer: d, since: b.walked, mixed: b.mixed}
	if err := t.folder(".", d.old, false); err != nil {
		return err
	}
	since := strconv.FormatInt(b.walked.UnixNano(), 10)
	if err := os.WriteFile(b.sincePath(), []byte(since), 0o600); err != nil {
		return err
	}
	if err := os.Rename(b.sincePath(), d.in(sinceName)); err != nil {
		return err
	}
	return os.Rename(b.stage(), b.spare())
}

// readSpare gets ready to clear the spare tree, beside a site of these files; nil
// where there is none.
func (b *build) readSpare(site ledger) (*drainer, error) {
	info, err := os.Lstat(b.spare())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var owned ledger
	var id string
	if info.IsDir() { // and no link to what is somebody else's
		owned, id, err = readLedger(b.spare(), b.files)
	}
	if err == nil && id == "" {
		err = fmt.Errorf("%s holds no %s: %w", b.spare(), ManifestName, ErrForeign)
	}
	if err != nil {
		return nil, fmt.Errorf("the tree kept from an earlier build cannot be used: %w; remove %s and build again", err, b.spare())
	}
	return &drainer{target: b.target, root: b.spare(), old: owned, next: site, fork: newForker(b.jobs), late: true, coming: b.next}, nil
}

// dropSpare removes the spare tree, if there is one, beside a site of these files.
// It gets another name first, by which a later build goes on where this one is killed.
func (b *build) dropSpare(site ledger) error {
	d, err := b.readSpare(site)
	if err != nil || d == nil {
		return err
	}
	d.root = b.dropped()
	if err := os.Rename(b.spare(), d.root); err != nil {
		return err
	}
	return d.run()
}

// completeDrop goes on removing what was a spare tree. If its manifest is gone, so is
// all that it listed.
func completeDrop(t *target, jobs int) error {
	info, err := os.Lstat(t.dropped())
	if err != nil || !info.IsDir() {
		return nil
	}
	if _, err := os.Lstat(t.dir); err != nil {
		return nil // what may have to be moved to the site has to wait for one
	}
	d := drainer{target: t, root: t.dropped(), fork: newForker(jobs), late: true}
	if d.old, _, err = readLedger(d.root, nil); err != nil {
		return err
	}
	if d.next, _, err = readLedger(t.dir, nil); err != nil {
		return err
	}
	if err := d.run(); err != nil {
		return fmt.Errorf("clear %s: %w", d.root, err)
	}
	return nil
}

// buildOnSpare makes the spare tree, if there is one, the staging tree, and gives it
// the new files. What somebody has put into it is moved to the site before, as a
// build that is killed leaves its staging tree to be removed.
func (b *build) buildOnSpare(ctx context.Context) error {
	d, err := b.readSpare(b.old.owned())
	if err != nil || d == nil {
		return err
	}
	t := tidier{drainer: d, since: spareSince(b.spare())}
	if err := t.folder(".", d.old, false); err != nil {
		return err
	}
	if t.others.Load() {
		return b.dropSpare(d.next)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	made := target{dir: b.stage(), work: b.aside()} // as if the new files were staged for the spare tree
	if err := os.Mkdir(made.work, 0o700); err != nil {
		return err
	}
	if err := os.Rename(b.stage(), made.stage()); err != nil {
		return err
	}
	if err := os.Rename(b.spare(), b.stage()); err != nil {
		return err
	}
	if err := b.likeOld(); err != nil {
		return err
	}
	return b.change(&applier{target: &made, jobs: b.jobs}, d.old)
}

// spareSince is from when on the spare tree may have been changed; long ago where
// nothing says when.
func spareSince(dir string) time.Time {
	ns, err := strconv.ParseInt(string(readOwn(dir, sinceName)), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

// tidier moves what is foreign out of a tree and leaves the rest. Folders that have
// not changed since a time, by the clock of their file system, hold nothing new and
// are not read.
type tidier struct {
	*drainer
	since time.Time
	mixed map[string]bool // folders that held something foreign before

	others atomic.Bool // a folder is somebody else's: it cannot be made like that of the site
}

// folder tidies a folder, of which it is given what is ours, and those in it; all of
// them, where the folder may have come with them from elsewhere.
func (t *tidier) folder(dir string, ours ledger, all bool) error {
	is, err := statusOf(t.in(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !is.folder { // then the folder above has changed, and was read
		return err
	}
	if is.others {
		t.others.Store(true)
	} else if is.shut {
		if err := os.Chmod(t.in(dir), 0o700); err != nil {
			return err
		}
	}
	changed := !is.changed.Before(t.since)
	all = all || changed && dir != "."
	if all || changed || t.mixed[dir] {
		if err := t.sweep(dir, ours); err != nil {
			return err
		}
	}
	below := ours.below(dir)
	return t.fork.each(len(below), func(i int) error { return t.folder(below[i], ours.in(below[i]), all) })
}

// sweep moves away what is foreign in one folder.
func (t *tidier) sweep(dir string, ours ledger) error {
	entries, err := t.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if ours := ours.in(p); ours.empty() {
				err = t.below(p, ours)
			}
		case e.Type().IsRegular() && ours.has(p), ownName(p), p == sinceName:
		default:
			err = t.rescue(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// change takes from a tree what differs in the new one, of the files that it had, with
// the folders that this leaves empty, which are made anew; and puts the new files in.
func (b *build) change(a *applier, had ledger) error {
	var same Manifest
	for i, e := range b.next {
		if !b.fresh[i] {
			same = append(same, e)
		}
	}
	if err := a.remove(append(had.without(ledger{same, b.retained}), append(ownNames(), sinceName)...)); err != nil {
		return err
	}
	b.staging.onSpare()
	var puts []string
	for i, e := range b.next {
		if !b.fresh[i] {
			continue
		}
		if err := b.staging.folder(path.Dir(e.Path)); err != nil {
			return err
		}
		puts = append(puts, e.Path)
	}
	if err := a.put(puts); err != nil {
		return err
	}
	return os.RemoveAll(a.work)
}
