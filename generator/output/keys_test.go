package output

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// keyed is a site whose files have keys, and a record of those that were made.
type keyed struct {
	site
	keys map[string]byte // 0: none
	mu   sync.Mutex
	made []string
}

func (k *keyed) files() []File {
	files := k.site.files()
	for i := range files {
		f := &files[i]
		render := f.Render
		f.Render = func(dst *bytes.Buffer) error {
			k.mu.Lock()
			k.made = append(k.made, f.Path)
			k.mu.Unlock()
			return render(dst)
		}
		f.Key = func() Key { return Key{k.keys[f.Path]} }
	}
	return files
}

// publish publishes and returns what was made, sorted.
func (k *keyed) publish(t *testing.T, opt Options) []string {
	t.Helper()
	k.made = nil
	_, err := Publish(t.Context(), k.files(), opt)
	must(t, err)
	slices.Sort(k.made)
	return k.made
}

func wantMade(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: made %q, want %q", what, got, want)
	}
}

// past makes a file older than any keys, as files are after a while.
func past(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		long := time.Now().Add(-time.Hour)
		must(t, os.Chtimes(name, long, long))
	}
}

func TestKeys(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		opt := Options{Dir: dir, InPlace: inPlace, Jobs: 2}
		k := &keyed{site: site{"a": "one", "b": "two", "c/d": "three"}, keys: map[string]byte{"a": 1, "b": 2}}
		wantMade(t, "first", k.publish(t, opt), "a", "b", "c/d")
		before := snapshot(t, dir)
		wantMade(t, "again", k.publish(t, opt), "c/d")
		sameTree(t, snapshot(t, dir), before)

		k.site["a"], k.keys["a"] = "ONE", 9
		wantMade(t, "one key changed", k.publish(t, opt), "a", "c/d")
		wantMade(t, "and again", k.publish(t, opt), "c/d")

		must(t, os.WriteFile(dir+"/b", []byte("tWo"), 0o644))
		later := time.Now().Add(time.Hour)
		must(t, os.Chtimes(dir+"/b", later, later))
		wantMade(t, "a file was edited", k.publish(t, opt), "b", "c/d")
		must(t, os.Remove(dir+"/a"))
		wantMade(t, "a file was deleted", k.publish(t, opt), "a", "c/d")
		must(t, os.WriteFile(dir+"/a", []byte("longer"), 0o644))
		past(t, dir+"/a")
		wantMade(t, "a file has another size", k.publish(t, opt), "a", "c/d")
		fresh := opt
		fresh.Fresh = true
		wantMade(t, "all were asked for", k.publish(t, fresh), "a", "b", "c/d")
		tree := snapshot(t, dir)
		delete(tree, KeysName)
		for _, d := range diffContents(tree, k.site, nil, false) {
			t.Error(d)
		}
	})
}

// A change of keys alone leaves every file as it is.
func TestOnlyKeysChange(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		opt := Options{Dir: dir, InPlace: inPlace}
		k := &keyed{site: site{"a": "one", "c/d": "three"}, keys: map[string]byte{"a": 1, "c/d": 1}}
		k.publish(t, opt)
		before := snapshot(t, dir)
		k.keys["a"] = 5
		wantMade(t, "another key", k.publish(t, opt), "a")
		after := snapshot(t, dir)
		if before[KeysName].Content == after[KeysName].Content {
			t.Error("the keys are the old ones")
		}
		delete(before, KeysName)
		delete(after, KeysName)
		sameTree(t, after, before)
		k.keys = nil
		k.publish(t, opt)
		if _, err := os.Lstat(dir + "/" + KeysName); !os.IsNotExist(err) {
			t.Errorf("keys of nothing: %v", err)
		}
	})
}

// Keys that are damaged, or of another build, are as good as none.
func TestKeysNotTrusted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	opt := Options{Dir: dir, Jobs: 1}
	k := &keyed{site: site{"a": "one", "b": "two"}, keys: map[string]byte{"a": 1, "b": 2}}
	k.publish(t, opt)
	good, err := os.ReadFile(dir + "/" + KeysName)
	must(t, err)
	other := bytes.Clone(good)
	other[len(keysHeader)+3]++ // of another manifest
	for _, text := range [][]byte{nil, []byte("x"), good[:len(good)-1], good[:len(good)/2], other, bytes.Replace(good, []byte("02"), []byte("zz"), 1)} {
		must(t, os.WriteFile(dir+"/"+KeysName, text, 0o644))
		wantMade(t, string(text), k.publish(t, opt), "a", "b")
		wantMade(t, "mended", k.publish(t, opt))
	}
}

func TestCurrent(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		opt := Options{Dir: dir, InPlace: inPlace, Key: Key{7}}
		is := func(what string, opt Options, want bool) {
			t.Helper()
			r, current, err := Current(opt)
			must(t, err)
			if current != want || current && (r.Files != 2 || r.Unchanged != 2 || r.Bytes != 6 || len(r.ID) != 64) {
				t.Errorf("%s: %v, %+v; want %v", what, current, r, want)
			}
		}
		is("nothing is there", opt, false)
		s := site{"a": "one", "c/d": "two"}
		_, err := Publish(t.Context(), s.files(), opt)
		must(t, err)
		is("just built", opt, true)
		other, none, fresh := opt, opt, opt
		other.Key, none.Key, fresh.Fresh = Key{8}, Key{}, true
		is("another key", other, false)
		is("no key", none, false)
		is("fresh", fresh, false)
		must(t, os.WriteFile(dir+"/foreign", nil, 0o644))
		is("a foreign file more", opt, true)
		must(t, os.Remove(dir+"/c/d"))
		is("a file less", opt, false)
		_, err = Publish(t.Context(), s.files(), opt)
		must(t, err)
		is("mended", opt, true)
		later := time.Now().Add(time.Hour)
		must(t, os.Chtimes(dir+"/a", later, later))
		is("a file was touched", opt, false)
	})
}

// Keys of files that the manifest does not have, or not in its order, are damage.
func TestKeysOfOtherFiles(t *testing.T) {
	t.Parallel()
	m := Manifest{{Path: "a"}, {Path: "b"}, {Path: "c"}}
	r := keyring{manifest: m.ID(), whole: Key{1}, files: []Key{{2}, {}, {3}}}
	text := r.text(m)
	if got, err := parseKeys(text, m); err != nil || !got.equal(&r) {
		t.Fatalf("%q is read as %+v, %v", text, got, err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, bad := range [][][]byte{{lines[0], lines[2], lines[1]}, {lines[0], lines[1], lines[1]}} {
		if _, err := parseKeys(bytes.Join(bad, nil), m); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	for _, other := range []Manifest{nil, m[:2], m[1:], {{Path: "a"}, {Path: "cc"}}} {
		if _, err := parseKeys(text, other); err == nil {
			t.Errorf("keys of %q are taken for those of %q", m.paths(), other.paths())
		}
	}
}

func FuzzKeys(f *testing.F) {
	k := keyring{manifest: "m", whole: Key{1}, files: []Key{{}, {2}}}
	f.Add(k.text(Manifest{{Path: "a"}, {Path: "a b"}}))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := Manifest{{Path: "a"}} // and what the text itself names
		for line := range strings.Lines(string(text)) {
			_, p, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			m = append(m, Entry{Path: p})
		}
		slices.SortFunc(m, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
		m = slices.Compact(m)
		r, err := parseKeys(text, m)
		if err != nil {
			return
		}
		again, err := parseKeys(r.text(m), m)
		if err != nil || !again.equal(r) {
			t.Errorf("%q is read as %+v, written and read again as %+v, %v", text, r, again, err)
		}
	})
}
