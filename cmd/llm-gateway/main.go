// Command llm-gateway shows what retries do to a service that depends on a
// language model.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.Execute(); err != nil {
		fmt.Fprintln(stderr, "llm-gateway: "+err.Error())
		return 1
	}
	return 0
}

func newRoot() *cobra.Command {
	root := &cobra.Command{Use: "llm-gateway", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(newStorm())
	return root
}
