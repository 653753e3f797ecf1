package generator

import (
	"context"
	"io/fs"
	"slices"

	"benchlet.com/incidentlib/generator/check"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

// Loader makes libraries of the same seeds again and again. It reads only what
// it was told to forget, and shares with the library before what did not change.
// What it makes is what [Load] and [Files] would make; that it costs less is all
// that can be told. It is used by one goroutine at a time.
type Loader struct {
	fsys  fs.FS
	dir   string
	store *seed.Store
	rules check.Memory
	last  *library.Library // the last one without a problem
}

// NewLoader makes a loader that has read nothing yet; its arguments are those of
// [Load].
func NewLoader(fsys fs.FS, dir string, jobs int) *Loader {
	return &Loader{fsys: fsys, dir: dir, store: seed.NewStore(fsys, dir, jobs)}
}

// Forget drops what was read of files and folders, named from the root of the
// seeds.
func (l *Loader) Forget(names []string) { l.store.Forget(names) }

// Load reads what is not kept, checks the whole and indexes it, the two at once:
// seeds are without a fault most of the time. The library is nil when there are
// problems, or when ctx ended.
func (l *Loader) Load(ctx context.Context) (*library.Library, []problem.Problem) {
	r := l.store.Read(ctx)
	if ctx.Err() != nil {
		return nil, nil
	}
	indexed := make(chan *library.Library, 1)
	if readable := r.Collection.Vocabulary != nil && len(problem.Errors(r.Problems)) == 0; readable {
		go func() { indexed <- l.index(r.Collection) }()
	} else {
		indexed <- nil
	}
	problems := problem.Errors(slices.Concat(r.Problems, l.rules.Run(r)))
	lib := <-indexed
	if _, problems = placed(l.fsys, l.dir, r, problems); len(problems) > 0 {
		return nil, problems
	}
	l.last = lib
	return lib, nil
}

func (l *Loader) index(c *incident.Collection) *library.Library {
	if l.last == nil {
		return library.New(c)
	}
	return l.last.With(c)
}
