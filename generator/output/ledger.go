package output

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// ledger answers which paths of a tree are ours: those that a build published, and
// the assets that it retained.
type ledger [2]Manifest

func (l ledger) has(p string) bool {
	for _, m := range l {
		if _, ok := m.find(p); ok {
			return true
		}
	}
	return false
}

// in is the ledger of a folder. It is empty where none of ours is in there.
func (l ledger) in(dir string) ledger { return ledger{l[0].in(dir), l[1].in(dir)} }

func (l ledger) empty() bool { return len(l[0])+len(l[1]) == 0 }

// below are the folders in a folder that something of ours is in. The ledger is that
// of the folder.
func (l ledger) below(dir string) []string {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	var dirs []string
	for _, m := range l {
		for len(m) > 0 {
			name, _, isFolder := strings.Cut(m[0].Path[len(prefix):], "/")
			if !isFolder {
				m = m[1:]
				continue
			}
			dirs = append(dirs, prefix+name)
			m = m[len(m.in(prefix+name)):]
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// without are the paths that the other ledger does not have, sorted.
func (l ledger) without(other ledger) []string {
	var paths []string
	for _, m := range l {
		paths = append(paths, m.without(other[0]).without(other[1]).paths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// find says where in the manifest the path is, or where it would be.
func (m Manifest) find(p string) (at int, found bool) {
	at = sort.Search(len(m), func(i int) bool { return m[i].Path >= p })
	return at, at < len(m) && m[at].Path == p
}

// in is the part of the manifest that is in a folder, at any depth.
func (m Manifest) in(dir string) Manifest {
	from, _ := m.find(dir + "/")
	rest, end := m[from:], dir+"0" // the byte after the slash
	n := 1                         // most folders hold few files, so that their end is near
	for n < len(rest) && rest[n-1].Path < end {
		n *= 2
	}
	to, _ := rest[:min(n, len(rest))].find(end)
	return rest[:to]
}

// without are the entries whose paths the other manifest does not have.
func (m Manifest) without(other Manifest) Manifest {
	var rest Manifest
	for _, e := range m {
		for len(other) > 0 && other[0].Path < e.Path {
			other = other[1:]
		}
		if len(other) == 0 || other[0].Path != e.Path {
			rest = append(rest, e)
		}
	}
	return rest
}

func (m Manifest) paths() []string {
	paths := make([]string, len(m))
	for i := range m {
		paths[i] = m[i].Path
	}
	return paths
}

// places are the places of the files in the manifest, both sorted; -1 for a file
// that it does not have.
func (m Manifest) places(files []File) []int32 {
	places, at := make([]int32, len(files)), 0
	for i := range files {
		for at < len(m) && m[at].Path < files[i].Path {
			at++
		}
		places[i] = -1
		if at < len(m) && m[at].Path == files[i].Path {
			places[i] = int32(at)
		}
	}
	return places
}

// near are the paths, after their keys, of what can meet one of these paths in a
// file system that folds case: all below the same entries of the root.
func (m Manifest) near(paths []string, keys *folder) iter.Seq2[string, string] {
	roots := map[string]bool{}
	for _, p := range paths {
		root, _, _ := strings.Cut(p, "/")
		roots[keys.key(root)] = true
	}
	return func(yield func(key, p string) bool) {
		last, meets := "", false
		for i := 0; len(roots) > 0 && i < len(m); i++ {
			root, _, _ := strings.Cut(m[i].Path, "/")
			if root != last {
				last, meets = root, roots[keys.key(root)]
			}
			if meets && !yield(keys.key(m[i].Path), m[i].Path) {
				return
			}
		}
	}
}
