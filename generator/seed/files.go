package seed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/problem"
)

// Limits of what is read into memory, in bytes. A case is some 6 KB.
const (
	maxCase  = 1 << 20
	maxTopic = 1 << 20
	maxFile  = 16 << 20 // vocab.json, site.json, withdrawn.json
)

// caseFiles lists the case files below cases/, in any depth, sorted.
//
// A missing folder is no library without cases: it is a slip that would empty
// the published site.
func (r *reader) caseFiles() []string {
	if !exists(r.fsys, "cases") {
		r.report("cases", "the folder of the cases is missing", "put it back, or make it; --seeds names the folder that it stands in")
	}
	return r.walk("cases", func(name string) bool { return strings.EqualFold(path.Ext(name), ".json") })
}

// walk lists the files below a folder that are wanted by their names, sorted.
// Names that begin with a dot are hidden; backup names do not end as seeds do.
func (r *reader) walk(root string, want func(name string) bool) []string {
	var out []string
	err := fs.WalkDir(r.fsys, root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil:
			r.report(name, "the folder cannot be read: "+reason(err), "check its permissions and its name")
			return fs.SkipDir
		case name == root && !e.IsDir():
			r.report(name, "this is not a folder", "delete it, or put a folder in its place")
		case name == root:
		case strings.HasPrefix(e.Name(), ".") && e.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && want(e.Name()):
			r.report(name, "this is a folder with the name of a file", "rename it")
			return fs.SkipDir
		case !e.IsDir() && r.isSeed(name, e, want(e.Name())):
			out = append(out, name)
		}
		return nil
	})
	if err != nil {
		r.report(root, "the folder cannot be read: "+reason(err), "check its permissions")
	}
	slices.Sort(out)
	return out
}

// isSeed reports whether an entry that is no folder is to be read. A link to a
// folder, which would hide the seeds in it, is a fault.
func (r *reader) isSeed(name string, e fs.DirEntry, wanted bool) bool {
	if e.Type()&fs.ModeSymlink != 0 {
		if info, err := fs.Stat(r.fsys, name); err == nil && info.IsDir() {
			r.report(name, "this is a link to a folder, and links to folders are not followed", "put the folder in its place")
			return false
		}
	}
	return wanted // load reports what cannot be read
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Lstat(fsys, name)
	return !errors.Is(err, fs.ErrNotExist)
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
	return r.loadInto(nil, name, limit)
}

// loadInto is load into memory that may be written over. It asks what a file is
// before it opens it, since opening a pipe waits for ever.
func (r *reader) loadInto(memory []byte, name string, limit int64) ([]byte, *problem.Problem) {
	info, err := fs.Stat(r.fsys, name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &problem.Problem{File: r.shown(name), What: "this is not a regular file", Remedy: "delete it, or put a file in its place"}
	}
	tooLong := &problem.Problem{File: r.shown(name), What: fmt.Sprintf("the file has more than %d bytes", limit), Remedy: "make it shorter"}
	if err == nil && info.Size() > limit {
		return nil, tooLong // without reading any of it
	}
	var b []byte
	if err == nil {
		b, err = readUpTo(r.fsys, memory, name, info.Size(), limit)
	}
	if err != nil {
		p := r.unreadable(name, err)
		return nil, &p
	}
	if int64(len(b)) > limit { // it grew meanwhile
		return nil, tooLong
	}
	return b, nil
}

// readUpTo reads a file as far as one byte past a limit, into memory where it has
// enough.
func readUpTo(fsys fs.FS, memory []byte, name string, size, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := bytes.NewBuffer(slices.Grow(memory[:0], int(min(size, limit))+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unreadable says why a file has no content.
func (r *reader) unreadable(name string, err error) problem.Problem {
	p := problem.Problem{File: r.shown(name)}
	info, errLink := fs.Lstat(r.fsys, name)
	link := errLink == nil && info.Mode()&fs.ModeSymlink != 0
	switch {
	case !fs.ValidPath(name):
		p.What, p.Remedy = "the file's name is not UTF-8", "rename it"
	case link && errors.Is(err, fs.ErrNotExist):
		p.What, p.Remedy = "this link leads nowhere", "delete it, or put the file in its place"
	case link && !errors.Is(err, fs.ErrPermission):
		p.What, p.Remedy = "this link cannot be followed: "+reason(err), "put the file itself in its place; a link must stay inside the seeds folder"
	case errors.Is(err, fs.ErrNotExist):
		p.What, p.Remedy = "the file is not there", "write it"
	default:
		p.What, p.Remedy = "the file cannot be read: "+reason(err), "check its permissions"
	}
	return p
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

// fault reports what is wrong at a line of a text file.
func (r *reader) fault(name string, line int, what, remedy string) {
	r.problems = append(r.problems, problem.Problem{File: r.shown(name), Line: line, Column: 1, What: what, Remedy: remedy})
}

// shown is a file's name as an editor knows it: with the seeds folder before it.
func (r *reader) shown(name string) string { return printable(path.Join(r.dir, name)) }

// inside is the name within the seeds folder of a file as it is shown.
func (r *reader) inside(shown string) string {
	if dir := r.shown("."); dir != "." {
		return strings.TrimPrefix(strings.TrimPrefix(shown, dir), "/")
	}
	return shown
}

// printable keeps what cannot be seen in a file's name from the terminal.
func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, forbidden) && !strings.ContainsAny(name, "\n\t") {
		return name
	}
	return strings.Trim(strconv.QuoteToASCII(name), `"`)
}
