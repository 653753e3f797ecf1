package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/cmd/llm-gateway/storm"
	"benchlet.com/incidentlib/generator/figure"
)

// newStorm simulates; it opens no port and takes no time to speak of.
func newStorm() *cobra.Command {
	p := storm.Default()
	var asJSON bool
	var svg string
	c := &cobra.Command{
		Use:   "storm",
		Short: "Simulate a 39-minute degradation under a fixed load, without and with each remedy",
		Long: `storm lets an hour pass in virtual time: users write messages at a fixed rate, the
gateway retries what fails, and from the 4th minute on the upstream is degraded for
39 minutes. It does so without any remedy, with jitter, a retry budget, a breaker
and idempotency keys alone, and with all of them. The same seed gives the same
bytes.

The figure of the article on retry storms is made of its JSON:
  llm-gateway storm --json > seeds/figures/retry-storm.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runStorm(c.OutOrStdout(), p, asJSON, svg) },
	}
	f := c.Flags()
	f.Uint32Var(&p.Seed, "seed", p.Seed, "where chance begins, from 1 on")
	f.IntVar(&p.Clients, "clients", p.Clients, "clients, each of which writes a message every 5 s")
	f.IntVar(&p.Capacity, "capacity", p.Capacity, "calls a second that the upstream can serve")
	f.IntVar(&p.FailRate, "fail-rate", p.FailRate, "calls of a thousand that fail while it is degraded")
	f.IntVar(&p.Attempts, "attempts", p.Attempts, "attempts for each request at most")
	f.BoolVar(&asJSON, "json", false, "print everything by the minute as JSON")
	f.StringVar(&svg, "svg", "", "also draw it into this file")
	return c
}

func runStorm(out io.Writer, p storm.Params, asJSON bool, svg string) error {
	if err := p.Check(); err != nil {
		return err
	}
	report := storm.NewReport(p)
	data, err := stormJSON(report)
	if err != nil {
		return failure{err}
	}
	if svg != "" {
		s, err := figure.ParseStorm(data)
		if err != nil {
			return failure{err}
		}
		if err := os.WriteFile(svg, s.Sheet(), 0o644); err != nil {
			return failure{err}
		}
	}
	if asJSON {
		if _, err := out.Write(data); err != nil {
			return failure{err}
		}
		return nil
	}
	return stormTable(out, report)
}

// stormJSON has one line for each value, but for the minutes, which would be
// most of the file.
func stormJSON(r storm.Report) ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(joinNumbers(b), '\n'), nil
}

// joinNumbers puts lists of numbers on one line.
func joinNumbers(b []byte) []byte {
	lines := bytes.Split(b, []byte("\n"))
	var out []byte
	inList := false
	for i, line := range lines {
		text := bytes.TrimSpace(line)
		isNumber := len(text) > 0 && '0' <= text[0] && text[0] <= '9'
		switch {
		case inList:
			if isNumber && out[len(out)-1] == ',' {
				out = append(out, ' ')
			}
			out = append(out, text...)
		default:
			if i > 0 {
				out = append(out, '\n')
			}
			out = append(out, line...)
		}
		next := i+1 < len(lines) && len(bytes.TrimSpace(lines[i+1])) > 0
		digit := next && bytes.ContainsAny(bytes.TrimSpace(lines[i+1])[:1], "0123456789")
		inList = digit || isNumber
	}
	return out
}

func stormTable(out io.Writer, r storm.Report) error {
	fmt.Fprintf(out, "%d messages a second for an hour, an upstream that serves %d calls a second, and of\nits calls %.1f %% fail for %d minutes; at most %d attempts\n\n",
		r.Clients/r.SecondsPerMessage, r.Capacity, float64(r.FailRate)/10, r.DegradedMinutes, r.Attempts)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\trequests\tcalls\tper message\tpeak in 100 ms\tfailures\trecovered after\t99.9 % budget of 30 days\t")
	for _, v := range r.Variants {
		recovered := "not in the hour"
		if v.Recovery != nil {
			recovered = fmt.Sprintf("%d s", *v.Recovery)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%d\t%d\t%s\t%.1f %%\t\n", v.Name, v.Requests, v.Calls, float64(v.Calls)/float64(v.Messages), v.Peak, v.Failures, recovered, float64(v.BudgetBurnt)/10)
	}
	return w.Flush()
}
