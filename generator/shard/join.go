package shard

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/output"
)

// piece is the folder of one part.
type piece struct {
	dir  string
	note Note
	list output.Manifest
}

// Join are the files of the build whose parts are in these folders, in any order.
// It looks at what the folders say of themselves; each file is held to its digest
// when it is rendered.
func Join(dirs []string) ([]output.File, error) {
	pieces, err := readPieces(dirs)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(sameBuild(pieces), complete(pieces)); err != nil {
		return nil, err
	}
	return files(pieces)
}

func readPieces(dirs []string) ([]piece, error) {
	var pieces []piece
	var errs []error
	for _, dir := range dirs {
		built, err := output.Read(dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if built.Note == nil {
			errs = append(errs, fmt.Errorf("%s holds no shard, or its note is damaged; make one with build --shard K/N --out %s", dir, dir))
			continue
		}
		note, err := parseNote(built.Note)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w; remove %s and build the shard again", dir, err, filepath.Join(dir, output.NoteName)))
			continue
		}
		pieces = append(pieces, piece{dir, note, built.Manifest})
	}
	return pieces, errors.Join(errs...)
}

// sameBuild says which folders are of another build than the first.
func sameBuild(pieces []piece) error {
	var errs []error
	for _, p := range pieces[1:] {
		first := pieces[0]
		differ := func(what, remedy string) {
			errs = append(errs, fmt.Errorf("%s and %s were made %s; %s", first.dir, p.dir, what, remedy))
		}
		a, b := first.note, p.note
		switch {
		case a.Part.N != b.Part.N:
			differ(fmt.Sprintf("as shards of %d and of %d", a.Part.N, b.Part.N), "build all with the same N")
		case a.Seeds != b.Seeds:
			differ("from different seeds", "build all from the same commit")
		case a.Program != b.Program:
			differ("by different programs", "build all with one binary, or with binaries of the same commit and Go, built by go build -trimpath for the same system")
		case a.Settings != b.Settings:
			differ(fmt.Sprintf("with different settings (%s, and %s)", a.Settings, b.Settings), "build all with the same flags")
		}
	}
	return errors.Join(errs...)
}

// complete says which parts are missing or there twice.
func complete(pieces []piece) error {
	var errs []error
	at := map[int]string{}
	for _, p := range pieces {
		if other, twice := at[p.note.Part.K]; twice {
			errs = append(errs, fmt.Errorf("%s and %s are both shard %s; name one of them", other, p.dir, p.note.Part))
		}
		at[p.note.Part.K] = p.dir
	}
	n := pieces[0].note.Part.N
	var missing []string
	for k := range n {
		if _, ok := at[k+1]; !ok {
			missing = append(missing, Part{k + 1, n}.String())
		}
	}
	const enough = 10
	if more := len(missing) - enough; more > 0 {
		missing = append(missing[:enough], fmt.Sprintf("%d more", more))
	}
	if len(missing) > 0 {
		errs = append(errs, fmt.Errorf("shards are missing: %s; build each with --shard, and name its folder too", strings.Join(missing, ", ")))
	}
	return errors.Join(errs...)
}

// files are all files of the pieces, each of which one piece must have.
func files(pieces []piece) ([]output.File, error) {
	total := 0
	for _, p := range pieces {
		total += len(p.list)
	}
	out := make([]output.File, 0, total)
	of := make(map[string]string, total)
	var errs []error
	for _, p := range pieces {
		for _, e := range p.list {
			if other, twice := of[e.Path]; twice && len(errs) < 20 {
				errs = append(errs, fmt.Errorf("%s and %s both have %s, so one of them is damaged; build both shards again", other, p.dir, e.Path))
			}
			of[e.Path] = p.dir
			out = append(out, p.file(e))
		}
	}
	slices.SortFunc(out, func(a, b output.File) int { return strings.Compare(a.Path, b.Path) })
	return out, errors.Join(errs...)
}

// file is a file as its piece holds it. Its key is its digest: what was joined
// before and is the same is not read again.
func (p piece) file(e output.Entry) output.File {
	return output.File{Path: e.Path, Kind: e.Kind,
		Render: func(dst *bytes.Buffer) error { return p.read(dst, e) },
		Key: func() (k output.Key) {
			copy(k[:], e.SHA256[:])
			return k
		}}
}

func (p piece) read(dst *bytes.Buffer, e output.Entry) error {
	name := filepath.Join(p.dir, filepath.FromSlash(e.Path))
	damaged := func(how string) error {
		return fmt.Errorf("%s %s; build the shard again: build --fresh --shard %s --out %s", name, how, p.note.Part, p.dir)
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return damaged("is missing")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != e.Size {
		return damaged("is not of the size that the shard's manifest lists")
	}
	dst.Grow(int(e.Size) + bytes.MinRead)
	if _, err := dst.ReadFrom(io.LimitReader(f, e.Size+1)); err != nil {
		return err
	}
	if int64(dst.Len()) != e.Size || sha256.Sum256(dst.Bytes()) != e.SHA256 {
		return damaged("is not what the shard's manifest lists")
	}
	return nil
}
