package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/templates"
)

// hostFlags are the flags of host.
type hostFlags struct {
	seeds, baseURL string
	api            bool
}

func newHost() *cobra.Command {
	var f hostFlags
	c := &cobra.Command{
		Use:   "host cloudflare|netlify|github|s3|nginx|caddy",
		Short: "Print how a host is told to serve the site",
		Long: `host prints what a build with --host of the same name writes for a host: which
headers its answers carry, how long they may be kept, which short addresses lead to
which documents, and where cases that were replaced have gone. It is for those who
keep the configuration of their server elsewhere than in the folder that it serves.`,
		Example: `  incidentlib host nginx >/etc/nginx/snippets/incidentlib.conf
  incidentlib host caddy --base-url https://incidents.example.org`,
		ValidArgs: hostNames(),
		Args:      cobra.MatchAll(cobra.ExactArgs(1), func(_ *cobra.Command, args []string) error { _, err := host.Parse(args[0]); return err }),
		RunE:      func(c *cobra.Command, args []string) error { return printHost(c, f, host.Name(args[0])) },
	}
	seedsFlag(c, &f.seeds)
	c.Flags().StringVar(&f.baseURL, "base-url", "", "where the site is published, instead of site.json's base_url")
	c.Flags().BoolVar(&f.api, "api", false, "for the API's own host, as build --api-root fills its folder")
	return c
}

func hostNames() (names []string) {
	for _, n := range host.Names() {
		names = append(names, string(n))
	}
	return names
}

func printHost(c *cobra.Command, f hostFlags, name host.Name) error {
	b := buildFlags{baseURL: f.baseURL, setBase: c.Flags().Changed("base-url")}
	if err := b.addresses(); err != nil {
		return err
	}
	collection, err := loadSeeds(f.seeds, 1, c.ErrOrStderr())
	if err != nil {
		return err
	}
	b.override(&collection.Site)
	design, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files()})
	if err != nil {
		return failed(err)
	}
	plan, err := generator.NewPlan(library.New(collection), design)
	if err != nil {
		return failed(err)
	}
	rules, files := plan.Rules(), plan.Files
	if f.api {
		if plan.Site().APIHost() == "" {
			return errNoAPI("--api")
		}
		rules, files = plan.APIRules(), plan.API
	}
	return printed(io.WriteString(c.OutOrStdout(), rules.Print(name, files())))
}

func errNoAPI(flag string) error {
	return fmt.Errorf("%s is for an API on a host of its own; say which in site.json's api_url or with --api-url", flag)
}

// parseHosts reads the names of --host.
func parseHosts(names []string) ([]host.Name, error) {
	var out []host.Name
	for _, s := range names {
		n, err := host.Parse(s)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// warn says where a build passes what the hosts that were named take.
func warn(to io.Writer, rules host.Rules, hosts []host.Name, r output.Result) {
	for _, h := range hosts {
		for _, w := range rules.Warnings(h, host.Size{Files: r.Files, Bytes: r.Bytes, Largest: r.LargestBytes, LargestPath: r.LargestPath}) {
			fmt.Fprintln(to, "incidentlib: warning: "+w)
		}
	}
}
