// Package generator joins the parts into the pipeline: seeds are loaded, become
// a library, and the library becomes the list of files that a site is.
//
//	seeds → seed → incident → check → library → page, mirror, feed → output
//
// Each stage returns values that the next one takes; nothing is shared and
// changed between them. [Load] and [Files] go that way once; a [Loader] goes it
// again and again, and takes along what did not change.
package generator

import (
	"io/fs"
	"slices"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/svg"

	"benchlet.com/incidentlib/generator/check"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/page"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

// Load reads and checks all seeds below the root of fsys on up to jobs
// goroutines; dir is the root's name, for messages. The collection is nil when
// a problem is more than advice. With advice, the problems include what is
// worth mending. They are sorted and have their places.
func Load(fsys fs.FS, dir string, jobs int, advice bool) (*incident.Collection, []problem.Problem) {
	r := seed.Read(fsys, dir, jobs)
	problems := slices.Concat(r.Problems, check.Run(r))
	if advice {
		problems = append(problems, check.Advice(r.Collection)...)
	} else {
		problems = problem.Errors(problems)
	}
	return placed(fsys, dir, r, problems)
}

// placed gives problems their places and their order. The collection is nil when
// it must not be published.
func placed(fsys fs.FS, dir string, r seed.Result, problems []problem.Problem) (*incident.Collection, []problem.Problem) {
	seed.Place(fsys, dir, problems)
	problem.Sort(problems)
	if len(problem.Errors(problems)) > 0 {
		return nil, problems
	}
	return r.Collection, problems
}

// Options say what a design is made from.
type Options struct {
	Templates fs.FS
	Assets    fs.FS
	Verbose   bool // pages as their templates are written, for reading and for tests
}

// Design is what a site is made with besides its seeds: templates and assets,
// made small and ready. It is never changed once made.
type Design struct {
	templates   *page.Templates
	style, icon []byte
	storm       []byte // the script of the retry storm's figure
}

// AssetError says which asset cannot be used.
type AssetError struct {
	Name string
	Err  error
}

func (e *AssetError) Error() string { return "assets/" + e.Name + ": " + e.Err.Error() }
func (e *AssetError) Unwrap() error { return e.Err }

// NewDesign loads templates and assets.
func NewDesign(opt Options) (*Design, error) {
	t, err := page.LoadTemplates(opt.Templates, opt.Verbose)
	if err != nil {
		return nil, err
	}
	d := &Design{templates: t}
	m := minify.New()
	m.AddFunc("text/css", css.Minify)
	m.AddFunc("image/svg+xml", svg.Minify)
	for _, a := range []struct {
		name, media string
		into        *[]byte
	}{{styleFile, "text/css", &d.style}, {iconFile, "image/svg+xml", &d.icon}} {
		b, err := fs.ReadFile(opt.Assets, a.name)
		if err != nil {
			return nil, &AssetError{a.name, err}
		}
		if *a.into, err = m.Bytes(a.media, b); err != nil {
			return nil, &AssetError{a.name, err}
		}
	}
	if d.storm, err = fs.ReadFile(opt.Assets, stormFile); err != nil {
		return nil, &AssetError{stormFile, err}
	}
	return d, nil
}

const (
	styleFile = "style.css"
	iconFile  = "icon.svg"
	stormFile = "storm.js"
)

// Files plans every file of the site. Their bytes depend on nothing but the
// arguments.
func Files(c *incident.Collection, d *Design) ([]output.File, error) {
	p, err := NewPlan(library.New(c), d)
	if err != nil {
		return nil, err
	}
	return p.Files(), nil
}
