//go:build unix

package output

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The environment by which the test binary, run by itself, knows that it is
// the child that publishes, and what.
const (
	childDir     = "INCIDENTLIB_TEST_DIR"
	childVersion = "INCIDENTLIB_TEST_VERSION"
	childInPlace = "INCIDENTLIB_TEST_IN_PLACE"
	childSpare   = "INCIDENTLIB_TEST_SPARE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// child publishes once, telling its parent when it begins and ends: between
// the end and the process's own, the race detector waits.
func child(dir string) int {
	version, err := strconv.Atoi(os.Getenv(childVersion))
	if err != nil {
		return 2
	}
	files := versionOf(version).files()
	fmt.Println("ready")
	opt := Options{Dir: dir, InPlace: os.Getenv(childInPlace) != "", Jobs: 2}
	if os.Getenv(childSpare) != "" {
		opt.Spare = 1 << 30
	}
	if _, err := Publish(context.Background(), files, opt); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("done")
	return 0
}

// versionOf is a site of about 110 files, of which a third change from one
// version to the next, some come and go, some assets among them, and one turns
// from a file to a folder and back.
func versionOf(v int) site {
	s := site{}
	for i := range 100 {
		mix := i*7 + v*13
		if mix%11 == 0 {
			continue
		}
		text := fmt.Sprintf("page %d as of %d\n", i, (v+i)/3)
		s[fmt.Sprintf("cases/%d/%d.html", i%20, i)] = strings.Repeat(text, 1+i%50)
	}
	for i := range 20 {
		s[fmt.Sprintf("assets/%d.%d.css", i, (v+i)/4)] = fmt.Sprint("asset ", i)
	}
	if v%2 == 0 {
		s["turn"] = "file"
	} else {
		s["turn/index.html"] = "folder"
	}
	s["index.json"] = fmt.Sprint("version ", v)
	return s
}

// A build that is killed at any instant leaves the old site or the new one,
// whole; in place, the next build completes it. Nobody else's files are harmed
// and the next build leaves everything right.
//
// INCIDENTLIB_KILLS sets the number of kills in each mode.
func TestKill(t *testing.T) {
	kills := 40
	if n, err := strconv.Atoi(os.Getenv("INCIDENTLIB_KILLS")); err == nil {
		kills = n
	}
	t.Parallel()
	for name, mode := range map[string]killer{"swap": {}, "swap with a spare tree": {spare: true}, "in place": {inPlace: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &mode
			k.dir, k.rnd = t.TempDir()+"/public", rand.New(rand.NewPCG(uint64(kills), 7))
			k.prepare(t)
			for range kills {
				k.round(t)
				if t.Failed() {
					break
				}
			}
			t.Logf("%s: %d kills over %v: %d in time, %d of them during or after the change of the folder; "+
				"%d left the old site, %d the new one, %d a part; %d builds of recovery killed too",
				name, kills, k.span, k.inTime, k.noted, k.old, k.new, k.part, k.again)
			if k.inTime < kills/4 {
				t.Errorf("only %d of %d kills came in time", k.inTime, kills)
			}
			if k.spares < kills/4 && k.spare {
				t.Errorf("only %d of %d kills had a spare tree", k.spares, kills)
			}
		})
	}
}

type killer struct {
	inPlace bool
	spare   bool // the tree from before a swap is kept
	dir     string
	rnd     *rand.Rand
	version int              // the one published last
	foreign map[string]entry // as they have to stay
	span    time.Duration    // how long a build takes

	inTime, noted, old, new, part, again, spares int
}

// prepare publishes the first version, puts foreign entries in it, and
// measures how long a build takes.
func (k *killer) prepare(t *testing.T) {
	publish(t, k.dir, versionOf(0), false)
	write(t, k.dir, "CNAME", "example.org")
	write(t, k.dir, ".git/refs/heads/main", "abc")
	write(t, k.dir, "cases/3/mine.txt", "mine")
	must(t, os.Mkdir(k.dir+"/cases/4/empty", 0o711))
	must(t, os.Symlink("CNAME", k.dir+"/assets/link"))
	k.foreign = foreignOf(snapshot(t, k.dir), versionOf(0))
	var spans []time.Duration
	for range 5 {
		k.version++
		c := k.start(t, k.version)
		line, err := c.out.ReadString('\n')
		if line != "done\n" {
			t.Fatalf("the child says %q, %v", line, err)
		}
		spans = append(spans, time.Since(c.ready))
		must(t, c.cmd.Wait())
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

func (k *killer) start(t *testing.T, version int) started {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childDir+"="+k.dir, childVersion+"="+strconv.Itoa(version))
	if k.inPlace {
		cmd.Env = append(cmd.Env, childInPlace+"=1")
	}
	if k.spare && k.rnd.IntN(6) > 0 { // else one that is there has to go
		cmd.Env = append(cmd.Env, childSpare+"=1")
	}
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

// kill starts a build and kills it at a random instant of the time that a
// build takes; one build in four after it began to change the folder, which
// is a short time. It reports whether the build was still running.
func (k *killer) kill(t *testing.T, version int) bool {
	s := k.start(t, version)
	if k.rnd.IntN(4) == 0 {
		for !k.begun() && time.Since(s.ready) < 2*k.span {
			time.Sleep(time.Millisecond / 5)
		}
		time.Sleep(time.Duration(k.rnd.Int64N(int64(k.span) / 8)))
	} else {
		time.Sleep(time.Until(s.ready.Add(time.Duration(k.rnd.Int64N(int64(k.span))))))
	}
	_ = s.cmd.Process.Kill()
	line, _ := s.out.ReadString('\n')
	_ = s.cmd.Wait()
	return line != "done\n"
}

// round kills a build of the next version, now and then one more, and then
// lets one run to the end, in either mode.
func (k *killer) round(t *testing.T) {
	before := snapshot(t, k.dir)
	next := versionOf(k.version + 1)
	if k.kill(t, k.version+1) {
		k.inTime++
	}
	k.look(t, before, next)
	for k.rnd.IntN(3) == 0 {
		k.again++
		k.kill(t, k.version+1)
	}
	opt := Options{Dir: k.dir, InPlace: k.rnd.IntN(4) == 0 != k.inPlace}
	if k.spare && !opt.InPlace {
		opt.Spare = 1 << 30
	}
	publishBy(t, next, opt)
	if _, err := os.Lstat(spareOf(k.dir)); err == nil {
		k.spares++
	}
	k.right(t, snapshot(t, k.dir), next)
	k.version++
}

// begun reports whether there is a note of a change of the folder.
func (k *killer) begun() bool {
	for _, note := range []string{swapName, journalName} {
		if _, err := os.Lstat(filepath.Join(workOf(k.dir), note)); err == nil {
			return true
		}
	}
	return false
}

// look judges what the killed build left.
func (k *killer) look(t *testing.T, before map[string]entry, next site) {
	if k.begun() {
		k.noted++
	}
	now := snapshot(t, k.dir)
	switch {
	case len(diffTrees(now, before)) == 0:
		k.old++
	case len(k.diff(now, next)) == 0:
		k.new++
	case k.inPlace:
		k.part++
		for p, e := range k.foreign {
			if now[p] != e {
				t.Errorf("foreign %s is %v, was %v", p, now[p], e)
			}
		}
	default:
		t.Errorf("neither old:\n%s\nnor new:\n%s",
			strings.Join(diffTrees(now, before), "\n"), strings.Join(k.diff(now, next), "\n"))
	}
}

// diff compares a tree with the version that follows the one published last.
func (k *killer) diff(now map[string]entry, next site) []string {
	all := dropped(versionOf(k.version), next)
	kept := len(all) > 0
	maps.Copy(all, next)
	return diffContents(now, all, k.foreign, kept)
}

func (k *killer) right(t *testing.T, now map[string]entry, next site) {
	for _, d := range k.diff(now, next) {
		t.Error(d)
	}
}
