package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

func newFmt() *cobra.Command {
	var seeds string
	var checkOnly bool
	c := &cobra.Command{
		Use:   "fmt",
		Short: "Write the JSON seeds in one form: order of fields, indents, line ends",
		Long: `fmt writes every JSON seed in its canonical form: fields in the order of the
committed cases, unknown fields behind them, two spaces an indent, one entry a
line, "\n" at the end of each, no byte-order mark. No value changes: strings,
keys and numbers keep the spelling that they have.

The files that were rewritten are printed, one a line. Each is replaced whole;
those that are in canonical form are not touched. A file that is no JSON, or in
which a key stands twice, is left as it is and reported as check reports it.

With --check nothing is written: the files that differ are listed, and the exit
code is 1 when there are any.`,
		Example: `  incidentlib fmt
  incidentlib fmt --check`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return format(c, seeds, checkOnly) },
	}
	seedsFlag(c, &seeds)
	c.Flags().BoolVar(&checkOnly, "check", false, "write nothing; list what differs, and exit 1 if anything does")
	return c
}

func format(c *cobra.Command, dir string, checkOnly bool) error {
	root, err := openRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f := seed.Format(root.FS(), dir)
	problem.Sort(f.Problems)
	printProblems(c.ErrOrStderr(), f.Problems)
	for _, change := range f.Changes {
		if !checkOnly {
			if err := rewrite(c.Context(), root, change); err != nil {
				return failed(fmt.Errorf("%s was not written: %w", change.Shown, err))
			}
		}
		fmt.Fprintln(c.OutOrStdout(), change.Shown)
	}
	switch n := len(f.Changes); {
	case len(f.Problems) > 0:
		return failed(errors.New(countProblems(f.Problems)))
	case checkOnly && n > 0:
		return failed(fmt.Errorf(`%d of %s not in canonical form; run "incidentlib fmt"`, n, plural(f.Files, "file")))
	case checkOnly:
		fmt.Fprintf(c.ErrOrStderr(), "%s, all in canonical form\n", plural(f.Files, "file"))
	default:
		fmt.Fprintf(c.ErrOrStderr(), "%d of %s rewritten\n", n, plural(f.Files, "file"))
	}
	return nil
}

// rewrite puts the canonical form in a file's place, whole: a reader, or a
// crash at any instant, meets the old file or the new one. The new one is
// written under a hidden name, which no reader of seeds looks at.
func rewrite(ctx context.Context, root *os.Root, change seed.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name, info, err := linked(root, change.Name)
	if err != nil {
		return err
	}
	tmp := path.Join(path.Dir(name), ".incidentlib-"+rand.Text()+".tmp")
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(change.Text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = root.Chmod(tmp, info.Mode().Perm())
	}
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(tmp))
	}
	return nil
}

// linked follows a name that is a link, as often as it takes, to the file that
// is to be replaced, so that the link stays one. A link that leads out of the
// folder has not been read, so it does not come here.
func linked(root *os.Root, name string) (string, fs.FileInfo, error) {
	want, err := root.Stat(name)
	if err != nil {
		return "", nil, err
	}
	for {
		info, err := root.Lstat(name)
		switch {
		case err != nil:
			return "", nil, err
		case info.Mode()&fs.ModeSymlink == 0 && !os.SameFile(info, want):
			// A link to a folder on the way makes ".." mean another folder than it says.
			return "", nil, errors.New("it is a link through other links; put the file itself in its place")
		case info.Mode()&fs.ModeSymlink == 0:
			return name, info, nil
		}
		to, err := root.Readlink(name)
		if err != nil {
			return "", nil, err
		}
		name = path.Join(path.Dir(name), filepath.ToSlash(to))
	}
}
