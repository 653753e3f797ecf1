// Command incidentlib builds a library of software incidents, in English and
// Korean, from JSON seeds into a static site and its JSON mirror.
//
// Each subcommand has a file of its own. Results go to stdout, everything else
// to stderr. Exit 0: done; 1: problems in the input, or the work failed; 2:
// wrong usage.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// failure is an error that says itself which exit code it asks for. One
// without words has been reported already.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

// run is the program: its arguments in, its exit code out.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitDone
	}
	code := exitUsage // what cobra itself finds is wrong usage
	if f := (failure{}); errors.As(err, &f) {
		code = f.code
	}
	if err.Error() != "" {
		fmt.Fprintln(stderr, "incidentlib: "+visibleLines(strings.ReplaceAll(err.Error(), "\t", "    ")))
	}
	if code == exitUsage {
		fmt.Fprintln(stderr, `Run "incidentlib help" for what there is.`)
	}
	return code
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "incidentlib",
		Short: "Build a bilingual library of software incidents from JSON seeds",
		Long: `incidentlib reads the seeds of a library of software incidents, checks them
strictly, and writes the whole site: pages in English and Korean, and a static
JSON mirror for scripts and AI tools.

Seeds are one JSON file a case, a vocabulary, and Markdown for topic pages:

  seeds/site.json                    what the library is called, where it is published
  seeds/vocab.json                   every axis and term
  seeds/cases/IL-0123.json           one case
  seeds/topics/AXIS/SLUG.LANG.md     prose of a topic page (optional)
  seeds/articles/SLUG.LANG.md        articles (optional)
  seeds/withdrawn.json               ids no longer published (optional)

Exit codes: 0 done; 1 problems in the seeds, or the work failed; 2 wrong usage.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newBuild(), newMerge(), newPublish(), newServe(), newCheck(), newNew(), newFmt(), newSearch(), newSchema(), newHost(), newSync(), newConform(), newMCP(), newVersion())
	return root
}

// failed is an error of the work, not of the command line.
func failed(err error) error { return failure{exitFailed, err} }

// printed is the error of printing a result: one that nobody can read is no
// result, and no wrong usage either.
func printed(_ int, err error) error {
	if err != nil {
		return failed(err)
	}
	return nil
}
