package seed

import (
	"context"
	"io/fs"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// Taken is what a new case keeps clear of, and what it has to agree with.
type Taken struct {
	IDs  []string          // of every case and file, fit to publish or not, and withdrawn; sorted
	Orgs map[string]string // slug → name of every organisation
	Site incident.Site
}

// ReadTaken reads what is taken in the seeds below the root of fsys, on up to
// jobs goroutines. Cases that are not finished yet count, and their faults do
// not matter; the problems are those of site.json and withdrawn.json, without
// which no id can be known to be free.
func ReadTaken(fsys fs.FS, dir string, jobs int) (Taken, []problem.Problem) {
	r := &reader{fsys: fsys, dir: dir}
	t := Taken{Orgs: map[string]string{}}
	t.Site, _ = readOne(r, "site.json", siteShape())
	if exists(fsys, "withdrawn.json") {
		ws, _ := readOne(r, "withdrawn.json", withdrawnShape())
		for _, w := range ws {
			t.IDs = append(t.IDs, w.ID)
		}
	}
	problems := problem.Errors(r.problems)
	files := r.caseFiles()
	for i, o := range r.readCases(context.Background(), files, max(1, jobs)) {
		c := o.c
		if c == nil { // the file could not be read, but has a name
			c = &incident.Case{}
		}
		for _, id := range []string{stem(files[i]), c.ID} {
			if incident.ValidID(id) {
				t.IDs = append(t.IDs, id)
			}
		}
		if _, known := t.Orgs[c.OrgSlug]; !known && c.Org != "" && c.OrgSlug != "" {
			t.Orgs[c.OrgSlug] = c.Org
		}
	}
	slices.SortFunc(t.IDs, incident.CompareIDs)
	t.IDs = slices.Compact(t.IDs)
	return t, problems
}

// Draft is what is known of a case before anybody has written it; "" where it
// is not.
type Draft struct {
	ID, Org, OrgSlug, Date, WrittenBy, UpdatedAt, URL string
}

// members are the values of a draft by their pointers.
func (d Draft) members() map[string]string {
	return map[string]string{"/id": d.ID, "/org": d.Org, "/org_slug": d.OrgSlug, "/date": d.Date,
		"/review/written_by": d.WrittenBy, "/updated_at": d.UpdatedAt, "/url": d.URL}
}

// Case is the file of a new case: every field in its place, and in those that
// the draft does not know, the word for that. Where there is none, and a text
// is to be written, null stands: the reader names each by line and column, so
// an editor has a list of what is left to do. The problems are of what the
// draft itself says.
func (d Draft) Case() ([]byte, []problem.Problem) {
	members := d.members()
	var problems []problem.Problem
	for pointer, v := range members {
		if !utf8.ValidString(v) {
			problems = append(problems, problem.Problem{Pointer: pointer, What: quote(v) + " is not UTF-8", Remedy: "write it in UTF-8"})
		}
	}
	shape := caseShape()
	src, err := canonicalForm(shape.layout.blankForm(nil, "", members), shape.layout, maxCase)
	if err != nil {
		return nil, append(problems, problem.Problem{What: err.Error(), Remedy: "write less"})
	}
	reader := newDecoder("", src, nil)
	readDocument(reader, shape)
	for _, p := range reader.problems {
		if members[p.Pointer] != "" {
			problems = append(problems, p)
		}
	}
	problem.Sort(problems)
	return src, problems
}

// blankForm appends a value of which nothing is known but the members that
// known has by their pointers.
func (l *layout) blankForm(b []byte, pointer string, known map[string]string) []byte {
	if v := known[pointer]; v != "" {
		b, _ = jsontext.AppendQuote(b, v) // what is not UTF-8 has been reported
		return b
	}
	switch {
	case l == nil:
		return append(b, "null"...)
	case l.blank != "":
		return append(b, l.blank...)
	}
	b = append(b, '{')
	for i, m := range l.members {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, m.name)
		b = append(b, ':')
		b = m.layout.blankForm(b, pointer+"/"+m.name, known)
	}
	return append(b, '}')
}
