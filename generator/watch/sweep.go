package watch

import (
	"os"
	"strings"
	"time"
)

// sweep goes through folders in steps, so that it can be put aside when
// something more urgent comes up.
type sweep struct {
	queue []*folder
	deep  bool // sub-folders too

	at     *folder
	doubt  bool
	names  []string // what is still to be looked at; known names that are not listed come first
	hidden int      // how many are known and not listed
	listed []string
	folds  map[string]bool // listed names in lower case, made when asked for
}

func (s *sweep) add(f *folder) { s.queue = append(s.queue, f) }

func (s *sweep) listsFold(lower string) bool {
	if s.folds == nil {
		s.folds = make(map[string]bool, len(s.listed))
		for _, name := range s.listed {
			s.folds[strings.ToLower(name)] = true
		}
	}
	return s.folds[lower]
}

// beginSweep begins a sweep of everything if deep, else of the folders that send
// no events.
func (t *tree) beginSweep(deep bool) *sweep {
	t.watches.round++
	for _, r := range t.roots {
		t.checkRoot(r, "", sign{at: time.Now()})
	}
	t.settle()
	s := &sweep{deep: deep}
	if deep {
		for _, r := range t.roots {
			if r.top != nil {
				s.add(r.top)
			}
		}
		return s
	}
	for _, same := range t.folders {
		for _, f := range same {
			if t.isBlind(f) {
				s.add(f)
			}
		}
	}
	return s
}

// step looks at up to n entries, and through folders that turn up. It reports
// whether the sweep is at its end.
func (t *tree) step(s *sweep, n int) bool {
	if s != &t.urgent {
		defer t.settle()
	}
	for ; n > 0; n-- {
		if len(s.names) == 0 && !t.next(s) {
			return true
		}
		if len(s.names) == 0 {
			continue
		}
		name := s.names[0]
		s.names = s.names[1:]
		sign := sign{at: time.Now(), doubt: s.doubt, unlisted: s.hidden > 0, sweep: s}
		s.hidden = max(0, s.hidden-1)
		t.lookAll(s.at, name, sign)
	}
	return false
}

// lookAll looks at an entry in every folder of the tree that is the same one on
// the disk, so that no two of them tell of the same change at different times.
func (t *tree) lookAll(f *folder, name string, s sign) {
	if f.gone {
		return
	}
	same := t.folders[f.real]
	if f.lone || len(same) == 1 {
		t.look(f, name, s)
		return
	}
	for _, g := range append([]*folder(nil), same...) {
		if !g.gone && !g.lone {
			t.look(g, name, s)
		}
	}
}

// next takes the next folder of the queue, and reports whether there was one.
func (t *tree) next(s *sweep) bool {
	if len(s.queue) == 0 {
		return false
	}
	f := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	s.at, s.names, s.listed, s.hidden, s.folds = f, nil, nil, 0, nil
	if f.gone {
		return true
	}
	s.doubt = f.doubt || t.isBlind(f)
	f.doubt = false
	if s == &t.urgent {
		f.haste = false
	}
	t.watches.mend(f.watched(), f.watch, true)
	if f.lone {
		s.names = []string{""}
		return true
	}
	// Of a folder that cannot be listed, at least what is known is looked at.
	var err error
	if s.listed, err = list(f.real); err != nil && !isMissing(err) {
		t.unread[f] = true
	} else {
		delete(t.unread, f)
	}
	s.names, s.hidden = f.names(s.listed)
	return true
}

// names gives what there is to look at in a folder: first the names that are
// known and not listed, and how many those are, then the listed ones.
func (f *folder) names(list []string) (names []string, hidden int) {
	listed := make(map[string]bool, len(list))
	for _, name := range list {
		listed[name] = true
	}
	for name := range f.files {
		if !listed[name] {
			names = append(names, name)
		}
	}
	for name := range f.subs {
		if !listed[name] {
			names = append(names, name)
		}
	}
	return append(names, list...), len(names)
}

func list(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// isBlind reports whether something may happen in the folder that no event tells
// of.
func (t *tree) isBlind(f *folder) bool {
	if !f.watch.good || t.unread[f] {
		return true
	}
	for _, tie := range f.ties {
		if !tie.watch.good {
			return true
		}
	}
	return false
}

// blind reports whether anything has to be looked at in intervals.
func (t *tree) blind() bool { return t.watches.failed > 0 || len(t.unread) > 0 || !cheapWatches }
