package preview

import (
	"context"
	"path"
	"strings"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/output"
)

// probe renders a page of each kind after templates or assets changed: a fault in
// a template for pages that nobody looks at is told too. Rendering all pages
// would take longer than an editor's next save.
func (s *Server) probe(ctx context.Context) {
	var last *generator.Design
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.unprobed:
		}
		on := s.state().site
		if on == nil || on.design == last {
			continue
		}
		last = on.design
		for _, f := range samples(on.plan) {
			if ctx.Err() != nil || s.state().site != on {
				break
			}
			if _, err := on.file(f.Path).bytes(); err != nil {
				s.found(on, problemsOf(err))
			}
		}
	}
}

// samples are a file of each kind: the first of each folder, and those of two
// cases, whose lists of similar cases take the longest when first asked for.
func samples(p *generator.Plan) []output.File {
	var out []output.File
	seen := map[string]bool{}
	for _, f := range p.Rest() {
		dir, name := path.Split(f.Path)
		if parts := strings.Split(dir, "/"); len(parts) > 3 {
			dir = strings.Join(parts[:2], "/")
		}
		if kind := dir + path.Ext(name); !seen[kind] {
			seen[kind] = true
			out = append(out, f)
		}
	}
	if cases := p.Collection().Cases; len(cases) > 0 {
		out = append(out, p.Case(cases[0].ID)...)
		out = append(out, p.Case(cases[len(cases)-1].ID)...)
	}
	return out
}
