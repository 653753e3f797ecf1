//go:build unix

package output

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// spared publishes twice, so that a spare tree of the first site is left.
func spared(t *testing.T, first, second site) (dir string) {
	t.Helper()
	dir = t.TempDir() + "/public"
	for _, s := range []site{first, second} {
		publishBy(t, s, Options{Dir: dir, Spare: 1 << 20})
	}
	if _, err := os.Lstat(spareOf(dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// contentsOf are the files of a folder but the package's own.
func contentsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for p, e := range snapshot(t, dir) {
		if !e.Mode.IsDir() && !ownName(p) {
			got[p] = e.Content
		}
	}
	return got
}

// holds checks that a folder has these files, beside the package's own.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if got := contentsOf(t, dir); !maps.Equal(got, want) {
		t.Errorf("%s holds\n%q\nwant\n%q", dir, got, want)
	}
}

// gone checks that nothing is beside the folder.
func gone(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Lstat(workOf(dir)); err == nil {
		t.Error("the work folder was left")
	}
}

// The tree that a swap replaces is kept when little is only in it, and goes when
// it is not wanted any more, or too much would be there twice.
func TestSpareIsKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		next site
		opt  Options
		kept bool
	}{
		"little":        {site{"a": "2", "long": long}, Options{Spare: 10}, true},
		"as much":       {site{"a": "2", "long": long}, Options{Spare: 1}, true},
		"too much":      {site{"a": "1", "long": long + "y"}, Options{Spare: 999}, false},
		"removed":       {site{"a": "1"}, Options{Spare: 999}, false},
		"not asked for": {site{"a": "2", "long": long}, Options{}, false},
		"in place":      {site{"a": "2", "long": long}, Options{InPlace: true, Spare: 1 << 20}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := spared(t, site{"a": "0", "long": long}, site{"a": "1", "long": long})
			c.opt.Dir = dir
			publishBy(t, c.next, c.opt)
			if _, err := os.Lstat(spareOf(dir)); (err == nil) != c.kept {
				t.Errorf("spare tree: %v, want it kept: %v", err, c.kept)
			}
			holds(t, dir, c.next)
		})
	}
}

// A file that a build drops from the spare tree, an asset that it retains, is not
// counted as being only there.
func TestSpareOfRetained(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0"}, site{"a": "1", "assets/x.css": strings.Repeat("x", 1000)})
	publishBy(t, site{"a": "2"}, Options{Dir: dir, Spare: 10})
	if _, err := os.Lstat(spareOf(dir)); err != nil {
		t.Error(err)
	}
}

// What somebody has put into the spare tree, as a shell does that still sits in it,
// comes to the site.
func TestSpareIsSaved(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]Options{"used": {Spare: 1 << 20}, "dropped": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := spared(t, site{"a": "0", "d/b": "1", "e": "x", "f": "x"}, site{"a": "1", "d/b": "1", "f": "x", "late": "y"})
			tree := spareOf(dir)
			write(t, tree, "d/mine", "in our folder")
			must(t, os.WriteFile(tree+"/late", []byte("where the site has a file"), 0o600))
			write(t, tree, "theirs/deep/file", "a whole folder")
			must(t, os.Symlink("d", tree+"/link"))
			for _, p := range []string{"/e", "/f"} {
				must(t, os.Remove(tree+p))
				must(t, os.Symlink("d", tree+p))
			}
			write(t, dir, "CNAME", "of the site")
			must(t, os.WriteFile(tree+"/CNAME", []byte("newer"), 0o600))
			write(t, tree, "coming", "where a file will be")
			write(t, tree, "soon/x", "where a folder will be")
			write(t, tree, "soon/y", "in a folder that will be")
			write(t, tree, "d/b2", "where a folder will be")
			write(t, tree, "c/deep", "where a file will be")
			opt.Dir = dir
			next := site{"a": "2", "d/b": "1", "f": "x", "late": "y", "coming": "z", "soon/x": "z", "d/b2/z": "z", "c": "z"}
			publishBy(t, next, opt)
			want := map[string]string{"d/mine": "in our folder", "theirs/deep/file": "a whole folder", "link": "d", "e": "d", keptPrefix + "f-1": "d",
				keptPrefix + "late-1": "where the site has a file", "CNAME": "of the site", keptPrefix + "CNAME-1": "newer",
				keptPrefix + "coming-1": "where a file will be", keptPrefix + "soon-x-1": "where a folder will be",
				"soon/y": "in a folder that will be", keptPrefix + "d-b2-1": "where a folder will be",
				keptPrefix + "c-1/deep": "where a file will be"}
			maps.Copy(want, next)
			holds(t, dir, want)
			publishBy(t, site{"a": "3"}, Options{Dir: dir, Spare: opt.Spare})
			maps.DeleteFunc(want, func(p, _ string) bool { _, ours := next[p]; return ours })
			want["a"] = "3"
			holds(t, dir, want)
		})
	}
}

// A foreign file that somebody removes from the site does not come back with the
// spare tree, and one that is replaced stays replaced.
func TestSpareHoldsNothingForeign(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	spare := func(a string) { publishBy(t, site{"a": a, "d/b": "1", "e/b": "1"}, Options{Dir: dir, Spare: 1 << 20}) }
	spare("0")
	write(t, dir, "CNAME", "old")
	write(t, dir, "d/gone", "x")
	write(t, dir, ".git/HEAD", "ref")
	write(t, dir, "e/theirs/x", "ref")
	spare("1")
	must(t, os.RemoveAll(dir+"/.git"))
	must(t, os.RemoveAll(dir+"/e/theirs"))
	must(t, os.Remove(dir+"/d/gone"))
	must(t, os.Remove(dir+"/CNAME"))
	write(t, dir, "CNAME", "new")
	spare("2")
	want := map[string]string{"a": "2", "d/b": "1", "e/b": "1", "CNAME": "new"}
	holds(t, dir, want)
	spare("3")
	want["a"] = "3"
	holds(t, dir, want)
}

// A folder of the spare tree that is a link to somewhere else now leads nowhere: what
// is there is neither used nor moved.
func TestSpareLeadsNowhere(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0", "d/e/b": "1"}, site{"a": "1", "d/e/b": "1"})
	other := t.TempDir()
	write(t, other, "e/b", "2")
	write(t, other, "e/theirs", "3")
	before := snapshot(t, other)
	must(t, os.RemoveAll(spareOf(dir)+"/d"))
	must(t, os.Symlink(other, spareOf(dir)+"/d"))
	publishBy(t, site{"a": "2", "d/e/b": "1"}, Options{Dir: dir, Spare: 1 << 20})
	sameTree(t, snapshot(t, other), before)
	got := contentsOf(t, dir)
	if got["d/e/b"] != "1" || got[keptPrefix+"d-1"] != other {
		t.Errorf("the folder holds %q", got)
	}
}

// Folders of the spare tree that have not changed are not read, those that have are;
// and where nothing says since when, all are.
func TestSpareSince(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		since func(changed time.Time) time.Time
		mixed map[string]bool
		moved bool
	}{
		"changed before": {func(c time.Time) time.Time { return c.Add(1) }, nil, false},
		"held foreign":   {func(c time.Time) time.Time { return c.Add(1) }, map[string]bool{"d": true}, true},
		"changed then":   {func(c time.Time) time.Time { return c }, nil, true},
		"not known":      {func(time.Time) time.Time { return time.Time{} }, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site, dir := t.TempDir(), t.TempDir()
			write(t, dir, "d/mine", "x")
			is, err := statusOf(dir + "/d")
			if err != nil || !is.folder {
				t.Fatal(is, err)
			}
			d := &drainer{target: &target{dir: site}, root: dir, old: ledger{{{Path: "d/b"}}}, fork: newForker(1)}
			tidy := tidier{drainer: d, since: c.since(is.changed), mixed: c.mixed}
			must(t, tidy.folder(".", d.old, false))
			if _, err := os.Lstat(site + "/d/mine"); (err == nil) != c.moved {
				t.Errorf("moved: %v, want %v", err, c.moved)
			}
		})
	}
	dir := t.TempDir()
	for text, want := range map[string]time.Time{"12": time.Unix(0, 12), "": {}, "x": {}, "1.5": {}} {
		must(t, os.WriteFile(dir+"/"+sinceName, []byte(text), 0o600))
		if got := spareSince(dir); !got.Equal(want) {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}

// A spare tree that does not say what is ours is not touched, and the error says
// what to do; nor is the site.
func TestSpareIsNobodys(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(dir string) error{
		"no manifest": func(dir string) error { return os.Remove(dir + "/" + ManifestName) },
		"damaged":     func(dir string) error { return os.WriteFile(dir+"/"+ManifestName, []byte("x"), 0o600) },
		"a link to a site": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.Symlink("../public", dir))
		},
		"a file": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("x"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := spared(t, site{"a": "0"}, site{"a": "1"})
			must(t, harm(spareOf(dir)))
			before := snapshot(t, dir)
			_, err := Publish(t.Context(), site{"a": "2"}.files(), Options{Dir: dir, Spare: 1 << 20})
			if err == nil || !strings.Contains(err.Error(), "remove "+spareOf(dir)+" and build again") {
				t.Errorf("error %v", err)
			}
			sameTree(t, snapshot(t, dir), before)
			must(t, os.RemoveAll(spareOf(dir)))
			publishBy(t, site{"a": "2"}, Options{Dir: dir, Spare: 1 << 20})
		})
	}
}

// The spare tree of a folder that is gone goes with the next build.
func TestSpareOfNoFolder(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0", "d/b": "1"}, site{"a": "1", "d/b": "1"})
	must(t, os.RemoveAll(dir))
	write(t, spareOf(dir), "mine", "x")
	publishBy(t, site{"a": "2"}, Options{Dir: dir, Spare: 1 << 20})
	want := map[string]string{"a": "2", "mine": "x"}
	holds(t, dir, want)
	gone(t, dir)
}

// With a spare tree a build neither links nor removes what did not change.
func TestSpareSavesWork(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0", "d/b": "1"}, site{"a": "1", "d/b": "1"})
	changes := func(names ...string) (times []time.Time) {
		for _, name := range names {
			is, err := statusOf(name)
			must(t, err)
			times = append(times, is.changed)
		}
		return times
	}
	before := changes(dir+"/d/b", spareOf(dir)+"/d")
	publishBy(t, site{"a": "2", "d/b": "1"}, Options{Dir: dir, Spare: 1 << 20})
	if after := changes(dir+"/d/b", dir+"/d"); !slices.Equal(after, before) {
		t.Errorf("a file and its folder changed at %v, before at %v", after, before)
	}
}

// Folders that may not be written to stay so, and are no hindrance.
func TestSpareOfShutFolders(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0", "d/e/b": "0", "d/c": "0"}, site{"a": "1", "d/e/b": "0", "d/c": "0"})
	t.Cleanup(func() {
		for _, d := range []string{dir, spareOf(dir)} {
			_ = os.Chmod(d+"/d", 0o755)
			_ = os.Chmod(d+"/d/e", 0o755)
		}
	})
	for i := range 4 {
		must(t, os.Chmod(dir+"/d/e", 0o555))
		must(t, os.Chmod(dir+"/d", 0o555))
		publishBy(t, site{"a": "2", "d/e/b": fmt.Sprint(i / 2), "d/c": "0"}, Options{Dir: dir, Spare: 1 << 20})
		for _, d := range []string{"/d", "/d/e"} {
			info, err := os.Stat(dir + d)
			must(t, err)
			if info.Mode().Perm() != 0o555 {
				t.Errorf("after %d builds the mode of %s is %v", i+1, d, info.Mode())
			}
		}
	}
}

// A folder that was moved into the spare tree with all that is in it is read, though
// nothing in it has changed.
func TestSpareOfMovedFolder(t *testing.T) {
	t.Parallel()
	other := t.TempDir()
	write(t, other, "there/x", "theirs")
	mine := t.TempDir() + "/mine"
	must(t, os.MkdirAll(mine+"/e", 0o755))
	must(t, os.Symlink(other+"/there", mine+"/e/f"))
	write(t, mine, "e/notes", "mine")
	dir := spared(t, site{"a": "0", "d/e/f/x": "1", "d/e/g": "1"}, site{"a": "1", "d/e/f/x": "1", "d/e/g": "1"})
	must(t, os.RemoveAll(spareOf(dir)+"/d"))
	must(t, os.Rename(mine, spareOf(dir)+"/d"))
	next := site{"a": "2", "d/e/f/x": "2", "d/e/g": "1"}
	publishBy(t, next, Options{Dir: dir, Spare: 1 << 20})
	want := map[string]string{"d/e/notes": "mine", keptPrefix + "d-e-f-1": other + "/there"}
	maps.Copy(want, next)
	holds(t, dir, want)
	if got := contentsOf(t, other); !maps.Equal(got, map[string]string{"there/x": "theirs"}) {
		t.Errorf("elsewhere there is %q", got)
	}
}

// A file of the spare tree with the size and the times of the site's, but other
// bytes, is not taken for it.
func TestSpareIsNotBelieved(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0", "b": "good"}, site{"a": "1", "b": "good"})
	info, err := os.Stat(dir + "/b")
	must(t, err)
	must(t, os.Remove(spareOf(dir)+"/b"))
	must(t, os.WriteFile(spareOf(dir)+"/b", []byte("evil"), info.Mode()))
	must(t, os.Chtimes(spareOf(dir)+"/b", info.ModTime(), info.ModTime()))
	publishBy(t, site{"a": "2", "b": "good"}, Options{Dir: dir, Spare: 1 << 20})
	if got := contentsOf(t, dir); got["b"] != "good" {
		t.Errorf("the folder holds %q", got)
	}
}

// Assets that no build has any more count as only in the spare tree.
func TestSpareOfDroppedAssets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	for i, s := range []site{{"a": "0", "assets/x.css": strings.Repeat("x", 1000)}, {"a": "1"}, {"a": "2"}} {
		publishBy(t, s, Options{Dir: dir, Spare: 500})
		if _, err := os.Lstat(spareOf(dir)); (err == nil) != (i == 1) {
			t.Errorf("after build %d: %v", i, err)
		}
	}
}

// What appears in the old tree after it was read and before the swap is saved.
func TestKeepOldSaves(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0", "d/b": "1"}, site{"a": "1", "d/b": "1"})
	must(t, os.Rename(spareOf(dir), join(workOf(dir), stageName))) // as after a swap
	b := &build{target: &target{dir: dir, work: workOf(dir)}, jobs: 1}
	write(t, b.work, "now", "")
	now, err := statusOf(b.work + "/now")
	must(t, err)
	must(t, os.Remove(b.work+"/now"))
	b.walked = now.changed
	write(t, b.stage(), "d/mine", "late")
	b.old, err = readPublished(b.stage(), nil)
	must(t, err)
	d := &drainer{target: b.target, root: b.stage(), old: b.old.owned(), fork: newForker(1)}
	must(t, b.keepOld(d))
	if got := contentsOf(t, dir); got["d/mine"] != "late" {
		t.Errorf("the folder holds %q", got)
	}
	if since := spareSince(b.spare()); !since.Equal(b.walked) {
		t.Errorf("the spare tree says %v, want %v", since, b.walked)
	}
}

// A swap takes the time by which later ones tell what is new before it reads the
// folder.
func TestSpareSinceBeforeTheSwap(t *testing.T) {
	t.Parallel()
	dir := spared(t, site{"a": "0"}, site{"a": "1"})
	is, err := statusOf(spareOf(dir))
	must(t, err)
	if since := spareSince(spareOf(dir)); since.IsZero() || since.After(is.changed) {
		t.Errorf("the spare tree, of %v, says %v", is.changed, since)
	}
}

// A build that is killed while it removes a spare tree is no hindrance to the next,
// and a file that somebody put there at that time is saved.
func TestSpareHalfDropped(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, dir string){
		"renamed":     func(*testing.T, string) {},
		"no manifest": func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)); must(t, os.Mkdir(dir, 0o755)) },
		"late": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(dir))
			write(t, dir, "mine", "x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := spared(t, site{"a": "0", "d/b": "1"}, site{"a": "1", "d/b": "1"})
			dropped := join(workOf(dir), droppedName)
			must(t, os.Rename(spareOf(dir), dropped))
			harm(t, dropped)
			want := map[string]string{"a": "1", "d/b": "1"}
			publishBy(t, want, Options{Dir: dir})
			if name == "late" {
				want["mine"] = "x"
			}
			holds(t, dir, want)
			gone(t, dir)
		})
	}
}

// A folder that comes back is a new one, whatever the spare tree has of it.
func TestSpareOfFolderThatComesBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	opt := Options{Dir: dir, Spare: 1 << 20}
	publishBy(t, site{"a": "0", "d/b": "1", "n/x": "1"}, opt)
	must(t, os.Chmod(dir+"/n", 0o700))
	publishBy(t, site{"a": "1", "d/b": "1"}, opt)
	publishBy(t, site{"a": "2", "d/b": "1", "n/x": "1"}, opt)
	n, err := os.Stat(dir + "/n")
	must(t, err)
	d, err := os.Stat(dir + "/d")
	must(t, err)
	if n.Mode() != d.Mode() {
		t.Errorf("the mode is %v, want %v", n.Mode(), d.Mode())
	}
}
