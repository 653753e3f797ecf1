package generator

import (
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/shard"
)

// Share are the files of one part of a build: all parts together have each file of
// [Plan.Keyed] once, with the same bytes. What is made of one case is in one part,
// so that no other one renders it.
//
// Three things cannot be cut. The search index, whose files are known only when
// all of it is made, is in the first part, with the list for S3, which names all
// files; the dumps, whose list has their digests, are in the last.
func (p *Plan) Share(part shard.Part, from Origin) []output.File {
	if part.IsWhole() {
		return p.Keyed(from)
	}
	var files []output.File
	for _, f := range from.markData(p.rest()) {
		if isDump(f.Path) && part.Last() || !isDump(f.Path) && part.Has(f.Path) {
			files = append(files, f)
		}
	}
	m := marker{from, p.lib, p.lib.Recoveries()}
	for _, c := range p.lib.Cases() {
		if part.Has(c.ID) {
			files = append(files, m.mark(c, p.caseFiles(c))...)
		}
	}
	if !part.First() {
		return files
	}
	search := p.Search()
	files = append(files, search...)
	if slices.Contains(p.hosts, host.S3) {
		all := slices.Concat(p.rest(), search)
		for _, c := range p.lib.Cases() {
			all = append(all, p.caseFiles(c)...)
		}
		files = append(files, host.Uploads(p.rules, p.hosts, all)...)
	}
	return files
}

// isDump tells the dumps, and the list of them, from other files.
func isDump(file string) bool { return strings.HasPrefix(file, address.MirrorRoot+"dumps/") }
