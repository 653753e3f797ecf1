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

	"benchlet.com/incidentlib/generator/check"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
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

// Files plans every file of the site. Their bytes depend on nothing but the
// arguments.
func Files(c *incident.Collection, d *Design) ([]output.File, error) {
	p, err := NewPlan(library.New(c), d)
	if err != nil {
		return nil, err
	}
	return p.Files(), nil
}
