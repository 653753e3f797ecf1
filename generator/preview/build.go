package preview

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/watch"
)

// edits are what changed on disk since a state was made.
type edits struct {
	files map[string]bool // by their names on disk; folders stand for all in them
	all   bool            // read everything anew
	since time.Time       // when the first of them was noticed
}

// with are these edits and those of a batch.
func (e edits) with(b watch.Batch) edits {
	later := edits{map[string]bool{}, b.All, time.Now()}
	for _, file := range slices.Concat(b.Changed, b.Removed) {
		later.files[file] = true
	}
	if e.none() {
		return later
	}
	return e.and(later)
}

// and are these edits and later ones.
func (e edits) and(later edits) edits {
	next := edits{map[string]bool{}, e.all || later.all, e.since}
	maps.Copy(next.files, e.files)
	maps.Copy(next.files, later.files)
	return next
}

func (e edits) none() bool { return len(e.files) == 0 && !e.all }

// state is what the server knows after a build: the last good site and what is
// wrong since. It is never changed once made.
type state struct {
	site     *site // nil when no build has succeeded yet
	build    int   // counts builds, from 1
	took     time.Duration
	changed  int      // files of the seeds, templates and assets
	problems []report // of the seeds and the templates, but for those of rendering
}

// reports are all that is wrong: what stopped the build, else what rendering the
// site met with.
func (s *state) reports() []report {
	all := append([]report{}, s.problems...)
	if s.site != nil {
		all = append(all, s.site.faults.list()...)
	}
	return all
}

// builder makes states of the seeds, again and again. It is used by one
// goroutine at a time.
type builder struct {
	opt    Options
	root   *os.Root // nil when the folder of the seeds is to be opened
	loader *generator.Loader

	library *library.Library  // the last good one
	design  *generator.Design // the last good one
	stale   bool              // templates or assets changed since
	planned *library.Library  // what the site was planned for, with its design
}

// build makes the state after some edits. It is nil when ctx ended; the edits
// are then to be given again with the next ones.
func (b *builder) build(ctx context.Context, last *state, e edits) *state {
	start := time.Now()
	next := &state{build: 1}
	if last != nil {
		*next = *last
		next.build++
	}
	next.changed = len(e.files)
	problems := slices.Concat(b.load(ctx, e), b.redesign(e))
	if ctx.Err() != nil {
		return nil
	}
	problems = append(problems, b.plan(next)...)
	problem.Sort(problems)
	next.problems = reports(problems, b.opt.open)
	next.took = time.Since(start)
	return next
}

// load makes the library anew, if the seeds are good.
func (b *builder) load(ctx context.Context, e edits) []problem.Problem {
	if err := b.open(e); err != nil {
		return []problem.Problem{{File: b.opt.Seeds, What: err.Error(), Remedy: "put the folder of the seeds in its place"}}
	}
	lib, problems := b.loader.Load(ctx)
	if lib != nil {
		b.library = lib
	}
	return problems
}

// open has the loader forget what changed, and begins anew where the folder of
// the seeds is another one.
func (b *builder) open(e edits) error {
	is, err := os.Stat(b.opt.Seeds)
	if err == nil && !is.IsDir() {
		err = fmt.Errorf("%s is not a folder", b.opt.Seeds)
	}
	if b.root != nil && err == nil && !e.all {
		if was, errWas := b.root.Stat("."); errWas == nil && os.SameFile(was, is) {
			b.loader.Forget(inside(b.opt.Seeds, e))
			return nil
		}
	}
	if b.root != nil {
		b.root.Close()
		b.root, b.loader = nil, nil
	}
	if err == nil {
		b.root, err = os.OpenRoot(b.opt.Seeds)
	}
	if err != nil {
		return fmt.Errorf("the seeds cannot be read: %w", err)
	}
	b.loader = generator.NewLoader(b.root.FS(), b.opt.Seeds, b.opt.Jobs)
	return nil
}

// inside are the edits in a folder, named from there.
func inside(folder string, e edits) []string {
	var names []string
	for file := range e.files {
		if rel, err := filepath.Rel(folder, file); err == nil && filepath.IsLocal(rel) {
			names = append(names, filepath.ToSlash(rel))
		}
	}
	return names
}

// redesign loads templates and assets when one of them changed.
func (b *builder) redesign(e edits) []problem.Problem {
	b.stale = b.stale || e.all || b.design == nil || slices.ContainsFunc(b.opt.Watch, func(folder string) bool {
		return len(inside(folder, e)) > 0
	})
	if !b.stale {
		return nil
	}
	d, err := generator.NewDesign(generator.Options{Templates: b.opt.Templates, Assets: b.opt.Assets, NoCards: b.opt.NoCards})
	if err != nil {
		return problemsOf(err) // and stale until it is mended
	}
	b.design, b.stale = d, false
	return nil
}

// plan plans the site of the last good library and design, if one of them is
// new.
func (b *builder) plan(next *state) []problem.Problem {
	if b.library == nil || b.design == nil || next.site != nil && b.planned == b.library && next.site.design == b.design {
		return nil
	}
	var before *generator.Plan
	if next.site != nil {
		before = next.site.plan
	}
	p, err := before.Next(b.library, b.design)
	if err != nil {
		return problemsOf(err)
	}
	next.site = newSite(p, b.design, b.opt.open)
	b.planned = b.library
	return nil
}

// open reads a file by the name that a problem gives it, for the lines around
// the fault.
func (o *Options) open(name string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(name, "templates/"); ok {
		return readFile(o.Templates, rest)
	}
	if rest, ok := strings.CutPrefix(name, "assets/"); ok {
		return readFile(o.Assets, rest)
	}
	return readFile(os.DirFS(o.Seeds), strings.TrimPrefix(strings.TrimPrefix(name, filepath.ToSlash(o.Seeds)), "/"))
}
