package output

import (
	"crypto/sha256"
	"encoding/hex"
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
	exists   bool   // the folder is there
	id       string // the manifest's; empty where there is none
	manifest Manifest
	retained Manifest
	keys     *keyring
	note     []byte // as it is stored
}

// owned is everything of ours that the folder may hold.
func (p *published) owned() ledger { return ledger{p.manifest, p.retained} }

// readPublished reads the manifest and the retained assets of the tree at dir.
// A missing folder, and one without a manifest, hold nothing of ours. The files
// are those that are to be published there, sorted, as most are there already.
func readPublished(dir string, files []File) (*published, error) {
	p := &published{keys: &keyring{}}
	_, err := os.Lstat(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	p.exists = err == nil
	if p.exists {
		var owned ledger
		if owned, p.id, err = readLedger(dir, files); err != nil {
			return nil, err
		}
		p.manifest, p.retained = owned[0], owned[1]
	}
	if p.id != "" {
		p.keys = readKeys(dir, p.manifest, p.id)
		p.note = readNoteIn(dir)
	}
	return p, nil
}

// readLedger reads what of a folder is ours, and the manifest's id, which is empty
// where there is none.
func readLedger(dir string, files []File) (l ledger, id string, err error) {
	if l[0], id, err = readManifest(join(dir, ManifestName), shared(files)); err == nil {
		l[1], _, err = readManifest(join(dir, RetainedName), checked)
	}
	return l, id, err
}

// readManifest reads a manifest and its id, which is empty where there is none.
func readManifest(name string, paths namer) (m Manifest, id string, err error) {
	text, _, notRegular, err := readAtMost(name, largestOwn)
	switch {
	case notRegular:
		return nil, "", fmt.Errorf("%s is not a regular file: %w", name, ErrForeign)
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", nil
	case err != nil && !errors.Is(err, errTooLong):
		return nil, "", err
	}
	if err == nil {
		m, err = parseManifest(text, paths)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s is damaged, so it does not say which files may be replaced: %w; "+
			"restore it, or empty the folder and build again", name, err)
	}
	sum := sha256.Sum256(text) // it is what ID would make the text of again
	return m, hex.EncodeToString(sum[:]), nil
}

// checkOwner refuses a folder that is not ours: one without a manifest that
// holds anything but entries whose names begin with a dot. Those (.git,
// .gitkeep, .nojekyll) are what a folder made ready for a site may hold.
func (p *published) checkOwner(dir string) error {
	if !p.exists || p.id != "" {
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
func (p *published) retain(next Manifest, id string) Manifest {
	if id == p.id {
		return Retain(next, p.retained)
	}
	return Retain(next, p.manifest)
}

// Retain are the assets among candidates, the files of the build before, that
// next does not have and has room for: pages that a reader has open refer to
// them.
func Retain(next, candidates Manifest) Manifest {
	dropped := candidates.without(next)
	dropped = slices.DeleteFunc(dropped, func(e Entry) bool { return e.Kind != Asset })
	keys := newFolder()
	taken := map[string]bool{} // by files, and by their folders with a slash behind
	for key := range next.near(dropped.paths(), keys) {
		taken[key] = true
		for d := path.Dir(key); d != "." && !taken[d+"/"]; d = path.Dir(d) {
			taken[d+"/"] = true
		}
	}
	return slices.DeleteFunc(dropped, func(e Entry) bool { return !fits(keys.key(e.Path), taken) })
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
