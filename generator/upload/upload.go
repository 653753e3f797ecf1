package upload

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"gocloud.dev/blob"
	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/output"
)

// ErrBusy: another run publishes to the same place.
var ErrBusy = errors.New("another run has begun to publish to the same place; when it has ended, run this again")

// Options say what to publish and how.
type Options struct {
	Dir      string                // the built folder
	DryRun   bool                  // only say what there is to do
	Check    bool                  // ask the store about every object, whatever its manifest says
	Jobs     int                   // objects under way at once; 0 means 16
	Progress func(done, total int) // may be nil; one call at a time
}

// Result says what there was to do, or with Options.DryRun what there is.
type Result struct {
	ID        string   `json:"id"`        // of the list of what the store has of the build
	New       int      `json:"new"`       // objects
	Changed   int      `json:"changed"`   // likewise
	Deleted   int      `json:"deleted"`   // likewise
	Unchanged int      `json:"unchanged"` // likewise
	Kept      int      `json:"kept"`      // assets of the build before
	Bytes     int64    `json:"bytes"`     // sent
	DryRun    bool     `json:"dry_run"`
	Changes   []Change `json:"changes,omitempty"` // with Options.DryRun only
	Warnings  []string `json:"warnings,omitempty"`
}

// batchSize is how many objects are touched between two looks at whether another
// run has begun.
const batchSize = 256

// Publish makes a store hold what the folder of a finished build holds, for
// readers: files that tell other hosts what to do are left out. The package
// comment says how.
func Publish(ctx context.Context, b *blob.Bucket, opt Options) (Result, error) {
	return publish(ctx, bucket{b}, opt)
}

func publish(ctx context.Context, s store, opt Options) (Result, error) {
	built, err := output.Read(opt.Dir)
	if err != nil {
		return Result{}, err
	}
	if built.Note != nil {
		return Result{}, fmt.Errorf("%s is a shard, a part of a site; join all of them with incidentlib merge and publish that", opt.Dir)
	}
	root, err := os.OpenRoot(opt.Dir)
	if err != nil {
		return Result{}, err
	}
	defer root.Close()
	r := &run{store: s, opt: opt, root: root, next: visible(built.Manifest)}
	_, site := slices.BinarySearchFunc(built.Manifest, "api/v1/index.json", comparePath)
	_, api := slices.BinarySearchFunc(built.Manifest, "v1/index.json", comparePath)
	r.rules = host.OfFiles(api && !site)
	if r.state, err = readState(ctx, s); err != nil {
		return Result{}, err
	}
	p, err := r.plan(ctx)
	if err != nil {
		return Result{}, err
	}
	result := r.result(p)
	if opt.DryRun {
		result.Changes = p.changes()
		return result, nil
	}
	return result, r.do(ctx, p)
}

// run is one call of Publish under way.
type run struct {
	store store
	opt   Options
	root  *os.Root
	next  output.Manifest
	rules host.Rules
	state *state

	mu   sync.Mutex // guards done, and calls of progress
	done int
}

func (r *run) jobs() int {
	if r.opt.Jobs > 0 {
		return r.opt.Jobs
	}
	return 16
}

func comparePath(e output.Entry, p string) int {
	switch {
	case e.Path < p:
		return -1
	case e.Path > p:
		return 1
	}
	return 0
}

func (r *run) result(p *plan) Result {
	res := Result{ID: p.next.ID(), Deleted: len(p.remove), Unchanged: len(p.next) - len(p.put), Kept: len(p.kept), DryRun: r.opt.DryRun}
	for _, u := range p.put {
		res.Bytes += u.Size
		if u.changed {
			res.Changed++
		} else {
			res.New++
		}
	}
	res.Warnings = slices.Clone(r.state.damaged)
	if p.foreign > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("objects that no manifest of ours lists were left as they are: %d", p.foreign))
	}
	return res
}

// do does it, in the one order that no reader notices, or finds that there is
// nothing to do.
func (r *run) do(ctx context.Context, p *plan) error {
	settled := r.state.whole && r.state.manifest.ID() == p.next.ID() && len(r.state.damaged) == 0
	if len(p.put)+len(p.remove) == 0 && settled {
		if err := r.clear(ctx); err != nil || !r.state.begun {
			return err // the journal stays, which says what is to be cleared
		}
		return r.store.remove(ctx, JournalName)
	}
	mine, err := r.begin(ctx, p)
	if err != nil {
		return err
	}
	if err := r.clear(ctx); err != nil {
		return err
	}
	total := len(p.put) + len(p.remove)
	send := func(ctx context.Context, u put) error { return r.send(ctx, u.Entry, total) }
	for _, kind := range []output.Kind{output.Asset, output.Data, output.Page} {
		var some []put
		for _, u := range p.put {
			if u.Kind == kind {
				some = append(some, u)
			}
		}
		if err := inBatches(ctx, r, mine, some, send); err != nil {
			return err
		}
	}
	err = inBatches(ctx, r, mine, p.remove, func(ctx context.Context, e output.Entry) error {
		defer r.advance(total)
		return r.store.remove(ctx, e.Path)
	})
	if err != nil {
		return err
	}
	return r.end(ctx, p, mine)
}

// begin writes the journal: what is going to be touched, and what runs before this
// one touched and did not come to the end of.
func (r *run) begin(ctx context.Context, p *plan) (journal, error) {
	var puts output.Manifest
	for _, u := range p.put {
		puts = append(puts, u.Entry)
	}
	mine := journal{rand.Text(), r.state.id(), p.next.ID(), sorted(byPath(puts, p.remove, r.state.journal.touched))}
	h := ours()
	h.onlyNew = !r.state.begun
	err := r.store.write(ctx, JournalName, mine.text(), h)
	if !errors.Is(err, errThere) {
		return mine, err
	}
	// It may be ours: a client that got no answer tries again.
	text, err := readMaybe(ctx, r.store, JournalName)
	if now, errJournal := parseJournal(text); err == nil && (errJournal != nil || now.word != mine.word) {
		err = ErrBusy
	}
	return mine, err
}

// scrapOf is the object that a killed run had begun to write into a folder, as
// NAME.HEXADECIMAL.tmp: the library that writes it gives it its name when it is
// whole.
func scrapOf(name string) (object string, ok bool) {
	name, ok = strings.CutSuffix(name, ".tmp")
	dot := strings.LastIndexByte(name, '.')
	return name[:max(dot, 0)], ok && dot > 0 && strings.Trim(name[dot+1:], "0123456789abcdef") == "" && dot+1 < len(name)
}

// clear takes away what a killed run had begun to write: of the objects that its
// journal lists and of our own ones, and nothing else of such a name.
func (r *run) clear(ctx context.Context) error {
	within := ownPrefix // a run that left no journal was killed while it wrote one
	if r.state.begun {
		within = ""
	}
	touched, left := byPath(r.state.journal.touched), []string(nil)
	err := r.store.list(ctx, within, func(name string, _ object) {
		of, isScrap := scrapOf(name)
		if _, ok := touched[of]; isScrap && (ok || strings.HasPrefix(of, ownPrefix)) {
			left = append(left, name)
		}
	})
	for _, name := range left {
		err = errors.Join(err, r.store.remove(ctx, name))
	}
	return err
}

// end puts the lists in place, and takes the journal away.
func (r *run) end(ctx context.Context, p *plan, mine journal) error {
	if err := r.state.still(ctx, r.store, mine); err != nil {
		return err
	}
	if len(p.kept) > 0 {
		if err := r.store.write(ctx, output.RetainedName, p.kept.Text(), ours()); err != nil {
			return err
		}
	} else if err := r.store.remove(ctx, output.RetainedName); err != nil {
		return err
	}
	if err := r.store.write(ctx, output.ManifestName, p.next.Text(), ours()); err != nil {
		return err
	}
	return r.store.remove(ctx, JournalName)
}

// ours are the headers of our own objects.
func ours() headers { return headers{media: "text/plain; charset=utf-8", cache: "no-store"} }

// inBatches does something to each, several at once, and looks before every batch
// whether another run has begun.
func inBatches[T any](ctx context.Context, r *run, mine journal, all []T, do func(context.Context, T) error) error {
	for batch := range slices.Chunk(all, batchSize) {
		if err := r.state.still(ctx, r.store, mine); err != nil {
			return err
		}
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(r.jobs())
		for _, x := range batch {
			g.Go(func() error {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				return do(ctx, x)
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) send(ctx context.Context, e output.Entry, total int) error {
	data, err := r.read(e)
	if err != nil {
		return err
	}
	defer r.advance(total)
	return r.store.write(ctx, e.Path, data, headers{media: host.MediaType(e.Path), cache: r.rules.Cache("/" + e.Path)})
}

// read reads a file of the folder, which has to be what its manifest lists.
func (r *run) read(e output.Entry) ([]byte, error) {
	other := func(how string) error {
		return fmt.Errorf("%s/%s %s; build again with --fresh, and publish when the build has ended", r.opt.Dir, e.Path, how)
	}
	f, err := r.root.Open(e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, other("is missing")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, e.Size+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != e.Size || sha256.Sum256(data) != e.SHA256 {
		return nil, other("is not what the manifest lists")
	}
	return data, nil
}

func (r *run) advance(total int) {
	if r.opt.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	r.opt.Progress(r.done, total)
}
