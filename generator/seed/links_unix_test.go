//go:build unix

package seed

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestLinks reads a real folder as the program does, with what people and
// editors put into it.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "IL-0005.json")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"site.json": baseSite, "vocab.json": baseVocab, "cases/IL-0123.json": baseCase,
		"kept/IL-0124.json": edited(t, `"id": "IL-0123"`, `"id": "IL-0124"`)} {
		must(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	must(os.WriteFile(outside, []byte(baseCase), 0o644))
	for name, to := range map[string]string{"IL-0005.json": outside, "IL-0006.json": "nowhere", "IL-0007.json": "IL-0007.json", ".#IL-0123.json": "nobody@host",
		"notes": "nowhere", "IL-0124.json": "../kept/IL-0124.json", "more": "../kept", "IL-0008.json": "/dev/zero"} {
		must(os.Symlink(to, filepath.Join(dir, "cases", name)))
	}
	must(os.MkdirAll(filepath.Join(dir, "cases", "IL-0009.json"), 0o755))
	must(syscall.Mkfifo(filepath.Join(dir, "cases", "IL-0010.json"), 0o644))
	must(os.WriteFile(filepath.Join(dir, "cases", "IL-\xff.json"), []byte(baseCase), 0o644))
	root, err := os.OpenRoot(dir)
	must(err)
	defer root.Close()
	const remedy = "put the file itself in its place; a link must stay inside the seeds folder"
	want := []string{
		"seeds/cases/IL-0005.json: this link cannot be followed: path escapes from parent; " + remedy,
		"seeds/cases/IL-0006.json: this link leads nowhere; delete it, or put the file in its place",
		"seeds/cases/IL-0007.json: this link cannot be followed: too many levels of symbolic links; " + remedy,
		"seeds/cases/IL-0008.json: this link cannot be followed: path escapes from parent; " + remedy,
		"seeds/cases/IL-0009.json: this is a folder with the name of a file; rename it",
		"seeds/cases/IL-0010.json: this is not a regular file; delete it, or put a file in its place",
		`seeds/cases/IL-\xff.json: the file's name is not UTF-8; rename it`,
		"seeds/cases/more: this is a link to a folder, and links to folders are not followed; put the folder in its place",
	}
	r, got := report(root.FS())
	if want := strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := len(r.Collection.Cases); n != 2 {
		t.Errorf("read %d cases, want IL-0123 and the one that a link inside the folder leads to", n)
	}
	for _, id := range []string{"IL-0005", "IL-0006", "IL-0007", "IL-0008", "IL-0010"} {
		if !r.Unread[id] {
			t.Errorf("%s is there and could not be read, and links to it would dangle", id)
		}
	}
}

// A pipe in a file's place is named, not waited for, whichever file it is.
func TestPipes(t *testing.T) {
	for _, name := range []string{"site.json", "vocab.json", "withdrawn.json", "topics/domain/database.en.md", "articles/a.en.md"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
		want := "seeds/" + name + ": this is not a regular file; delete it, or put a file in its place"
		if _, got := report(os.DirFS(dir)); !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
