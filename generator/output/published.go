package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// published is what the folder says about itself.
type published struct {
	exists      bool // the folder is there
	hasManifest bool
	manifest    Manifest
	retained    Manifest
	owned       *ledger // both
	listed      *ledger // the manifest's
	keys        *keyring
	note        []byte // as it is stored
}

// readPublished reads the manifest and the retained assets of the tree at dir.
// A missing folder, and one without a manifest, hold nothing of ours.
func readPublished(dir string) (*published, error) {
	p := &published{}
	_, err := os.Lstat(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	p.exists = err == nil
	if p.exists {
		if p.manifest, p.hasManifest, err = readManifest(join(dir, ManifestName)); err != nil {
			return nil, err
		}
		if p.retained, _, err = readManifest(join(dir, RetainedName)); err != nil {
			return nil, err
		}
	}
	p.owned, p.listed = newLedger(p.manifest, p.retained), newLedger(p.manifest)
	p.keys = &keyring{}
	if p.hasManifest {
		p.keys = readKeys(dir, p.manifest)
		p.note = readNoteIn(dir)
	}
	return p, nil
}

// readManifest reads a manifest that may be missing.
func readManifest(name string) (m Manifest, found bool, err error) {
	text, _, notRegular, err := readAtMost(name, largestOwn)
	switch {
	case notRegular:
		return nil, false, fmt.Errorf("%s is not a regular file: %w", name, ErrForeign)
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil && !errors.Is(err, errTooLong):
		return nil, false, err
	}
	if err == nil {
		m, err = ParseManifest(text)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s is damaged, so it does not say which files may be replaced: %w; "+
			"restore it, or empty the folder and build again", name, err)
	}
	return m, true, nil
}

// checkOwner refuses a folder that is not ours: one without a manifest that
// holds anything but entries whose names begin with a dot. Those (.git,
// .gitkeep, .nojekyll) are what a folder made ready for a site may hold.
func (p *published) checkOwner(dir string) error {
	if !p.exists || p.hasManifest {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			return fmt.Errorf("%s holds %q and no %s: %w; name a folder that is new, empty or an earlier build's, "+
				"or move what is in this one away", dir, e.Name(), ManifestName, ErrForeign)
		}
	}
	return nil
}

// checkOwn refuses a folder in which something else than a file has the name of
// one of ours.
func checkOwn(dir string) error {
	for _, name := range ownNames() {
		if info, err := os.Lstat(join(dir, name)); err == nil && !info.Mode().IsRegular() {
			return inTheWay(dir, name, name)
		}
	}
	return nil
}

// retain decides which assets of the build before stay beside next: those that
// next dropped, and that nothing in next stands in the way of. A build that is
// the one before again leaves the decision as it was.
func (p *published) retain(next Manifest) Manifest {
	candidates := p.retained
	if next.ID() != p.manifest.ID() {
		candidates = p.manifest
	}
	return Retain(next, candidates)
}

// Retain are the assets among candidates, the files of the build before, that
// next does not have and has room for: pages that a reader has open refer to
// them.
func Retain(next, candidates Manifest) Manifest {
	if !slices.ContainsFunc(candidates, func(e Entry) bool { return e.Kind == Asset }) {
		return nil
	}
	keys := newFolder()
	taken := map[string]bool{} // by files, and by their folders with a slash behind
	for _, e := range next {
		key := keys.key(e.Path)
		taken[key] = true
		for d := path.Dir(key); d != "." && !taken[d+"/"]; d = path.Dir(d) {
			taken[d+"/"] = true
		}
	}
	var kept Manifest
	for _, e := range candidates {
		if e.Kind == Asset && fits(keys.key(e.Path), taken) {
			kept = append(kept, e)
		}
	}
	return kept
}

// fits reports whether a file can stand in a tree beside those taken.
func fits(key string, taken map[string]bool) bool {
	if taken[key] || taken[key+"/"] {
		return false
	}
	for d := path.Dir(key); d != "."; d = path.Dir(d) {
		if taken[d] {
			return false
		}
	}
	return true
}
