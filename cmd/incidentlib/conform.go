package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator/conform"
)

// conformFlags are the flags of conform.
type conformFlags struct {
	opt  conform.Options
	json bool
}

func newConform() *cobra.Command {
	var f conformFlags
	c := &cobra.Command{
		Use:   "conform ADDRESS",
		Short: "Check a published library as its users would",
		Long: `conform asks the library that is published at ADDRESS for its documents, pages and
files, and says where it falls short of what is promised: addresses, media types,
who may read them from where, ETag and 304, caching, 404, every document's schema,
and whether the list of changes, the manifest and the dumps tell of the same cases.

Of a large library some documents of each kind are looked at; --all looks at every
one. Exit 1 when something falls short.`,
		Example: `  incidentlib conform https://benchlet.com/incidentlib/app
  incidentlib conform --all --json http://127.0.0.1:4477/incidentlib/app`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.opt.Address = args[0]
			return runConform(c, f)
		},
	}
	fl := c.Flags()
	fl.BoolVar(&f.opt.All, "all", false, "look at every document")
	fl.BoolVar(&f.json, "json", false, "print what was found as JSON")
	fl.DurationVar(&f.opt.Timeout, "timeout", time.Minute, "how long one request may take")
	fl.IntVar(&f.opt.Jobs, "jobs", 8, "how many requests may be under way at once")
	return c
}

func runConform(c *cobra.Command, f conformFlags) error {
	if f.opt.Jobs < 1 {
		return fmt.Errorf("--jobs is %d; write a number from 1 on", f.opt.Jobs)
	}
	if f.opt.Timeout <= 0 {
		return fmt.Errorf("--timeout is %v; write a time such as 30s", f.opt.Timeout)
	}
	ctx, release := interruptible()
	defer release()
	show, clear := status(c.ErrOrStderr(), false)
	f.opt.Progress = show
	r, err := conform.Run(ctx, f.opt)
	clear()
	if err != nil {
		return failed(err)
	}
	print := printTable
	if f.json {
		print = func(w io.Writer, r conform.Report) error { return json.NewEncoder(w).Encode(r) }
	}
	if err := printed(0, print(c.OutOrStdout(), r)); err != nil {
		return err
	}
	if r.Short() {
		return failure{code: exitFailed}
	}
	return nil
}

// printTable writes a line for each check, and below it where it falls short.
func printTable(w io.Writer, r conform.Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range r.Checks {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", c.Name, c.Result, c.Looked, c.What)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	short := 0
	for _, c := range r.Checks {
		for _, f := range c.Faults {
			fmt.Fprintf(w, "\n%s: %s\n    %s\n", c.Name, visible(f.Where), visible(f.What))
		}
		if c.More > 0 {
			fmt.Fprintf(w, "\n%s: and %d more\n", c.Name, c.More)
		}
		short += len(c.Faults) + c.More
	}
	for _, c := range r.Checks {
		for _, n := range c.Notes {
			fmt.Fprintf(w, "\nnote, %s: %s\n", c.Name, visible(n))
		}
	}
	_, err := fmt.Fprintf(w, "\n%s: %s (%s, %s)\n", r.Address, verdict(short), plural(r.Requests, "request"), size(r.Bytes))
	return err
}

func verdict(short int) string {
	if short == 0 {
		return "all that is promised is kept"
	}
	return plural(short, "thing") + " short of what is promised"
}
