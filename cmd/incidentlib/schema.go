package main

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator/ordered"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/seed"
)

func newSchema() *cobra.Command {
	var seeds string
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a case, for editors",
		Long: `schema prints the JSON Schema (2020-12) of a case, with the terms of vocab.json
as the only ones, so that an editor completes fields and terms and underlines
what check would refuse. Print it anew when the vocabulary has changed.

For Visual Studio Code, write it to .vscode/case.schema.json and name it in
.vscode/settings.json:

  "json.schemas": [
    {"fileMatch": ["seeds/cases/*.json"], "url": "./.vscode/case.schema.json"}
  ]

The schema that the site publishes at api/v1/schema/case.json is open instead:
a library may get new terms without breaking those who read it.`,
		Example: `  incidentlib schema >.vscode/case.schema.json`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return schema(c, seeds) },
	}
	seedsFlag(c, &seeds)
	return c
}

func schema(c *cobra.Command, dir string) error {
	fsys, done, err := openSeeds(dir)
	if err != nil {
		return err
	}
	defer done()
	vocabulary, problems := seed.ReadVocabulary(fsys, dir)
	if vocabulary == nil {
		problem.Sort(problems)
		printProblems(c.ErrOrStderr(), problem.Errors(problems))
		return failed(errors.New(countProblems(problems)))
	}
	compact, err := ordered.Marshal(seed.CaseSchema("", vocabulary, true))
	if err != nil {
		return failed(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return failed(err)
	}
	b.WriteByte('\n')
	_, err = b.WriteTo(c.OutOrStdout())
	return err
}
