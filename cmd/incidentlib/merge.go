package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/shard"
)

// mergeFlags are the flags of merge.
type mergeFlags struct {
	out            string
	jobs           int
	inPlace, quiet bool
}

func newMerge() *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the shards of a build into the whole site",
		Long: `merge joins the folders that build --shard K/N made, on one machine or on many, into
the site that one build would have made: the same bytes and the same id. It wants all
of them, of the same seeds, program and settings, says what is missing or does not
fit, and holds every file to its digest. The site is put in place as build does it:
all at once, and touching only what changed.`,
		Example: `  incidentlib build --shard 1/2 --out shards/1
  incidentlib build --shard 2/2 --out shards/2
  incidentlib merge shards/1 shards/2 --out public`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return merge(c, f, args) },
	}
	fl := c.Flags()
	fl.StringVar(&f.out, "out", "public", "the folder that the site is written into")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "how many files to work on at once")
	fl.BoolVar(&f.inPlace, "in-place", false, "touch only the files that changed, instead of swapping the folder whole")
	fl.BoolVar(&f.quiet, "quiet", false, "print nothing but problems")
	return c
}

func merge(c *cobra.Command, f mergeFlags, shards []string) error {
	if f.jobs < 1 {
		return fmt.Errorf("--jobs is %d; write a number from 1 on", f.jobs)
	}
	for _, dir := range shards {
		if sameFolder(dir, f.out) {
			return failed(fmt.Errorf("%s is a shard and cannot be the site, too; name another folder with --out", dir))
		}
	}
	files, err := shard.Join(shards)
	if err != nil {
		return failed(err)
	}
	opt := output.Options{Dir: f.out, InPlace: f.inPlace, Jobs: f.jobs}
	clear := func() {}
	if !f.quiet {
		opt.Progress, clear = progress(c.ErrOrStderr())
	}
	ctx, release := interruptible()
	defer release()
	r, err := output.Publish(ctx, files, opt)
	clear()
	if err != nil {
		return failed(err)
	}
	return buildFlags{out: f.out, quiet: f.quiet}.report(c, r, nil)
}

// sameFolder reports whether two names are one folder's.
func sameFolder(a, b string) bool {
	one, errOne := os.Stat(a)
	other, errOther := os.Stat(b)
	if errOne == nil && errOther == nil {
		return os.SameFile(one, other)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}
