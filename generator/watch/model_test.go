//go:build linux

package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAnySequence does random things to a tree, and wants the mirror to be as
// the disk after each burst, by events alone and by looking alone.
func TestAnySequence(t *testing.T) {
	for seed := range 6 {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("seed=%d,poll=%v", seed, poll), func(t *testing.T) {
				t.Parallel()
				base := t.TempDir()
				opt := Options{ForcePoll: poll, Poll: 20 * time.Millisecond}
				r := receive(t, opt, filepath.Join(base, "d0"), filepath.Join(base, "d0/d1"), filepath.Join(base, "d2/f1"))
				rnd := rand.New(rand.NewPCG(uint64(seed), 1))
				bursts := 50
				if poll {
					bursts = 15
				}
				for n := range bursts {
					for range 1 + rnd.IntN(12) {
						randomOperation(rnd, base, n)
					}
					if rnd.IntN(2) == 0 {
						r.agree()
					}
				}
				r.agree()
			})
		}
	}
}

// randomOperation does one thing to two random paths. Most fail, as there is
// nothing to do them to, which is as good.
func randomOperation(rnd *rand.Rand, base string, n int) {
	path := func() string {
		p := base
		for range rnd.IntN(3) {
			p = filepath.Join(p, fmt.Sprintf("d%d", rnd.IntN(3)))
		}
		kind := "fdd"[rnd.IntN(3)]
		return filepath.Join(p, fmt.Sprintf("%c%d", kind, rnd.IntN(3)))
	}
	a, b := path(), path()
	switch rnd.IntN(14) {
	case 0, 1, 2:
		os.WriteFile(a, fmt.Appendf(nil, "%d %d", n, rnd.IntN(10)), 0o644)
	case 3, 4:
		os.MkdirAll(a, 0o755)
	case 5:
		os.MkdirAll(filepath.Join(a, "d1", "d2"), 0o755)
		os.WriteFile(filepath.Join(a, "d1", "d2", "f0"), fmt.Append(nil, n), 0o644)
	case 6, 7:
		os.Rename(a, b)
	case 8:
		os.Remove(a)
	case 9:
		os.RemoveAll(a)
	case 10:
		unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	case 11:
		if rel, err := filepath.Rel(filepath.Dir(a), b); err == nil {
			os.Symlink(rel, a)
		}
	case 12:
		os.Rename(a, b)
		os.MkdirAll(a, 0o755)
	case 13:
		if info, err := os.Lstat(a); err == nil && info.Mode().IsRegular() {
			os.Chmod(a, info.Mode()^0o100)
		}
	}
}
