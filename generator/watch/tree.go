package watch

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	created = fsnotify.Create
	written = fsnotify.Create | fsnotify.Write
	// replaced are the events after which a name may mean another folder.
	replaced = fsnotify.Create | fsnotify.Remove | fsnotify.Rename
)

// folder is a folder below a root, as it was last seen. A root that is a file is
// one too: it has one entry, of the name "", and is not listed.
type folder struct {
	shown string // its path as a Batch names it
	real  string // its path as events name it
	lone  bool
	id    fileID
	files map[string]entry
	subs  map[string]*folder
	ties  map[string]tie // links to files, by name
	watch *watch         // of itself, or if lone, of the folder that it is in
	doubt bool           // events of it may have been lost: trust no young entry
	haste bool           // it is in the urgent sweep
	gone  bool           // it is no part of the tree any more
}

// tie is a link's hold on the folder of the file that it leads to.
type tie struct {
	at    step
	watch *watch
}

// listener is what else a path concerns: a root whose way leads over it, or a
// link that leads to it.
type listener struct {
	root *root
	dir  *folder
	name string
}

// sign is the reason for looking at something.
type sign struct {
	hint
	at       time.Time
	doubt    bool   // events may have been lost
	unlisted bool   // its folder does not list it
	sweep    *sweep // goes on with sub-folders, if not nil
}

// tree is what was last seen on the disk.
type tree struct {
	ctx     context.Context
	opt     Options
	watches *registry
	pending *pending
	roots   []*root
	folders map[string][]*folder // by real path; more than one if roots overlap
	heard   map[string][]listener
	shared  map[string]int   // how many roots have a file, if one root is inside another
	unread  map[*folder]bool // those that could not be listed
	urgent  sweep            // folders to look through before anything is told
	begun   bool             // the first look is over: differences are changes
}

func newTree(ctx context.Context, opt Options, watches *registry) *tree {
	return &tree{ctx: ctx, opt: opt, watches: watches, pending: newPending(opt),
		folders: make(map[string][]*folder), heard: make(map[string][]listener), unread: make(map[*folder]bool)}
}

// begin looks at everything for the first time.
func (t *tree) begin(roots []string) error {
	if len(roots) == 0 {
		return errors.New("nothing to watch: no root is given")
	}
	for _, name := range roots {
		abs, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		shown := filepath.Clean(name)
		if slices.ContainsFunc(t.roots, func(r *root) bool { return r.shown == shown }) {
			continue
		}
		if slices.ContainsFunc(t.roots, func(r *root) bool { return within(r.abs, abs) || within(abs, r.abs) }) {
			t.shared = make(map[string]int)
		}
		t.roots = append(t.roots, &root{shown: shown, abs: abs})
	}
	for _, r := range t.roots {
		t.checkRoot(r, "", sign{at: time.Now()})
	}
	t.settle()
	t.begun = true
	t.pending.reset()
	return nil
}

// apply looks at what the mail names, and reports whether any of it concerns the
// tree.
func (t *tree) apply(m mail) (active bool) {
	t.watches.round++
	if m.dead {
		t.watches.lose()
		m.lost = true
	}
	if m.lost {
		t.pending.all = true
		t.pending.mark(m.last)
		for _, r := range t.roots {
			t.checkRoot(r, volume(r.abs), sign{hint: hint{ops: replaced}, at: m.last})
		}
		active = true
	}
	for path, h := range m.paths {
		if t.ctx.Err() != nil {
			return
		}
		if t.heed(path, sign{hint: h, at: m.last}) {
			active = true
		}
	}
	t.settle()
	if active && !t.pending.at.IsZero() && m.first.Before(t.pending.at) {
		t.pending.at = m.first
	}
	return active
}

// heed looks at all that a path concerns.
func (t *tree) heed(path string, s sign) (active bool) {
	if s.ops.Has(replaced) {
		t.watches.expire(path)
	}
	dir, name := filepath.Split(path)
	for _, f := range slices.Clone(t.folders[filepath.Clean(dir)]) {
		if !f.gone && !f.lone {
			active = t.look(f, name, s) || active
		}
	}
	for _, l := range slices.Clone(t.heard[path]) {
		active = true
		switch {
		case l.root != nil:
			t.checkRoot(l.root, path, s)
		case !l.dir.gone:
			t.look(l.dir, l.name, s)
		}
	}
	return active
}

// settle looks through all folders that turned up, and those that turn up
// meanwhile.
func (t *tree) settle() {
	// Two paths of one folder, as bind mounts make them, can take the only watch
	// from each other without end; the one without it is looked at in intervals.
	for range 10 {
		anew := t.watches.anew
		t.watches.anew = nil
		for _, path := range anew {
			t.catchUp(path)
		}
		for !t.step(&t.urgent, sweepChunk) {
			if t.ctx.Err() != nil {
				return
			}
		}
		t.urgent = sweep{}
		if len(t.watches.anew) == 0 {
			return
		}
	}
}

// catchUp looks at all that the watch of a folder is for, after events of it may
// have been lost.
func (t *tree) catchUp(dir string) {
	s := sign{at: time.Now(), doubt: true}
	for _, f := range t.folders[dir] {
		f.doubt = true
		t.hasten(f)
	}
	var concerned []listener
	for path, l := range t.heard {
		if filepath.Dir(path) == dir {
			concerned = append(concerned, l...)
		}
	}
	for _, l := range concerned {
		switch {
		case l.root != nil:
			t.checkRoot(l.root, "", s)
		case !l.dir.gone:
			t.look(l.dir, l.name, s)
		}
	}
}

// look compares one entry of a folder with the disk, and reports false if it is
// to be ignored.
func (t *tree) look(f *folder, name string, s sign) bool {
	shown, real := f.shown, f.real
	if !f.lone {
		shown, real = filepath.Join(f.shown, name), filepath.Join(f.real, name)
		if t.opt.Ignore(shown) {
			return false
		}
	}
	now, k := examine(real)
	if s.unlisted && k != missing && t.underOtherCase(s, name) {
		k = missing
	}
	if k != missing && s.ops.Has(fsnotify.Rename) && s.ops&written == 0 {
		t.hasten(f) // is it still there under that name, or did only its case change?
	}
	was, had := f.files[name]
	if k == folderKind && !f.lone {
		t.forget(f, name, shown, had, was, s)
		t.lookFolder(f, name, now.id, s)
		return true
	}
	if sub := f.subs[name]; sub != nil {
		delete(f.subs, name)
		t.drop(sub, s)
	}
	if k != file {
		t.forget(f, name, shown, had, was, s)
		return true
	}
	if t.tie(f, name, now) {
		// What it leads to may have been changed before it was watched.
		if again, k := examine(real); k == file {
			now = again
		}
	}
	f.files[name] = now
	if !had || now.stamp != was.stamp || s.ops&written != 0 || s.doubt && was.young {
		if had && now.stamp == was.stamp {
			s.ops |= fsnotify.Write
		}
		t.note(shown, had, was, true, now, s)
	}
	return true
}

// lookFolder compares a sub-folder with the disk: the folder, not what is in it,
// unless it is another one.
func (t *tree) lookFolder(f *folder, name string, id fileID, s sign) {
	sub := f.subs[name]
	if sub != nil && sub.id == id && s.ops&replaced == 0 {
		if s.ops != 0 {
			t.hasten(sub) // it may have become readable
		}
		if s.sweep != nil && s.sweep.deep {
			s.sweep.add(sub)
		}
		return
	}
	if sub != nil {
		t.drop(sub, s)
	}
	// What was dropped and comes back the same cancels out in what is pending.
	f.subs[name] = t.open(filepath.Join(f.shown, name), filepath.Join(f.real, name), id)
}

// forget takes a file out of the tree.
func (t *tree) forget(f *folder, name, shown string, had bool, was entry, s sign) {
	if !had {
		return
	}
	t.untie(f, name)
	delete(f.files, name)
	t.note(shown, true, was, false, entry{}, s)
}

func (t *tree) note(path string, had bool, was entry, has bool, is entry, s sign) {
	if t.shared != nil && had != has {
		if has {
			t.shared[path]++
			if had = t.shared[path] > 1; had {
				s.ops |= fsnotify.Write
			}
		} else if t.shared[path]--; t.shared[path] > 0 {
			return // another root still has it, and will tell
		} else {
			delete(t.shared, path)
		}
	}
	if t.begun {
		t.pending.note(path, had, was, has, is, s.hint, s.at)
	}
}

// open takes a folder into the tree and has it watched first, then looked
// through, so that nothing falls in between.
func (t *tree) open(shown, real string, id fileID) *folder {
	f := &folder{shown: shown, real: real, id: id, files: make(map[string]entry), subs: make(map[string]*folder), ties: make(map[string]tie)}
	f.watch = t.watches.hold(f.watched(), false, true)
	t.folders[real] = append(t.folders[real], f)
	t.hasten(f)
	return f
}

// openLone takes a root that is a file into the tree.
func (t *tree) openLone(shown, real string) *folder {
	f := &folder{shown: shown, real: real, lone: true, files: make(map[string]entry), ties: make(map[string]tie)}
	f.watch = t.watches.hold(f.watched(), true, true)
	t.folders[real] = append(t.folders[real], f)
	return f
}

// watched is the path that the folder's watch is of.
func (f *folder) watched() string {
	if f.lone {
		return filepath.Dir(f.real)
	}
	return f.real
}

// hasten has a folder looked through before anything is told.
func (t *tree) hasten(f *folder) {
	if !f.haste {
		f.haste = true
		t.urgent.add(f)
	}
}

// drop takes a folder and all below it out of the tree.
func (t *tree) drop(f *folder, s sign) {
	f.gone = true
	for _, sub := range f.subs {
		t.drop(sub, s)
	}
	for name, was := range f.files {
		shown := f.shown
		if !f.lone {
			shown = filepath.Join(f.shown, name)
		}
		t.untie(f, name)
		t.note(shown, true, was, false, entry{}, sign{at: s.at})
	}
	t.watches.release(f.watched(), f.watch)
	delete(t.unread, f)
	rest := slices.DeleteFunc(t.folders[f.real], func(g *folder) bool { return g == f })
	t.folders[f.real] = rest
	if len(rest) == 0 {
		delete(t.folders, f.real)
	}
}

// tie has the folder watched that holds what a link leads to, as events of that
// do not name the link. It reports whether a watch was made for that.
func (t *tree) tie(f *folder, name string, e entry) (made bool) {
	if e.link == "" {
		t.untie(f, name)
		return false
	}
	// Until nothing changed while the watch was made.
	for range 5 {
		steps, _ := trace(filepath.Join(f.real, name))
		at := steps[len(steps)-1]
		old, tied := f.ties[name]
		if tied && old.at == at {
			t.watches.mend(at.dir, old.watch, true)
			return made
		}
		t.untie(f, name)
		w := t.watches.hold(at.dir, true, true)
		if w.users == 1 {
			t.watches.doubt(at.dir)
		}
		f.ties[name] = tie{at, w}
		t.listen(at, listener{dir: f, name: name})
		made = true
	}
	return made
}

func (t *tree) untie(f *folder, name string) {
	old, tied := f.ties[name]
	if !tied {
		return
	}
	delete(f.ties, name)
	t.unlisten(old.at, listener{dir: f, name: name})
	t.watches.release(old.at.dir, old.watch)
}

func (t *tree) listen(at step, l listener) {
	p := at.path()
	t.heard[p] = append(t.heard[p], l)
}

func (t *tree) unlisten(at step, l listener) {
	p := at.path()
	t.heard[p] = slices.DeleteFunc(t.heard[p], func(m listener) bool { return m == l })
	if len(t.heard[p]) == 0 {
		delete(t.heard, p)
	}
}

// underOtherCase reports whether the listing of a folder has the name in another
// case. On a file system that does not tell the two apart, both are there.
func (t *tree) underOtherCase(s sign, name string) bool {
	return s.sweep != nil && s.sweep.listsFold(strings.ToLower(name))
}
