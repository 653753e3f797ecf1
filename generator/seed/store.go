package seed

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// Store reads seeds again and again and keeps what it read, so that a change
// costs what it touches. What it returns is what [Read] would return: a case is
// kept as long as neither its file nor the vocabulary has changed. What did not
// change between two results is the same in both: pointers and slices are equal.
// It is used by one goroutine at a time; what it returned is never changed.
type Store struct {
	fsys fs.FS
	dir  string
	jobs int

	listed  bool               // files and listing are of now
	files   []string           // the case files, sorted; every key of cases is one of them
	listing []problem.Problem  // what listing them found
	cases   map[string]outcome // by file
	joined  *joined            // of all outcomes; nil when they are to be joined anew
	prose   *proseOutcome      // nil when it is to be read anew

	site      single[incident.Site]
	vocab     single[*incident.Vocabulary]
	withdrawn single[[]incident.Withdrawn]
}

// joined is what the outcomes of all case files come to.
type joined struct {
	cases    []*incident.Case // sorted by id
	faulty   []*incident.Case
	unread   map[string]bool
	problems []problem.Problem
}

// single is what reading one file gave, by the digest of the very bytes that
// were read.
type single[T any] struct {
	sum      [sha256.Size]byte
	value    T
	problems []problem.Problem
}

// proseOutcome is what reading the topics, the articles and their figures gave.
type proseOutcome struct {
	topics   []incident.TopicText
	articles []incident.Article
	figures  []incident.Figure
	problems []problem.Problem
}

// NewStore makes a store that has read nothing yet. Its arguments are those of
// [Read].
func NewStore(fsys fs.FS, dir string, jobs int) *Store {
	return &Store{fsys: fsys, dir: dir, jobs: max(1, jobs), cases: map[string]outcome{}}
}

// Forget drops what was read of files and of all files in folders, named from
// the root of the seeds: they changed, came or went.
func (s *Store) Forget(names []string) {
	for _, name := range names {
		switch top, _, _ := strings.Cut(name, "/"); top {
		case "topics", "articles", "figures":
			s.prose = nil
		case "cases":
			s.forgetCase(name)
		case ".":
			s.prose, s.listed = nil, false
			s.forgetBelow("cases")
		}
	}
}

func (s *Store) forgetCase(name string) {
	if o, kept := s.cases[name]; kept {
		s.drop(name, o)
	}
	s.forgetBelow(name)
	s.listed = s.listed && s.stays(name)
}

func (s *Store) forgetBelow(folder string) {
	from, _ := slices.BinarySearch(s.files, folder+"/")
	for _, name := range s.files[from:] {
		if !strings.HasPrefix(name, folder+"/") {
			break
		}
		s.drop(name, s.cases[name])
	}
}

// drop forgets what a file gave. What all files come to stays, with the case in
// its place to be replaced, if there was nothing to say about it.
func (s *Store) drop(name string, o outcome) {
	delete(s.cases, name)
	if !o.plain() {
		s.joined = nil
	}
}

// plain reports whether a file gave a case and nothing else.
func (o *outcome) plain() bool { return o.ok && len(o.problems) == 0 }

// stays reports whether a file is one of the listed and still a plain file, so
// that the list of files is as it was.
func (s *Store) stays(name string) bool {
	_, listed := slices.BinarySearch(s.files, name)
	info, err := fs.Lstat(s.fsys, name)
	return listed && err == nil && info.Mode().IsRegular()
}

// Read reads what is not kept and returns the whole. When ctx ends it stops
// early, and what it returns is of no use; what it read is kept.
func (s *Store) Read(ctx context.Context) Result {
	r := &reader{fsys: s.fsys, dir: s.dir}
	c := &incident.Collection{Dir: r.shown(".")}
	c.Site, _ = readSingle(r, &s.site, "site.json", func(r *reader, src []byte) incident.Site {
		site, _ := decodeOne(r, "site.json", src, siteShape())
		return site
	})
	var again bool
	r.vocab, again = readSingle(r, &s.vocab, "vocab.json", (*reader).decodeVocabulary)
	c.Vocabulary = r.vocab
	if again { // all that was read by another vocabulary
		s.prose, s.joined = nil, nil
		clear(s.cases)
	}
	if exists(s.fsys, "withdrawn.json") {
		c.Withdrawn, _ = readSingle(r, &s.withdrawn, "withdrawn.json", func(r *reader, src []byte) []incident.Withdrawn {
			ws, ok := decodeOne(r, "withdrawn.json", src, withdrawnShape())
			if !ok {
				return nil
			}
			return withdrawn(ws)
		})
	}
	j := s.readCases(ctx, r)
	if ctx.Err() != nil {
		return Result{Collection: c}
	}
	c.Cases = j.cases
	if s.prose == nil {
		s.prose = s.readProse(r.vocab)
	}
	c.Topics, c.Articles, c.Figures = s.prose.topics, s.prose.articles, s.prose.figures
	return Result{Collection: c, Problems: slices.Concat(r.problems, s.listing, j.problems, s.prose.problems), Unread: j.unread, Faulty: j.faulty}
}

// readSingle reads a file, and makes its value anew if its bytes are others than
// those that the kept value was made of.
func readSingle[T any](r *reader, kept *single[T], name string, decode func(*reader, []byte) T) (v T, again bool) {
	src := r.read(name, maxFile)
	var sum [sha256.Size]byte
	if src != nil {
		sum = sha256.Sum256(src)
	}
	if again = sum != kept.sum; again {
		own := &reader{fsys: r.fsys, dir: r.dir}
		*kept = single[T]{sum: sum}
		if src != nil {
			kept.value = decode(own, src)
		}
		kept.problems = own.problems
	}
	r.problems = append(r.problems, kept.problems...)
	return kept.value, again
}

// readCases returns what all case files come to, reading those that are not
// kept.
func (s *Store) readCases(ctx context.Context, r *reader) *joined {
	if !s.listed {
		s.list()
	}
	var missing []string
	for _, name := range s.files {
		if _, kept := s.cases[name]; !kept {
			missing = append(missing, name)
		}
	}
	read := r.readCases(ctx, missing, s.jobs)
	if ctx.Err() != nil {
		return nil
	}
	for i, o := range read {
		s.cases[missing[i]] = o
	}
	if s.joined != nil && s.replace(read) {
		return s.joined
	}
	own := &reader{fsys: s.fsys, dir: s.dir}
	out := make([]outcome, len(s.files))
	for i, name := range s.files {
		out[i] = s.cases[name]
	}
	j := &joined{unread: map[string]bool{}}
	j.cases, j.faulty = own.joined(s.files, out, j.unread)
	j.problems = own.problems
	s.joined = j
	return j
}

// list looks which case files there are, and drops what is kept of others.
func (s *Store) list() {
	r := &reader{fsys: s.fsys, dir: s.dir}
	s.files = r.caseFiles()
	s.listed, s.listing, s.joined = true, r.problems, nil
	maps.DeleteFunc(s.cases, func(name string, _ outcome) bool {
		_, listed := slices.BinarySearch(s.files, name)
		return !listed
	})
}

// replace puts cases that were read again in the place of those they were
// before, which spares joining all of them; false when there is more to it.
func (s *Store) replace(read []outcome) bool {
	j := *s.joined
	j.cases = slices.Clone(j.cases)
	for i := range read {
		if !read[i].plain() {
			return false
		}
		at, found := slices.BinarySearchFunc(j.cases, read[i].c.ID, func(c *incident.Case, id string) int { return incident.CompareIDs(c.ID, id) })
		if !found || j.cases[at].File != read[i].c.File {
			return false
		}
		j.cases[at] = read[i].c
	}
	s.joined = &j
	return true
}

func (s *Store) readProse(v *incident.Vocabulary) *proseOutcome {
	r := &reader{fsys: s.fsys, dir: s.dir, vocab: v}
	p := &proseOutcome{topics: r.readTopics(), articles: r.readArticles(), figures: r.readFigures()}
	p.problems = r.problems
	return p
}
