package replica

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/remote"
)

// held is the copy that a folder holds, or none. Its folder is kept open, so that
// what is read of it is of one copy even while another is put in its place.
type held struct {
	root    *os.Root // nil when there is none
	state   state
	entries []remote.Entry
	sound   bool // all that it lists is there
}

// state is what a copy says of itself.
type state struct {
	Address     string            `json:"address"`
	Higher      *bool             `json:"higher,omitempty"` // documents are not below api/
	Search      bool              `json:"search"`
	All         bool              `json:"all"`
	DataVersion string            `json:"data_version"`
	To          string            `json:"to"`   // the time of the newest change that it has
	Tags        map[string]string `json:"tags"` // the tag of each file that has no digest elsewhere
}

// open reads the copy in a folder. A folder with anything else in it is refused:
// a sync deletes what is not published any more.
func open(dir, addr string) (*held, error) {
	h := &held{state: state{Tags: map[string]string{}}}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := root.ReadFile(stateFile)
	if errors.Is(err, fs.ErrNotExist) {
		root.Close()
		return h, foreign(dir)
	}
	if err == nil {
		err = json.Unmarshal(b, &h.state)
	}
	if err == nil && h.state.Address == "" {
		err = errors.New("it names no address")
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("%s cannot be read (%w); delete the folder %s and copy anew", filepath.Join(dir, stateFile), err, dir)
	}
	if h.state.Address != addr {
		root.Close()
		return nil, fmt.Errorf("%s holds a copy of %s; give that address, or another folder", dir, h.state.Address)
	}
	h.root = root
	h.check()
	return h, nil
}

// Check reports why the copy of the library at an address cannot be kept in a folder,
// such as that it holds another one's.
func Check(addr, dir string) error {
	client, err := remote.New(addr, remote.Options{})
	if err != nil {
		return err
	}
	h, err := open(dir, client.Base())
	if err == nil {
		h.close()
	}
	return err
}

// foreign refuses a folder that holds anything.
func foreign(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s holds something else than a copy (%s and more); give a folder that is empty or new", dir, entries[0].Name())
	}
	return nil
}

// check reads the list of what the copy holds. Where that is not to be read, the
// copy is taken for none, and made anew.
func (h *held) check() {
	b, err := h.root.ReadFile(manifestFile)
	if err == nil {
		h.entries, err = remote.ParseManifest(b)
	}
	if err == nil {
		_, err = h.root.Stat(output.ManifestName)
	}
	if err != nil {
		h.entries = nil
	} else {
		h.entries, err = h.there(h.entries)
	}
	if err != nil {
		h.state.Tags, h.state.To = map[string]string{}, ""
	}
	h.sound = err == nil
	if h.state.Tags == nil {
		h.state.Tags = map[string]string{}
	}
}

// there are the entries whose documents are in the folder, of the size that they
// have; the error is for any that is not, so that the library is asked for it.
func (h *held) there(entries []remote.Entry) ([]remote.Entry, error) {
	files, err := fs.ReadDir(h.root.FS(), path.Dir(caseFile("")))
	sizes := make(map[string]int64, len(files))
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			sizes[f.Name()] = info.Size()
		}
	}
	whole := slices.DeleteFunc(slices.Clone(entries), func(e remote.Entry) bool {
		return sizes[path.Base(caseFile(e.ID))] != int64(e.Size)
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // of no case, or told below
	}
	if err == nil && len(whole) < len(entries) {
		err = errors.New("some documents are missing or cut")
	}
	return whole, err
}

func (h *held) close() {
	if h.root != nil {
		h.root.Close()
	}
}

// covers reports whether the copy has all that is asked for now.
func (h *held) covers(opt Options) bool {
	return h.root != nil && h.sound && (h.state.Search || !opt.Search) && (h.state.All || !opt.All)
}

func (h *held) byID() map[string]remote.Entry {
	out := make(map[string]remote.Entry, len(h.entries))
	for _, e := range h.entries {
		out[e.ID] = e
	}
	return out
}

// has reports whether the copy has a file.
func (h *held) has(file string) bool {
	if h.root == nil {
		return false
	}
	_, err := h.root.Stat(file)
	return err == nil
}

// same reports whether the copy has a file of these bytes.
func (h *held) same(file string, b []byte) bool {
	if h.root == nil || b == nil {
		return false
	}
	was, err := h.root.ReadFile(file)
	return err == nil && bytes.Equal(was, b)
}

// source makes the bytes of a file.
type source func(dst *bytes.Buffer) error

// keep is a file of the copy.
func (h *held) keep(file string) source {
	return func(dst *bytes.Buffer) error {
		b, err := h.root.ReadFile(file)
		dst.Write(b)
		return err
	}
}

// keepCase is the document of a case of the copy, which has to be what the list
// says: files can be spoilt on a disk, too.
func (h *held) keepCase(e remote.Entry) source {
	return func(dst *bytes.Buffer) error {
		b, err := h.root.ReadFile(caseFile(e.ID))
		if err == nil && remote.Short(b) != e.H {
			err = fmt.Errorf("%s in the copy is spoilt; delete the copy and make it anew", caseFile(e.ID))
		}
		dst.Write(b)
		return err
	}
}
