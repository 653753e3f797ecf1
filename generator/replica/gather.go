package replica

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/remote"
)

const (
	// Beyond a fifth of all cases, and more than a few, the dumps cost less than
	// one document after the other.
	share = 5
	few   = 10

	maxCase     = 4 << 20
	maxManifest = 256 << 20
)

// gather brings together the copy that a root promises.
func (s *run) gather(ctx context.Context, answer remote.Response) (*next, error) {
	root, err := remote.DecodeRoot(answer)
	if err != nil {
		return nil, err
	}
	n := &next{root: root, sources: map[string]source{}, state: state{Address: s.client.Base(), Higher: s.held.state.Higher,
		Search: s.opt.Search, All: s.opt.All, DataVersion: root.DataVersion, Tags: map[string]string{}}}
	n.add(rootFile, bytesOf(answer.Body))
	n.tag(rootFile, answer.Header.Get("ETag"))
	changes, err := s.changes(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := s.cases(ctx, n, changes); err != nil {
		return nil, err
	}
	if err := s.tombstones(ctx, n, changes); err != nil {
		return nil, err
	}
	if err := s.document(ctx, n, vocabFile, nil); err != nil {
		return nil, err
	}
	if s.opt.Search {
		if err := s.search(ctx, n); err != nil {
			return nil, err
		}
	}
	if s.opt.All {
		if err := s.everything(ctx, n); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// changes is the list of what changed last.
func (s *run) changes(ctx context.Context, n *next) (remote.Changes, error) {
	var c remote.Changes
	if err := s.document(ctx, n, changesFile, &c); err != nil {
		return c, err
	}
	for _, item := range c.Items {
		if !incident.ValidID(item.ID) {
			return c, fmt.Errorf("%s: %q is no id", s.client.URL(s.at(changesFile)), item.ID)
		}
	}
	n.state.To = c.To
	return c, nil
}

// cases brings together the cases, by the cheapest way that leads to all.
func (s *run) cases(ctx context.Context, n *next, c remote.Changes) error {
	if _, same := whole(s.held.entries, n.root); same && s.held.root != nil {
		n.begin(Changes)
		return s.take(ctx, n, s.held.entries)
	}
	if len(s.held.entries) == 0 && n.root.Counts.Cases > 0 {
		return s.anew(ctx, n)
	}
	if !later(c.From, s.held.state.To) {
		target := s.after(c)
		if s.many(target, n.root) {
			return s.anew(ctx, n)
		}
		n.begin(Changes)
		if err := s.take(ctx, n, target); err == nil {
			if _, ok := whole(n.entries, n.root); ok {
				return nil
			}
		} else if !errors.Is(err, errDiffers) && !errors.Is(err, remote.ErrNotFound) {
			return err
		}
	}
	entries, err := s.manifest(ctx, n.root)
	if err != nil {
		return err
	}
	if s.many(entries, n.root) {
		return s.anew(ctx, n)
	}
	n.begin(Manifest)
	return s.take(ctx, n, entries)
}

// later reports whether a time is after another; one that cannot be read is.
func later(a, b string) bool {
	if a == "" {
		return false
	}
	ta, errA := time.Parse(time.RFC3339, a)
	tb, errB := time.Parse(time.RFC3339, b)
	return errA != nil || errB != nil || ta.After(tb)
}

// after are the entries of the copy once the changes are made. The size of what
// changed is known when it has come.
func (s *run) after(c remote.Changes) []remote.Entry {
	byID := s.held.byID()
	for _, item := range c.Items {
		if item.Gone() {
			delete(byID, item.ID)
		} else if old, ok := byID[item.ID]; !ok || old.H != item.H {
			byID[item.ID] = remote.Entry{ID: item.ID, UpdatedAt: item.UpdatedAt, H: item.H}
		}
	}
	out := make([]remote.Entry, 0, len(byID))
	for _, e := range byID {
		out = append(out, e)
	}
	return out
}

// many reports whether so much is missing that the dumps cost less.
func (s *run) many(target []remote.Entry, root remote.Root) bool {
	was, missing := s.held.byID(), 0
	for _, e := range target {
		if was[e.ID].H != e.H {
			missing++
		}
	}
	return missing > few && missing*share > root.Counts.Cases
}

// manifest is the list of all cases that the root promises.
func (s *run) manifest(ctx context.Context, root remote.Root) ([]remote.Entry, error) {
	r, err := s.get(ctx, s.at(manifestFile), "", maxManifest)
	if err != nil {
		return nil, err
	}
	if remote.Sum(r.Body) != root.ManifestSHA256 {
		return nil, fmt.Errorf("%s is not the manifest that the root promises: %w", r.URL, errStale)
	}
	return remote.ParseManifest(r.Body)
}

// What may pass.
var (
	errStale   = errors.New("the host's copies are of different ages, as they are for a while after a new one was published; try again later")
	errDiffers = errors.New("another document than promised")
)

// take brings together the documents of cases: those that the copy holds, and
// those that have to be fetched.
func (s *run) take(ctx context.Context, n *next, target []remote.Entry) error {
	was := s.held.byID()
	found := make([]remote.Entry, len(target))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(s.opt.Jobs)
	for i, e := range target {
		if old, ok := was[e.ID]; ok && old.H == e.H {
			n.add(caseFile(e.ID), s.held.keepCase(old))
			found[i] = old
			continue
		}
		g.Go(func() (err error) {
			found[i], err = s.fetch(ctx, n, e)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	n.entries = found
	return nil
}

// fetch gets the document of a case and holds it to its digest.
func (s *run) fetch(ctx context.Context, n *next, e remote.Entry) (remote.Entry, error) {
	file := caseFile(e.ID)
	right := func(b []byte) bool { return remote.Short(b) == e.H }
	if _, ok := s.stage.find(file, e.H, right); !ok {
		r, err := s.get(ctx, s.at(file), "", maxCase)
		if err != nil {
			return e, err
		}
		if !right(r.Body) {
			return e, fmt.Errorf("%s is %w: %w", r.URL, errDiffers, errStale)
		}
		if err := s.stage.put(file, e.H, r.Body, ""); err != nil {
			return e, err
		}
	}
	src := s.stage.take(file, e.H)
	b, err := bytesFrom(src)
	if err != nil {
		return e, err
	}
	found, err := remote.EntryOf(b)
	if err == nil && found.ID != e.ID {
		err = fmt.Errorf("%s is the document of %s", file, found.ID)
	}
	n.add(file, src)
	return found, err
}
