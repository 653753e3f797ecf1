package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator/upload"
)

// publishFlags are the flags of publish.
type publishFlags struct {
	opt         upload.Options
	json, quiet bool
}

func newPublish() *cobra.Command {
	var f publishFlags
	c := &cobra.Command{
		Use:   "publish DEST",
		Short: "Upload a built site to S3, Google Cloud Storage, Azure or a folder",
		Long: `publish uploads what a build wrote, and only what changed since the last time: new
assets first, then data, pages, deletions, and the list of all of it last, so that a
reader never meets a page whose parts are not there. Each object gets its media type
and how long it may be kept. A run that is ended goes on where it was when it is run
again. Objects that publish did not write stay as they are, unless the site has a file
of that name; files for other hosts (_headers, .hosts/) are not uploaded.

DEST is one of
  s3://BUCKET/PATH?region=REGION        also with endpoint=ADDRESS&use_path_style=true
  gs://BUCKET/PATH
  azblob://CONTAINER/PATH
  file:///FOLDER or FOLDER

Who may write is said in the environment, as for the store's own tools:
AWS_ACCESS_KEY_ID or AWS_PROFILE, GOOGLE_APPLICATION_CREDENTIALS,
AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY. Redirects, and headers other than these
two, are the CDN's.`,
		Example: `  incidentlib publish --dry-run 's3://incidents?region=eu-west-1'
  incidentlib publish 's3://incidents?region=auto&endpoint=https://s3.example.org&use_path_style=true'
  incidentlib publish --from public gs://incidents`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return publish(c, f, args[0]) },
	}
	fl := c.Flags()
	fl.StringVar(&f.opt.Dir, "from", "public", "the built folder")
	fl.BoolVar(&f.opt.DryRun, "dry-run", false, "print what there is to do, + new, ~ changed, - deleted, and do nothing")
	fl.BoolVar(&f.opt.Check, "check", false, "ask the store about every object, instead of believing what the last publish noted")
	fl.IntVar(&f.opt.Jobs, "jobs", 16, "how many objects may be under way at once")
	fl.BoolVar(&f.json, "json", false, "say what was done as JSON")
	fl.BoolVar(&f.quiet, "quiet", false, "print nothing but faults")
	return c
}

func publish(c *cobra.Command, f publishFlags, dest string) error {
	if f.opt.Jobs < 1 {
		return fmt.Errorf("--jobs is %d; write a number from 1 on", f.opt.Jobs)
	}
	if err := apart(f.opt.Dir, dest); err != nil {
		return err
	}
	ctx, release := interruptible()
	defer release()
	store, err := upload.Open(ctx, dest)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = store.Close() }() // what was written was closed by itself
	show, clear := status(c.ErrOrStderr(), f.quiet)
	f.opt.Progress = func(done, total int) { show(fmt.Sprintf("%d of %s", done, plural(total, "object"))) }
	r, err := upload.Publish(ctx, store, f.opt)
	clear()
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("ended before all was uploaded; run it again and it goes on: %w", context.Cause(ctx))
		}
		return failed(err)
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(c.ErrOrStderr(), "incidentlib: warning: "+w)
	}
	switch {
	case f.quiet:
		return nil
	case f.json:
		return printed(0, json.NewEncoder(c.OutOrStdout()).Encode(r))
	}
	return printUpload(c.OutOrStdout(), dest, r)
}

func printUpload(to io.Writer, dest string, r upload.Result) error {
	for _, change := range r.Changes {
		if err := printed(fmt.Fprintln(to, change.Op, change.Path)); err != nil {
			return err
		}
	}
	would := ""
	if r.DryRun {
		would = "a dry run: "
	}
	at, _, _ := strings.Cut(dest, "?")
	return printed(fmt.Fprintf(to, "%s: %s%d new, %d changed, %d deleted, %d unchanged (%s)\n", at, would, r.New, r.Changed, r.Deleted, r.Unchanged, size(r.Bytes)))
}

// apart refuses to publish a folder into itself.
func apart(from, dest string) error {
	to := upload.Folder(dest)
	if to == "" {
		return nil
	}
	a, err := realPath(from)
	if err != nil {
		return failed(err)
	}
	b, err := realPath(to)
	if err != nil {
		return failed(err)
	}
	if within(a, b) || within(b, a) {
		return failed(fmt.Errorf("%s and %s are one folder, or one is in the other; publish to a folder that is apart", from, to))
	}
	return nil
}
