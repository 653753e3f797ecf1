package generator_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/output"
)

// digest is the id of a build of seeds.
func digest(t testing.TB, fsys fs.FS, jobs int) string {
	t.Helper()
	c, problems := generator.Load(fsys, "seeds", jobs, false)
	if c == nil {
		t.Fatal(problems)
	}
	m, err := output.Digest(plan(t, c, false), jobs)
	if err != nil {
		t.Fatal(err)
	}
	return m.ID()
}

// The same seeds give the same bytes, on any number of goroutines and in
// whatever order the file system returns its entries.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	want := digest(t, smallSeeds(t), 1)
	for _, jobs := range []int{2, 8} {
		if got := digest(t, smallSeeds(t), jobs); got != want {
			t.Errorf("%d jobs: build %s, want %s", jobs, got, want)
		}
	}
	if got := digest(t, backwards{smallSeeds(t)}, 3); got != want {
		t.Errorf("entries in another order: build %s, want %s", got, want)
	}
}

// backwards is a file system that returns its entries from the last to the
// first.
type backwards struct{ fs.FS }

func (b backwards) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(b.FS, name)
	slices.Reverse(entries)
	return entries, err
}

// childVar makes a run of the test binary print a build's id and end.
const childVar = "INCIDENTLIB_TEST_DIGEST"

// TestDigestChild is what TestSameBytesAnywhere runs.
func TestDigestChild(t *testing.T) {
	t.Parallel()
	if os.Getenv(childVar) == "" {
		t.Skip("runs only as a child of TestSameBytesAnywhere")
	}
	fmt.Printf("id=%s\n", digest(t, smallSeeds(t), 0))
}

// The bytes do not depend on where and how a build is run: the time zone, the
// locale, the number of processors.
func TestSameBytesAnywhere(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want := "id=" + digest(t, smallSeeds(t), 1)
	for _, env := range [][]string{
		{"TZ=UTC", "LANG=C", "LC_ALL=C", "GOMAXPROCS=1"},
		{"TZ=America/Los_Angeles", "LANG=ko_KR.UTF-8", "LC_ALL=ko_KR.UTF-8", "GOMAXPROCS=2"},
		{"TZ=Asia/Seoul", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "GOMAXPROCS=8"},
		{"TZ=Pacific/Kiritimati", "LANG=", "LC_ALL=POSIX", "GOMAXPROCS=3"},
	} {
		t.Run(env[0], func(t *testing.T) {
			t.Parallel()
			child := exec.CommandContext(t.Context(), self, "-test.run=^TestDigestChild$", "-test.count=1")
			child.Env = append(append(os.Environ(), childVar+"=1"), env...)
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), want+"\n") {
				t.Errorf("%v: want %s, have %v\n%s", env, want, err, out)
			}
		})
	}
}
