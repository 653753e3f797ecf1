package output

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A build that changes nothing touches nothing, not even a folder's time.
func TestNothingChanged(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		s := site{"index.html": "1", "assets/a.css": "2", "cases/1/index.html": "3"}
		first := publish(t, dir, s, inPlace)
		before := snapshot(t, dir)
		second := publish(t, dir, s, inPlace)
		sameTree(t, snapshot(t, dir), before)
		if first.ID != second.ID || second.Written != 0 || second.Unchanged != 3 || first.Written != 3 {
			t.Errorf("results %+v, %+v", first, second)
		}
		if first.Bytes != 3 || first.LargestPath != "assets/a.css" || first.LargestBytes != 1 {
			t.Errorf("result %+v", first)
		}
	})
}

// A file that somebody edited, even to the same size and time, or deleted is
// put right, though the build's id is the one of before.
func TestRepair(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		publish(t, dir, site{"assets/old.css": "x"}, inPlace)
		s := site{"a": "one", "b": "two", "c": "three"}
		publish(t, dir, s, inPlace)
		info, err := os.Stat(dir + "/a")
		must(t, err)
		must(t, os.WriteFile(dir+"/a", []byte("oNe"), 0o644))
		must(t, os.Chtimes(dir+"/a", info.ModTime(), info.ModTime()))
		must(t, os.Remove(dir+"/b"))
		if r := publish(t, dir, s, inPlace); r.Written != 2 || r.Unchanged != 1 {
			t.Errorf("result %+v, want 2 files written", r)
		}
		s["assets/old.css"] = "x" // a repair is not a build: it stays
		for _, d := range diffContents(snapshot(t, dir), s, nil, true) {
			t.Error(d)
		}
	})
}

// The id says what the files are, and nothing of the folder's past.
func TestIDIsOfTheFiles(t *testing.T) {
	t.Parallel()
	s := site{"index.html": "1", "assets/b.css": "2"}
	m, err := Digest(s.files(), 4)
	must(t, err)
	dir := t.TempDir() + "/public"
	publish(t, dir, site{"assets/a.css": "0"}, false)
	if r := publish(t, dir, s, true); r.ID != m.ID() {
		t.Errorf("published as %s, digest is %s", r.ID, m.ID())
	}
	text, err := os.ReadFile(dir + "/" + ManifestName)
	must(t, err)
	if !bytes.Equal(text, m.Text()) {
		t.Errorf("the manifest on disk is\n%s\nwant\n%s", text, m.Text())
	}
}

// An asset outlives the build that drops it by one build.
func TestRetainedAssets(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		holds := func(want ...string) {
			t.Helper()
			var got []string
			for p, e := range snapshot(t, dir) {
				if e.Mode.IsRegular() && !ownName(p) {
					got = append(got, p)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("the folder holds %q, want %q", got, want)
			}
		}
		a, b := "assets/a.css", "assets/b.css"
		publish(t, dir, site{a: "a", "p": "1"}, inPlace)
		publish(t, dir, site{a: "a", "p": "2"}, inPlace) // unchanged for many builds
		publish(t, dir, site{a: "a", "p": "3"}, inPlace)
		publish(t, dir, site{b: "b", "p": "4"}, inPlace)
		holds(a, b, "p")
		_, err := Publish(t.Context(), append(site{"p": "5"}.files(), failing("q")), Options{Dir: dir, InPlace: inPlace})
		if err == nil {
			t.Error("a build that fails succeeds")
		}
		publish(t, dir, site{b: "b", "p": "4"}, inPlace) // neither of them is a build
		holds(a, b, "p")
		publish(t, dir, site{a: "a", "p": "5"}, inPlace) // a comes back
		holds(a, b, "p")
		publish(t, dir, site{a: "a", "p": "6"}, inPlace)
		holds(a, "p")
		publish(t, dir, site{a + "/x": "a", "p": "7"}, inPlace) // a stands in the way
		holds(a+"/x", "p")
	})
}

func failing(p string) File {
	return File{Path: p, Render: func(*bytes.Buffer) error { return errors.New("no " + p) }}
}

// Faults of rendering come all at once, the first by turn, sorted, the same for any
// number of jobs, and leave the old site whole.
func TestRenderErrors(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		publish(t, dir, site{"a": "1", "b": "2"}, inPlace)
		before := snapshot(t, dir)
		files := site{"a": "changed", "z": "new"}.files()
		for i := range 30 {
			files = append(files, failing(fmt.Sprintf("f%02d", 29-i)))
		}
		var texts []string
		for _, jobs := range []int{1, 8} {
			_, err := Publish(t.Context(), files, Options{Dir: dir, InPlace: inPlace, Jobs: jobs})
			texts = append(texts, fmt.Sprint(err))
			sameTree(t, snapshot(t, dir), before)
			noWork(t, dir)
		}
		want := "render f10: no f10\nrender f11: no f11\n"
		if texts[0] != texts[1] || !strings.Contains(texts[0], want) || strings.Count(texts[0], "\n") != maxErrors-1 {
			t.Errorf("errors differ with jobs or are not the first 20:\n%s\n\n%s", texts[0], texts[1])
		}
	})
}

// Files are made in the order in which they are given, whatever their paths.
func TestTurns(t *testing.T) {
	t.Parallel()
	given := []string{"m/b", "n", "z", "a", "k/a"}
	var files []File
	var made []string
	for _, p := range given {
		files = append(files, File{Path: p, Render: func(dst *bytes.Buffer) error {
			made = append(made, p)
			dst.WriteString(p)
			return nil
		}})
	}
	m, err := Digest(files, 1)
	must(t, err)
	if !slices.Equal(made, given) {
		t.Errorf("made in the order %q, given %q", made, given)
	}
	for i, e := range m {
		if want := slices.Sorted(slices.Values(given))[i]; e.Path != want || e.SHA256 != sha256.Sum256([]byte(want)) {
			t.Errorf("entry %d is of %s, with the digest of another file", i, e.Path)
		}
	}
}

// A build that is cancelled, at whatever file, leaves the old site.
func TestCancel(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		publish(t, dir, site{"a": "1", "b": "2", "c": "3"}, inPlace)
		before := snapshot(t, dir)
		for _, last := range []string{"a", "c"} {
			ctx, cancel := context.WithCancel(t.Context())
			files := site{"a": "4", "b": "5"}.files()
			files = append(files, File{Path: last + "x", Render: func(*bytes.Buffer) error { cancel(); return nil }})
			_, err := Publish(ctx, files, Options{Dir: dir, InPlace: inPlace, Jobs: 1})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v, want that it was cancelled", err)
			}
			sameTree(t, snapshot(t, dir), before)
			noWork(t, dir)
		}
	})
}

// What is not ours is never replaced: the build says what is in the way and
// changes nothing.
func TestForeignInTheWay(t *testing.T) {
	tests := []struct {
		name  string
		make  func(t *testing.T, dir string)
		names string // what the error has to name
	}{
		{"file at a new path", func(t *testing.T, dir string) { write(t, dir, "new/index.html", "mine") }, "new/index.html"},
		{"the same bytes", func(t *testing.T, dir string) { write(t, dir, "new/index.html", "new") }, "new/index.html"},
		{"folder at a new path", func(t *testing.T, dir string) { must(t, os.MkdirAll(dir+"/new/index.html", 0o755)) }, "new/index.html"},
		{"file for a folder", func(t *testing.T, dir string) { write(t, dir, "new", "mine") }, "new"},
		{"link for a folder", func(t *testing.T, dir string) { must(t, os.Symlink(t.TempDir(), dir+"/new")) }, "new"},
		{"link for our folder", func(t *testing.T, dir string) {
			must(t, os.Rename(dir+"/old", dir+"/moved"))
			must(t, os.Symlink("moved", dir+"/old"))
		}, "old"},
		{"link for our file", func(t *testing.T, dir string) {
			must(t, os.Rename(dir+"/old/index.html", dir+"/moved"))
			must(t, os.Symlink("../moved", dir+"/old/index.html"))
		}, "old/index.html"},
		{"pipe for our file", func(t *testing.T, dir string) {
			must(t, os.Remove(dir+"/old/index.html"))
			mkfifo(t, dir+"/old/index.html")
		}, "old/index.html"},
		{"folder for our file", func(t *testing.T, dir string) {
			must(t, os.Remove(dir+"/old/index.html"))
			write(t, dir, "old/index.html/mine", "mine")
		}, "old/index.html"},
		{"file in a folder that becomes a file", func(t *testing.T, dir string) { write(t, dir, "turn/mine", "mine") }, "turn/mine"},
		{"folder for our memory", func(t *testing.T, dir string) { write(t, dir, MemoryName+"/mine", "mine") }, MemoryName},
		{"link for our memory", func(t *testing.T, dir string) { must(t, os.Symlink("mine", dir+"/"+MemoryName)) }, MemoryName},
		{"pipe for our keys", func(t *testing.T, dir string) { mkfifo(t, dir+"/"+KeysName) }, KeysName},
		{"folder for our keys", func(t *testing.T, dir string) { must(t, os.Mkdir(dir+"/"+KeysName, 0o755)) }, KeysName},
		{"folder in a folder that becomes a file", func(t *testing.T, dir string) { must(t, os.Mkdir(dir+"/turn/mine", 0o755)) }, "turn/mine"},
	}
	bothModes(t, func(t *testing.T, inPlace bool) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir() + "/public"
				publish(t, dir, site{"old/index.html": "old", "turn/a": "1"}, inPlace)
				tt.make(t, dir)
				before := snapshot(t, dir)
				next := site{"old/index.html": "changed", "new/index.html": "new", "turn": "2"}
				opt := Options{Dir: dir, InPlace: inPlace, Key: Key{1}, Memory: func() []byte { return []byte("memory") }}
				_, err := Publish(t.Context(), next.files(), opt)
				if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), filepath.Join(dir, tt.names)+" is in the way") {
					t.Errorf("err = %v, want one that names %s", err, tt.names)
				}
				sameTree(t, snapshot(t, dir), before)
				noWork(t, dir)
			})
		}
	})
}

// A link in place of a file or folder that is no longer published is left
// alone, and so is what it leads to.
func TestLinkInPlaceOfRemoved(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir, other := t.TempDir()+"/public", t.TempDir()
		publish(t, dir, site{"d/x": "1", "f": "2", "stay": "3"}, inPlace)
		write(t, other, "x", "theirs")
		must(t, os.RemoveAll(dir+"/d"))
		must(t, os.Symlink(other, dir+"/d"))
		must(t, os.Remove(dir+"/f"))
		must(t, os.Symlink(other+"/x", dir+"/f"))
		before, outside := snapshot(t, dir), snapshot(t, other)
		publish(t, dir, site{"stay": "4"}, inPlace)
		sameTree(t, snapshot(t, other), outside)
		foreign := map[string]entry{"d": before["d"], "f": before["f"]}
		for _, d := range diffContents(snapshot(t, dir), site{"stay": "4"}, foreign, false) {
			t.Error(d)
		}
	})
}

// Only a folder that is new, empty but for dot-entries, or ours is taken.
func TestOwnership(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		write(t, dir, ".gitkeep", "")
		write(t, dir, ".git/HEAD", "ref")
		write(t, dir, "notes.txt", "mine")
		before := snapshot(t, dir)
		s := site{"index.html": "1"}
		_, err := Publish(t.Context(), s.files(), Options{Dir: dir, InPlace: inPlace})
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), `"notes.txt"`) {
			t.Errorf("err = %v, want one that names notes.txt", err)
		}
		sameTree(t, snapshot(t, dir), before)
		noWork(t, dir)

		must(t, os.Remove(dir+"/notes.txt"))
		publish(t, dir, s, inPlace)
		write(t, dir, "notes.txt", "mine") // now it is ours, and guests are welcome
		before = snapshot(t, dir)
		publish(t, dir, site{"index.html": "2"}, inPlace)
		foreign := foreignOf(before, s)
		if len(foreign) != 4 {
			t.Fatalf("foreign entries: %v", foreign)
		}
		for _, d := range diffContents(snapshot(t, dir), site{"index.html": "2"}, foreign, false) {
			t.Error(d)
		}
	})
}

func TestDamagedManifest(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		publish(t, dir, site{"a": "1"}, inPlace)
		must(t, os.WriteFile(dir+"/"+ManifestName, []byte(manifestHeader+"\nx"), 0o644))
		before := snapshot(t, dir)
		_, err := Publish(t.Context(), site{"a": "2"}.files(), Options{Dir: dir, InPlace: inPlace})
		if err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("err = %v, want that the manifest is damaged", err)
		}
		sameTree(t, snapshot(t, dir), before)
	})
}

// One build at a time: the second fails at once, and the lock ends with its
// holder.
func TestBusy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	publish(t, dir, site{"a": "1"}, false)
	held, err := lockTarget(dir, false)
	must(t, err)
	for _, inPlace := range []bool{false, true} {
		_, err := Publish(t.Context(), site{"a": "2"}.files(), Options{Dir: dir + "/", InPlace: inPlace})
		if !errors.Is(err, ErrBusy) {
			t.Errorf("err = %v, want ErrBusy", err)
		}
	}
	must(t, held.release())
	publish(t, dir, site{"a": "2"}, false)
}

// A folder can be named in any way. (Not parallel: it changes the folder that
// the process is in.)
func TestNamesOfTheFolder(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.MkdirAll(base+"/real", 0o755))
	must(t, os.Symlink("real", base+"/link"))
	for i, tt := range []struct{ cwd, dir, at string }{
		{".", "rel", "rel"},
		{".", "rel/", "rel"},
		{".", "new/parents/too/", "new/parents/too"},
		{"rel", ".", "rel"},
		{"rel", "../rel/./", "rel"},
		{".", "link", "real"},
		{".", "link/", "real"},
		{".", base + "/abs", "abs"},
	} {
		for _, inPlace := range []bool{false, true} {
			t.Chdir(filepath.Join(base, tt.cwd))
			want := site{"a/b": fmt.Sprint(i, inPlace)}
			_, err := Publish(t.Context(), want.files(), Options{Dir: tt.dir, InPlace: inPlace})
			must(t, err)
			for _, d := range diffContents(snapshot(t, filepath.Join(base, tt.at)), want, nil, false) {
				t.Errorf("%+v: %s", tt, d)
			}
			noWork(t, filepath.Join(base, tt.at))
		}
	}
	if target, err := os.Readlink(base + "/link"); target != "real" {
		t.Errorf("the link is %q, %v", target, err)
	}
}

func TestNoFolder(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		base := t.TempDir()
		write(t, base, "file", "mine")
		must(t, os.Symlink("nowhere", base+"/dangling"))
		before := snapshot(t, base)
		for _, dir := range []string{"", "/", base + "/file", base + "/file/below", base + "/file/b/c", base + "/dangling"} {
			if _, err := Publish(t.Context(), site{"a": "1"}.files(), Options{Dir: dir, InPlace: inPlace}); err == nil {
				t.Errorf("publishing to %q succeeds", dir)
			}
		}
		sameTree(t, snapshot(t, base), before)
	})
}

// After a swap the old tree is drained. Nothing that somebody put there, or
// replaced there, while the new tree was being made is lost.
func TestDrainRescues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	publish(t, dir, site{"a": "old", "d/x": "1", "e/y": "2"}, false)
	write(t, dir, "CNAME", "example.org")
	write(t, dir, ".git/HEAD", "ref")
	publish(t, dir, site{"a": "new", "d": "1", "fresh": "2"}, false)

	// As a build leaves it that is killed just after the swap.
	work := workOf(dir)
	tree := join(work, stageName)
	must(t, os.Mkdir(work, 0o700))
	publish(t, tree, site{"a": "old", "d/x": "1", "e/y": "2"}, false)
	must(t, os.Link(dir+"/CNAME", tree+"/CNAME"))
	must(t, os.MkdirAll(tree+"/.git/refs/new", 0o755))
	must(t, os.WriteFile(tree+"/.git/HEAD", []byte("replaced"), 0o644)) // newer
	write(t, tree, "e/mine", "in our folder")
	write(t, tree, "d/mine", "where a file is now")
	write(t, tree, "fresh", "where the new site has a file")
	write(t, tree, "theirs/deep/file", "a whole folder")
	must(t, os.Symlink("CNAME", tree+"/link"))
	info, err := os.Lstat(dir)
	must(t, err)
	must(t, os.WriteFile(join(work, swapName), []byte(identity(info)+"\n"), 0o600))

	next := site{"a": "new", "d": "1", "fresh": "2"}
	publish(t, dir, next, false)
	got := map[string]string{}
	for p, e := range snapshot(t, dir) {
		if !e.Mode.IsDir() && p != ManifestName {
			got[p] = e.Content
		}
	}
	want := map[string]string{
		"CNAME": "example.org", ".git/HEAD": "replaced", "e/mine": "in our folder", "theirs/deep/file": "a whole folder",
		"link": "CNAME", keptPrefix + "d-mine-1": "where a file is now",
		keptPrefix + "fresh-1": "where the new site has a file",
	}
	maps.Copy(want, next)
	if !maps.Equal(got, want) {
		t.Errorf("after draining the folder holds\n%q\nwant\n%q", got, want)
	}
	if _, err := os.Stat(dir + "/.git/refs/new"); err != nil {
		t.Error(err)
	}
}

// A reader that opens files all the time meets each of them, whatever builds
// come by.
func TestReaderMissesNothing(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		publish(t, dir, site{"a/index.html": "start"}, inPlace)
		stop, missed := make(chan struct{}), make(chan error, 4)
		for range cap(missed) {
			go func() { missed <- readUntil(stop, dir+"/a/index.html") }()
		}
		for i := range 100 {
			publish(t, dir, site{"a/index.html": fmt.Sprint(i)}, inPlace)
		}
		close(stop)
		for range cap(missed) {
			if err := <-missed; err != nil {
				t.Error(err)
			}
		}
	})
}

// readUntil reads a file again and again and returns the first error.
func readUntil(stop chan struct{}, name string) error {
	for {
		select {
		case <-stop:
			return nil
		default:
			if _, err := os.ReadFile(name); err != nil {
				return err
			}
		}
	}
}

// Calls of Progress rise to the total, and are few.
func TestProgress(t *testing.T) {
	t.Parallel()
	s := site{}
	for i := range 1234 {
		s[fmt.Sprint(i)] = "x"
	}
	last, calls := 0, 0
	_, err := Publish(t.Context(), s.files(), Options{Dir: t.TempDir() + "/p", Jobs: 4, Progress: func(done, total int) {
		if done <= last || total != len(s) {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last, calls = done, calls+1
	}})
	must(t, err)
	if last != len(s) || calls > 110 {
		t.Errorf("%d calls of progress, the last with %d", calls, last)
	}
}
