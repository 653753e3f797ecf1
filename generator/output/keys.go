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
	"slices"
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
	var text []byte
	for _, t := range texts {
		text = append(binary.AppendUvarint(text[:0], uint64(len(t))), t...)
		h.Write(text)
	}
	copy(k[:], h.Sum(nil))
	return k
}

// keysHeader is the first line of the keys, before the id of the manifest that
// they belong to and the key of the whole build; longestHeader is how long that line
// gets, with its end.
const (
	keysHeader    = "incidentlib keys 1"
	longestHeader = len(keysHeader) + 1 + 2*sha256.Size + 1 + 2*len(Key{}) + 1
)

// keyring are the keys of the files in a folder. It is kept beside the manifest
// and is no part of a build's id: it only saves work.
type keyring struct {
	manifest string // the id of the manifest that it belongs to; empty where there are no keys
	whole    Key
	files    []Key     // by index in the manifest; zero for a file without one
	written  time.Time // a file that changed later is not what the keys tell of
}

// readKeys reads the keys in the folder dir that belong to the manifest of that id;
// none where there are none, or they are damaged, or of another build.
func readKeys(dir string, m Manifest, id string) *keyring {
	none := &keyring{}
	text, info, notRegular, err := readAtMost(join(dir, KeysName), largestOwn)
	if err != nil || notRegular {
		return none
	}
	r, err := parseKeys(text, m)
	if err != nil || r.manifest != id {
		return none
	}
	r.written = info.ModTime()
	return r
}

// text is the keyring as it is stored: a header, then "KEY PATH" for each file
// of the manifest that has a key; nil where there are no keys.
func (r *keyring) text(m Manifest) []byte {
	if r.manifest == "" {
		return nil
	}
	var b bytes.Buffer
	b.Grow(len(m) * 80)
	fmt.Fprintf(&b, "%s %s %x\n", keysHeader, r.manifest, r.whole[:])
	for i, k := range r.files {
		if k != (Key{}) {
			line := hex.AppendEncode(b.AvailableBuffer(), k[:])
			b.Write(append(append(append(line, ' '), m[i].Path...), '\n'))
		}
	}
	return b.Bytes()
}

// equal reports whether two keyrings of one manifest are stored as the same.
func (r *keyring) equal(other *keyring) bool {
	return r.manifest == other.manifest && r.whole == other.whole && slices.Equal(r.files, other.files)
}

var errKeys = errors.New("not keys")

// parseKeys reads what text wrote, of files of the manifest in its order.
func parseKeys(text []byte, m Manifest) (*keyring, error) {
	header, body, whole := bytes.Cut(text, []byte("\n"))
	r, ok := parseHeader(header)
	if !whole || !ok {
		return nil, errKeys
	}
	r.files = make([]Key, len(m))
	for i := 0; len(body) > 0; i++ {
		line, after, whole := bytes.Cut(body, []byte("\n"))
		digits, p, both := bytes.Cut(line, []byte(" "))
		for i < len(m) && m[i].Path < string(p) {
			i++
		}
		k, good := parseKey(digits)
		if !whole || !both || !good || i == len(m) || m[i].Path != string(p) {
			return nil, errKeys
		}
		r.files[i], body = k, after
	}
	return r, nil
}

// parseHeader reads the first line of keys, without those of the files.
func parseHeader(line []byte) (r *keyring, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(keysHeader+" "))
	id, digits, both := bytes.Cut(rest, []byte(" "))
	whole, good := parseKey(digits)
	return &keyring{manifest: string(id), whole: whole}, ok && both && good && len(id) > 0
}

// builtFrom is the key of the whole build that the keys in a folder are of; zero
// where that cannot be read.
func builtFrom(dir string) Key {
	f, _, notRegular, err := openPublished(join(dir, KeysName))
	if err != nil || notRegular {
		return Key{}
	}
	defer f.Close()
	text := make([]byte, longestHeader)
	n, _ := io.ReadFull(f, text) // it is shorter than that where few files have keys
	header, _, _ := bytes.Cut(text[:n], []byte("\n"))
	r, ok := parseHeader(header)
	if !ok {
		return Key{}
	}
	return r.whole
}

func parseKey(digits []byte) (k Key, ok bool) {
	if len(digits) != 2*len(k) {
		return k, false
	}
	_, err := hex.Decode(k[:], digits)
	return k, err == nil
}

// untouched reports whether a published file is, for all that its folder says,
// what the manifest lists: of its size, and not written since the keys were.
func (r *keyring) untouched(name string, e *Entry) bool {
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
	at, old := b.was[i], b.old
	if k == (Key{}) || b.opt.Fresh || at < 0 || old.keys.manifest == "" || old.keys.files[at] != k ||
		b.compare.folders.known[path.Dir(f.Path)].is != present {
		return Entry{}, false
	}
	e := &old.manifest[at]
	return *e, e.Kind == f.Kind && old.keys.untouched(b.at(f.Path), e)
}

// keyring are the keys to store; none where neither the build nor a file has one.
func (b *build) keyring() *keyring {
	if b.opt.Key == (Key{}) && !slices.ContainsFunc(b.keys, func(k Key) bool { return k != Key{} }) {
		return &keyring{}
	}
	return &keyring{manifest: b.id, whole: b.opt.Key, files: b.keys}
}

func (b *build) keysText() []byte { return b.keyring().text(b.next) }

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
	m, id, current := currentIn(t, opt)
	if err := t.release(); err != nil {
		return Result{}, false, err
	}
	b := build{next: m, id: id, fresh: make([]bool, len(m))}
	return b.result(), current, nil
}

func currentIn(t *target, opt Options) (m Manifest, id string, current bool) {
	if err := recoverTarget(t, jobCount(opt.Jobs)); err != nil {
		return nil, "", false
	}
	if builtFrom(t.dir) != opt.Key {
		return nil, "", false // as after most edits: the rest need not be read
	}
	m, id, err := readManifest(join(t.dir, ManifestName), checked)
	if err != nil || id == "" {
		return nil, "", false
	}
	keys := readKeys(t.dir, m, id)
	if keys.whole != opt.Key || !bytes.Equal(readNoteIn(t.dir), noteText(id, opt.Note)) {
		return nil, "", false
	}
	var wg sync.WaitGroup
	jobs := jobCount(opt.Jobs)
	all := make([]bool, jobs)
	for w := range jobs {
		wg.Go(func() {
			all[w] = true
			for i := w; i < len(m) && all[w]; i += jobs {
				all[w] = keys.untouched(t.at(m[i].Path), &m[i])
			}
		})
	}
	wg.Wait()
	for _, ok := range all {
		if !ok {
			return nil, "", false
		}
	}
	return m, id, true
}
