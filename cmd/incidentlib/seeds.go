package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// seedsFlag is the flag of every command that reads seeds.
func seedsFlag(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "seeds", "seeds", "the folder of the seeds")
}

// openRoot opens a folder of seeds so that no link in it leads out of it.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed(fmt.Errorf("the seeds cannot be read: %w; name their folder with --seeds", err))
	}
	return root, nil
}

// openSeeds is openRoot for those who only read.
func openSeeds(dir string) (fs.FS, func() error, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), root.Close, nil
}

// outsideSeeds refuses to publish into the folders that seeds are read from: the
// next run would take what is published there for seeds.
func outsideSeeds(out, seeds string) error {
	at, err := filepath.Abs(out)
	if err != nil {
		return failed(err)
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	for ; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		for _, name := range []string{"cases", "topics", "articles"} {
			read, errRead := os.Stat(filepath.Join(seeds, name))
			if err == nil && errRead == nil && os.SameFile(info, read) {
				return failed(fmt.Errorf("%s is in the seeds' folder %s, where all that is published would be read as seeds; name another with --out", out, name))
			}
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// loadSeeds reads a folder of seeds and reports what is wrong with them. The
// error is set when they cannot be published.
func loadSeeds(dir string, jobs int, stderr io.Writer) (*incident.Collection, error) {
	fsys, done, err := openSeeds(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	c, problems := generator.Load(fsys, dir, jobs, false)
	_ = printProblems(stderr, problems) // there is nowhere else to say that it failed
	if c == nil {
		return nil, failed(fmt.Errorf("%s; nothing was written", countProblems(problems)))
	}
	return c, nil
}

func printProblems(w io.Writer, problems []problem.Problem) error {
	for _, p := range problems {
		if err := printed(fmt.Fprintln(w, p)); err != nil {
			return err
		}
	}
	return nil
}

func countProblems(problems []problem.Problem) string {
	n, files := 0, map[string]bool{}
	for _, p := range problem.Errors(problems) {
		n++
		files[p.File] = true
	}
	return fmt.Sprintf("%s in %s", plural(n, "problem"), plural(len(files), "file"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
