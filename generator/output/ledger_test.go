package output

import (
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// somePaths are paths, sorted, that differ little: in case, and in what comes before
// and after the slash in the order of bytes.
func somePaths(rnd *rand.Rand) []string {
	names := []string{"a", "A", "a-", "a0", "b", "é", "e\u0301"}
	paths := map[string]bool{}
	for range rnd.IntN(12) {
		p := names[rnd.IntN(len(names))]
		for range rnd.IntN(3) {
			p += "/" + names[rnd.IntN(len(names))]
		}
		paths[p] = true
	}
	return slices.Sorted(maps.Keys(paths))
}

func manifestOf(paths []string) Manifest {
	var m Manifest
	for _, p := range paths {
		m = append(m, Entry{Path: p})
	}
	return m
}

// What is found in sorted lists is what going through all of them finds.
func TestLedger(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		one, two, other, third := somePaths(rnd), somePaths(rnd), somePaths(rnd), somePaths(rnd)
		l := ledger{manifestOf(one), manifestOf(two)}
		for _, p := range slices.Concat(one, two, other) {
			if got, want := l.has(p), slices.Contains(one, p) || slices.Contains(two, p); got != want {
				t.Errorf("%q and %q have %q: %t", one, two, p, got)
			}
			for d := path.Dir(p); d != "."; d = path.Dir(d) {
				below := func(q string) bool { return strings.HasPrefix(q, d+"/") }
				in := l.in(d)
				for i, all := range [][]string{one, two} {
					want := slices.DeleteFunc(slices.Clone(all), func(q string) bool { return !below(q) })
					if !slices.Equal(in[i].paths(), want) {
						t.Errorf("of %q, %q are in %s", all, in[i].paths(), d)
					}
				}
				if in.empty() == slices.ContainsFunc(slices.Concat(one, two), below) {
					t.Errorf("%q and %q in %s: empty is %t", one, two, d, in.empty())
				}
			}
		}
		taken := slices.Concat(other, third)
		want := slices.DeleteFunc(slices.Concat(one, two), func(p string) bool { return slices.Contains(taken, p) })
		slices.Sort(want)
		if got := l.without(ledger{manifestOf(other), manifestOf(third)}); !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("%q and %q without %q: %q", one, two, taken, got)
		}
	}
}

// The place of each file in a manifest is where its path is, which is then held once.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 2))
	for range 2000 {
		paths := somePaths(rnd)
		var files []File
		for _, p := range somePaths(rnd) {
			files = append(files, File{Path: p})
		}
		m, err := parseManifest(manifestOf(paths).Text(), shared(files))
		if err != nil || !slices.Equal(m.paths(), paths) {
			t.Fatalf("%q is read as %q, %v", paths, m.paths(), err)
		}
		for i, at := range m.places(files) {
			if want := slices.Index(paths, files[i].Path); int(at) != want {
				t.Errorf("%q is at %d of %q, want %d", files[i].Path, at, paths, want)
			}
		}
	}
}

// Paths that a file system which folds case can mix up are near each other.
func TestNear(t *testing.T) {
	t.Parallel()
	rnd, keys := rand.New(rand.NewPCG(3, 3)), newFolder()
	meet := func(a, b string) bool { return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") }
	for range 2000 {
		m, paths := somePaths(rnd), somePaths(rnd)
		near := maps.Collect(manifestOf(m).near(paths, keys))
		for _, p := range m {
			met := slices.ContainsFunc(paths, func(q string) bool { return meet(keys.key(p), keys.key(q)) })
			if _, ok := near[keys.key(p)]; met && !ok {
				t.Errorf("of %q, %q is not near %q", m, p, paths)
			}
		}
	}
}

// The folders in a folder are each there once, in order, whatever list they are in.
func TestBelow(t *testing.T) {
	t.Parallel()
	of := func(paths ...string) (m Manifest) {
		for _, p := range paths {
			m = append(m, Entry{Path: p})
		}
		return m
	}
	all := ledger{of("a", "b-c/x", "b/c/d/e", "b/c/f", "b/g/h", "b/i", "z/y"), of("b/a/k", "b/c/k", "c/k")}
	for dir, want := range map[string][]string{".": {"b", "b-c", "c", "z"}, "b": {"b/a", "b/c", "b/g"}, "b/c": {"b/c/d"}, "z": nil} {
		ours := all
		if dir != "." {
			ours = all.in(dir)
		}
		if got := ours.below(dir); !slices.Equal(got, want) {
			t.Errorf("below %s: %q, want %q", dir, got, want)
		}
	}
}
