package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// manifestHeader is the first line of a manifest and names its version.
const manifestHeader = "incidentlib manifest 1"

// Entry is one published file.
type Entry struct {
	Path   string
	Kind   Kind
	Size   int64 // bytes
	SHA256 [sha256.Size]byte
}

// Manifest lists files sorted by path, bytewise, each path once.
//
// Its text has a header line and then one line for each file,
// "SHA256 SIZE KIND PATH", the path to the end of the line.
type Manifest []Entry

// Text is the manifest as it is stored.
func (m Manifest) Text() []byte {
	var b bytes.Buffer
	b.Grow(len(manifestHeader) + 1 + len(m)*128)
	b.WriteString(manifestHeader + "\n")
	for i := range m {
		b.Write(m[i].appendLine(b.AvailableBuffer()))
	}
	return b.Bytes()
}

func (e *Entry) appendLine(b []byte) []byte {
	b = append(hex.AppendEncode(b, e.SHA256[:]), ' ')
	b = append(strconv.AppendInt(b, e.Size, 10), ' ')
	b = append(append(b, e.Kind.String()...), ' ')
	return append(append(b, e.Path...), '\n')
}

// ID is the SHA-256 of the manifest's text in hexadecimal: the build's id. Of a
// large site the text is long, so it is not made as a whole.
func (m Manifest) ID() string {
	h := sha256.New()
	h.Write([]byte(manifestHeader + "\n"))
	var line []byte
	for i := range m {
		line = m[i].appendLine(line[:0])
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
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

// ParseManifest reads what Text wrote and accepts nothing else: an error names
// the line. Paths are checked like those of files to publish, so that no
// manifest, whoever wrote it, names a file outside its folder.
func ParseManifest(text []byte) (Manifest, error) { return parseManifest(text, checked) }

// namer makes a path of its bytes in a manifest, or says what is wrong with it.
type namer func(p []byte) (string, error)

func checked(p []byte) (string, error) {
	s := string(p)
	return s, CheckPath(s)
}

// shared is a namer for paths that come sorted. It takes those that files have
// from them, so that no path is held or checked twice. The files are sorted, and
// their paths are good.
func shared(files []File) namer {
	return func(p []byte) (string, error) {
		for len(files) > 0 && files[0].Path < string(p) {
			files = files[1:]
		}
		if len(files) > 0 && files[0].Path == string(p) {
			return files[0].Path, nil
		}
		return checked(p)
	}
}

func parseManifest(text []byte, name namer) (Manifest, error) {
	body, ok := bytes.CutPrefix(text, []byte(manifestHeader+"\n"))
	if !ok {
		return nil, fmt.Errorf("line 1: want %q", manifestHeader)
	}
	m := make(Manifest, 0, bytes.Count(body, []byte("\n")))
	for n := 2; len(body) > 0; n++ {
		line, rest, ok := bytes.Cut(body, []byte("\n"))
		if !ok {
			return nil, fmt.Errorf("line %d: cut short", n)
		}
		e, err := parseEntry(line, name)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if len(m) > 0 && m[len(m)-1].Path >= e.Path {
			return nil, fmt.Errorf("line %d: %q is out of order or there twice", n, e.Path)
		}
		m, body = append(m, e), rest
	}
	return m, nil
}

func parseEntry(line []byte, name namer) (Entry, error) {
	var e Entry
	sum, rest, _ := bytes.Cut(line, []byte(" "))
	size, rest, _ := bytes.Cut(rest, []byte(" "))
	kind, p, ok := bytes.Cut(rest, []byte(" "))
	if !ok {
		return e, errors.New("want SHA256 SIZE KIND PATH")
	}
	if len(sum) != 2*sha256.Size || bytes.ContainsAny(sum, "ABCDEF") {
		return e, fmt.Errorf("%q is no SHA-256", sum)
	}
	if _, err := hex.Decode(e.SHA256[:], sum); err != nil {
		return e, fmt.Errorf("%q is no SHA-256", sum)
	}
	var err error
	e.Size, err = strconv.ParseInt(string(size), 10, 64)
	if err != nil || e.Size < 0 || strconv.FormatInt(e.Size, 10) != string(size) {
		return e, fmt.Errorf("%q is no size", size)
	}
	if e.Kind, ok = parseKind(string(kind)); !ok {
		return e, fmt.Errorf("%q is no kind", kind)
	}
	e.Path, err = name(p)
	return e, err
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

// without are the paths that the other ledger does not have, sorted.
func (l ledger) without(other ledger) []string {
	var paths []string
	for _, m := range l {
		paths = append(paths, m.without(other[0]).without(other[1]).paths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// ownName reports whether p is one of the files in a site's root that belong
// to the package and not to the site.
func ownName(p string) bool { return slices.Contains(ownNames(), p) }

func ownNames() []string {
	return []string{ManifestName, RetainedName, KeysName, NoteName, MemoryName}
}
