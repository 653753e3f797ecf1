package output

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a build leaves for the next one follows the files, stays where nothing is
// new, and goes with a build that leaves nothing.
func TestMemory(t *testing.T) {
	t.Parallel()
	for _, inPlace := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "public")
		if got := Memory(dir); got != nil {
			t.Errorf("a folder that is not there remembers %q", got)
		}
		asked := 0
		publish := func(content, memory, want string) {
			t.Helper()
			opt := Options{Dir: dir, InPlace: inPlace}
			if memory != "" {
				opt.Memory = func() []byte { asked++; return []byte(memory) }
			}
			_, err := Publish(t.Context(), []File{Bytes("a.txt", Data, []byte(content))}, opt)
			must(t, err)
			if got := string(Memory(dir)); got != want {
				t.Errorf("the memory is %q, want %q", got, want)
			}
		}
		publish("a", "first", "first")
		publish("a", "second", "first")
		publish("b", "third", "third")
		if asked != 2 {
			t.Errorf("it was asked for %d times", asked)
		}
		publish("c", "", "")
		if _, err := os.Lstat(filepath.Join(dir, MemoryName)); !os.IsNotExist(err) {
			t.Error("the memory stayed")
		}
	}
}

// A file of ours that has become longer than memory is not read: keys and memory
// are taken for damaged, as they are, and a manifest is complained of.
func TestOwnFilesTooLong(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		dir := t.TempDir() + "/public"
		opt := Options{Dir: dir, InPlace: inPlace, Memory: func() []byte { return []byte("memory") }}
		k := &keyed{site: site{"a": "one"}, keys: map[string]byte{"a": 1}}
		k.publish(t, opt)
		for _, name := range []string{KeysName, MemoryName} {
			must(t, os.Truncate(filepath.Join(dir, name), 2*largestOwn))
		}
		if got := Memory(dir); got != nil {
			t.Errorf("it remembers %d bytes", len(got))
		}
		wantMade(t, "long keys", k.publish(t, opt), "a")
		must(t, os.Truncate(filepath.Join(dir, ManifestName), 2*largestOwn))
		_, err := Publish(t.Context(), k.files(), opt)
		if !errors.Is(err, errTooLong) || !strings.Contains(err.Error(), "restore it, or empty the folder") {
			t.Errorf("a long manifest: %v", err)
		}
	})
}

// A folder that comes into the way of a file when an in-place build has begun is
// named by every build, until it is moved away and the next one ends it all.
func TestFolderInTheWayOfTheJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	publish(t, dir, site{"a": "one", "b": "two"}, true)
	begun, err := lockTarget(dir, true)
	must(t, err)
	info, err := os.Lstat(dir)
	must(t, err)
	staging := stageWriter{root: begun.stage()}
	must(t, staging.start())
	must(t, staging.write("c", []byte("new")))
	j := journal{folder: identity(info), others: []string{"c"}}
	must(t, writeWhole(begun.journalPath(), j.text()))
	begun.committed = true
	must(t, begun.release())
	must(t, os.MkdirAll(dir+"/c", 0o755))
	for _, inPlace := range []bool{true, false} {
		_, err := Publish(t.Context(), site{"a": "three"}.files(), Options{Dir: dir, InPlace: inPlace})
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), filepath.Join(dir, "c")+" is in the way") {
			t.Errorf("in place %t: %v", inPlace, err)
		}
	}
	must(t, os.Remove(dir+"/c"))
	publish(t, dir, site{"a": "three"}, true)
	noWork(t, dir)
}
