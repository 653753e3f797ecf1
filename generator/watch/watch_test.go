//go:build linux

package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// TestSaves saves a file as programs do, twice each, and wants one batch
// for each save that names the file and nothing else.
func TestSaves(t *testing.T) {
	command := func(name string, args ...string) func(t *testing.T, p, text string) {
		return func(t *testing.T, p, text string) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip(err)
			}
			c := exec.Command(name)
			for _, a := range args {
				c.Args = append(c.Args, strings.NewReplacer("FILE", p, "TEXT", text).Replace(a))
			}
			c.Dir = filepath.Dir(p)
			c.Stdin = strings.NewReader(",c\n" + text + "\n.\nw\nq\n")
			c.Env = append(os.Environ(), "HOME="+t.TempDir())
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
	}
	vim := func(copy string) func(t *testing.T, p, text string) {
		return command("vim", "-es", "-u", "NONE", "-c", "set writebackup backupcopy="+copy, "-c", "%s/.*/TEXT/", "-c", "wq", "FILE")
	}
	rename := func(tmp string) func(t *testing.T, p, text string) {
		return func(t *testing.T, p, text string) {
			tmp := filepath.Join(filepath.Dir(p), strings.ReplaceAll(tmp, "NAME", filepath.Base(p)))
			write(t, tmp, text)
			must(t, os.Rename(tmp, p))
		}
	}
	for name, save := range map[string]func(t *testing.T, p, text string){
		"truncate and write":       func(t *testing.T, p, text string) { write(t, p, text) },
		"vim, renaming":            vim("no"),
		"vim, copying":             vim("yes"),
		"ed":                       command("ed", "-s", "FILE"),
		"sed -i":                   command("sed", "-i", "s/.*/TEXT/", "FILE"),
		"mv in the folder":         rename("NAME.new"),
		"gedit":                    rename(".goutputstream-X1Y2Z3"),
		"mv from elsewhere":        rename("../NAME"),
		"rename over, same folder": rename("zz"),
		"emacs": func(t *testing.T, p, text string) {
			dir, base := filepath.Split(p)
			must(t, os.Symlink("me@host.1:2", dir+".#"+base))
			write(t, dir+"#"+base+"#", text)
			os.Remove(p + "~")
			must(t, os.Rename(p, p+"~"))
			write(t, p, text)
			must(t, os.Remove(dir+"#"+base+"#"))
			must(t, os.Remove(dir+".#"+base))
		},
		"JetBrains": func(t *testing.T, p, text string) {
			write(t, p+"___jb_tmp___", text)
			must(t, os.Rename(p, p+"___jb_old___"))
			must(t, os.Rename(p+"___jb_tmp___", p))
			must(t, os.Remove(p+"___jb_old___"))
		},
		"remove and write": func(t *testing.T, p, text string) {
			must(t, os.Remove(p))
			write(t, p, text)
		},
		"link in place": func(t *testing.T, p, text string) {
			write(t, p+".tmp", text)
			must(t, os.Remove(p))
			must(t, os.Link(p+".tmp", p))
			must(t, os.Remove(p+".tmp"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folderOf(t, "a.json", "b.json")
			// More than any pause of a program on a busy machine: the batches are counted.
			r := receive(t, Options{Quiet: 100 * time.Millisecond, Max: 4 * time.Second}, dir)
			p := filepath.Join(dir, "a.json")
			for n := range 2 {
				save(t, p, fmt.Sprint("text ", n))
				r.tells([]string{p}, nil)
				r.agree()
			}
			r.silent(dir)
		})
	}
}

// TestSteps: a file that is written in steps, slower than the quiet time, is told
// again until it is whole, and a pause shorter than that is waited for.
func TestSteps(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json")
	r := receive(t, Options{}, dir)
	f, err := os.Create(filepath.Join(dir, "a.json"))
	must(t, err)
	defer f.Close()
	for n := range 5 {
		fmt.Fprint(f, n)
		r.tells([]string{f.Name()}, nil)
	}
	r.agree()
}

// TestMerge: a batch tells the difference, not the history.
func TestMerge(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json", "b.json", "sub/sub/c.json")
	time.Sleep(30 * time.Millisecond) // what was written just now is told once too often rather than not at all
	r := receive(t, Options{Quiet: 200 * time.Millisecond, Max: 2 * time.Second}, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("c.json"), "1")
	write(t, at("d.json"), "2")
	write(t, at("sedX1Y2Z3"), "3")
	must(t, os.Remove(at("sedX1Y2Z3")))
	must(t, os.Remove(at("d.json")))
	must(t, os.Remove(at("a.json")))
	must(t, os.Rename(at("b.json"), at("e.json")))
	must(t, os.Rename(at("e.json"), at("b.json")))
	r.tells([]string{at("b.json"), at("c.json")}, []string{at("a.json")})
	// A folder that was moved away and is back is as it was.
	must(t, os.Rename(at("sub"), at("../sub")))
	must(t, os.Rename(at("../sub"), at("sub")))
	r.silent(dir)
}

// TestSettle: how long to wait depends on what is to be told.
func TestSettle(t *testing.T) {
	t.Parallel()
	opt := Options{}.withDefaults()
	text, empty := entry{stamp: stamp{state: state{size: 9}}}, entry{}
	link := entry{stamp: stamp{link: "x", target: state{size: 9}}}
	dangling := entry{stamp: stamp{state: state{size: 9}, link: "x"}}
	now := time.Now()
	for name, c := range map[string]struct {
		changes []change
		adapt   func(*pending)
		want    time.Duration
	}{
		"renamed into place":             {changes: []change{{has: true, is: text, moved: true}}, want: 0},
		"written":                        {changes: []change{{has: true, is: text}}, want: opt.Quiet / 4},
		"a link to something":            {changes: []change{{has: true, is: link}}, want: opt.Quiet / 4},
		"a link to nothing":              {changes: []change{{has: true, is: dangling}}, want: opt.Quiet},
		"empty":                          {changes: []change{{has: true, is: empty, moved: true}}, want: opt.Quiet},
		"removed":                        {changes: []change{{had: true}}, want: opt.Quiet},
		"two":                            {changes: []change{{has: true, is: text, moved: true}, {has: true, is: text}}, want: opt.Quiet},
		"everything":                     {changes: []change{{has: true, is: text}}, adapt: func(p *pending) { p.all = true }, want: opt.Quiet},
		"a root is away":                 {changes: []change{{had: true}}, adapt: func(p *pending) { p.away = true }, want: opt.Max},
		"renamed, right after a batch":   {changes: []change{{has: true, is: text, moved: true}}, adapt: func(p *pending) { p.sentAt = now.Add(-opt.Max / 2) }, want: opt.Quiet},
		"renamed, a while after a batch": {changes: []change{{has: true, is: text, moved: true}}, adapt: func(p *pending) { p.sentAt = now.Add(-2 * opt.Max) }, want: 0},
	} {
		p := newPending(opt)
		for n := range c.changes {
			p.changes[fmt.Sprint(n)] = &c.changes[n]
		}
		if c.adapt != nil {
			c.adapt(p)
		}
		p.mark(now)
		if got := p.settle(); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
		p.mark(now.Add(opt.Max - time.Microsecond))
		if got := p.due(); got.After(now.Add(opt.Max)) {
			t.Errorf("%s: a burst is kept for %v", name, got.Sub(now))
		}
	}
}

// TestSameStamp: what an event calls written is told even if it looks the same,
// as the clocks of some file systems tick slowly.
func TestSameStamp(t *testing.T) {
	t.Parallel()
	e := entry{stamp: stamp{state: state{size: 9, mtime: 5}}}
	young := entry{stamp: e.stamp, young: true}
	for _, c := range []struct {
		name string
		note func(p *pending)
		told bool
	}{
		{"written", func(p *pending) { p.note("p", true, e, true, e, hint{ops: fsnotify.Write}, time.Now()) }, true},
		{"another mode, and back", func(p *pending) { p.note("p", true, e, true, e, hint{ops: fsnotify.Chmod}, time.Now()) }, false},
		{"out of sight", func(p *pending) {
			p.note("p", true, e, false, entry{}, hint{}, time.Now())
			p.note("p", false, entry{}, true, e, hint{}, time.Now())
		}, false},
		{"out of sight just after it was written", func(p *pending) {
			p.note("p", true, young, false, entry{}, hint{}, time.Now())
			p.note("p", false, entry{}, true, young, hint{}, time.Now())
		}, true},
	} {
		p := newPending(Options{}.withDefaults())
		c.note(p)
		if b := p.batch(); (b != nil) != c.told {
			t.Errorf("%s: got %v", c.name, b)
		}
	}
}

// TestMax: a burst that does not end is passed on nonetheless, and a loop of
// renames over a thousand files is a burst, though each is complete.
func TestMax(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json")
	r := receive(t, Options{Quiet: 100 * time.Millisecond, Max: 200 * time.Millisecond}, dir)
	begun := time.Now()
	for n := 0; len(r.batches) < 3; n++ {
		p := filepath.Join(dir, fmt.Sprintf("%d.json", n%50))
		write(t, p+".tmp", fmt.Sprint(n))
		must(t, os.Rename(p+".tmp", p))
		select {
		case b := <-r.w.Batches():
			r.take(b)
		default:
		}
		if time.Since(begun) > deadline {
			t.Fatalf("%d batches in %v", len(r.batches), time.Since(begun))
		}
	}
	if d := time.Since(begun); d < 200*time.Millisecond {
		t.Errorf("three batches within %v", d)
	}
	r.agree()
}

// TestBusy: bursts that come while the receiver is busy are one batch, or two if
// it takes the first before the watcher has seen the last.
func TestBusy(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json", "z.json")
	r := receive(t, Options{Quiet: time.Millisecond, Max: 2 * time.Millisecond}, dir)
	begun := time.Now()
	for n := range 60 {
		write(t, filepath.Join(dir, fmt.Sprintf("b%02d.json", n)), "x")
		time.Sleep(3 * time.Millisecond) // each is a burst of its own
	}
	must(t, os.Remove(filepath.Join(dir, "z.json")))
	r.agree()
	if len(r.batches) > 2 {
		t.Errorf("%d batches came", len(r.batches))
	}
	if at := r.batches[0].At; at.Before(begun) || at.Sub(begun) > time.Second {
		t.Errorf("the batch is of %v after the first change", at.Sub(begun))
	}
	r.silent(dir)
}

// TestCheckout: a change of a thousand files comes in few batches.
func TestCheckout(t *testing.T) {
	t.Parallel()
	dir := folderOf(t)
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
	}
	fill := func(text string, from, to int) {
		for n := from; n < to; n++ {
			p := filepath.Join(dir, fmt.Sprintf("%02d/%d.json", n%30, n))
			must(t, os.MkdirAll(filepath.Dir(p), 0o755))
			write(t, p, text)
		}
	}
	git("init", "-q", "-b", "one")
	fill("one", 0, 1000)
	git("add", ".")
	git("commit", "-qm", "one")
	git("checkout", "-qb", "two")
	git("rm", "-q", "00/*")
	fill("two", 500, 1500)
	git("add", ".")
	git("commit", "-qm", "two")
	r := receive(t, Options{}, dir)
	for _, branch := range []string{"one", "two", "one"} {
		before := len(r.batches)
		begun := time.Now()
		git("checkout", "-q", branch)
		r.agree()
		if n := len(r.batches) - before; n > 3+int(time.Since(begun)/(100*time.Millisecond)) {
			t.Errorf("%d batches in %v", n, time.Since(begun))
		}
	}
	r.silent(dir)
}

// TestFolders does things to folders, and then wants an edit in the folder to be
// seen at once.
func TestFolders(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.MkdirAll(outside+"/sub", 0o755))
	write(t, outside+"/sub/o.json", "o")
	for name, do := range map[string]func(dir string) error{
		"new, nested": func(dir string) error {
			return errors.Join(os.MkdirAll(dir+"/new/a/b", 0o755), os.WriteFile(dir+"/new/a/b/f", nil, 0o644))
		},
		"removed": func(dir string) error { return os.RemoveAll(dir + "/a") },
		"removed and made again": func(dir string) error {
			return errors.Join(os.RemoveAll(dir+"/a"), os.MkdirAll(dir+"/a/sub", 0o755), os.WriteFile(dir+"/a/sub/g.json", nil, 0o644))
		},
		"moved in": func(dir string) error { return exec.Command("cp", "-r", outside, dir+"/o").Run() },
		"moved away, another in": func(dir string) error {
			return errors.Join(os.Rename(dir+"/a", dir+"/../a"), exec.Command("cp", "-rp", dir+"/../a", dir+"/a").Run())
		},
		"moved away and back": func(dir string) error {
			return errors.Join(os.Rename(dir+"/a", dir+"/../a"), os.Rename(dir+"/../a", dir+"/a"))
		},
		"renamed": func(dir string) error { return os.Rename(dir+"/a", dir+"/c") },
		"renamed twice": func(dir string) error {
			return errors.Join(os.Rename(dir+"/a", dir+"/c"), os.Rename(dir+"/c", dir+"/d"))
		},
		"renamed into one another": func(dir string) error { return os.Rename(dir+"/a", dir+"/b/a") },
		"swapped": func(dir string) error {
			return errors.Join(os.Rename(dir+"/a", dir+"/x"), os.Rename(dir+"/b", dir+"/a"), os.Rename(dir+"/x", dir+"/b"))
		},
		"replaced by a file": func(dir string) error {
			return errors.Join(os.RemoveAll(dir+"/a"), os.WriteFile(dir+"/a", []byte("x"), 0o644))
		},
		"replaced by a link": func(dir string) error { return errors.Join(os.RemoveAll(dir+"/a"), os.Symlink("b", dir+"/a")) },
		"a file becomes a folder": func(dir string) error {
			return errors.Join(os.Remove(dir+"/top.json"), os.MkdirAll(dir+"/top.json/x", 0o755))
		},
		"only its case": func(dir string) error { return os.Rename(dir+"/a", dir+"/A") },
		"a link to itself": func(dir string) error {
			return errors.Join(os.Symlink(".", dir+"/loop"), os.Symlink("loop2", dir+"/loop2"))
		},
		"pipes, devices, and so on": func(dir string) error { return exec.Command("mkfifo", dir+"/fifo").Run() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folderOf(t, "a/sub/f.json", "a/g.json", "b/f.json", "top.json")
			r := receive(t, Options{}, dir)
			for range 2 {
				must(t, do(dir))
				r.agree()
				editEverywhere(t, r, dir)
				must(t, os.RemoveAll(dir))
				must(t, os.Mkdir(dir, 0o755))
				for _, p := range []string{"a/sub/f.json", "a/g.json", "b/f.json", "top.json"} {
					must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755))
					write(t, filepath.Join(dir, p), "again")
				}
				os.RemoveAll(dir + "/../a")
				r.agree()
			}
		})
	}
}

// editEverywhere makes a new file in each folder, and wants to be told.
func editEverywhere(t *testing.T, r *receiver, dir string) {
	t.Helper()
	var folders []string
	real, err := filepath.EvalSymlinks(dir)
	must(t, err)
	must(t, filepath.WalkDir(real, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			folders = append(folders, p)
		}
		return err
	}))
	for _, p := range folders {
		write(t, filepath.Join(p, "edit"), p)
		r.agree()
	}
}

// rootChanges are things that happen to a root and to what leads to it.
func rootChanges() map[string][]func(base string) error {
	return map[string][]func(base string) error{
		"removed, made again": {
			func(base string) error { return os.RemoveAll(base + "/v1/s") },
			func(base string) error {
				return errors.Join(os.Mkdir(base+"/v1/s", 0o755), os.WriteFile(base+"/v1/s/n", nil, 0o644))
			},
		},
		"removed and made again at once": {
			func(base string) error { return errors.Join(os.RemoveAll(base+"/v1/s"), os.Mkdir(base+"/v1/s", 0o755)) },
			func(base string) error {
				return errors.Join(os.RemoveAll(base+"/v1/s"), os.MkdirAll(base+"/v1/s/a", 0o755))
			},
		},
		"moved away, a copy in": {
			func(base string) error {
				return errors.Join(os.Rename(base+"/v1/s", base+"/v1/s0"), exec.Command("cp", "-r", base+"/v1/s0", base+"/v1/s").Run())
			},
			func(base string) error {
				return errors.Join(os.WriteFile(base+"/v1/s0/f.json", []byte("not ours"), 0o644), os.WriteFile(base+"/v1/s/f.json", []byte("ours"), 0o644))
			},
		},
		"the folder above moved, and back": {
			func(base string) error { return os.Rename(base+"/v1", base+"/v0") },
			func(base string) error { return os.Rename(base+"/v0", base+"/v1") },
		},
		"two folders above moved": {
			func(base string) error { return os.Rename(base, base+".moved") },
			func(base string) error { return exec.Command("cp", "-r", base+".moved", base).Run() },
		},
		"three folders above moved": {
			func(base string) error { return os.Rename(filepath.Dir(base), filepath.Dir(base)+".moved") },
			func(base string) error { return os.Rename(filepath.Dir(base)+".moved", filepath.Dir(base)) },
		},
		"the link points elsewhere": {
			func(base string) error {
				return errors.Join(os.Symlink("v2", base+"/next"), os.Rename(base+"/next", base+"/link"))
			},
			func(base string) error {
				return errors.Join(os.Remove(base+"/link"), os.Symlink(base+"/v1", base+"/link"))
			},
		},
		"the link leads nowhere for a while": {
			func(base string) error { return errors.Join(os.Remove(base+"/link"), os.Symlink("v3", base+"/link")) },
			func(base string) error { return exec.Command("cp", "-r", base+"/v2", base+"/v3").Run() },
		},
		"it becomes a file, and a folder again": {
			func(base string) error {
				return errors.Join(os.RemoveAll(base+"/v1/s"), os.WriteFile(base+"/v1/s", []byte("file"), 0o644))
			},
			func(base string) error { return os.WriteFile(base+"/v1/s", []byte("another"), 0o644) },
			func(base string) error {
				return errors.Join(os.Remove(base+"/v1/s"), os.Mkdir(base+"/v1/s", 0o755), os.WriteFile(base+"/v1/s/n", nil, 0o644))
			},
		},
	}
}

// TestRoots does things to a root and to what leads to it.
func TestRoots(t *testing.T) {
	for name, do := range rootChanges() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := filepath.Join(t.TempDir(), "up/base")
			for _, dir := range []string{"v1/s/sub", "v2/s/sub"} {
				must(t, os.MkdirAll(filepath.Join(base, dir), 0o755))
				write(t, filepath.Join(base, dir, "../f.json"), dir)
				write(t, filepath.Join(base, dir, "g.json"), dir)
			}
			must(t, os.Symlink("v1", base+"/link"))
			// The root itself, over a link, nested, a file, one that is never there.
			r := receive(t, Options{}, base+"/v1/s", base+"/link/s", base+"/v1/s/sub", base+"/link/s/f.json", base+"/v9/s")
			for range 2 {
				for _, f := range do {
					must(t, f(base))
					r.agree()
					for _, root := range r.roots {
						if info, err := os.Stat(root); err == nil && info.IsDir() {
							editEverywhere(t, r, root)
						}
					}
				}
				os.RemoveAll(base + "/v1/s0")
				os.RemoveAll(base + "/v3")
				os.RemoveAll(base + ".moved")
			}
		})
	}
}

// TestMissingRoot: a root may come late, with the folders that it is in.
func TestMissingRoot(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	r := receive(t, Options{}, base+"/a/b/s", base+"/a/site.json", base+"/link/x")
	must(t, os.MkdirAll(base+"/a/b/s/sub", 0o755))
	write(t, base+"/a/b/s/sub/f.json", "1")
	r.agree()
	write(t, base+"/a/b/s/sub/f.json", "2")
	write(t, base+"/a/site.json", "3")
	write(t, base+"/a/none.of.ours", "3")
	r.agree()
	must(t, os.Symlink("a/b/s", base+"/link"))
	must(t, os.Mkdir(base+"/a/b/s/x", 0o755))
	write(t, base+"/a/b/s/x/f.json", "4")
	r.agree()
	if len(r.files) != 4 {
		t.Errorf("got %v", r.files)
	}
	editEverywhere(t, r, base+"/link/x")
}

// TestAway: of a root that is back soon, nobody is told that it was away.
func TestAway(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json")
	r := receive(t, Options{Quiet: time.Millisecond, Max: 700 * time.Millisecond}, dir)
	var copying sync.WaitGroup
	copying.Go(func() {
		err := os.RemoveAll(dir)
		time.Sleep(50 * time.Millisecond)
		err = errors.Join(err, os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "b.json"), []byte("x"), 0o644))
		if err != nil {
			t.Error(err)
		}
	})
	defer copying.Wait()
	r.tells([]string{filepath.Join(dir, "b.json")}, []string{filepath.Join(dir, "a.json")})
	if !r.batches[0].All {
		t.Error("the batch does not say that everything is to be read")
	}
}

// TestRelative: batches name files as the roots were given.
func TestRelative(t *testing.T) {
	dir := folderOf(t, "a/f.json")
	t.Chdir(dir)
	for root, want := range map[string]string{".": "a/f.json", "a": "a/f.json", "./a/": "a/f.json", "a/f.json": "a/f.json", "../s": "../s/a/f.json"} {
		r := receive(t, Options{}, root)
		write(t, "a/f.json", "for "+root)
		r.tells([]string{want}, nil)
	}
}

// TestIgnored: nothing is told of what is ignored, and nothing is done for it.
func TestIgnored(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json", "public/p.html", ".git/index")
	info, err := os.Stat(filepath.Join(dir, "a.json"))
	must(t, err)
	for isYoung(stateOf(info), time.Now()) { // a file that was just written may be told of once more
		time.Sleep(time.Millisecond)
	}
	names := []string{".x", "x~", "#x#", "4913", "5036", "a.swp", ".#x", "a.json.Q1.bck", "a.json.bak", ".git/index", ".git/objects"}
	ignore := func(p string) bool { return Scratch(p) || p == filepath.Join(dir, "public") }
	for _, opt := range []Options{{Ignore: ignore}, {Ignore: ignore, ForcePoll: true, Poll: 5 * time.Millisecond}} {
		r := receive(t, opt, dir)
		for n := range 3 {
			for _, name := range append(names, "public/p.html", "public/q.html") {
				write(t, filepath.Join(dir, name), fmt.Sprint(n))
			}
		}
		must(t, os.RemoveAll(filepath.Join(dir, "public/new")))
		must(t, os.MkdirAll(filepath.Join(dir, "public/new/sub"), 0o755))
		os.Remove(filepath.Join(dir, ".#y"))
		must(t, os.Symlink("nobody@host", filepath.Join(dir, ".#y")))
		r.silent(dir)
		if !r.w.opt.ForcePoll && !r.w.activityAt.IsZero() && len(r.batches) == 0 {
			t.Error("ignored names count as activity")
		}
	}
	// The user's own filter decides alone.
	r := receive(t, Options{Ignore: func(p string) bool { return filepath.Base(p) == "a.json" }}, dir)
	write(t, filepath.Join(dir, "a.json"), "x")
	write(t, filepath.Join(dir, ".git/index"), "y")
	r.tells([]string{filepath.Join(dir, ".git/index")}, nil)
}

func TestScratch(t *testing.T) {
	for name, want := range map[string]bool{
		"a.json": false, "2025": false, "4912": false, "4914": false, "IL-0001.json": false, "site.json": false, "index.html": false, "..": false, ".": false, "한글.json": false,
		"s/4913": true, "s/5036": true, ".x": true, "x~": true, "#x#": true, ".x.swp": true, "x.swp": true, ".#x": true, "x.json.abc.bck": true, "x.json___jb_tmp___": true,
		".goutputstream-A": true, "~$x": true, ".DS_Store": true, "x.json.tmp": true,
	} {
		if got := Scratch(name); got != want {
			t.Errorf("Scratch(%q) = %v", name, got)
		}
	}
}

// TestLinkedFile: a link changes with what it leads to, wherever that is.
func TestLinkedFile(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json", "sub/b.json")
	out := folderOf(t, "o.json", "p.json")
	link := filepath.Join(dir, "link.json")
	must(t, os.Symlink(out+"/o.json", link))
	must(t, os.Symlink("a.json", filepath.Join(dir, "inside.json")))
	must(t, os.Symlink(out+"/later.json", filepath.Join(dir, "dangling.json")))
	r := receive(t, Options{}, dir)
	for n := range 2 {
		write(t, out+"/o.json", fmt.Sprint(n))
		r.tells([]string{link}, nil)
		write(t, out+"/new", fmt.Sprint(n))
		must(t, os.Rename(out+"/new", out+"/o.json"))
		r.tells([]string{link}, nil)
	}
	write(t, filepath.Join(dir, "a.json"), "x")
	r.tells([]string{filepath.Join(dir, "a.json"), filepath.Join(dir, "inside.json")}, nil)
	write(t, out+"/later.json", "x")
	r.tells([]string{filepath.Join(dir, "dangling.json")}, nil)
	must(t, os.Remove(link))
	must(t, os.Symlink(out+"/p.json", link))
	r.agree()
	write(t, out+"/p.json", "x")
	r.agree()
	must(t, os.RemoveAll(out))
	r.agree()
	must(t, os.Mkdir(out, 0o755))
	write(t, out+"/p.json", "back")
	r.agree()
}

// TestKeptTimes: a file that is replaced by another of the same size and time is
// told, also if nothing but a look at the disk can tell.
func TestKeptTimes(t *testing.T) {
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll=%v", poll), func(t *testing.T) {
			t.Parallel()
			dir := folderOf(t, "a.json", "b.json")
			p, tmp := filepath.Join(dir, "a.json"), filepath.Join(dir, ".tmp")
			old := time.Now().Add(-time.Hour)
			write(t, p, "AAAA")
			must(t, os.Chtimes(p, old, old))
			r := receive(t, Options{ForcePoll: poll, Poll: 10 * time.Millisecond}, dir)
			for n, f := range []func(){
				func() { must(t, os.Rename(tmp, p)) },
				func() { must(t, exec.Command("cp", "-p", tmp, p).Run()) },
				func() {
					if _, err := exec.LookPath("rsync"); err == nil {
						must(t, exec.Command("rsync", "-a", "--ignore-times", tmp, p).Run())
					}
				},
			} {
				write(t, tmp, fmt.Sprintf("BBB%d", n))
				must(t, os.Chtimes(tmp, old, old))
				f()
				r.agree()
			}
		})
	}
}

// TestClock: times of files that go backwards, or are far off, are changes like
// others, and are told once.
func TestClock(t *testing.T) {
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll=%v", poll), func(t *testing.T) {
			t.Parallel()
			dir := folderOf(t, "a.json")
			p := filepath.Join(dir, "a.json")
			r := receive(t, Options{ForcePoll: poll, Poll: 10 * time.Millisecond}, dir)
			for _, when := range []time.Duration{time.Hour * 9999, -time.Hour, time.Hour, -time.Hour * 9999} {
				at := time.Now().Add(when)
				must(t, os.Chtimes(p, at, at))
				r.tells([]string{p}, nil)
			}
			write(t, p, "x")
			r.agree()
			if !poll { // which tells what was written just before a look once more
				r.silent(dir)
			}
		})
	}
}

func TestCaseRename(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json")
	r := receive(t, Options{}, dir)
	must(t, os.Rename(dir+"/a.json", dir+"/A.json"))
	r.tells([]string{dir + "/A.json"}, []string{dir + "/a.json"})
}

// TestCaseFold: where a.json is found under the name A.json too, the listing
// tells which one it is.
func TestCaseFold(t *testing.T) {
	s := &sweep{listed: []string{"A.json", "b.json"}}
	tr := &tree{}
	if !tr.underOtherCase(sign{sweep: s}, "a.json") || tr.underOtherCase(sign{sweep: s}, "c.json") || tr.underOtherCase(sign{}, "a.json") {
		t.Error("the listing was not asked")
	}
}

// TestFlood: 20,000 new files come in few batches, and all of them.
func TestFlood(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json")
	r := receive(t, Options{}, dir)
	begun := time.Now()
	for n := range 20000 {
		must(t, syscall.Mknod(filepath.Join(dir, fmt.Sprintf("%d.json", n)), syscall.S_IFREG|0o644, 0))
	}
	r.agree()
	if n := len(r.batches); n > 3+int(time.Since(begun)/(100*time.Millisecond)) {
		t.Errorf("%d batches in %v", n, time.Since(begun))
	}
	must(t, os.RemoveAll(dir))
	r.agree()
}

// TestOverflow: nobody takes events for a while, until the system drops them.
func TestOverflow(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a.json", "sub/b.json")
	r := receive(t, Options{}, dir)
	r.w.inbox.mu.Lock()
	limit := 16384
	if b, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events"); err == nil {
		fmt.Sscan(string(b), &limit)
	}
	if limit > 100000 {
		t.Skip("the queue is too long to fill")
	}
	for n := range limit {
		p := filepath.Join(dir, fmt.Sprintf("z%d.tmp", n%10))
		write(t, p, "")
		must(t, os.Remove(p))
	}
	write(t, dir+"/a.json", "after the flood")
	must(t, os.RemoveAll(dir+"/sub"))
	must(t, os.MkdirAll(dir+"/sub/deep", 0o755))
	write(t, dir+"/sub/deep/c.json", "after the flood")
	r.w.inbox.mu.Unlock()
	r.agree()
	if !slices.ContainsFunc(r.batches, func(b Batch) bool { return b.All }) {
		t.Error("no batch says that everything is to be read again")
	}
	editEverywhere(t, r, dir)
}

// faulty is a system that fails in places.
type faulty struct {
	system
	fails func(path string) error
	mu    sync.Mutex
	calls int
	errs  chan error
}

func newFaulty(t *testing.T, fails func(string) error) *faulty {
	sys, err := newSystem()
	must(t, err)
	return &faulty{system: sys, fails: fails, errs: make(chan error)}
}

func (f *faulty) add(path string) error {
	f.mu.Lock()
	f.calls++
	f.mu.Unlock()
	if err := f.fails(path); err != nil {
		return err
	}
	return f.system.add(path)
}

func (f *faulty) errors() <-chan error { return f.errs }

// TestOneFolderFails: a folder that cannot be watched is looked at instead, the
// others are watched.
func TestOneFolderFails(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a/f.json", "b/deep/f.json", "c/f.json")
	var mended atomic.Bool
	sys := newFaulty(t, func(p string) error {
		if filepath.Base(p) == "b" && !mended.Load() {
			return &fs.PathError{Op: "watch", Path: p, Err: fs.ErrPermission}
		}
		return nil
	})
	r := startWith(t, sys, Options{Poll: 20 * time.Millisecond, sweepAfter: never, sweepBy: never}, dir)
	r.notice("b cannot be watched", "permission denied", "20ms")
	for range 2 {
		editEverywhere(t, r, dir)
		must(t, os.RemoveAll(dir+"/b"))
		r.agree()
		must(t, os.MkdirAll(dir+"/b/new/er", 0o755))
		write(t, dir+"/b/new/er/x.json", "1")
		r.agree()
	}
	select {
	case msg := <-r.notices:
		t.Errorf("one notice more: %s", msg)
	default:
	}
	// When it can be watched again, it is, and nothing is looked at any more.
	mended.Store(true)
	editEverywhere(t, r, dir)
	must(t, os.MkdirAll(dir+"/b/more", 0o755))
	for range 3 {
		write(t, dir+"/b/more/f", time.Now().String())
		r.agree()
		time.Sleep(30 * time.Millisecond) // an interval of looking
	}
	must(t, r.w.Close())
	if r.w.tree.blind() {
		t.Errorf("%d folders are not watched", r.w.tree.watches.failed)
	}
}

// TestErrors: after an error of the system, everything is read again; a system
// that gives up is replaced by looking.
func TestErrors(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a/f.json")
	sys := newFaulty(t, func(string) error { return nil })
	r := startWith(t, sys, Options{Poll: 20 * time.Millisecond, sweepAfter: never, sweepBy: never}, dir)
	sys.errs <- errors.New("something is wrong")
	if b := r.next(); !b.All {
		t.Errorf("got %v", b)
	}
	editEverywhere(t, r, dir)
	must(t, sys.system.close())
	r.notice("folders cannot be watched", "20ms")
	if b := r.next(); !b.All {
		t.Errorf("got %v", b)
	}
	editEverywhere(t, r, dir)
}

// TestSweep: what no event told of is found after the next activity, in the
// named file's batch or after it.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a/f.json", "b/f.json", "b/g.json", "b/sub/h.json")
	// Watches of b are made, and lost without a word.
	sys := newFaulty(t, func(string) error { return nil })
	r := startWith(t, sys, Options{sweepAfter: 50 * time.Millisecond, sweepBy: never}, dir)
	must(t, errors.Join(sys.system.remove(dir+"/b"), sys.system.remove(dir+"/b/sub")))
	write(t, dir+"/b/f.json", "unseen")
	must(t, os.Remove(dir+"/b/g.json"))
	must(t, os.Rename(dir+"/b/sub", dir+"/b/tub"))
	write(t, dir+"/a/f.json", "seen")
	r.tells([]string{dir + "/a/f.json"}, nil)
	r.tells([]string{dir + "/b/f.json", dir + "/b/tub/h.json"}, []string{dir + "/b/g.json", dir + "/b/sub/h.json"})
	r.agree()
}

// TestClose: nothing is left of a watcher that is closed in a flood, in whatever
// way, with a batch that nobody takes.
func TestClose(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, "a/f.json")
	stop := make(chan struct{})
	var flood sync.WaitGroup
	flood.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
				os.WriteFile(filepath.Join(dir, fmt.Sprintf("a/%d.json", n%1000)), nil, 0o644)
			}
		}
	})
	for n := range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		w, err := New(ctx, []string{dir}, Options{ForcePoll: n%5 == 4})
		must(t, err)
		if n%2 == 0 {
			<-w.Batches()
		}
		begun := time.Now()
		if n%3 == 0 {
			cancel()
			for range w.Batches() {
			}
		}
		must(t, errors.Join(w.Close(), w.Close()))
		if _, ok := <-w.Batches(); ok {
			t.Error("a batch came after Close")
		}
		if d := time.Since(begun); d > 2*time.Second {
			t.Errorf("Close took %v", d)
		}
		cancel()
	}
	close(stop)
	flood.Wait()
}

// TestNew: what cannot work is an error.
func TestNew(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := New(ctx, nil, Options{}); err == nil {
		t.Error("no error without roots")
	}
	cancel()
	if _, err := New(ctx, []string{t.TempDir()}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestHint: what a file's events say is merged, and what is renamed into place
// counts as complete until it is written.
func TestHint(t *testing.T) {
	events, errs := make(chan fsnotify.Event), make(chan error)
	box := newInbox()
	var pump sync.WaitGroup
	pump.Go(func() { box.pump(channels{named: events, errs: errs}) })
	for _, e := range []fsnotify.Event{
		{Name: "/a.new", Op: fsnotify.Create}, {Name: "/a.new", Op: fsnotify.Write}, {Name: "/a.new", Op: fsnotify.Rename}, {Name: "//a", Op: fsnotify.Create},
		{Name: "/b.new", Op: fsnotify.Rename}, {Name: "/b", Op: fsnotify.Create}, {Name: "/b", Op: fsnotify.Write},
		{Name: "/c", Op: fsnotify.Create},
	} {
		events <- e
	}
	close(errs)
	close(events)
	pump.Wait()
	m, ok := box.take()
	if !ok || !m.dead || m.lost {
		t.Errorf("got %v %v", m, ok)
	}
	for path, want := range map[string]hint{"/a": {fsnotify.Create, true}, "/b": {fsnotify.Create | fsnotify.Write, false}, "/c": {fsnotify.Create, false}, "/a.new": {fsnotify.Create | fsnotify.Write | fsnotify.Rename, false}} {
		if m.paths[path] != want {
			t.Errorf("%s: got %v, want %v", path, m.paths[path], want)
		}
	}
	for n := range maxMail + 2 {
		box.add(fmt.Sprint(n), hint{})
	}
	if m, _ := box.take(); !m.lost || len(m.paths) > 2 {
		t.Errorf("%d paths are held", len(m.paths))
	}
}

type channels struct {
	system
	named chan fsnotify.Event
	errs  chan error
}

func (c channels) events() <-chan fsnotify.Event { return c.named }
func (c channels) errors() <-chan error          { return c.errs }
