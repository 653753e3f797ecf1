// Package replica keeps a copy of a published library in a folder, for the price
// of one request when nothing changed (MIRROR 2.6).
//
//	root ─► the same: done
//	  └───► what changed ─┬─► the documents of those cases ─┐
//	        manifest ─────┘                                 ├─► whole? ─► put in place
//	        dumps, when nothing or little is there ─────────┘
//
// The root says what the manifest of the library hashes to, and a copy can write
// that manifest of what it holds: so a copy is known to be whole, whichever way
// it was brought up to date, before anybody sees it. It is put in place by
// package output: who reads the folder meets the old copy or the new one. What a
// killed run had fetched is in a work folder beside it, and is not fetched again.
//
// The folder is laid out as the published site is: "api/v1/cases/IL-0123.json".
package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/remote"
)

// Options say what to copy, and where to.
type Options struct {
	Address string        // of the published site, or of its API's own host
	Dir     string        // the folder; made when it is missing
	Search  bool          // also the search index
	All     bool          // also lists, topics, schemas, dumps and all else of the API, and the search index
	HTTP    *http.Client  // nil for one of the package's own
	Timeout time.Duration // of one request; 0 means a minute
	Jobs    int           // requests under way at once; 0 means eight

	Progress func(documents int, bytes int64) // received so far; may be nil; from any goroutine
}

// Report says what a sync did.
type Report struct {
	Way         Way    `json:"way"`
	DataVersion string `json:"data_version"`
	Cases       int    `json:"cases"`     // that the copy holds
	Added       int    `json:"added"`     // cases that it did not hold
	Changed     int    `json:"changed"`   // cases that were others
	Removed     int    `json:"removed"`   // cases that it does not hold any more
	Requests    int    `json:"requests"`  // asked
	Documents   int    `json:"documents"` // received
	Bytes       int64  `json:"bytes"`     // received, once unpacked
	Resumed     int    `json:"resumed"`   // documents that a run before had received
}

// Way is how a copy was brought up to date.
type Way string

// The ways, the cheapest first.
const (
	Nothing  Way = "nothing changed"
	Changes  Way = "by the list of changes"
	Manifest Way = "by the manifest"
	Dumps    Way = "by the dumps"
)

// String says it in one line.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", plural(r.Cases, "case"), r.Way)
	if r.Way != Nothing {
		fmt.Fprintf(&b, "; %d added, %d changed, %d removed", r.Added, r.Changed, r.Removed)
	}
	fmt.Fprintf(&b, " (%s, %s, %s", plural(r.Requests, "request"), plural(r.Documents, "document"), plural(int(r.Bytes), "byte"))
	if r.Resumed > 0 {
		fmt.Fprintf(&b, "; %s from a run before", plural(r.Resumed, "document"))
	}
	b.WriteString(")")
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

const (
	defaultJobs = 8
	// maxRounds is how often a library may change while it is copied.
	maxRounds = 3
)

// Sync brings the copy in a folder up to date. An error leaves the folder as it
// was.
func Sync(ctx context.Context, opt Options) (Report, error) {
	opt.Search = opt.Search || opt.All
	if opt.Jobs <= 0 {
		opt.Jobs = defaultJobs
	}
	client, err := remote.New(opt.Address, remote.Options{HTTP: opt.HTTP, Timeout: opt.Timeout, Agent: "incidentlib-sync"})
	if err != nil {
		return Report{}, err
	}
	held, err := open(opt.Dir, client.Base())
	if err != nil {
		return Report{}, err
	}
	s := &run{opt: opt, client: client, held: held, stage: newStage(opt.Dir)}
	defer func() { s.held.close() }()
	err = s.bring(ctx)
	s.report.Requests, s.report.Bytes = client.Spent()
	s.report.Documents, s.report.Resumed = int(s.stage.received.Load()), int(s.stage.resumed.Load())
	switch {
	case err == nil && s.report.Way != Nothing:
		s.stage.clear()
	case err != nil && ctx.Err() == nil:
		s.stage.doubt()
	}
	return s.report, err
}

// run is one call of Sync under way.
type run struct {
	opt    Options
	client *remote.Client
	held   *held
	stage  *stage
	report Report
}

// bring asks for the root, and brings together what it promises, until the root is
// the same after as before: what lies between then belongs to it.
func (s *run) bring(ctx context.Context) error {
	tag := ""
	if s.held.covers(s.opt) {
		tag = s.held.state.Tags[rootFile]
	}
	root, err := s.root(ctx, tag)
	if err != nil {
		return err
	}
	if s.unchanged(root) {
		return nil
	}
	release, err := s.alone(ctx)
	if err != nil {
		return err
	}
	defer release()
	for round := 1; ; round++ {
		if s.unchanged(root) { // another run may have done the work
			return nil
		}
		next, err := s.gather(ctx, root)
		if err != nil {
			return err
		}
		again, err := s.root(ctx, root.Header.Get("ETag"))
		switch {
		case err != nil:
			return err
		case again.Body == nil || bytes.Equal(again.Body, root.Body):
			return s.publish(ctx, next)
		case round == maxRounds:
			return errors.New("the library changes faster than it can be copied; try again later")
		}
		root = again
	}
}

// unchanged reports whether the copy is of the root that was answered, and notes
// that nothing is to be done.
func (s *run) unchanged(root remote.Response) bool {
	if root.Body != nil && !(s.held.covers(s.opt) && s.held.same(rootFile, root.Body)) { // a host may know no tags
		return false
	}
	s.report.Way, s.report.Cases, s.report.DataVersion = Nothing, len(s.held.entries), s.held.state.DataVersion
	return true
}

// busyPause is how long to wait before looking whether another run has ended.
const busyPause = 100 * time.Millisecond

// alone waits until no other run works on the copy, and opens it anew: two at once
// would take the work folder away below each other.
func (s *run) alone(ctx context.Context) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(s.stage.dir), 0o755); err != nil {
		return nil, err
	}
	for {
		release, err = output.Lock(s.stage.dir)
		if !errors.Is(err, output.ErrBusy) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(busyPause):
		}
	}
	if err != nil {
		return nil, err
	}
	held, err := open(s.opt.Dir, s.client.Base())
	if err != nil {
		release()
		return nil, err
	}
	if held.state.Higher == nil {
		held.state.Higher = s.held.state.Higher
	}
	s.held.close()
	s.held = held
	return release, nil
}

// The files of a copy that are asked for by name.
const (
	docs         = address.MirrorRoot
	rootFile     = docs + string(address.RootDoc) + ".json"
	changesFile  = docs + string(address.ChangesDoc) + ".json"
	manifestFile = docs + string(address.ManifestDoc)
	vocabFile    = docs + string(address.VocabDoc) + ".json"
	dumpsFile    = docs + string(address.DumpsDoc) + ".json"
	searchFile   = address.SearchIndex
	stateFile    = "sync.json"
)

func caseFile(id string) string { return address.MirrorFile(address.CaseDoc(id)) }

// root asks for the root, whose body is nil when it has the tag. On the API's own
// host the documents lie one folder higher.
func (s *run) root(ctx context.Context, tag string) (remote.Response, error) {
	if s.held.state.Higher == nil {
		r, err := s.get(ctx, rootFile, tag, 0)
		if !errors.Is(err, remote.ErrNotFound) {
			return r, err
		}
		higher, errHigher := s.get(ctx, s.published(rootFile, true), tag, 0)
		if errHigher != nil {
			return r, fmt.Errorf("%s is no published library: %w", s.client.Base(), err)
		}
		yes := true
		s.held.state.Higher = &yes
		return higher, nil
	}
	return s.get(ctx, s.published(rootFile, *s.held.state.Higher), tag, 0)
}

// published is where a file of the copy is published.
func (s *run) published(file string, higher bool) string {
	if higher {
		return strings.TrimPrefix(file, address.AliasRoot)
	}
	return file
}

func (s *run) at(file string) string {
	return s.published(file, s.held.state.Higher != nil && *s.held.state.Higher)
}

// get counts what comes.
func (s *run) get(ctx context.Context, path, tag string, limit int64) (remote.Response, error) {
	r, err := s.client.Get(ctx, path, tag, limit)
	if err == nil && r.Body != nil {
		n := s.stage.received.Add(1)
		if s.opt.Progress != nil {
			_, bytes := s.client.Spent()
			s.opt.Progress(int(n), bytes)
		}
	}
	return r, err
}

// publish puts a copy in place.
func (s *run) publish(ctx context.Context, n *next) error {
	files, err := n.files()
	if err != nil {
		return err
	}
	opt := output.Options{Dir: s.opt.Dir}
	_, err = output.Publish(ctx, files, opt)
	if errors.Is(err, output.ErrNoSwap) {
		opt.InPlace = true
		_, err = output.Publish(ctx, files, opt)
	}
	if err != nil {
		return err
	}
	r := &s.report
	r.Way, r.DataVersion, r.Cases = n.way, n.root.DataVersion, len(n.entries)
	was := s.held.byID()
	for _, e := range n.entries {
		switch old, ok := was[e.ID]; {
		case !ok:
			r.Added++
		case old.H != e.H:
			r.Changed++
		}
		delete(was, e.ID)
	}
	r.Removed = len(was)
	return nil
}
