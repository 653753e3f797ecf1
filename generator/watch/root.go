package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// root is one of the paths that New was given.
type root struct {
	shown, abs string
	steps      []step
	holds      []*watch // of the folders of the steps, nil if not held
	top        *folder  // nil if it is missing
}

// step is a name in a real folder, on the way that leads to a file.
type step struct{ dir, name string }

func (s step) path() string { return filepath.Join(s.dir, s.name) }

// maxLinks is the most links that a way leads over, as Linux has it.
const maxLinks = 40

// trace follows an absolute path name by name and link by link, as the system
// does. A change of any of the steps may make it lead elsewhere. The real path
// is "" if it leads nowhere; the last step is then the name that is missing.
func trace(abs string) (steps []step, real string) {
	cur, rest, links := volume(abs), names(abs), 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			cur = filepath.Dir(cur)
			continue
		}
		s := step{cur, name}
		steps = append(steps, s)
		info, err := os.Lstat(s.path())
		if err != nil {
			return steps, ""
		}
		if info.Mode()&os.ModeSymlink == 0 {
			cur = s.path()
			continue
		}
		to, err := os.Readlink(s.path())
		if links++; err != nil || links > maxLinks {
			return steps, ""
		}
		if filepath.IsAbs(to) {
			cur = volume(to)
		}
		rest = append(names(filepath.FromSlash(to)), rest...)
	}
	return steps, cur
}

// volume is the folder that an absolute path begins with.
func volume(path string) string { return filepath.VolumeName(path) + string(filepath.Separator) }

// names are the names that a path is made of.
func names(path string) []string {
	return strings.Split(path[len(filepath.VolumeName(path)):], string(filepath.Separator))
}

// cheapWatches says that a watch of a folder costs the same whatever is in it.
// Where it does not, as with kqueue, which opens every file, folders above that
// of a root are looked at in intervals.
const cheapWatches = runtime.GOOS == "linux" || runtime.GOOS == "windows"

// checkRoot finds out what a root is now. If an event named a path on the way to
// it, folders below that path may be others under the same names, and their
// watches are made again.
func (t *tree) checkRoot(r *root, event string, s sign) {
	if event != "" && s.ops&replaced == 0 {
		event = ""
	}
	real := t.walk(r, event)
	now, k := entry{}, missing
	if real != "" {
		now, k = examine(real)
	}
	if r.top != nil && r.top.lone && k == file && r.top.real == real {
		t.look(r.top, "", s)
		return
	}
	same := r.top != nil && !r.top.lone && k == folderKind && r.top.real == real && r.top.id == now.id
	if same && event == "" {
		if s.ops.Has(fsnotify.Chmod) {
			t.hasten(r.top) // it may have become readable
		}
		return
	}
	if r.top == nil && k == missing {
		return
	}
	t.replaceRoot(r, real, now, k, s)
}

// replaceRoot takes what a root was out of the tree, and what it is now into it.
func (t *tree) replaceRoot(r *root, real string, now entry, k kind, s sign) {
	if t.begun {
		t.pending.all = true
		t.pending.mark(s.at)
	}
	if r.top != nil {
		t.drop(r.top, s)
		r.top = nil
	}
	switch k {
	case missing:
		t.pending.away = true
	case folderKind:
		r.top = t.open(r.shown, real, now.id)
	default:
		r.top = t.openLone(r.shown, real)
		t.look(r.top, "", s)
	}
}

// walk traces a root, and holds watches of all folders on the way. It traces
// again until nothing changed while the watches were made.
func (t *tree) walk(r *root, event string) (real string) {
	for range 5 {
		steps, to := trace(r.abs)
		real = to
		if event == "" && slices.Equal(steps, r.steps) {
			break
		}
		t.follow(r, steps, event)
		event = ""
	}
	for i, w := range r.holds {
		if w != nil {
			t.watches.mend(r.steps[i].dir, w, false)
		}
	}
	return real
}

// follow moves the watches of a root's steps to new steps.
func (t *tree) follow(r *root, steps []step, event string) {
	old := *r
	for _, s := range old.steps {
		t.unlisten(s, listener{root: r})
	}
	r.steps, r.holds = steps, make([]*watch, len(steps))
	for i, s := range steps {
		last := i == len(steps)-1
		if cheapWatches || last {
			r.holds[i] = t.watches.hold(s.dir, event == "" || !within(s.dir, event), last)
		}
		t.listen(s, listener{root: r})
	}
	for i, s := range old.steps {
		if old.holds[i] != nil {
			t.watches.release(s.dir, old.holds[i])
		}
	}
}

// within reports whether a path is another one or below it.
func within(path, top string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(top, string(filepath.Separator)))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}
