package watch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// never puts off what would hide that an event was missed.
const never = time.Hour

const deadline = 8 * time.Second

// receiver watches, and keeps a mirror of the files as the batches tell of them.
type receiver struct {
	*testing.T
	w       *Watcher
	roots   []string
	ignore  func(string) bool
	files   map[string]string // what each path holds, as read when it was told of
	batches []Batch
	notices chan string
}

// receive watches the roots by events alone, if not told otherwise.
func receive(t *testing.T, opt Options, roots ...string) *receiver {
	t.Helper()
	if opt.sweepAfter == 0 {
		opt.sweepAfter, opt.sweepBy = never, never
	}
	r := &receiver{T: t, roots: roots, ignore: opt.Ignore, notices: make(chan string, 10)}
	if r.ignore == nil {
		r.ignore = Scratch
	}
	opt.Notice = func(msg string) { r.notices <- msg }
	w, err := New(t.Context(), roots, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r.w = w
	r.files = r.disk()
	return r
}

// disk reads all files below the roots, as Batches name them.
func (r *receiver) disk() map[string]string {
	files := make(map[string]string)
	for _, root := range r.roots {
		real, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		filepath.WalkDir(real, func(p string, e fs.DirEntry, err error) error {
			shown := filepath.Join(root, strings.TrimPrefix(p, real))
			switch {
			case err != nil:
				return nil
			case p != real && r.ignore(shown):
				if e.IsDir() {
					return fs.SkipDir
				}
			case !e.IsDir():
				files[shown] = content(p)
			}
			return nil
		})
	}
	return files
}

// content reads a file that a batch names. A root's link is followed.
func (r *receiver) content(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil && slices.Contains(r.roots, path) {
		if text := content(real); text[0] != 'd' {
			return text
		}
	}
	return content(path)
}

// content tells all of a file that a reader may notice.
func content(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return "missing"
	}
	link := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		link, _ = os.Readlink(path)
		if to, err := os.Stat(path); err != nil || to.IsDir() {
			return fmt.Sprintf("%v %s", info.Mode(), link)
		}
	} else if !info.Mode().IsRegular() {
		return info.Mode().String()
	}
	if info.Size() == 0 && link == "" {
		return fmt.Sprintf("%v empty", info.Mode())
	}
	b, err := os.ReadFile(path)
	return fmt.Sprintf("%v %s %q %v", info.Mode(), link, b, err != nil)
}

// next takes a batch into the mirror.
func (r *receiver) next() Batch {
	r.Helper()
	select {
	case b, ok := <-r.w.Batches():
		if !ok {
			r.Fatal("the watcher ended")
		}
		r.take(b)
		return b
	case <-time.After(deadline):
		r.Fatal("no batch came")
	}
	return Batch{}
}

func (r *receiver) take(b Batch) {
	r.Helper()
	if len(b.Changed)+len(b.Removed) == 0 && !b.All {
		r.Error("a batch came that tells nothing")
	}
	if !slices.IsSorted(b.Changed) || !slices.IsSorted(b.Removed) {
		r.Error("a batch came that is not sorted")
	}
	if b.At.IsZero() || time.Since(b.At) > time.Minute {
		r.Errorf("a batch came of %v", b.At)
	}
	r.batches = append(r.batches, b)
	for _, p := range b.Removed {
		if _, ok := r.files[p]; !ok {
			r.Errorf("%s was told to be removed, and nobody knew of it", p)
		}
		delete(r.files, p)
	}
	for _, p := range b.Changed {
		// If it was removed meanwhile, it stays in the mirror until a batch says so.
		r.files[p] = r.content(p)
	}
}

// agree takes batches until the mirror is as the disk.
func (r *receiver) agree() {
	r.Helper()
	end := time.After(deadline)
	for {
		var pause <-chan time.Time
		if n := len(r.files); n > 1000 { // reading them all takes longer than the next batch
			pause = time.After(50 * time.Millisecond)
		} else if maps.Equal(r.files, r.disk()) {
			return
		}
		select {
		case b := <-r.w.Batches():
			r.take(b)
		case <-pause:
			if maps.Equal(r.files, r.disk()) {
				return
			}
		case <-end:
			r.Fatalf("the mirror is not as the disk:\n%s", difference(r.files, r.disk()))
		}
	}
}

// silent fails if a batch comes before the marker that is written now.
func (r *receiver) silent(dir string) {
	r.Helper()
	p := filepath.Join(dir, "marker")
	write(r.T, p, "marker")
	if b := r.next(); !slices.Equal(b.Changed, []string{p}) || len(b.Removed) > 0 || b.All {
		r.Errorf("got %v, want only the marker", b)
	}
	must(r.T, os.Remove(p))
	r.agree()
}

// tells checks the next batch.
func (r *receiver) tells(changed, removed []string) {
	r.Helper()
	b := r.next()
	if !slices.Equal(b.Changed, changed) || !slices.Equal(b.Removed, removed) {
		r.Errorf("got changed %v, removed %v; want %v, %v", b.Changed, b.Removed, changed, removed)
	}
}

// notice waits for a notice that says all of the words.
func (r *receiver) notice(words ...string) {
	r.Helper()
	select {
	case msg := <-r.notices:
		for _, word := range words {
			if !strings.Contains(msg, word) {
				r.Errorf("the notice %q does not say %q", msg, word)
			}
		}
		if strings.Contains(msg, "\n") {
			r.Errorf("the notice %q is more than a line", msg)
		}
	case <-time.After(deadline):
		r.Error("no notice came")
	}
}

func difference(got, want map[string]string) string {
	var s []string
	for p := range got {
		if want[p] != got[p] {
			s = append(s, fmt.Sprintf("%s: got %.80s, want %.80s", p, got[p], want[p]))
		}
	}
	for p := range want {
		if _, ok := got[p]; !ok {
			s = append(s, fmt.Sprintf("%s: got nothing, want %.80s", p, want[p]))
		}
	}
	slices.Sort(s)
	return strings.Join(s[:min(len(s), 20)], "\n")
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// folderOf makes a folder with the named files, and gives its path.
func folderOf(t testing.TB, names ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "s")
	must(t, os.Mkdir(dir, 0o755))
	for _, name := range names {
		p := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(p), 0o755))
		write(t, p, "first "+name)
	}
	return dir
}

// startWith is receive, with a system that is not the real one.
func startWith(t *testing.T, sys system, opt Options, roots ...string) *receiver {
	t.Helper()
	r := &receiver{T: t, roots: roots, ignore: Scratch, notices: make(chan string, 10)}
	opt.Notice = func(msg string) { r.notices <- msg }
	w, err := start(t.Context(), roots, opt.withDefaults(), newInbox(), sys, nil)
	must(t, err)
	t.Cleanup(func() { w.Close() })
	r.w = w
	r.files = r.disk()
	return r
}
