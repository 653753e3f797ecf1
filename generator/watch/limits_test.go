//go:build linux

package watch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alone runs the test that calls it once more in a process of its own, as prepare
// sets it up, and reports whether this is that process.
func alone(t *testing.T, prepare func(*exec.Cmd)) bool {
	t.Helper()
	if os.Getenv("WATCH_ALONE") == t.Name() {
		return true
	}
	t.Parallel()
	exe, err := os.Executable()
	must(t, err)
	c := exec.Command(exe, "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v")
	c.Env = append(os.Environ(), "WATCH_ALONE="+t.Name())
	c.SysProcAttr = &syscall.SysProcAttr{}
	prepare(c)
	out, err := c.CombinedOutput()
	switch {
	case err != nil && len(out) == 0:
		t.Skip(err) // no such process can be made here
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("%s", out)
	}
	return false
}

// ownUser gives a process a user namespace, in which it may set limits.
func ownUser(c *exec.Cmd) {
	id := []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
	c.SysProcAttr.Cloneflags, c.SysProcAttr.UidMappings = syscall.CLONE_NEWUSER, id
	c.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
}

// TestLimits: without watches there is one notice that says why and what to do,
// and everything else goes on.
func TestLimits(t *testing.T) {
	setting := func(name string, value func(dir string) int) func(t *testing.T, dir string) func() {
		return func(t *testing.T, dir string) func() {
			if err := os.WriteFile("/proc/sys/user/"+name, fmt.Append(nil, value(dir)), 0); err != nil {
				t.Skip(err)
			}
			return func() {}
		}
	}
	none := func(string) int { return 0 }
	some := func(dir string) int { return strings.Count(dir, "/") + 2 } // the folders above are watched too
	for _, c := range []struct {
		name   string
		limit  func(t *testing.T, dir string) (lift func())
		notice []string
	}{
		{"no instance", setting("max_inotify_instances", none), []string{"fs.inotify.max_user_instances", "sysctl", "50ms"}},
		{"no watch", setting("max_inotify_watches", none), []string{"fs.inotify.max_user_watches", "sysctl", "50ms"}},
		{"some watches", setting("max_inotify_watches", some), []string{"fs.inotify.max_user_watches", "sysctl", "50ms"}},
		{"no open files", openEverything, []string{"open files", "ulimit -n", "50ms"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !alone(t, ownUser) {
				return
			}
			dir := folderOf(t, "a/f.json", "b/c/f.json", "d/f.json")
			lift := c.limit(t, dir)
			r := receive(t, Options{Poll: 50 * time.Millisecond}, dir)
			lift()
			r.notice(c.notice...)
			r.files = r.disk()
			editEverywhere(t, r, dir)
			must(t, os.RemoveAll(dir+"/b"))
			must(t, os.MkdirAll(dir+"/e/f", 0o755))
			write(t, dir+"/e/f/g.json", "x")
			r.agree()
			editEverywhere(t, r, dir)
			if len(r.notices) > 0 {
				t.Errorf("one notice more: %s", <-r.notices)
			}
		})
	}
}

// openEverything leaves this process no file to open.
func openEverything(t *testing.T, _ string) (lift func()) {
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	low := limit
	low.Cur = 64
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low))
	var open []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		open = append(open, f)
	}
	return func() {
		for _, f := range open {
			f.Close()
		}
		must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	}
}

// TestUnreadable: a folder that may not be read keeps nothing from working and
// costs nothing, and is read when it may be.
func TestUnreadable(t *testing.T) {
	nobody := func(c *exec.Cmd) {
		if os.Getuid() != 0 {
			return
		}
		// The program and its folders must be within reach of another user.
		dir, err := os.MkdirTemp("", "watch")
		must(t, err)
		t.Cleanup(func() { os.RemoveAll(dir) })
		must(t, os.Chmod(dir, 0o777))
		must(t, exec.Command("cp", c.Path, dir+"/it").Run())
		must(t, os.Chmod(dir+"/it", 0o755))
		c.Path, c.Dir, c.Env = dir+"/it", dir, append(c.Env, "TMPDIR="+dir, "HOME="+dir)
		c.SysProcAttr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	if !alone(t, nobody) {
		return
	}
	dir := folderOf(t, "a/f.json", "b/f.json", "b/deep/f.json")
	r := receive(t, Options{Poll: 50 * time.Millisecond, sweepAfter: 20 * time.Millisecond, sweepBy: time.Second}, dir)
	t.Cleanup(func() { os.Chmod(dir+"/b", 0o755) })
	for _, mode := range []os.FileMode{0, 0o755, 0o300, 0o755, 0o600, 0o700} {
		must(t, os.Chmod(dir+"/b", mode))
		write(t, dir+"/a/f.json", mode.String())
		r.next()
		if mode&0o500 == 0o500 {
			write(t, dir+"/b/f.json", mode.String())
			write(t, dir+"/b/new.json", mode.String())
			r.agree()
			continue
		}
		if used := processorTime(t, 300*time.Millisecond, r); used > 60*time.Millisecond {
			t.Errorf("used %v of 300 ms for a folder that cannot be read", used)
		}
	}
	r.agree()
}

// processorTime gives the time that the process uses while it waits, taking
// batches.
func processorTime(t *testing.T, d time.Duration, r *receiver) time.Duration {
	t.Helper()
	usage := func() time.Duration {
		var u syscall.Rusage
		must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	end := time.After(d)
	before := usage()
	for {
		select {
		case b := <-r.w.Batches():
			r.take(b)
		case <-end:
			return usage() - before
		}
	}
}

// TestCost: nothing runs when nothing happens; no goroutine and no open file is
// left after Close; 2,000 edits leave no more behind than two.
func TestCost(t *testing.T) {
	if !alone(t, func(*exec.Cmd) {}) {
		return
	}
	dir := folderOf(t)
	for n := range 20 {
		write(t, filepath.Join(dir, fmt.Sprintf("%d.json", n)), "x")
	}
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	r := receive(t, Options{sweepAfter: 10 * time.Millisecond, sweepBy: time.Second, Quiet: time.Millisecond}, dir)
	p := filepath.Join(dir, "7.json")
	edit := func(n int) {
		write(t, p, fmt.Sprint(n))
		if n%4 == 0 {
			r.agree()
		}
		if n%10 == 0 {
			must(t, os.MkdirAll(dir+"/sub/sub", 0o755))
			write(t, dir+"/sub/sub/f", "x")
			r.agree()
			must(t, os.RemoveAll(dir+"/sub"))
			r.agree()
		}
		r.batches = r.batches[:0]
	}
	edit(0)
	edit(1)
	processorTime(t, 300*time.Millisecond, r)
	if used := processorTime(t, 500*time.Millisecond, r); used > 100*time.Millisecond {
		t.Errorf("used %v of half a second to wait", used)
	}
	// Nor while a sweep is put off.
	quiet := receive(t, Options{}, dir)
	write(t, p, "x")
	quiet.agree()
	r.agree()
	if used := processorTime(t, 300*time.Millisecond, r); used > 100*time.Millisecond {
		t.Errorf("used %v of 300 ms to wait for a sweep", used)
	}
	must(t, quiet.w.Close())
	if !quiet.w.pollNext.IsZero() {
		t.Error("it would look at folders that are watched")
	}
	before := heap()
	for n := range 2000 {
		edit(n)
	}
	processorTime(t, 300*time.Millisecond, r)
	if after := heap(); after > before+200<<10 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	if n := len(r.w.tree.watches.paths) + len(r.w.tree.heard) + len(r.w.tree.folders); n > 50 {
		t.Errorf("%d things are remembered", n)
	}
	must(t, r.w.Close())
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, and %d before", n, goroutines)
	}
	if n := openFiles(t); n > files {
		t.Errorf("%d open files, and %d before", n, files)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func openFiles(t *testing.T) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(fds)
}
