package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// system is what the operating system offers for watching folders.
type system interface {
	add(path string) error
	remove(path string) error
	close() error
	events() <-chan fsnotify.Event
	errors() <-chan error
}

type notifier struct{ *fsnotify.Watcher }

func newSystem() (system, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return notifier{w}, nil
}

func (n notifier) add(path string) error         { return n.Add(path) }
func (n notifier) remove(path string) error      { return n.Remove(path) }
func (n notifier) close() error                  { return n.Close() }
func (n notifier) events() <-chan fsnotify.Event { return n.Events }
func (n notifier) errors() <-chan error          { return n.Errors }

// watch is the watch of one folder, shared by all that need it.
type watch struct {
	id    fileID
	users int
	round int  // when it was made
	good  bool // events come; otherwise it has to be looked at
	lapse bool // events did not come for a while
}

// registry holds one watch for each real path that is watched.
//
// The system ties a watch to the folder, but names events by the path that the
// watch was made with. So a folder that was moved must lose its watch before it
// gets one under its new path, and a path that may be another folder now must
// get a new watch, even if that has the same inode: numbers are given again.
type registry struct {
	sys    system // nil if there are no watches to be had
	opt    Options
	paths  map[string]*watch
	byID   map[fileID]string
	failed int      // watches that are not good
	round  int      // goes up with each mail that is applied
	anew   []string // paths whose users may have missed something, and miss nothing from now on
	told   map[string]bool
}

func newRegistry(sys system, lack error, opt Options) *registry {
	r := &registry{sys: sys, opt: opt, paths: make(map[string]*watch), byID: make(map[fileID]string), told: make(map[string]bool)}
	if lack != nil {
		r.complain("", lack)
	}
	return r
}

func (r *registry) none() bool { return r.sys == nil }

func (r *registry) close() error {
	if r.sys == nil {
		return nil
	}
	return r.sys.close()
}

// hold makes or shares the watch of a folder. Without trust, a watch that is
// there from an earlier round is made anew, as the folder may be another one. A
// failure is told to the user if important.
func (r *registry) hold(path string, trust, important bool) *watch {
	w := r.paths[path]
	if w == nil {
		w = &watch{}
		r.paths[path] = w
		r.failed++
	}
	w.users++
	if w.good && !trust && w.round != r.round {
		r.let(path, w)
	}
	r.mend(path, w, important)
	return w
}

// doubt gives up watches of folders in a folder that are gone. fsnotify tells of
// the end of a watch only if the folder above is not watched, as that will have
// told before; which it has not if its own watch was made just then.
func (r *registry) doubt(dir string) {
	for path, w := range r.paths {
		if !w.good || path == dir || filepath.Dir(path) != dir {
			continue
		}
		if id, ok := folderID(path); !ok || id != w.id {
			r.let(path, w)
		}
	}
}

// try makes a watch that is not good.
func (r *registry) try(path string, w *watch, important bool) {
	if r.sys == nil {
		return
	}
	for range 3 {
		id, ok := folderID(path)
		if !ok {
			return
		}
		if other, held := r.byID[id]; held && other != path && id != (fileID{}) {
			r.let(other, r.paths[other])
		}
		if err := r.sys.add(path); err != nil {
			if important || isLimit(err) {
				r.complain(path, err)
			}
			return
		}
		if now, ok := folderID(path); ok && now == id {
			w.id, w.round, w.good = id, r.round, true
			r.byID[id] = path
			r.failed--
			return
		}
		r.sys.remove(path) // it was replaced meanwhile
	}
}

// mend tries again to make a watch that is not good.
func (r *registry) mend(path string, w *watch, important bool) {
	if w.good {
		return
	}
	r.try(path, w, important)
	if !w.good {
		w.lapse = true
	} else if w.lapse {
		w.lapse = false
		r.anew = append(r.anew, path)
		r.doubt(path)
	}
}

// expire gives up a watch after an event that its path means no folder any more,
// or another one, unless it was made after that.
func (r *registry) expire(path string) {
	if w := r.paths[path]; w != nil && w.good && w.round != r.round {
		r.let(path, w)
	}
}

// let ends a good watch. The system may have ended it already, so that an error
// says nothing.
func (r *registry) let(path string, w *watch) {
	r.sys.remove(path)
	if r.byID[w.id] == path {
		delete(r.byID, w.id)
	}
	w.good, w.lapse = false, true
	r.failed++
}

// release takes back one hold.
func (r *registry) release(path string, w *watch) {
	w.users--
	if w.users > 0 {
		return
	}
	if w.good {
		r.let(path, w)
	}
	r.failed--
	delete(r.paths, path)
}

// lose switches to looking at everything, when the system will send no events
// any more.
func (r *registry) lose() {
	if r.sys == nil {
		return
	}
	r.sys.close()
	r.sys = nil
	for _, w := range r.paths {
		if w.good {
			w.good = false
			r.failed++
		}
	}
	clear(r.byID)
	r.complain("", errors.New("the system ended it"))
}

// complain tells the user once for each kind of trouble.
func (r *registry) complain(path string, err error) {
	kind, remedy := "other", ""
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return // it went away meanwhile; there will be an event of that
	case errors.Is(err, fs.ErrPermission):
		kind = "permission"
	case isLimit(err):
		kind, remedy = limit(err)
	}
	if r.told[kind] {
		return
	}
	r.told[kind] = true
	what := "folders cannot be watched"
	if path != "" {
		what = path + " cannot be watched"
	}
	if remedy != "" {
		remedy = " To raise it: " + remedy
	}
	if kind != "other" && kind != "permission" {
		err = fmt.Errorf("the limit %s is reached (%w)", kind, err)
	}
	r.opt.Notice(fmt.Sprintf("%s: %v; looking for changes every %v instead.%s", what, err, r.opt.Poll, remedy))
}

func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// limit names the limit that an error is of, with its value where that is
// known, and says how to raise it.
func limit(err error) (name, remedy string) {
	key := "fs.inotify.max_user_instances"
	switch {
	case runtime.GOOS != "linux" || tooManyOpen():
		return "on open files", "ulimit -n 10240"
	case errors.Is(err, syscall.ENOSPC):
		key = "fs.inotify.max_user_watches"
	}
	enough := 524288
	if key == "fs.inotify.max_user_instances" {
		enough = 1024
	}
	name = key
	if b, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(key, ".", "/")); err == nil {
		value, _ := strconv.Atoi(strings.TrimSpace(string(b)))
		name, enough = fmt.Sprintf("%s=%d", key, value), max(enough, 2*value)
	}
	return name, fmt.Sprintf("sudo sysctl %s=%d", key, enough)
}

// tooManyOpen reports whether this process can open no file at all, which gives
// the same error as having no instance left.
func tooManyOpen() bool {
	f, err := os.Open(os.DevNull)
	if err != nil {
		return true
	}
	f.Close()
	return false
}
