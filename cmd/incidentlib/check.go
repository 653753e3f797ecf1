package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/problem"
)

func newCheck() *cobra.Command {
	var seeds string
	var advice, asJSON bool
	c := &cobra.Command{
		Use:   "check",
		Short: "Check the seeds and report every problem in them",
		Long: `check reads all seeds and reports every problem in one run, each with its file,
line, column, JSON pointer, what is wrong and what to write instead. Nothing is
written. With --advice it also lists what is worth mending but stops no build:
a text missing in one language, a number that stands in one language only, a
case without a source, and the like.`,
		Example: `  incidentlib check
  incidentlib check --advice
  incidentlib check --json | jq '.problems[].file'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return check(c, seeds, advice, asJSON) },
	}
	seedsFlag(c, &seeds)
	c.Flags().BoolVar(&advice, "advice", false, "also list what is worth mending")
	c.Flags().BoolVar(&asJSON, "json", false, "print the problems as JSON")
	return c
}

func check(c *cobra.Command, dir string, advice, asJSON bool) error {
	fsys, done, err := openSeeds(dir)
	if err != nil {
		return err
	}
	defer done()
	collection, problems := generator.Load(fsys, dir, runtime.GOMAXPROCS(0), advice)
	errors := len(problem.Errors(problems))
	out := c.OutOrStdout()
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if problems == nil {
			problems = []problem.Problem{}
		}
		if err := e.Encode(map[string]any{"problems": problems}); err != nil {
			return failed(err)
		}
	} else if err := printProblems(out, problems); err != nil {
		return err
	}
	if errors > 0 {
		return failed(fmt.Errorf("%s", countProblems(problems)))
	}
	if asJSON {
		return nil
	}
	line := plural(len(collection.Cases), "case") + ", no problems"
	if advice {
		line += fmt.Sprintf(", %d pieces of advice", len(problems))
	}
	return printed(fmt.Fprintln(out, line))
}
