package generator

import (
	"slices"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/feed"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/mirror"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/page"
	"benchlet.com/incidentlib/generator/search"
	"benchlet.com/incidentlib/generator/seed"
)

// Plan is every file of a site. The files of a case, which are nearly all, are
// planned when somebody asks for that case: so a site that is looked at page by
// page, as in the preview, does not plan 80,000 files to show one.
//
// A Plan is never changed once made and is safe for concurrent use.
type Plan struct {
	lib    *library.Library
	site   address.Site
	pages  *page.Pages
	mirror *mirror.Mirror
	rules  host.Rules
	hosts  []host.Name
	rest   func() []output.File
	search *lateSearch
}

// NewPlan plans the site of a library.
func NewPlan(lib *library.Library, d *Design) (*Plan, error) { return (*Plan)(nil).Next(lib, d) }

// Next plans the site of another library of the same seeds, or with another
// design. It is the plan that [NewPlan] makes, and takes from p what did not
// change; p may be nil.
func (p *Plan) Next(lib *library.Library, d *Design) (*Plan, error) {
	next, err := newPlan(lib, d)
	if err == nil {
		next.search = searchAfter(p, lib)
	}
	return next, err
}

func newPlan(lib *library.Library, d *Design) (*Plan, error) {
	c := lib.Collection()
	site, err := address.NewSite(c.Site.BaseURL, c.Site.APIURL, c.Site.MCPURL, c.Site.Default)
	if err != nil {
		return nil, err
	}
	files, assets := d.files(site)
	p := &Plan{lib: lib, site: site, rules: host.New(site, c.Withdrawn), hosts: d.hosts}
	p.pages, err = page.New(lib, page.Options{Site: site, Templates: d.templates, Assets: assets, Policy: host.PagePolicy(d.hosts), Cards: d.cards})
	if err != nil {
		return nil, err
	}
	p.mirror = mirror.New(lib, site, seed.CaseSchema("", c.Vocabulary, false))
	p.rest = sync.OnceValue(func() []output.File {
		return slices.Concat(files, p.pages.Rest(), p.mirror.Rest(), feed.Files(lib, site, p.pages.FeedOrder), host.Files(p.rules, p.hosts))
	})
	return p, nil
}

// Collection is what the site is made from.
func (p *Plan) Collection() *incident.Collection { return p.lib.Collection() }

// Site is where the site is published.
func (p *Plan) Site() address.Site { return p.site }

// Find finds a case; nil when there is none of that id.
func (p *Plan) Find(id string) *incident.Case { return p.lib.Case(id) }

// Rules are what a host has to know of the site.
func (p *Plan) Rules() host.Rules { return p.rules }

// APIRules are what the API's own host has to know.
func (p *Plan) APIRules() host.Rules { return host.NewAPI(p.site, p.lib.Collection().Withdrawn) }

// API are the files of the API's own host: the documents, from a root of their
// own.
func (p *Plan) API() []output.File {
	docs := p.mirror.Rest()
	for _, c := range p.lib.Cases() {
		docs = append(docs, p.mirror.Case(c)...)
	}
	rules := p.APIRules()
	out := host.APIFiles(rules, p.hosts)
	for _, f := range docs {
		if inside, ok := strings.CutPrefix(f.Path, address.AliasRoot); ok {
			f.Path = inside
			out = append(out, f)
		}
	}
	return append(out, host.Uploads(rules, p.hosts, out)...)
}

// Case are the files of one case; none when there is no such case.
func (p *Plan) Case(id string) []output.File {
	c := p.lib.Case(id)
	if c == nil {
		return nil
	}
	return p.caseFiles(c)
}

func (p *Plan) caseFiles(c *incident.Case) []output.File {
	return slices.Concat(p.pages.Case(c), p.mirror.Case(c))
}

// Search are the files of the search index. They take longer to make than all the
// rest to plan, and are made when they are first asked for.
func (p *Plan) Search() []output.File { return p.search.index().Files() }

// Recall has the search index made from what [Plan.Memory] of an earlier build by
// the same program gave, which a text tells from others; the index is the same
// without. What is damaged, or of another program, changes nothing.
func (p *Plan) Recall(memory []byte, program string) {
	if before := search.Recall(memory, program); before != nil {
		p.search.before.CompareAndSwap(nil, before)
	}
}

// Memory is what a later build by the same program can make its search index from;
// nil where this one made none.
func (p *Plan) Memory(program string) []byte {
	x := p.search.made.Load()
	if x == nil {
		return nil
	}
	return x.Keep(program)
}

// Rest are the files that are neither one case's nor of the search index.
func (p *Plan) Rest() []output.File { return p.rest() }

// Files are all files.
func (p *Plan) Files() []output.File { return p.Keyed(Origin{}) }

// Keyed are all files. Where it is known what a file is made from, as it is of
// nearly all, that is its key.
func (p *Plan) Keyed(from Origin) []output.File {
	files := slices.Concat(from.markData(p.rest()), p.Search())
	m := marker{from, p.lib, p.lib.Recoveries()}
	for i, c := range p.lib.Cases() {
		ofCase := m.mark(c, p.caseFiles(c))
		if i == 0 {
			files = slices.Grow(files, len(ofCase)*len(p.lib.Cases())+len(p.hosts))
		}
		files = append(files, ofCase...)
	}
	return append(files, host.Uploads(p.rules, p.hosts, files)...)
}
