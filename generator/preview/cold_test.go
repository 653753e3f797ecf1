package preview

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/problem"
)

// editing is how long random edits go on, in each of the two ways:
// INCIDENTLIB_EDITS=10m for a long run.
func editing(t *testing.T) time.Time {
	t.Helper()
	d := 4 * time.Second
	if long := os.Getenv("INCIDENTLIB_EDITS"); long != "" {
		var err error
		if d, err = time.ParseDuration(long); err != nil {
			t.Fatal(err)
		}
	}
	return time.Now().Add(d)
}

// cold makes everything anew from what is on the disk now, and remembers what
// was good last, which is what is shown while the disk is broken.
type cold struct {
	disk       *disk
	now        bool // what was good last is not known: only what is good now is compared
	collection *incident.Collection
	design     *generator.Design
	files      []output.File

	good, broken int // states that were the same
	kept         int // files that builds by keys left as they were
}

func (c *cold) read() (problems []problem.Problem) {
	var last error
	root, err := os.OpenRoot(c.disk.path("seeds"))
	if err != nil {
		c.disk.Fatal(err)
	}
	defer root.Close()
	collection, problems := generator.Load(root.FS(), c.disk.path("seeds"), 2, false)
	if collection != nil {
		c.collection = collection
	}
	design, err := generator.NewDesign(generator.Options{Templates: os.DirFS(c.disk.path("templates")), Assets: os.DirFS(c.disk.path("assets"))})
	if err != nil {
		problems = append(problems, problemsOf(err)...)
	} else {
		c.design = design
	}
	if c.collection != nil && c.design != nil {
		var files []output.File
		if files, last = generator.Files(c.collection, c.design); last == nil {
			c.files = files
		} else {
			problems = append(problems, problemsOf(last)...)
		}
	}
	problem.Sort(problems)
	return problems
}

// differs says how a warm state differs from what is made anew; "" when it does
// not.
func (c *cold) differs(st *state) string {
	want := c.read()
	var got []problem.Problem
	for _, r := range st.problems {
		got = append(got, r.Problem)
	}
	if len(want)+len(got) > 0 {
		if diff := cmp.Diff(want, got); diff != "" {
			return "other problems (-cold +warm)\n" + diff
		}
	}
	if c.now && len(want) > 0 {
		c.broken++
		return ""
	}
	if (st.site == nil) != (c.files == nil) {
		return fmt.Sprintf("warm has a site: %v; cold has one: %v", st.site != nil, c.files != nil)
	}
	if st.site == nil {
		return ""
	}
	if warm := st.site.plan.Files(); len(warm) != len(c.files) {
		return fmt.Sprintf("%d files, made anew %d: %v", len(warm), len(c.files), want)
	}
	for _, f := range c.files {
		if d := sameFile(st.site.file(f.Path), f); d != "" {
			return f.Path + " " + d
		}
	}
	if len(want) > 0 {
		c.broken++
		return ""
	}
	c.good++
	return c.keyedDiffers()
}

// keyedDiffers says how a build differs that makes only the files whose keys are
// not those of the build before, into the same folder.
func (c *cold) keyedDiffers() string {
	plan, err := generator.NewPlan(library.New(c.collection), c.design)
	if err != nil {
		return err.Error()
	}
	print := func(dir string) generator.Fingerprint {
		f, err := generator.TakeFingerprint(os.DirFS(c.disk.path(dir)), 2)
		if err != nil {
			c.disk.Fatal(err)
		}
		return f
	}
	program := print("templates").Key("", "")
	settings := print("assets").Key("", "")
	from := print("seeds").Origin(string(program[:]), string(settings[:]))
	r, err := output.Publish(context.Background(), plan.Keyed(from), output.Options{Dir: c.disk.path("published"), InPlace: true, Jobs: 2})
	if err != nil {
		return err.Error()
	}
	want, err := output.Digest(c.files, 2)
	if err != nil {
		return err.Error()
	}
	if r.ID == want.ID() {
		c.kept += r.Unchanged
		return ""
	}
	for _, e := range want {
		if b, _ := os.ReadFile(c.disk.path("published/" + e.Path)); sha256.Sum256(b) != e.SHA256 {
			return "a build by keys has another " + e.Path
		}
	}
	return "a build by keys has files too many"
}

func sameFile(warm *rendered, f output.File) string {
	if warm == nil {
		return "is not there"
	}
	var b bytes.Buffer
	err := f.Render(&b)
	body, errWarm := warm.bytes()
	if err != nil || errWarm != nil {
		if fmt.Sprint(err) != fmt.Sprint(errWarm) {
			return fmt.Sprintf("fails otherwise\ncold: %v\nwarm: %v", err, errWarm)
		}
		return ""
	}
	sum := sha256.Sum256(b.Bytes())
	if !bytes.Equal(body, b.Bytes()) || warm.sum != hex.EncodeToString(sum[:8]) {
		return "differs (-cold +warm)\n" + cmp.Diff(strings.Split(b.String(), ">"), strings.Split(string(body), ">"))
	}
	return ""
}

func (d *disk) options() Options {
	return Options{Seeds: d.path("seeds"), Templates: os.DirFS(d.path("templates")), Assets: os.DirFS(d.path("assets")),
		Watch: []string{d.path("templates"), d.path("assets")}, Jobs: 2, Stderr: io.Discard}
}

// withDisk runs random edits until the time is over.
func withDisk(t *testing.T, property func(d *disk) (good, broken int)) {
	t.Helper()
	end, good, broken, runs := editing(t), 0, 0, 0
	for time.Now().Before(end) && !t.Failed() {
		rapid.Check(t, func(r *rapid.T) {
			if time.Now().After(end) {
				return
			}
			dir, err := os.MkdirTemp("", "incidentlib-edits-")
			if err != nil {
				r.Fatal(err)
			}
			defer os.RemoveAll(dir)
			g, b := property(newDisk(r, dir))
			good, broken, runs = good+g, broken+b, runs+1
		})
	}
	t.Logf("%d good states and %d broken ones of %d libraries", good, broken, runs)
}

// After any sequence of edits, told exactly, what is served is what a build of
// the same disk writes, byte for byte, and what is wrong is what it says.
func TestWarmIsColdByExactBatches(t *testing.T) {
	t.Parallel()
	withDisk(t, func(d *disk) (good, broken int) {
		b, c := &builder{opt: d.options()}, &cold{disk: d}
		st := b.build(context.Background(), nil, edits{all: true})
		defer func() { b.root.Close() }()
		var log []string
		for i := range 1 + d.n(24, "steps") {
			if diff := c.differs(st); diff != "" {
				d.Fatalf("after %s: %s", strings.Join(log, ", "), diff)
			}
			for range 1 + d.n(2, "edits") {
				log = append(log, d.edit())
			}
			st = b.build(context.Background(), st, d.batch(i))
		}
		if diff := c.differs(st); diff != "" {
			d.Fatalf("after %s: %s", strings.Join(log, ", "), diff)
		}
		return c.good, c.broken
	})
}

// batch are the edits since the last one; now and then with a folder's name for
// what is in it.
func (d *disk) batch(i int) edits {
	e := edits{files: d.touched, all: i%17 == 16}
	d.touched = map[string]bool{}
	if i%7 == 3 {
		e.files[d.path("seeds/cases")] = true
	}
	return e
}

// The same, with the watcher to tell what changed, and edits that come while the
// ones before are being built.
func TestWarmIsColdByTheWatcher(t *testing.T) {
	t.Parallel()
	withDisk(t, func(d *disk) (good, broken int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s, err := New(ctx, d.options())
		if err != nil {
			d.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.follow(ctx, s.watcher.Batches())
		}()
		defer func() {
			s.watcher.Close()
			<-ended
			s.printer.close()
			s.builder.root.Close()
		}()
		c := &cold{disk: d, now: true} // a state between two edits may be good too
		var log []string
		for range 1 + d.n(8, "steps") {
			for range 1 + d.n(3, "edits") {
				log = append(log, d.edit())
				time.Sleep(time.Duration(d.n(20, "pause")) * time.Millisecond)
			}
			settle(d, s, c, log)
		}
		return c.good, c.broken
	})
}

// settle waits for the server to have what is on the disk.
func settle(d *disk, s *Server, c *cold, log []string) {
	diff := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if diff = c.differs(s.state()); diff == "" {
			return
		}
	}
	d.Fatalf("after %s: %s", strings.Join(log, ", "), diff)
}
