package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/watch"
)

// Seeds are a folder of seeds, whose files are rendered when they are asked for.
type Seeds struct {
	dir     string
	design  *generator.Design
	log     *slog.Logger
	count   int // of editions made, for their keys
	current atomic.Pointer[Edition]
	root    *os.Root
	loader  *generator.Loader
	plan    *generator.Plan // nil before the first
}

// NewSeeds reads a folder of seeds, and follows what changes in it until ctx ends.
// While the seeds are broken the last good ones stay.
func NewSeeds(ctx context.Context, dir string, d *generator.Design, log *slog.Logger) (*Seeds, []problem.Problem, error) {
	s := &Seeds{dir: filepath.Clean(dir), design: d, log: log}
	w, err := watch.New(ctx, []string{s.dir}, watch.Options{Notice: func(msg string) { log.Warn(msg) }})
	if err != nil {
		return nil, nil, err
	}
	problems, err := s.load(ctx, nil)
	if err != nil || s.current.Load() == nil {
		w.Close()
		return nil, problems, err
	}
	go s.follow(ctx, w)
	return s, nil, nil
}

// Edition is the library of the last good seeds.
func (s *Seeds) Edition(context.Context) (*Edition, error) { return s.current.Load(), nil }

// follow makes an edition of every change.
func (s *Seeds) follow(ctx context.Context, w *watch.Watcher) {
	for batch := range w.Batches() {
		changed := &batch
		if batch.All {
			changed = nil
		}
		problems, err := s.load(ctx, changed)
		if ctx.Err() != nil {
			continue
		}
		if err != nil {
			s.log.Error("the seeds cannot be read; the last good ones stay", "error", err)
		}
		for _, p := range problems {
			s.log.Error("a problem in the seeds; the last good ones stay", "problem", p.String())
		}
	}
}

// load makes an edition of the seeds; changed is nil to read everything anew.
func (s *Seeds) load(ctx context.Context, changed *watch.Batch) ([]problem.Problem, error) {
	if err := s.open(changed); err != nil {
		return nil, err
	}
	lib, problems := s.loader.Load(ctx)
	if lib == nil {
		return problems, ctx.Err()
	}
	plan, err := s.plan.Next(lib, s.design)
	if err != nil {
		return nil, err
	}
	s.plan = plan
	s.count++
	s.current.Store(&Edition{Key: strconv.Itoa(s.count), Open: planned(plan)})
	return nil, nil
}

// open has the loader forget what changed, or begins anew where the folder is
// another one.
func (s *Seeds) open(changed *watch.Batch) error {
	is, err := os.Stat(s.dir)
	if err != nil {
		return err
	}
	if s.root != nil && changed != nil {
		if was, err := s.root.Stat("."); err == nil && os.SameFile(was, is) {
			var names []string
			for _, file := range slices.Concat(changed.Changed, changed.Removed) {
				if rel, err := filepath.Rel(s.dir, file); err == nil && filepath.IsLocal(rel) {
					names = append(names, filepath.ToSlash(rel))
				}
			}
			s.loader.Forget(names)
			return nil
		}
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	if s.root != nil {
		s.root.Close()
	}
	s.root, s.loader = root, generator.NewLoader(root.FS(), s.dir, runtime.GOMAXPROCS(0))
	return nil
}

// planned opens the files of a plan by rendering them.
func planned(p *generator.Plan) func(ctx context.Context, name string) ([]byte, error) {
	rest, search := byPath(p.Rest), byPath(p.Search)
	return func(_ context.Context, name string) ([]byte, error) {
		f, ok := fileOf(p, name)
		if !ok {
			f, ok = rest()[name]
		}
		if !ok && address.IsSearchFile(name) {
			f, ok = search()[name]
		}
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return b.Bytes(), nil
	}
}

// byPath are files by their paths, asked for once.
func byPath(files func() []output.File) func() map[string]output.File {
	return sync.OnceValue(func() map[string]output.File {
		out := map[string]output.File{}
		for _, f := range files() {
			out[f.Path] = f
		}
		return out
	})
}

// fileOf finds a file of a case by its path, which has the case's id in it.
func fileOf(p *generator.Plan, name string) (output.File, bool) {
	for part := range strings.SplitSeq(name, "/") {
		if id := strings.TrimSuffix(strings.TrimSuffix(part, ".json"), ".md"); incident.ValidID(id) {
			for _, f := range p.Case(id) {
				if f.Path == name {
					return f, true
				}
			}
		}
	}
	return output.File{}, false
}
