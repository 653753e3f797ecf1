package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/templates"
)

// buildFlags are the flags of build.
type buildFlags struct {
	seeds, out, apiRoot     string
	hosts                   []string
	baseURL, apiURL, mcpURL string
	jobs                    int
	profile                 string
	inPlace, spare          bool
	quiet, stats            bool
	fresh, noCards          bool
	shard                   string
	setBase, setAPI, setMCP bool
}

func newBuild() *cobra.Command {
	var f buildFlags
	c := &cobra.Command{
		Use:   "build",
		Short: "Build the whole site from the seeds",
		Long: `build reads and checks the seeds, renders every page and document, and puts the
new site in place all at once: a reader, or a crash at any instant, meets the old
site or the new one, never a mixture. When a seed has a problem, every problem is
listed and nothing is written.

For the hosts that --host names, it also writes the files that configure them, and
warns where the site passes what they take: _headers and _redirects (Cloudflare and
Netlify; always written), .nojekyll (GitHub), .hosts/nginx.conf, .hosts/Caddyfile,
.hosts/s3.sh and .hosts/s3.tsv. For GitHub and S3, which send no headers of ours,
each page carries its policy itself.

It publishes only into an empty folder or one that an earlier build wrote, and
deletes only files that it wrote itself. Files that did not change keep their
bytes and their modification time, and what an earlier build made of the same
data is not made again; --fresh makes and compares every file, for a folder in
which somebody changed a file and set its time back. The last line names the build: the SHA-256 of
its list of files. The same seeds always give the same id.

--shard 3/8 makes the third of eight parts, in a folder of its own; incidentlib
merge joins the parts, made on as many machines, into what one build would be.`,
		Example: `  incidentlib build
  incidentlib build --out /var/www/incidents --base-url https://example.org/incidents
  incidentlib build --in-place --stats
  incidentlib build --host cloudflare,nginx`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.setBase, f.setAPI, f.setMCP = c.Flags().Changed("base-url"), c.Flags().Changed("api-url"), c.Flags().Changed("mcp-url")
			return build(c, f)
		},
	}
	fl := c.Flags()
	seedsFlag(c, &f.seeds)
	fl.StringVar(&f.out, "out", "public", "the folder that the site is written into")
	fl.StringVar(&f.baseURL, "base-url", "", "where the site is published, instead of site.json's base_url")
	fl.StringVar(&f.apiURL, "api-url", "", `the API's own host, instead of site.json's api_url; "" for none`)
	fl.StringVar(&f.mcpURL, "mcp-url", "", `the MCP server, instead of site.json's mcp_url; "" for none`)
	fl.StringSliceVar(&f.hosts, "host", nil, "hosts to write files for, separated by commas: cloudflare, netlify, github, s3, nginx, caddy")
	fl.StringVar(&f.apiRoot, "api-root", "", "a further folder, for the API's own host: its documents alone, with that host's files")
	fl.StringVar(&f.shard, "shard", "", "make only part K of N of the files, written K/N, for incidentlib merge")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "how many files to work on at once")
	fl.BoolVar(&f.inPlace, "in-place", false, "touch only the files that changed, instead of swapping the folder whole")
	fl.BoolVar(&f.spare, "spare", false, "keep the folder from before beside it, and make the next one of that: faster after an edit")
	fl.BoolVar(&f.noCards, "no-cards", false, "leave out the pictures that other sites show beside a link; they take most of the time")
	fl.BoolVar(&f.fresh, "fresh", false, "make every file, also those whose data did not change")
	fl.BoolVar(&f.quiet, "quiet", false, "print nothing but problems")
	fl.StringVar(&f.profile, "cpu-profile", "", "write a CPU profile to this file, for go tool pprof")
	fl.BoolVar(&f.stats, "stats", false, "say where the time went")
	return c
}

func build(c *cobra.Command, f buildFlags) error {
	if f.jobs < 1 {
		return fmt.Errorf("--jobs is %d; write a number from 1 on", f.jobs)
	}
	if err := f.addresses(); err != nil {
		return err
	}
	part, err := f.part()
	if err != nil {
		return err
	}
	hosts, err := parseHosts(f.hosts)
	if err != nil {
		return err
	}
	if err := outsideSeeds(f.out, f.seeds); err != nil {
		return err
	}
	stderr := c.ErrOrStderr()
	endProfile, err := profileCPU(f.profile)
	if err != nil {
		return err
	}
	defer endProfile()
	watch := stopwatch{last: time.Now()}
	opt := output.Options{Dir: f.out, InPlace: f.inPlace, Spare: f.spareBytes(), Jobs: f.jobs, Fresh: f.fresh}
	in, err := f.inputs(&opt)
	if err != nil {
		return err
	}
	defer func() { _ = in.close() }() // it was only read
	if err := f.noteShard(in, part, &opt); err != nil {
		return err
	}
	r, current, err := output.Current(opt)
	if err != nil {
		return failed(err)
	}
	watch.lap("compare with the last build")
	if current && f.apiRoot == "" {
		warnWhole(stderr, part, host.Rules{}, hosts, r)
		return f.report(c, r, &watch)
	}
	plan, err := f.plan(stderr, in, hosts, &opt, &watch)
	if err != nil {
		return err
	}
	if err := f.noteShard(in, part, &opt); err != nil {
		return err
	}
	f.remember(plan, in, hosts, &opt)
	files := plan.Share(part, in.origin)
	watch.lap("index and plan")
	collectSooner(len(plan.Collection().Cases))
	clear := func() {}
	if !f.quiet {
		opt.Progress, clear = progress(stderr)
	}
	ctx, release := interruptible()
	defer release()
	r, err = output.Publish(ctx, files, opt)
	clear()
	if err != nil {
		return failed(err)
	}
	warnWhole(stderr, part, plan.Rules(), hosts, r)
	watch.lap("render and publish")
	if err := f.report(c, r, &watch); err != nil || f.apiRoot == "" {
		return err
	}
	return publishAPI(ctx, c, f, plan, hosts)
}

// plan loads the seeds and plans the site. Should the seeds have changed since
// their fingerprint was taken, the build has no key.
func (f buildFlags) plan(stderr io.Writer, in *inputs, hosts []host.Name, opt *output.Options, watch *stopwatch) (*generator.Plan, error) {
	collection, err := loadSeeds(f.seeds, f.jobs, stderr)
	if err != nil {
		return nil, err
	}
	watch.lap("read and check the seeds")
	if in.print != nil && !in.print.Still(in.seeds) {
		in.print, in.origin, opt.Key = nil, generator.Origin{}, output.Key{}
	}
	f.override(&collection.Site)
	design, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files(), Hosts: hosts, NoCards: f.noCards})
	if err != nil {
		return nil, failed(err)
	}
	plan, err := generator.NewPlan(library.New(collection), design)
	if err != nil {
		return nil, failed(err)
	}
	if f.apiRoot != "" && plan.Site().APIHost() == "" {
		return nil, errNoAPI("--api-root")
	}
	return plan, nil
}

// remember gives the plan what the last build left for this one, and the folder what
// this one leaves for the next, unless a host takes no file as large.
func (f buildFlags) remember(plan *generator.Plan, in *inputs, hosts []host.Name, opt *output.Options) {
	if in.program == "" {
		return
	}
	if !f.fresh {
		plan.Recall(output.Memory(f.out), in.program)
	}
	opt.Memory = func() []byte {
		if memory := plan.Memory(in.program); len(memory) <= host.Largest(hosts) {
			return memory
		}
		return nil
	}
}

func (f buildFlags) report(c *cobra.Command, r output.Result, watch *stopwatch) error {
	if f.stats {
		watch.print(c.ErrOrStderr())
		fmt.Fprintf(c.ErrOrStderr(), "largest file: %s, %s\n", r.LargestPath, size(r.LargestBytes))
	}
	if f.quiet {
		return nil
	}
	return printed(fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s (%d written, %d unchanged, %d removed)\nbuild %s\n",
		f.out, plural(r.Files, "file"), size(r.Bytes), r.Written, r.Unchanged, r.Removed, r.ID))
}

// publishAPI fills the folder of the API's own host.
func publishAPI(ctx context.Context, c *cobra.Command, f buildFlags, plan *generator.Plan, hosts []host.Name) error {
	if err := outsideSeeds(f.apiRoot, f.seeds); err != nil {
		return err
	}
	r, err := output.Publish(ctx, plan.API(), output.Options{Dir: f.apiRoot, InPlace: f.inPlace, Spare: f.spareBytes(), Jobs: f.jobs})
	if err != nil {
		return failed(err)
	}
	warn(c.ErrOrStderr(), plan.APIRules(), hosts, r)
	if f.quiet {
		return nil
	}
	return printed(fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s\n", f.apiRoot, plural(r.Files, "file"), size(r.Bytes)))
}

// inputs are what a build is made from, as far as it can be told beforehand.
type inputs struct {
	seeds   fs.FS
	print   *generator.Fingerprint // nil when it cannot be told
	program string                 // the digest of this program
	origin  generator.Origin       // of every file; zero when it cannot be told
	close   func() error
}

// inputs looks at the seeds, and sets the key of the build.
func (f buildFlags) inputs(opt *output.Options) (*inputs, error) {
	in := &inputs{}
	var err error
	if in.seeds, in.close, err = openSeeds(f.seeds); err != nil {
		return nil, err
	}
	if in.program = programDigest(); in.program == "" {
		return in, nil
	}
	print, err := generator.TakeFingerprint(in.seeds, f.jobs)
	if err != nil {
		return in, nil // reading the seeds says what is wrong with them
	}
	in.print = &print
	told := f.settings()
	opt.Key, in.origin = print.Key(in.program, told), print.Origin(in.program, told)
	return in, nil
}

// spareBytes is how much of the disk the folder from before may take that the site
// does not take anyway. An edit, or ten, change less of a large site; where a template
// changed, all of it would be there twice.
func (f buildFlags) spareBytes() int64 {
	if f.inPlace || !f.spare {
		return 0
	}
	return 256 << 20
}

// settings are what of the flags decides about the bytes, as a text.
func (f buildFlags) settings() string {
	settings := f
	settings.seeds, settings.out, settings.apiRoot, settings.profile, settings.jobs = "", "", "", "", 0
	settings.inPlace, settings.spare, settings.quiet, settings.stats, settings.fresh = false, false, false, false, false
	return fmt.Sprintf("%+v", settings)
}

// programDigest tells this program from any other; "" when it cannot be read. Its
// build id, a digest that the go command writes near its beginning, does; where
// there is none, the whole is read.
func programDigest() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, 64<<10))
	if err != nil {
		return ""
	}
	if id := regexp.MustCompile(`[\w-]{20}(/[\w-]{20}){3}`).Find(head); id != nil {
		return string(id)
	}
	h := sha256.New()
	h.Write(head)
	if _, err := io.Copy(h, file); err != nil {
		return ""
	}
	return string(h.Sum(nil))
}

// addresses judges the flags' addresses before any work; those of site.json
// are judged where they stand.
func (f buildFlags) addresses() error {
	s := incident.Site{BaseURL: "https://example.org", Default: incident.EN}
	f.override(&s)
	_, err := address.NewSite(s.BaseURL, s.APIURL, s.MCPURL, s.Default)
	return err
}

// interruptible ends its context at the first signal to stop, so that publishing
// can clear away what it began; the next signal ends the program at once, as
// any does where nothing has begun.
func interruptible() (context.Context, func()) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// override sets what flags set; one that is set to nothing overrides too.
func (f buildFlags) override(s *incident.Site) {
	if f.setBase {
		s.BaseURL = f.baseURL
	}
	if f.setAPI {
		s.APIURL = f.apiURL
	}
	if f.setMCP {
		s.MCPURL = f.mcpURL
	}
}

func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// stopwatch notes how long the stages of a build took.
type stopwatch struct {
	last time.Time
	laps []string
}

func (w *stopwatch) lap(name string) {
	now := time.Now()
	w.laps = append(w.laps, fmt.Sprintf("%8.1f ms  %s", float64(now.Sub(w.last).Microseconds())/1e3, name))
	w.last = now
}

func (w *stopwatch) print(to io.Writer) {
	for _, l := range w.laps {
		fmt.Fprintln(to, l)
	}
}

// progress shows how far a build is, on a terminal only, and returns how to
// clear the line again.
func progress(w io.Writer) (show func(done, total int), clear func()) {
	line, clear := status(w, false)
	start := time.Now()
	show = func(done, total int) {
		left := ""
		if done > 0 && time.Since(start) > time.Second {
			rest := time.Duration(float64(time.Since(start)) / float64(done) * float64(total-done))
			left = fmt.Sprintf(", %s left", rest.Round(time.Second))
		}
		line(fmt.Sprintf("%d of %d files%s", done, total, left))
	}
	return show, clear
}

// status shows a line that changes, on a terminal only, and returns how to clear
// it again.
func status(w io.Writer, quiet bool) (show func(string), clear func()) {
	f, ok := w.(*os.File)
	if !ok || quiet {
		return func(string) {}, func() {}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func(string) {}, func() {}
	}
	return func(line string) { fmt.Fprint(f, "\r\x1b[K"+line) }, func() { fmt.Fprint(f, "\r\x1b[K") }
}

// profileCPU writes a CPU profile to a file until the function that it returns
// is called; "" is no profile.
func profileCPU(name string) (end func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = file.Close() // a profile that is cut off says so when it is read
	}, nil
}
