//go:build unix

package upload

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// The environment by which the test binary, run by itself, knows that it is the
// child that publishes, and what to where.
const (
	childDir  = "INCIDENTLIB_TEST_DIR"
	childDest = "INCIDENTLIB_TEST_DEST"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir, os.Getenv(childDest)))
	}
	os.Exit(m.Run())
}

// child publishes once, telling its parent when it begins and ends.
func child(dir, dest string) int {
	b, err := Open(context.Background(), dest)
	if err == nil {
		fmt.Println("ready")
		_, err = Publish(context.Background(), b, Options{Dir: dir, Jobs: 4})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("done")
	return 0
}

// A process that is killed while it publishes, to a server or a folder, leaves
// pages that name nothing that is not there; the next one completes the site,
// whichever build it has, touches nothing of others, and leaves nothing behind.
//
// INCIDENTLIB_KILLS sets the number of kills of each kind.
func TestKill(t *testing.T) {
	kills := 15
	if n, err := strconv.Atoi(os.Getenv("INCIDENTLIB_KILLS")); err == nil {
		kills = n
	}
	server, _ := s3(t)
	for name, dest := range map[string]string{"a server": server, "a folder": filepath.Join(t.TempDir(), "site")} {
		t.Run(name, func(t *testing.T) {
			b, err := Open(t.Context(), dest)
			must(t, err)
			defer b.Close()
			k := &killer{dest: dest, store: bucket{b}, rnd: rand.New(rand.NewPCG(uint64(kills), 11))}
			k.prepare(t)
			for n := range kills {
				k.round(t, n)
			}
			t.Logf("publishing to %s: %d kills over %v, %d in time, %d of them after the first change", name, kills, k.span, k.inTime, k.begun)
			if k.inTime < kills/4 || k.begun == 0 {
				t.Errorf("only %d of %d kills came in time, %d after the first change", k.inTime, kills, k.begun)
			}
		})
	}
}

type killer struct {
	dest  string
	store store
	rnd   *rand.Rand
	span  time.Duration // how long publishing takes

	sites         [3]site
	dirs          [3]string
	inTime, begun int
}

// prepare builds three sites, which differ in a third of their files or more,
// publishes the first, and measures how long publishing takes.
func (k *killer) prepare(t *testing.T) {
	for i, version := range []string{"a", "b", "c"} {
		k.sites[i] = siteOf(version, 60+20*i)
		k.dirs[i] = k.sites[i].build(t)
	}
	must(t, k.store.write(t.Context(), "foreign.txt", []byte("mine"), headers{}))
	var spans []time.Duration
	for i := range 6 {
		s := k.start(t, k.dirs[i%3])
		line, err := s.out.ReadString('\n')
		if line != "done\n" {
			t.Fatalf("the child says %q, %v", line, err)
		}
		spans = append(spans, time.Since(s.ready))
		must(t, s.cmd.Wait())
	}
	slices.Sort(spans)
	k.span = spans[len(spans)/2]
}

// started is a child that has begun to publish.
type started struct {
	cmd   *exec.Cmd
	ready time.Time
	out   *bufio.Reader
}

func (k *killer) start(t *testing.T, dir string) started {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childDir+"="+dir, childDest+"="+k.dest)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	out := bufio.NewReader(pipe)
	line, err := out.ReadString('\n')
	if line != "ready\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	return started{cmd, time.Now(), out}
}

// round kills a process that publishes one site over another, sometimes the next
// one too, and lets one of some site run to its end.
func (k *killer) round(t *testing.T, n int) {
	when := fmt.Sprintf("round %d", n)
	for again := true; again; again = k.rnd.IntN(3) == 0 {
		s := k.start(t, k.dirs[k.rnd.IntN(3)])
		time.Sleep(time.Until(s.ready.Add(time.Duration(k.rnd.Int64N(int64(k.span))))))
		_ = s.cmd.Process.Kill()
		if line, _ := s.out.ReadString('\n'); line != "done\n" {
			k.inTime++
		}
		_ = s.cmd.Wait()
		whole(t, when, contents(t, k.store))
		if journal, _ := readMaybe(t.Context(), k.store, JournalName); journal != nil {
			k.begun++
		}
	}
	last := k.rnd.IntN(3)
	send(t, k.store, k.dirs[last])
	now := contents(t, k.store)
	whole(t, when, now)
	for p, text := range k.sites[last].shown() {
		if now[p] != text {
			t.Fatalf("%s: %s is %q", when, p, now[p])
		}
		delete(now, p)
	}
	if now["foreign.txt"] != "mine" {
		t.Fatalf("%s: foreign.txt is %q", when, now["foreign.txt"])
	}
	delete(now, "foreign.txt")
	must(t, k.store.list(t.Context(), ownPrefix, func(name string, _ object) {
		if _, is := scrapOf(name); is {
			t.Fatalf("%s: %s was left", when, name)
		}
	}))
	for p := range now {
		if kindOf(p).String() != "asset" { // those of a build before stay for its readers
			t.Fatalf("%s: %s was left", when, p)
		}
	}
}
