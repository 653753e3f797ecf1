package output

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// Whatever sites follow each other in a folder, in whatever mode, with and without a
// spare tree, whatever becomes of that, and whatever somebody else puts there: our files are exactly those of the last site and
// the assets it dropped, unchanged files keep inode and time, foreign entries
// keep everything, and nothing else is there.
func TestModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := &model{dir: t.TempDir() + "/public", rnd: rand.New(rand.NewPCG(seed, 1)), ours: site{}, kept: site{}}
			for range 16 {
				m.step(t)
				if t.Failed() {
					return
				}
			}
		})
	}
}

// pool holds paths that can follow, but not accompany, each other: files that
// become folders and the reverse, also among assets.
var pool = []string{
	"index.html", "a", "a/b", "a/b/c", "a/d", "x/y/z.html", "x/y", "x/v.json", "주제/글.html", "api/v1/all.json",
	"assets/1.css", "assets/2.css", "assets/3.js", "assets/n", "assets/n/m.js", "assets/n/o/p.js", "q/r/s/t.html",
}

type model struct {
	dir     string
	rnd     *rand.Rand
	ours    site // the last site
	kept    site // the assets it dropped
	foreign int  // how many foreign entries were made
}

func (m *model) step(t *testing.T) {
	m.addForeign(t)
	before := map[string]entry{}
	if _, err := os.Lstat(m.dir); err == nil {
		before = snapshot(t, m.dir)
	}
	next := m.nextSite(before)
	inPlace := m.rnd.IntN(2) == 0
	opt := Options{Dir: m.dir, InPlace: inPlace}
	if m.rnd.IntN(4) != 0 {
		opt.Spare = 1 << m.rnd.IntN(20)
	}
	m.harmSpare(t)
	r := publishBy(t, next, opt)

	old, oldKept := m.ours, m.kept
	if !maps.Equal(next, old) {
		m.kept = dropped(old, next)
	}
	m.ours = next
	all := maps.Clone(m.ours)
	maps.Copy(all, m.kept)
	foreign := foreignOf(before, old, oldKept)
	after := snapshot(t, m.dir)
	for _, d := range diffContents(after, all, foreign, len(m.kept) > 0) {
		t.Errorf("in place %v: %s", inPlace, d)
	}
	unchanged := 0
	for p, content := range all {
		was, ok := before[p]
		if !ok || was.Content != content || !was.Mode.IsRegular() {
			continue
		}
		if _, ok := next[p]; ok {
			unchanged++
		}
		if is := after[p]; is != was {
			t.Errorf("in place %v: unchanged %s is %v, was %v", inPlace, p, is, was)
		}
	}
	if r.Files != len(next) || r.Unchanged != unchanged || r.Written != len(next)-unchanged {
		t.Errorf("result %+v, want %d files, %d of them unchanged", r, len(next), unchanged)
	}
}

// harmSpare takes a file from the spare tree, if there is one, writes another in its
// place, or makes its folders like nobody's.
func (m *model) harmSpare(t *testing.T) {
	for _, p := range pool {
		name := join(spareOf(m.dir), p)
		if info, err := os.Lstat(name); err != nil || info.IsDir() {
			continue
		}
		switch m.rnd.IntN(8) {
		case 0:
			must(t, os.Remove(name))
		case 1:
			must(t, os.Remove(name))
			must(t, os.WriteFile(name, []byte(strings.Repeat(fmt.Sprint(p, m.rnd.IntN(2)), 1)), 0o600))
		case 2:
			must(t, os.Chmod(path.Dir(name), 0o700|fs.ModeSetgid))
		}
	}
}

// nextSite is a random site that no foreign entry stands in the way of; now
// and then the same as before.
func (m *model) nextSite(before map[string]entry) site {
	if m.rnd.IntN(6) == 0 {
		return m.ours
	}
	foreign := foreignOf(before, m.ours, m.kept)
	next := site{}
	for _, i := range m.rnd.Perm(len(pool)) {
		p := pool[i]
		if m.rnd.IntN(3) == 0 || clash(next, p) || slices.ContainsFunc(slices.Collect(maps.Keys(foreign)), func(f string) bool {
			return strings.HasPrefix(f, p+"/")
		}) {
			continue
		}
		next[p] = strings.Repeat(fmt.Sprint(p, m.rnd.IntN(2)), 1+m.rnd.IntN(2)*9000)
	}
	return next
}

func clash(s site, p string) bool {
	for q := range s {
		if strings.HasPrefix(p, q+"/") || strings.HasPrefix(q, p+"/") {
			return true
		}
	}
	return false
}

// dropped are the assets of old that stay beside next.
func dropped(old, next site) site {
	kept := site{}
	for p, content := range old {
		if _, ok := next[p]; !ok && kindOf(p) == Asset && !clash(next, p) {
			kept[p] = content
		}
	}
	return kept
}

// foreignOf is what is in a tree and not ours, nor a folder on the way to
// something of ours.
func foreignOf(tree map[string]entry, ours ...site) map[string]entry {
	foreign := maps.Clone(tree)
	for _, own := range append(ours, site{ManifestName: "", RetainedName: ""}) {
		for p := range own {
			for ; p != "."; p = path.Dir(p) {
				delete(foreign, p)
			}
		}
	}
	return foreign
}

// addForeign puts a file, a link or a folder somewhere: at the root, in a
// folder of ours or of nobody.
func (m *model) addForeign(t *testing.T) {
	must(t, os.MkdirAll(m.dir, 0o755))
	places := []string{"."}
	for p, e := range snapshot(t, m.dir) {
		if e.Mode.IsDir() {
			places = append(places, p)
		}
	}
	slices.Sort(places)
	m.foreign++
	name := fmt.Sprintf(".f%d", m.foreign)
	p := path.Join(places[m.rnd.IntN(len(places))], name)
	switch m.rnd.IntN(5) {
	case 0:
		write(t, m.dir, p, name)
	case 1:
		must(t, os.Symlink("nowhere/"+name, join(m.dir, p)))
	case 2:
		must(t, os.Mkdir(join(m.dir, p), 0o750))
	case 3:
		write(t, m.dir, p+"/in/side", name)
		must(t, os.Chmod(join(m.dir, p), 0o711|fs.ModeSetgid))
	}
}
