package replica

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/remote"
)

// stage is the work folder: what was received and is not in place yet, each file
// whole. A run that is killed leaves it for the next one.
type stage struct {
	dir               string
	received, resumed atomic.Int64

	mu      sync.Mutex
	trusted []string        // files that nothing says the digest of
	own     map[string]bool // what this run received
}

func newStage(dir string) *stage {
	dir = filepath.Clean(dir)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return &stage{own: map[string]bool{}, dir: filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+".sync")}
}

// name is that of what was received for a path: the same only where its digest,
// or the state of the library that it was received for, is.
func (s *stage) name(path, digest string) string {
	return filepath.Join(s.dir, remote.Sum([]byte(path + "\n" + digest))[:40])
}

// trust notes a file that nothing says the digest of.
func (s *stage) trust(path, digest string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trusted = append(s.trusted, s.name(path, digest))
}

// doubt removes what only the host vouches for: a run has failed, and it may be
// for what one of these files says.
func (s *stage) doubt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.trusted {
		os.Remove(name)
	}
}

// find is what a run before received, if it is what it has to be.
func (s *stage) find(path, digest string, right func([]byte) bool) (tag string, ok bool) {
	name := s.name(path, digest)
	b, err := os.ReadFile(name)
	if err != nil || !right(b) {
		return "", false
	}
	t, err := os.ReadFile(name + ".tag")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.own[name] {
		s.own[name] = true // counted once
		s.resumed.Add(1)
	}
	return string(t), true
}

// put keeps what was received.
func (s *stage) put(path, digest string, body []byte, tag string) error {
	name := s.name(path, digest)
	if tag != "" {
		if err := write(name+".tag", []byte(tag)); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.own[name] = true
	s.mu.Unlock()
	return write(name, body)
}

// write makes a file that is whole or not there.
func write(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "new-")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// take is a file that was received.
func (s *stage) take(path, digest string) source {
	return func(dst *bytes.Buffer) error {
		b, err := os.ReadFile(s.name(path, digest))
		dst.Write(b)
		return err
	}
}

// clear ends the work: all is in place.
func (s *stage) clear() { os.RemoveAll(s.dir) }
