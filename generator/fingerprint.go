package generator

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"io/fs"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/output"
)

// Fingerprint says what the seeds on disk are, without reading them as seeds.
type Fingerprint struct {
	all    [sha256.Size]byte // every file below the root: its name and its bytes
	shared [sha256.Size]byte // the same without cases/
	stats  [sha256.Size]byte // names, sizes and times
}

// TakeFingerprint reads every file below the root of fsys, on up to jobs
// goroutines. Hidden files and folders are no seeds and are left out.
func TakeFingerprint(fsys fs.FS, jobs int) (Fingerprint, error) {
	files, stats, err := survey(fsys)
	if err != nil {
		return Fingerprint{}, err
	}
	sums := make([][sha256.Size]byte, len(files))
	errs := make([]error, max(jobs, 1))
	var wg sync.WaitGroup
	for w := range errs {
		wg.Go(func() {
			h := sha256.New()
			buf := make([]byte, 64<<10)
			for i := w; i < len(files) && errs[w] == nil; i += len(errs) {
				errs[w] = sumFile(fsys, files[i], h, buf, &sums[i])
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return Fingerprint{}, err
	}
	f := Fingerprint{stats: stats}
	all, shared := sha256.New(), sha256.New()
	for i, name := range files {
		line := append(append([]byte(name), 0), sums[i][:]...)
		all.Write(line)
		if !strings.HasPrefix(name, "cases/") {
			shared.Write(line)
		}
	}
	all.Sum(f.all[:0])
	shared.Sum(f.shared[:0])
	return f, nil
}

// Still reports whether, by names, sizes and times, the seeds are those that the
// fingerprint was taken of.
func (f Fingerprint) Still(fsys fs.FS) bool {
	_, stats, err := survey(fsys)
	return err == nil && stats == f.stats
}

// survey lists the files below the root in order, with a digest of what the
// file system says of them.
func survey(fsys fs.FS) (files []string, stats [sha256.Size]byte, err error) {
	h := sha256.New()
	err = fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return nil
		}
		info, err := fs.Stat(fsys, name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fs.ErrInvalid // what it gives cannot be told beforehand
		}
		files = append(files, name)
		line := append([]byte(name), 0)
		line = binary.AppendVarint(line, info.Size())
		h.Write(binary.AppendVarint(line, info.ModTime().UnixNano()))
		return nil
	})
	h.Sum(stats[:0])
	return files, stats, err
}

func sumFile(fsys fs.FS, name string, h hash.Hash, buf []byte, sum *[sha256.Size]byte) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h.Reset()
	// Without the wrapper the file would bring a buffer of its own.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, buf); err != nil {
		return err
	}
	h.Sum(sum[:0])
	return nil
}

// Key is the key of a whole build: of these seeds, by this program, with these
// settings, which may be any text that tells them apart.
func (f Fingerprint) Key(program, settings string) output.Key {
	return output.KeyOf("build", string(f.all[:]), program, settings)
}
