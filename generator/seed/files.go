package seed

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/problem"
)

// Limits of what is read into memory, in bytes. A case is some 6 KB.
const (
	maxCase  = 1 << 20
	maxTopic = 1 << 20
	maxFile  = 16 << 20 // vocab.json, site.json, withdrawn.json
)

// caseFiles lists the case files below cases/, in any depth, sorted. Hidden
// files, and what editors leave beside a file while they save it, are no cases.
func (r *reader) caseFiles() []string {
	return r.walk("cases", func(name string) bool { return path.Ext(name) == ".json" })
}

func (r *reader) walk(root string, want func(name string) bool) []string {
	var out []string
	err := fs.WalkDir(r.fsys, root, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && p == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			r.report(p, "the folder cannot be read: "+reason(err), "check its permissions")
			return fs.SkipDir
		case p != root && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case !e.IsDir() && want(e.Name()):
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		r.report(root, "the folder cannot be read: "+reason(err), "check its permissions")
	}
	slices.Sort(out)
	return out
}

// read returns a file's bytes, or nil after reporting why there are none.
func (r *reader) read(name string, limit int64) []byte {
	b, p := r.load(name, limit)
	if p != nil {
		r.problems = append(r.problems, *p)
	}
	return b
}

// load is read for use by several goroutines: it returns the problem.
func (r *reader) load(name string, limit int64) ([]byte, *problem.Problem) {
	say := func(what, remedy string) *problem.Problem {
		return &problem.Problem{File: r.shown(name), What: what, Remedy: remedy}
	}
	f, err := r.fsys.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, say("the file is not there", "write it, or restore it; a link must lead to a file inside the seeds folder")
		}
		return nil, say("the file cannot be read: "+reason(err), "check its permissions; a link must stay inside the seeds folder")
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, say("the file cannot be read: "+reason(err), "check its permissions")
	}
	if !info.Mode().IsRegular() {
		return nil, say("this is not a regular file", "delete it, or put a file in its place")
	}
	if info.Size() > limit {
		return nil, say(fmt.Sprintf("the file has %d bytes", info.Size()), fmt.Sprintf("keep it below %d", limit))
	}
	b, err := readUpTo(f, info.Size(), limit)
	if err != nil {
		return nil, say("the file cannot be read: "+reason(err), "try again")
	}
	return b, nil
}

// reason is an error without the path that the problem names already.
func reason(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func (r *reader) report(name, what, remedy string) {
	r.problems = append(r.problems, problem.Problem{File: r.shown(name), What: what, Remedy: remedy})
}

// shown is a file's name as an editor knows it: with the seeds folder before it.
func (r *reader) shown(name string) string { return path.Join(r.dir, printable(name)) }

// printable keeps what cannot be seen in a file's name from the terminal.
func printable(name string) string {
	if strings.ContainsFunc(name, forbidden) || strings.ContainsAny(name, "\n\t") {
		return strings.Trim(quote(name), `"`)
	}
	return name
}
