package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"
)

// stageWriter writes files into the staging tree, making each folder once. It
// is for concurrent use.
type stageWriter struct {
	root  string
	spare bool // there may be files already, of an earlier build

	mu   sync.Mutex
	made map[string]bool // folders; "." is made by start
}

// start makes the staging tree's root.
func (s *stageWriter) start() error {
	s.made = map[string]bool{".": true}
	return os.Mkdir(s.root, 0o777)
}

// write makes the file, which must not be there.
func (s *stageWriter) write(p string, data []byte) error {
	if err := s.folder(path.Dir(p)); err != nil {
		return err
	}
	f, err := os.OpenFile(join(s.root, p), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// link makes p in the staging tree another name of the entry at from.
func (s *stageWriter) link(from, p string, mode fs.FileMode) error {
	if err := s.folder(path.Dir(p)); err != nil {
		return err
	}
	err := linkEntry(from, join(s.root, p), mode)
	if err != nil && noLink(err) {
		return fmt.Errorf("%w: %w", ErrNoSwap, err)
	}
	return err
}

// onSpare says that the staging tree is another one now, which has files and folders.
func (s *stageWriter) onSpare() {
	s.spare, s.made = true, map[string]bool{".": true}
}

// have makes p in the staging tree another name of the file at from, if it is not
// one already.
func (s *stageWriter) have(from, p string) error {
	if !s.spare {
		return s.link(from, p, 0)
	}
	if err := s.folder(path.Dir(p)); err != nil {
		return err
	}
	name := join(s.root, p)
	is, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s.link(from, p, 0)
	}
	if err != nil {
		return err
	}
	want, err := os.Lstat(from)
	if err != nil || os.SameFile(is, want) {
		return err
	}
	if err := os.Remove(name); err != nil {
		return err
	}
	return s.link(from, p, 0)
}

// folder makes a folder and those above it.
func (s *stageWriter) folder(dir string) error {
	s.mu.Lock()
	made := s.made[dir]
	s.mu.Unlock()
	if made {
		return nil
	}
	if err := s.folder(path.Dir(dir)); err != nil {
		return err
	}
	// Another worker may have made it just now. A file of that name is an
	// error too, which the next step meets as "not a directory".
	if err := os.Mkdir(join(s.root, dir), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	s.mu.Lock()
	s.made[dir] = true
	s.mu.Unlock()
	return nil
}
