package output

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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

// readSpare gets ready to clear the spare tree; nil where there is none.
func (b *build) readSpare(site ledger) (*drainer, error) {
	if _, err := os.Lstat(b.spare()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	spare, err := readPublished(b.spare(), b.files)
	if err == nil && spare.id == "" {
		err = fmt.Errorf("%s holds no %s: %w", b.spare(), ManifestName, ErrForeign)
	}
	if err != nil {
		return nil, fmt.Errorf("the tree kept from an earlier build cannot be used: %w; remove %s and build again", err, b.spare())
	}
	return &drainer{target: b.target, root: b.spare(), old: spare.owned(), next: site, fork: newForker(b.jobs)}, nil
}

// dropSpare removes the spare tree, if there is one, beside a site of these files.
func (b *build) dropSpare(site ledger) error {
	d, err := b.readSpare(site)
	if err != nil || d == nil {
		return err
	}
	return d.run()
}

// buildOnSpare makes the spare tree, if there is one, the staging tree, and gives it
// the new files. What somebody has put into it is moved to the site before, as a
// build that is killed leaves its staging tree to be removed.
func (b *build) buildOnSpare(ctx context.Context) error {
	d, err := b.readSpare(b.old.owned())
	if err != nil || d == nil {
		return err
	}
	d.keep = true
	if err := d.clear(); err != nil {
		return err
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

// change takes from a tree what the new one does not have, of the files that it had,
// and puts the new files in.
func (b *build) change(a *applier, had ledger) error {
	if err := a.remove(append(had.without(ledger{b.next, b.retained}), ownNames()...)); err != nil {
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
