package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// ownName reports whether p is one of the files in a site's root that belong
// to the package and not to the site.
func ownName(p string) bool { return slices.Contains(ownNames(), p) }

func ownNames() []string {
	return []string{ManifestName, RetainedName, KeysName, NoteName, MemoryName}
}
