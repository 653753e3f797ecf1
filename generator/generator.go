// Package generator joins the parts into the pipeline: seeds are loaded, become
// a library, and the library becomes the list of files that a site is.
//
//	seeds → seed → incident → check → library → page, mirror, feed → output
//
// Each stage returns values that the next one takes; nothing is shared and
// changed between them.
package generator

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/svg"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/check"
	"benchlet.com/incidentlib/generator/feed"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/mirror"
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
	return NewLoader(fsys, dir, jobs).Load(advice)
}

// Loader loads seeds again and again, reading only what it was told to forget.
// What it returns is what [Load] would. It is used by one goroutine at a time.
type Loader struct {
	fsys  fs.FS
	dir   string
	store *seed.Store
}

// NewLoader makes a loader that has read nothing yet.
func NewLoader(fsys fs.FS, dir string, jobs int) *Loader {
	return &Loader{fsys, dir, seed.NewStore(fsys, dir, jobs)}
}

// Forget drops what was read of files, named from the root of the seeds.
func (l *Loader) Forget(names []string) { l.store.Forget(names) }

// Load reads what is not kept and checks the whole.
func (l *Loader) Load(advice bool) (*incident.Collection, []problem.Problem) {
	r := l.store.Read()
	problems := slices.Concat(r.Problems, check.Run(r))
	if advice {
		problems = append(problems, check.Advice(r.Collection)...)
	}
	broken := len(problem.Errors(problems)) > 0
	if !advice {
		problems = problem.Errors(problems)
	}
	seed.Place(l.fsys, l.dir, problems)
	problem.Sort(problems)
	if broken {
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
			return nil, fmt.Errorf("assets: %w", err)
		}
		if *a.into, err = m.Bytes(a.media, b); err != nil {
			return nil, fmt.Errorf("assets/%s: %w", a.name, err)
		}
	}
	if d.storm, err = fs.ReadFile(opt.Assets, stormFile); err != nil {
		return nil, fmt.Errorf("assets: %w", err)
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
	site, err := address.NewSite(c.Site.BaseURL, c.Site.APIURL, c.Site.MCPURL, c.Site.Default)
	if err != nil {
		return nil, err
	}
	style := output.Bytes(address.AssetFile(styleFile, d.style), output.Asset, d.style)
	icon := output.Bytes(address.AssetFile(iconFile, d.icon), output.Asset, d.icon)
	storm := output.Bytes(address.AssetFile(stormFile, d.storm), output.Asset, d.storm)
	lib := library.New(c)
	pages, err := page.Files(lib, page.Options{Site: site, Templates: d.templates,
		Assets: page.Assets{Style: site.Asset(style.Path), Icon: site.Asset(icon.Path), Storm: site.Asset(storm.Path)}})
	if err != nil {
		return nil, err
	}
	schema, err := seed.CaseSchema(site.Mirror(address.SchemaCase), c.Vocabulary, false)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]output.File{style, icon, storm}, pages, mirror.Files(lib, site, schema), feed.Files(lib, site)), nil
}
