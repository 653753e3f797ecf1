package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator/replica"
)

// syncFlags are the flags of sync.
type syncFlags struct {
	opt   replica.Options
	json  bool
	quiet bool
}

func newSync() *cobra.Command {
	var f syncFlags
	c := &cobra.Command{
		Use:   "sync ADDRESS DIR",
		Short: "Keep a copy of a published library in a folder",
		Long: `sync copies the data of a library that is published at ADDRESS into DIR: the root,
the cases, the vocabulary, what changed and the manifest of all, laid out as they
are published. Run it again to bring the copy up to date: it costs one conditional
request when nothing changed, and the documents that changed when something did.

Every case is held to its digest, and the copy to the manifest that the root
promises, before it is put in place in one step: who reads DIR meets the old copy
or the new one. What a run that was ended had fetched is not fetched again. DIR
has to be new, empty, or a copy of the same library.`,
		Example: `  incidentlib sync https://benchlet.com/incidentlib/app incidents
  incidentlib sync --search https://benchlet.com/incidentlib/app incidents`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			f.opt.Address, f.opt.Dir = args[0], args[1]
			return sync(c, f)
		},
	}
	fl := c.Flags()
	fl.BoolVar(&f.opt.Search, "search", false, "copy the search index, too")
	fl.BoolVar(&f.opt.All, "all", false, "copy everything of the API, and the search index")
	fl.DurationVar(&f.opt.Timeout, "timeout", time.Minute, "how long one request may take")
	fl.IntVar(&f.opt.Jobs, "jobs", 8, "how many requests may be under way at once")
	fl.BoolVar(&f.json, "json", false, "say what was done as JSON")
	fl.BoolVar(&f.quiet, "quiet", false, "print nothing but faults")
	return c
}

func sync(c *cobra.Command, f syncFlags) error {
	if f.opt.Jobs < 1 {
		return fmt.Errorf("--jobs is %d; write a number from 1 on", f.opt.Jobs)
	}
	if f.opt.Timeout <= 0 {
		return fmt.Errorf("--timeout is %v; write a time such as 30s", f.opt.Timeout)
	}
	ctx, release := interruptible()
	defer release()
	show, clear := status(c.ErrOrStderr(), f.quiet)
	f.opt.Progress = func(documents int, bytes int64) {
		show(fmt.Sprintf("%s, %s", plural(documents, "document"), size(bytes)))
	}
	r, err := replica.Sync(ctx, f.opt)
	clear()
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("ended before the copy was whole; run it again and it goes on: %w", context.Cause(ctx))
		}
		return failed(err)
	}
	switch {
	case f.quiet:
		return nil
	case f.json:
		return printed(0, json.NewEncoder(c.OutOrStdout()).Encode(r))
	}
	return printed(fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", f.opt.Dir, r))
}
