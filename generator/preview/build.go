package preview

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/problem"
)

// state is what the server knows after a build: the last good site and what is
// wrong since. It is never changed once made.
type state struct {
	*site                           // nil when no build has succeeded yet
	files      []output.File        // of the site
	collection *incident.Collection // of the site
	build      int                  // counts builds, from 1
	took       time.Duration
	changed    int // files of the seeds, templates and assets
	problems   []problem.Problem
}

func (s *state) digest(urlPath string) string {
	if s.site == nil {
		return "none"
	}
	return s.site.digest(urlPath)
}

// builder makes sites of the seeds, again and again. It is used by one
// goroutine.
type builder struct {
	opt    Options
	root   *os.Root
	loader *generator.Loader
	design *generator.Design // nil when it is to be loaded
}

// build makes the next state. changed are files by their names on disk; all
// means that everything is to be read anew.
func (b *builder) build(last *state, changed []string, all bool) *state {
	start := time.Now()
	next := &state{build: 1, changed: len(changed)}
	if last != nil {
		*next = *last
		next.build, next.changed, next.problems = last.build+1, len(changed), nil
	}
	if err := b.prepare(changed, all); err != nil {
		next.problems = []problem.Problem{{File: b.opt.Seeds, What: err.Error(), Remedy: "put the folder of the seeds in its place"}}
	} else {
		b.make(next)
	}
	next.took = time.Since(start)
	return next
}

// prepare forgets what changed, and opens the folder of the seeds where it was
// not open or was replaced.
func (b *builder) prepare(changed []string, all bool) error {
	if b.root != nil && !all {
		var names []string
		for _, file := range changed {
			if rel, err := filepath.Rel(b.opt.Seeds, file); err == nil && filepath.IsLocal(rel) {
				names = append(names, filepath.ToSlash(rel))
			} else {
				b.design = nil
			}
		}
		b.loader.Forget(names)
		return nil
	}
	b.design = nil
	if b.root != nil {
		b.root.Close()
		b.root = nil
	}
	root, err := os.OpenRoot(b.opt.Seeds)
	if err != nil {
		return fmt.Errorf("the seeds cannot be read: %w", err)
	}
	b.root = root
	b.loader = generator.NewLoader(root.FS(), b.opt.Seeds, b.opt.Jobs)
	return nil
}

// make loads the seeds and plans their site. With problems the site stays the
// last one.
func (b *builder) make(next *state) {
	c, problems := b.loader.Load(false)
	if c == nil {
		next.problems = problems
		return
	}
	files, err := b.files(c)
	if err != nil {
		next.problems = []problem.Problem{problemOf(err)}
		return
	}
	where, err := address.NewSite(c.Site.BaseURL, c.Site.APIURL, c.Site.MCPURL, c.Site.Default)
	if err != nil {
		next.problems = []problem.Problem{problemOf(err)}
		return
	}
	next.site, next.files, next.collection = newSite(where.Prefix(), files), files, c
}

func (b *builder) files(c *incident.Collection) ([]output.File, error) {
	if b.design == nil {
		d, err := generator.NewDesign(generator.Options{Templates: b.opt.Templates, Assets: b.opt.Assets})
		if err != nil {
			return nil, err
		}
		b.design = d
	}
	return generator.Files(c, b.design)
}

// seedOf is the file that an editor opens to change a page.
func (s *state) seedOf(urlPath string) string {
	if s.site == nil {
		return ""
	}
	rel := strings.TrimPrefix(urlPath, s.prefix+"/")
	rel = strings.TrimPrefix(rel, string(incident.KO)+"/")
	parts := strings.Split(rel, "/")
	switch {
	case len(parts) > 1 && parts[0] == "cases":
		for _, c := range s.collection.Cases {
			if c.ID == parts[1] {
				return c.File
			}
		}
	case len(parts) > 2 && parts[0] == "topics":
		for _, t := range s.collection.Topics {
			if address.AxisSlug(t.Term.Axis) == parts[1] && t.Term.Slug == parts[2] {
				return t.File
			}
		}
		return s.collection.File("vocab.json")
	case len(parts) > 1 && parts[0] == "topics":
		return s.collection.File("vocab.json")
	case len(parts) > 1 && parts[0] == "articles":
		for _, a := range s.collection.Articles {
			if a.Slug == parts[1] {
				file, _ := a.Files.Best(incident.EN)
				return file
			}
		}
	}
	return s.collection.File("site.json")
}

// sources are the folders that problems name files of.
func (b *Options) sources() map[string]fs.FS {
	return map[string]fs.FS{filepath.ToSlash(filepath.Clean(b.Seeds)): os.DirFS(b.Seeds), "templates": b.Templates}
}
