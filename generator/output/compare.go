package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
)

// comparer tells changed files from those that the folder holds already. It
// only reads, and is ready for concurrent use once survey has returned.
type comparer struct {
	root    string
	owned   ledger
	folders *folders
	aliases func() map[string]bool // keys of owned paths, for file systems that fold case
}

func newComparer(root string, owned ledger) (*comparer, error) {
	dirs, err := newFolders(root)
	if err != nil {
		return nil, err
	}
	return &comparer{root: root, owned: owned, folders: dirs, aliases: sync.OnceValue(func() map[string]bool {
		keys, aliases := newFolder(), map[string]bool{}
		for _, m := range owned {
			for i := range m {
				aliases[keys.key(m[i].Path)] = true
			}
		}
		return aliases
	})}, nil
}

// survey looks at the folder of every file, and returns the foreign entries
// that stand in the place of one.
func (c *comparer) survey(files []File) error {
	var errs []error
	seen := map[string]bool{}
	for i := range files {
		dir := path.Dir(files[i].Path)
		state, err := c.folders.look(dir)
		if err != nil {
			return err
		}
		if state.is != blockedByFile && state.is != blockedByOther {
			continue
		}
		// A file of the build before is not in the way: it will make room.
		at := c.folders.block(dir)
		if (state.is == blockedByOther || !c.owned.has(at)) && !seen[at] {
			seen[at] = true
			errs = append(errs, inTheWay(c.root, at, files[i].Path))
		}
		if len(errs) == maxErrors {
			break
		}
	}
	return errors.Join(errs...)
}

func inTheWay(root, at, p string) error {
	return fmt.Errorf("%s is in the way of %s: %w; move it away or publish elsewhere", join(root, at), p, ErrForeign)
}

// changed reports whether the folder holds something else than data at p. It
// is an ErrForeign if that is not ours.
func (c *comparer) changed(p string, data, chunk []byte) (bool, error) {
	if c.folders.known[path.Dir(p)].is != present {
		return true, nil
	}
	f, info, notRegular, err := openPublished(join(c.root, p))
	switch {
	case notRegular && info != nil && info.IsDir():
		return true, c.onlyOurs(p, p, c.owned.in(p))
	case notRegular:
		return false, inTheWay(c.root, p, p)
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	defer f.Close()
	if !c.owned.has(p) {
		if c.aliases()[newFolder().key(p)] {
			return true, nil // our own file, which this file system finds under another spelling
		}
		return false, inTheWay(c.root, p, p)
	}
	if info.Size() != int64(len(data)) {
		return true, nil
	}
	same, err := sameBytes(f, data, chunk)
	return !same, err
}

// sameBytes compares a file of the same size piece by piece.
func sameBytes(f io.Reader, data, chunk []byte) (bool, error) {
	for len(data) > 0 {
		n, err := io.ReadFull(f, chunk[:min(len(chunk), len(data))])
		if !bytes.Equal(chunk[:n], data[:n]) {
			return false, nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return false, nil // cut short since we asked for its size
		}
		if err != nil {
			return false, err
		}
		data = data[n:]
	}
	return true, nil
}

// onlyOurs returns an ErrForeign if the folder dir, which p is to replace,
// holds or is anything that is not ours. What is ours in there is given.
func (c *comparer) onlyOurs(dir, p string, ours ledger) error {
	if ours.empty() {
		return inTheWay(c.root, dir, p)
	}
	entries, err := os.ReadDir(join(c.root, dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := dir + "/" + e.Name()
		switch {
		case e.IsDir():
			if err := c.onlyOurs(name, p, ours.in(name)); err != nil {
				return err
			}
		case !e.Type().IsRegular() || !ours.has(name):
			return inTheWay(c.root, name, p)
		}
	}
	return nil
}
