package preview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/page"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/watch"
)

// Options say what is served and where.
type Options struct {
	Seeds     string // folder
	Templates fs.FS
	Assets    fs.FS
	Watch     []string // further folders whose changes matter: of templates and assets
	Out       string   // a folder to keep in step, or ""
	Name      string   // the host name listened on; "" for none
	Jobs      int
	NoCards   bool // leave out the pictures that other sites show beside a link
	Stderr    io.Writer
}

// Server serves the newest site and tells browsers of each next one.
type Server struct {
	opt     Options
	hub     *hub
	printer *printer
	watcher *watch.Watcher
	current atomic.Pointer[state]
	builder *builder

	// Each holds a value when there is a site that the goroutine of that name has
	// not seen.
	behind, unprobed chan struct{}
}

// New begins to watch the seeds and makes the first site. A broken library is
// served too: as its problems. [Server.Serve] ends what New began; where it is
// not called, the end of ctx does.
func New(ctx context.Context, opt Options) (*Server, error) {
	opt.Seeds = filepath.Clean(opt.Seeds)
	s := &Server{opt: opt, hub: newHub(), printer: newPrinter(opt.Stderr), behind: make(chan struct{}, 1), unprobed: make(chan struct{}, 1)}
	var err error
	s.watcher, err = watch.New(ctx, append([]string{opt.Seeds}, opt.Watch...),
		watch.Options{Notice: func(msg string) { s.printer.print("incidentlib: " + msg) }})
	if err != nil {
		s.printer.close()
		return nil, err
	}
	s.builder = &builder{opt: opt}
	first := s.builder.build(ctx, nil, edits{all: true})
	if first == nil {
		s.printer.close()
		return nil, context.Cause(ctx)
	}
	s.publish(first)
	return s, nil
}

func (s *Server) state() *state { return s.current.Load() }

// publish puts a state in place, and only then tells anybody.
func (s *Server) publish(st *state) {
	s.current.Store(st)
	s.say(st.problems)
	s.hub.wakeAll()
	for _, wake := range []chan struct{}{s.behind, s.unprobed} {
		select {
		case wake <- struct{}{}:
		default: // it has not begun with the one before
		}
	}
}

func (s *Server) say(problems []report) {
	for _, p := range problems {
		s.printer.print(p.String())
	}
}

// found notes what rendering a file of a site met with, and tells everybody.
func (s *Server) found(on *site, ps []problem.Problem) {
	if news := on.faults.add(ps, on.open); len(news) > 0 {
		s.say(news)
		s.hub.wakeAll()
	}
}

// patience is how long edits that come one after the other may put off the site
// that has them.
const patience = time.Second

// follow rebuilds until the watcher ends. One build runs at a time; one that is
// out of date before it is done is given up.
func (s *Server) follow(ctx context.Context, batches <-chan watch.Batch) {
	var waiting, building edits
	var built chan *state // of the build that runs; nil when none does
	giveUp := func() {}
	for batches != nil || built != nil {
		select {
		case b, ok := <-batches:
			if !ok {
				batches = nil
				giveUp()
				continue
			}
			waiting = waiting.with(b)
			if built != nil && time.Since(building.since) < patience {
				giveUp()
			}
		case st := <-built:
			giveUp()
			built = nil
			if st == nil {
				waiting = building.and(waiting)
			} else if batches != nil {
				s.publish(st)
				s.printer.print(fmt.Sprintf("%s changed; built in %.1f ms; %s", plural(st.changed, "file"), millis(st.took), plural(len(st.problems), "problem")))
			}
		}
		if built == nil && batches != nil && !waiting.none() {
			building, waiting = waiting, edits{}
			built, giveUp = s.start(ctx, building)
		}
	}
}

// start builds the state after some edits; nil comes out if it is given up.
func (s *Server) start(ctx context.Context, e edits) (built chan *state, giveUp func()) {
	ctx, giveUp = context.WithCancel(ctx)
	built = make(chan *state, 1)
	last := s.state()
	go func() { built <- s.builder.build(ctx, last, e) }()
	return built, giveUp
}

// keepInStep writes each good site to the folder, changed files only. A site
// that comes while another is being written is written next; those in between
// are not.
func (s *Server) keepInStep(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.behind:
		}
		st := s.state()
		if st.site == nil || len(st.problems) > 0 {
			continue
		}
		_, err := output.Publish(ctx, st.site.plan.Files(), output.Options{Dir: s.opt.Out, InPlace: true, Jobs: s.opt.Jobs})
		if err != nil && ctx.Err() == nil {
			s.found(st.site, s.outProblems(err))
		}
	}
}

// outProblems are an error of writing the folder: of the templates, or of the
// folder itself.
func (s *Server) outProblems(err error) []problem.Problem {
	if e := (*page.TemplateError)(nil); errors.As(err, &e) {
		return problemsOf(err)
	}
	return []problem.Problem{{File: s.opt.Out, What: err.Error(), Remedy: "give --out a folder that is empty, or that incidentlib wrote"}}
}

// grace is how long answers that are under way may take once the end has come.
const grace = 300 * time.Millisecond

// Serve answers requests and follows the disk until ctx ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var running sync.WaitGroup
	running.Go(func() {
		s.follow(ctx, s.watcher.Batches())
		cancel() // a preview that sees no changes is none
	})
	running.Go(func() { s.probe(ctx) })
	if s.opt.Out != "" {
		running.Go(func() { s.keepInStep(ctx) })
	}
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Serve(l) }()
	var err error
	select {
	case err = <-stopped:
	case <-ctx.Done():
	}
	cancel()
	close(s.hub.done)
	late, done := context.WithTimeout(context.Background(), grace)
	defer done()
	if srv.Shutdown(late) != nil {
		srv.Close()
	}
	s.watcher.Close()
	waitFor(&running, grace)
	s.printer.close()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// waitFor waits for what runs, but not for ever: what it writes can be cut off at
// any instant.
func waitFor(running *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// Prefix is the base path that the site is served below.
func (s *Server) Prefix() string {
	if st := s.state(); st.site != nil {
		return st.site.prefix
	}
	return ""
}

// Problems are what is wrong now.
func (s *Server) Problems() []problem.Problem {
	var out []problem.Problem
	for _, r := range s.state().reports() {
		out = append(out, r.Problem)
	}
	return out
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
