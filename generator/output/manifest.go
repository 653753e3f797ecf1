package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
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
	for _, e := range m {
		line := hex.AppendEncode(b.AvailableBuffer(), e.SHA256[:])
		line = append(line, ' ')
		line = strconv.AppendInt(line, e.Size, 10)
		line = append(line, ' ')
		line = append(line, e.Kind.String()...)
		line = append(line, ' ')
		line = append(line, e.Path...)
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// ID is the SHA-256 of the manifest's text in hexadecimal: the build's id.
func (m Manifest) ID() string {
	sum := sha256.Sum256(m.Text())
	return hex.EncodeToString(sum[:])
}

// ParseManifest reads what Text wrote and accepts nothing else: an error names
// the line. Paths are checked like those of files to publish, so that no
// manifest, whoever wrote it, names a file outside its folder.
func ParseManifest(text []byte) (Manifest, error) {
	body, ok := strings.CutPrefix(string(text), manifestHeader+"\n")
	if !ok {
		return nil, fmt.Errorf("line 1: want %q", manifestHeader)
	}
	m := make(Manifest, 0, strings.Count(body, "\n"))
	for n := 2; body != ""; n++ {
		line, rest, ok := strings.Cut(body, "\n")
		if !ok {
			return nil, fmt.Errorf("line %d: cut short", n)
		}
		e, err := parseEntry(line)
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

func parseEntry(line string) (Entry, error) {
	var e Entry
	fields := strings.SplitN(line, " ", 4)
	if len(fields) != 4 {
		return e, errors.New("want SHA256 SIZE KIND PATH")
	}
	sum, err := hex.DecodeString(fields[0])
	if err != nil || len(sum) != sha256.Size || fields[0] != strings.ToLower(fields[0]) {
		return e, fmt.Errorf("%q is no SHA-256", fields[0])
	}
	copy(e.SHA256[:], sum)
	e.Size, err = strconv.ParseInt(fields[1], 10, 64)
	if err != nil || e.Size < 0 || strconv.FormatInt(e.Size, 10) != fields[1] {
		return e, fmt.Errorf("%q is no size", fields[1])
	}
	var ok bool
	if e.Kind, ok = parseKind(fields[2]); !ok {
		return e, fmt.Errorf("%q is no kind", fields[2])
	}
	e.Path = fields[3]
	return e, CheckPath(e.Path)
}

// ledger answers which paths of a tree are ours.
type ledger struct {
	files map[string]Entry
	dirs  map[string]bool // every folder on the way to one of files
}

func newLedger(lists ...Manifest) *ledger {
	l := &ledger{files: map[string]Entry{}, dirs: map[string]bool{}}
	for _, m := range lists {
		for _, e := range m {
			l.files[e.Path] = e
			for d := path.Dir(e.Path); d != "." && !l.dirs[d]; d = path.Dir(d) {
				l.dirs[d] = true
			}
		}
	}
	return l
}

func (l *ledger) has(p string) bool {
	_, ok := l.files[p]
	return ok
}

// ownName reports whether p is one of the files in a site's root that belong
// to the package and not to the site.
func ownName(p string) bool {
	return p == ManifestName || p == RetainedName || p == KeysName || p == NoteName || p == MemoryName
}
