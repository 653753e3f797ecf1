package output

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// site is what a test publishes: path → content. The kind follows from the
// path: "assets/…" and "….json" are told apart from pages.
type site map[string]string

func (s site) files() []File {
	var files []File
	for p, content := range s {
		files = append(files, File{Path: p, Kind: kindOf(p), Render: func(dst *bytes.Buffer) error {
			_, err := dst.WriteString(content)
			return err
		}})
	}
	return files // in random order, as a map gives them
}

func kindOf(p string) Kind {
	switch {
	case strings.HasPrefix(p, "assets/"):
		return Asset
	case strings.HasSuffix(p, ".json"):
		return Data
	}
	return Page
}

// entry is all that a test compares of one path on disk.
type entry struct {
	Mode    fs.FileMode
	Content string // of files; of links: where they lead
	ModTime time.Time
	Node    string
}

// snapshot reads the whole tree below dir, without dir itself.
func snapshot(t testing.TB, dir string) map[string]entry {
	t.Helper()
	all := map[string]entry{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := entry{Mode: info.Mode(), ModTime: info.ModTime(), Node: identity(info)}
		switch info.Mode().Type() {
		case fs.ModeDir:
			e.Node = "" // a swapped tree has new folders
		case 0:
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			e.Content = string(text)
		case fs.ModeSymlink:
			e.Content, err = os.Readlink(name)
		}
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = e
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sameTree fails the test where the trees differ in anything.
func sameTree(t testing.TB, got, want map[string]entry) {
	t.Helper()
	for _, d := range diffTrees(got, want) {
		t.Error(d)
	}
}

func diffTrees(got, want map[string]entry) []string {
	var diffs []string
	for _, p := range slices.Sorted(maps.Keys(want)) {
		if g, ok := got[p]; !ok {
			diffs = append(diffs, fmt.Sprintf("%s: is gone", p))
		} else if g != want[p] {
			diffs = append(diffs, fmt.Sprintf("%s: is %v, want %v", p, g, want[p]))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[p]; !ok {
			diffs = append(diffs, fmt.Sprintf("%s: should not be there", p))
		}
	}
	return diffs
}

// diffContents compares a tree with what it should hold: files of ours by
// content, foreign entries in everything (folders of ours, and the package's
// own files, only by being there).
func diffContents(got map[string]entry, ours site, foreign map[string]entry, retained bool) []string {
	want := map[string]entry{}
	maps.Copy(want, foreign)
	need := func(p string, mode fs.FileMode, content string) {
		g, ok := got[p]
		e := entry{Mode: mode, Content: content}
		if ok && g.Mode.Type() == mode && (g.Content == content || ownName(p)) {
			e = g
		}
		want[p] = e
	}
	own := []string{ManifestName}
	if retained {
		own = append(own, RetainedName)
	}
	for _, p := range own {
		need(p, 0, "(own)")
	}
	for p := range foreign {
		for d := path.Dir(p); d != "."; d = path.Dir(d) {
			if _, ok := want[d]; !ok {
				need(d, fs.ModeDir, "")
			}
		}
	}
	for p, content := range ours {
		need(p, 0, content)
		for d := path.Dir(p); d != "."; d = path.Dir(d) {
			need(d, fs.ModeDir, "")
		}
	}
	return diffTrees(got, want)
}

// write makes a foreign file, with its folders, of a time long ago.
func write(t testing.TB, dir, p, content string) {
	t.Helper()
	name := join(dir, p)
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(content), 0o640))
	old := time.Date(2001, 2, 3, 4, 5, 6, 7000, time.UTC)
	must(t, os.Chtimes(name, old, old))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func publish(t testing.TB, dir string, s site, inPlace bool) Result {
	t.Helper()
	return publishBy(t, s, Options{Dir: dir, InPlace: inPlace})
}

func publishBy(t testing.TB, s site, opt Options) Result {
	t.Helper()
	opt.Jobs = 3
	r, err := Publish(t.Context(), s.files(), opt)
	must(t, err)
	noWork(t, opt.Dir)
	return r
}

// noWork checks that no work folder was left, but for one with a spare tree.
func noWork(t testing.TB, dir string) {
	t.Helper()
	for _, work := range []string{workOf(dir), join(dir, insideWork)} {
		entries, err := os.ReadDir(work)
		if err == nil && (len(entries) != 1 || entries[0].Name() != spareName) {
			t.Errorf("%s was left, with %v", work, entries)
		}
	}
}

func spareOf(dir string) string { return join(workOf(dir), spareName) }

func workOf(dir string) string {
	return filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+workSuffix)
}

// bothModes runs a test for the swap and for in place.
func bothModes(t *testing.T, test func(t *testing.T, inPlace bool)) {
	t.Parallel()
	for name, inPlace := range map[string]bool{"swap": false, "in place": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, inPlace)
		})
	}
}
