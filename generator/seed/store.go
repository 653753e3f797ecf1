package seed

import (
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
// kept as long as neither its file nor the vocabulary has changed. It is used
// by one goroutine at a time; the cases that it returns are never changed.
type Store struct {
	fsys fs.FS
	dir  string
	jobs int

	files   []string           // the case files, sorted; nil when they are to be listed anew
	listing []problem.Problem  // what listing them found
	cases   map[string]outcome // by file
	vocab   [sha256.Size]byte  // of vocab.json, as it was when the cases were read
	prose   *proseOutcome      // nil when it is to be read anew
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

// Forget drops what was read of files, named from the root of the seeds: they
// changed, came or went.
func (s *Store) Forget(names []string) {
	for _, name := range names {
		delete(s.cases, name)
		switch {
		case strings.HasPrefix(name, "topics"), strings.HasPrefix(name, "articles"), strings.HasPrefix(name, "figures"):
			s.prose = nil
		case strings.HasPrefix(name, "cases") && !s.stays(name):
			s.files = nil
		}
	}
}

// stays reports whether a file is one of the listed and still a plain file, so
// that the list of files is as it was.
func (s *Store) stays(name string) bool {
	_, listed := slices.BinarySearch(s.files, name)
	info, err := fs.Lstat(s.fsys, name)
	return listed && err == nil && info.Mode().IsRegular()
}

// Read reads what is not kept and returns the whole.
func (s *Store) Read() Result {
	r := &reader{fsys: s.fsys, dir: s.dir}
	c := &incident.Collection{Dir: r.shown(".")}
	c.Site, _ = readOne(r, "site.json", siteShape())
	r.readVocabulary()
	c.Vocabulary = r.vocab
	s.keepVocabulary(r)
	if exists(s.fsys, "withdrawn.json") {
		if ws, ok := readOne(r, "withdrawn.json", withdrawnShape()); ok {
			c.Withdrawn = withdrawn(ws)
		}
	}
	unread := map[string]bool{}
	outcomes := s.readCases(r)
	var faulty []*incident.Case
	c.Cases, faulty = r.joined(s.files, outcomes, unread)
	if s.prose == nil {
		s.prose = s.readProse(r.vocab)
	}
	c.Topics, c.Articles, c.Figures = s.prose.topics, s.prose.articles, s.prose.figures
	return Result{Collection: c, Problems: append(r.problems, s.prose.problems...), Unread: unread, Faulty: faulty}
}

// keepVocabulary forgets all that was read by another vocabulary.
func (s *Store) keepVocabulary(r *reader) {
	var sum [sha256.Size]byte
	if src, p := r.load("vocab.json", maxFile); p == nil {
		sum = sha256.Sum256(src)
	}
	if sum != s.vocab {
		s.vocab, s.prose = sum, nil
		clear(s.cases)
	}
}

// readCases returns what each case file gave, reading those that are not kept.
func (s *Store) readCases(r *reader) []outcome {
	if s.files == nil {
		list := &reader{fsys: s.fsys, dir: s.dir}
		s.files = list.caseFiles()
		s.listing = list.problems
		maps.DeleteFunc(s.cases, func(name string, _ outcome) bool {
			_, listed := slices.BinarySearch(s.files, name)
			return !listed
		})
	}
	r.problems = append(r.problems, s.listing...)
	var missing []string
	for _, name := range s.files {
		if _, kept := s.cases[name]; !kept {
			missing = append(missing, name)
		}
	}
	for i, o := range r.readCases(missing, s.jobs) {
		s.cases[missing[i]] = o
	}
	out := make([]outcome, len(s.files))
	for i, name := range s.files {
		out[i] = s.cases[name]
	}
	return out
}

func (s *Store) readProse(v *incident.Vocabulary) *proseOutcome {
	r := &reader{fsys: s.fsys, dir: s.dir, vocab: v}
	p := &proseOutcome{topics: r.readTopics(), articles: r.readArticles(), figures: r.readFigures()}
	p.problems = r.problems
	return p
}
