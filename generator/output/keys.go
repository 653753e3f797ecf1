package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// Key is a digest of all that a file, or a whole build, is made from: its data,
// the templates, the settings, and the program itself. Equal keys mean equal
// bytes. The zero Key says nothing.
type Key [16]byte

// KeyOf is a digest of texts, each with its length, so that no row of them can
// pass for another.
func KeyOf(texts ...string) (k Key) {
	h := sha256.New()
	for _, t := range texts {
		h.Write(binary.AppendUvarint(nil, uint64(len(t))))
		io.WriteString(h, t)
	}
	copy(k[:], h.Sum(nil))
	return k
}

// keysHeader is the first line of the keys, before the id of the manifest that
// they belong to and the key of the whole build.
const keysHeader = "incidentlib keys 1"

// keyring are the keys of the files in a folder. It is kept beside the manifest
// and is no part of a build's id: it only saves work.
type keyring struct {
	manifest string // the id of the manifest that it belongs to
	whole    Key
	files    map[string]Key
	written  time.Time // a file that changed later is not what the keys tell of
}

// readKeys reads the keys in the folder dir that belong to a manifest; none
// where there are none, or they are damaged, or of another build.
func readKeys(dir string, m Manifest) *keyring {
	none := &keyring{}
	f, info, notRegular, err := openPublished(join(dir, KeysName))
	if err != nil || notRegular {
		return none
	}
	f.Close()
	text, err := os.ReadFile(join(dir, KeysName))
	if err != nil {
		return none
	}
	r, err := parseKeys(text)
	if err != nil || r.manifest != m.ID() {
		return none
	}
	r.written = info.ModTime()
	return r
}

// text is the keyring as it is stored: a header, then "KEY PATH" for each file
// of the manifest that has a key.
func (r *keyring) text(m Manifest) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %x\n", keysHeader, m.ID(), r.whole[:])
	for _, e := range m {
		if k := r.files[e.Path]; k != (Key{}) {
			line := hex.AppendEncode(b.AvailableBuffer(), k[:])
			b.Write(append(append(append(line, ' '), e.Path...), '\n'))
		}
	}
	return b.Bytes()
}

var errKeys = errors.New("not keys")

func parseKeys(text []byte) (*keyring, error) {
	header, body, ok := strings.Cut(string(text), "\n")
	rest, isHeader := strings.CutPrefix(header, keysHeader+" ")
	id, whole, both := strings.Cut(rest, " ")
	if !ok || !isHeader || !both {
		return nil, errKeys
	}
	r := &keyring{manifest: id, files: make(map[string]Key, strings.Count(body, "\n"))}
	if r.whole, ok = parseKey(whole); !ok {
		return nil, errKeys
	}
	for body != "" {
		line, after, whole := strings.Cut(body, "\n")
		digits, p, both := strings.Cut(line, " ")
		k, good := parseKey(digits)
		if !whole || !both || !good {
			return nil, errKeys
		}
		r.files[p], body = k, after
	}
	return r, nil
}

func parseKey(digits string) (k Key, ok bool) {
	n, err := hex.Decode(k[:], []byte(digits[:min(len(digits), 2*len(k))]))
	return k, err == nil && n == len(k) && len(digits) == 2*len(k)
}

// untouched reports whether a published file is, for all that its folder says,
// what the manifest lists: of its size, and not written since the keys were.
func (r *keyring) untouched(name string, e Entry) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() == e.Size && !info.ModTime().After(r.written)
}

// known is the entry of a file that need not be made: its key is that of the
// last build, and the folder still holds what that build wrote.
func (b *build) known(i int) (Entry, bool) {
	f := &b.files[i]
	if f.Key == nil {
		return Entry{}, false
	}
	k := f.Key()
	b.keys[i] = k
	if k == (Key{}) || b.opt.Fresh || b.old.keys.files[f.Path] != k || b.compare.folders.known[path.Dir(f.Path)].is != present {
		return Entry{}, false
	}
	e, ok := b.old.listed.files[f.Path]
	return e, ok && e.Kind == f.Kind && b.old.keys.untouched(b.at(f.Path), e)
}

// keysText are the keys as they are stored now.
func (p *published) keysText() []byte {
	if p.keys.manifest == "" {
		return nil
	}
	return p.keys.text(p.manifest)
}

// keysText are the keys to store; nil where no file has one.
func (b *build) keysText() []byte {
	r := keyring{whole: b.opt.Key, files: map[string]Key{}}
	for i, k := range b.keys {
		if k != (Key{}) {
			r.files[b.files[i].Path] = k
		}
	}
	if len(r.files) == 0 && r.whole == (Key{}) {
		return nil
	}
	return r.text(b.next)
}

// Current reports whether the folder holds, whole and untouched, the build of
// that key, so that there is nothing to do; the result is what Publish would
// return. It completes what a killed build began. Like Publish it takes the
// folder's lock and may return ErrBusy; what else Publish would complain of is
// left to Publish, and the folder is not current.
func Current(opt Options) (Result, bool, error) {
	if _, err := os.Lstat(opt.Dir); opt.Key == (Key{}) || opt.Fresh || errors.Is(err, fs.ErrNotExist) {
		return Result{}, false, nil
	}
	t, err := lockTarget(opt.Dir, opt.InPlace)
	if err != nil {
		if errors.Is(err, ErrBusy) {
			return Result{}, false, err
		}
		return Result{}, false, nil
	}
	m, current := currentIn(t, opt)
	if err := t.release(); err != nil {
		return Result{}, false, err
	}
	b := build{next: m, fresh: make([]bool, len(m))}
	return b.result(), current, nil
}

func currentIn(t *target, opt Options) (Manifest, bool) {
	if err := recoverTarget(t, jobCount(opt.Jobs)); err != nil {
		return nil, false
	}
	m, found, err := readManifest(join(t.dir, ManifestName))
	if err != nil || !found {
		return nil, false
	}
	keys := readKeys(t.dir, m)
	if keys.whole != opt.Key || !bytes.Equal(readNoteIn(t.dir), noteText(m, opt.Note)) {
		return nil, false
	}
	var wg sync.WaitGroup
	jobs := jobCount(opt.Jobs)
	all := make([]bool, jobs)
	for w := range jobs {
		wg.Go(func() {
			all[w] = true
			for i := w; i < len(m) && all[w]; i += jobs {
				all[w] = keys.untouched(t.at(m[i].Path), m[i])
			}
		})
	}
	wg.Wait()
	for _, ok := range all {
		if !ok {
			return nil, false
		}
	}
	return m, true
}
