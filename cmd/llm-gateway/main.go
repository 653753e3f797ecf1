// Command llm-gateway is a lab for retry storms: a gateway with the usual means
// against them, before an upstream that fails as it is told.
//
// Each subcommand has a file of its own. Results go to stdout, everything else
// to stderr. Exit 0: done; 1: the work failed; 2: wrong usage.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// failure is an error of the work, not of the command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

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
	fmt.Fprintln(stderr, "llm-gateway: "+err.Error())
	if f := (failure{}); errors.As(err, &f) {
		return exitFailed
	}
	// What cobra itself finds is wrong usage.
	fmt.Fprintln(stderr, `Run "llm-gateway help" for what there is.`)
	return exitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "llm-gateway",
		Short: "See how retries turn a short degradation into a storm, and what stops it",
		Long: `llm-gateway is a lab: a gateway that retries, with the means that keep retries
from becoming the outage, and an upstream that fails as it is told.

Exit codes: 0 done; 1 the work failed; 2 wrong usage.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newServe(), newStorm())
	return root
}
