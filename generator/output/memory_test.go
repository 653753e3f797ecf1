package output

import (
	"os"
	"path/filepath"
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
