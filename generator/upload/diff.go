package upload

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/output"
)

// Change is what is done to one object.
type Change struct {
	Op   string `json:"op"` // "+" new, "~" changed, "-" deleted
	Path string `json:"path"`
}

// plan is what a run has to do.
type plan struct {
	next    output.Manifest
	kept    output.Manifest // assets of earlier builds that stay
	put     []put           // in their order
	remove  output.Manifest
	foreign int // objects that no manifest lists; counted only where the store was listed
}

// put is an object to send.
type put struct {
	output.Entry
	changed bool // there is another one of that name
}

// changes are all of them in their order.
func (p *plan) changes() []Change {
	out := []Change{}
	for _, u := range p.put {
		op := "+"
		if u.changed {
			op = "~"
		}
		out = append(out, Change{op, u.Path})
	}
	for _, e := range p.remove {
		out = append(out, Change{"-", e.Path})
	}
	return out
}

// visible are the files that a store is to have: those for other hosts are not.
func visible(m output.Manifest) output.Manifest {
	var out output.Manifest
	for _, e := range m {
		if !host.Hidden(e.Path) {
			out = append(out, e)
		}
	}
	return out
}

// byPath are the entries of several lists, an earlier list's before a later's.
func byPath(lists ...output.Manifest) map[string]output.Entry {
	out := map[string]output.Entry{}
	for _, m := range slices.Backward(lists) {
		for _, e := range m {
			out[e.Path] = e
		}
	}
	return out
}

// sorted is the manifest of such entries.
func sorted(entries map[string]output.Entry) output.Manifest {
	out := make(output.Manifest, 0, len(entries))
	for _, e := range entries {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b output.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// plan compares the folder with the store.
func (r *run) plan(ctx context.Context) (*plan, error) {
	p := &plan{next: r.next}
	st := r.state
	last := byPath(st.manifest)
	unsure := byPath(st.journal.touched, st.retained)
	listed := map[string]object{}
	ask := r.opt.Check || !st.whole
	if ask {
		err := r.store.list(ctx, "", func(name string, o object) { listed[name] = o })
		if err != nil {
			return nil, err
		}
	}
	var doubtful []output.Entry
	for _, e := range p.next {
		was, known := last[e.Path]
		_, doubt := unsure[e.Path]
		_, there := listed[e.Path]
		switch {
		case ask && !there:
			p.put = append(p.put, put{e, false})
		case ask || doubt:
			doubtful = append(doubtful, e)
		case !known:
			p.put = append(p.put, put{e, false})
		case was.SHA256 != e.SHA256 || was.Size != e.Size:
			p.put = append(p.put, put{e, true})
		}
	}
	if err := r.settle(ctx, p, doubtful, listed); err != nil {
		return nil, err
	}
	p.leave(st, listed)
	slices.SortFunc(p.put, func(a, b put) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return strings.Compare(a.Path, b.Path)
	})
	return p, nil
}

// settle asks the store about objects that the manifest tells nothing certain of.
func (r *run) settle(ctx context.Context, p *plan, doubtful []output.Entry, listed map[string]object) error {
	type answer struct{ same, there bool }
	answers := make([]answer, len(doubtful))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.jobs())
	for i, e := range doubtful {
		g.Go(func() error {
			data, err := r.read(e)
			if err != nil {
				return err
			}
			same, err := r.holds(ctx, e.Path, data, listed)
			answers[i] = answer{same, !errors.Is(err, errNone)}
			if errors.Is(err, errNone) {
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, e := range doubtful {
		if !answers[i].same {
			p.put = append(p.put, put{e, answers[i].there})
		}
	}
	return nil
}

// holds reports whether the store's object of that name has this content: by what
// the listing says of it, by what the store says when it is asked for it, and
// where neither tells, by reading it.
func (r *run) holds(ctx context.Context, name string, data []byte, listed map[string]object) (bool, error) {
	if o, ok := listed[name]; ok {
		if same, known := o.is(data); known {
			return same, nil
		}
	}
	o, err := r.store.stat(ctx, name)
	if err != nil {
		return false, err
	}
	if same, known := o.is(data); known {
		return same, nil
	}
	got, err := r.store.read(ctx, name)
	return string(got) == string(data), err
}

// leave decides what becomes of what earlier builds put there.
func (p *plan) leave(st *state, listed map[string]object) {
	before := st.retained
	if st.whole && st.manifest.ID() != p.next.ID() {
		before = st.manifest
	}
	p.kept = output.Retain(p.next, sorted(byPath(before, st.journal.touched)))
	stays, ours := byPath(p.next, p.kept), byPath(st.manifest, st.retained, st.journal.touched)
	for _, e := range sorted(ours) {
		if _, ok := stays[e.Path]; !ok {
			p.remove = append(p.remove, e)
		}
	}
	for name := range listed {
		_, ok := ours[name]
		_, new := stays[name]
		if !ok && !new && !strings.HasPrefix(name, ownPrefix) {
			p.foreign++
		}
	}
}
