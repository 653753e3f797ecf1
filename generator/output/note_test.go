package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A note stands beside its manifest, follows it though no file changes, and goes
// with it; one that is not its manifest's counts for nothing.
func TestNote(t *testing.T) {
	t.Parallel()
	for _, inPlace := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "public")
		publish := func(content, note string) {
			t.Helper()
			opt := Options{Dir: dir, InPlace: inPlace}
			if note != "" {
				opt.Note = []byte(note)
			}
			_, err := Publish(t.Context(), []File{Bytes("a.txt", Data, []byte(content))}, opt)
			must(t, err)
			b, err := Read(dir)
			must(t, err)
			if string(b.Note) != note || len(b.Manifest) != 1 {
				t.Errorf("the note is %q, want %q", b.Note, note)
			}
		}
		publish("a", "first")
		publish("a", "second")
		publish("b", "third")
		publish("b", "")
		if _, err := os.Stat(filepath.Join(dir, NoteName)); !os.IsNotExist(err) {
			t.Error("the note stayed")
		}
		publish("b", "fourth")
		must(t, os.WriteFile(filepath.Join(dir, NoteName), []byte("damaged"), 0o644))
		b, err := Read(dir)
		must(t, err)
		if b.Note != nil {
			t.Errorf("a damaged note says %q", b.Note)
		}
	}
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "build into it first") {
		t.Error(err)
	}
}
