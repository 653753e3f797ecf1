package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator/preview"
	"benchlet.com/incidentlib/templates"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	seeds, addr, out  string
	templates, assets string
	jobs              int
	open, noCards     bool
}

func newServe() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the site while you edit, and reload the browser when a page changes",
		Long: `serve renders the site to memory and listens on this machine only, unless told
otherwise. Save a seed and every browser that shows a page that it changed
reloads. When a seed is broken the last good site stays, and every page shows
what is wrong and where, until it is mended. The problems are also printed here,
and are JSON at /_preview/problems.json.

Stop it with Ctrl-C.`,
		Example: `  incidentlib serve
  incidentlib serve --addr 127.0.0.1:8080 --open
  incidentlib serve --templates templates --assets assets   # also watch these`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c, f) },
	}
	fl := c.Flags()
	seedsFlag(c, &f.seeds)
	fl.StringVar(&f.addr, "addr", "127.0.0.1:4477", "where to listen")
	fl.StringVar(&f.out, "out", "", "also keep this folder in step, as build --in-place would")
	fl.StringVar(&f.templates, "templates", "", "a folder of templates to use instead of the program's own")
	fl.StringVar(&f.assets, "assets", "", "a folder of assets to use instead of the program's own")
	fl.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "how many files to read at once")
	fl.BoolVar(&f.noCards, "no-cards", false, "leave out the pictures that other sites show beside a link")
	fl.BoolVar(&f.open, "open", false, "open the site in a browser")
	return c
}

func serve(c *cobra.Command, f serveFlags) error {
	if f.jobs < 1 {
		return fmt.Errorf("--jobs is %d; write a number from 1 on", f.jobs)
	}
	if err := f.check(); err != nil {
		return err
	}
	l, err := listen(c.Context(), f.addr, "--addr")
	if err != nil {
		return failed(err)
	}
	defer l.Close()
	name, _, _ := net.SplitHostPort(f.addr) // it was listened on, so it is one
	opt := preview.Options{Seeds: f.seeds, Templates: templates.Files(), Assets: assets.Files(), Out: f.out, Name: name, Jobs: f.jobs, NoCards: f.noCards, Stderr: c.ErrOrStderr()}
	for dir, files := range map[string]*fs.FS{f.templates: &opt.Templates, f.assets: &opt.Assets} {
		if dir != "" {
			*files = os.DirFS(dir)
			opt.Watch = append(opt.Watch, filepath.Clean(dir))
		}
	}
	s, err := preview.New(c.Context(), opt)
	if err != nil && c.Context().Err() != nil {
		return nil // stopped before there was anything to see
	}
	if err != nil {
		return failed(err)
	}
	address := "http://" + l.Addr().String() + s.Prefix() + "/"
	fmt.Fprintln(c.OutOrStdout(), address)
	if f.open {
		openBrowser(address)
	}
	if err := s.Serve(c.Context(), l); err != nil {
		return failed(err)
	}
	return nil
}

// check refuses folders that would make the server watch what it writes, or
// write where the seeds are.
func (f serveFlags) check() error {
	if f.out == "" {
		return nil
	}
	out, err := realPath(f.out)
	if err != nil {
		return failed(err)
	}
	for _, dir := range []string{f.seeds, f.templates, f.assets} {
		if dir == "" {
			continue
		}
		watched, err := realPath(dir)
		if err != nil {
			return failed(err)
		}
		switch {
		case out == watched:
			return fmt.Errorf("--out %s is %s, which is watched; write into another folder", f.out, dir)
		case within(watched, out):
			return fmt.Errorf("--out %s lies in %s, which is watched; write into another folder", f.out, dir)
		case within(out, watched):
			return fmt.Errorf("--out %s holds %s; write into another folder", f.out, dir)
		}
	}
	return nil
}

func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// realPath is where a path leads, links followed as far as there is anything.
func realPath(name string) (string, error) { return followed(name, maxLinks) }

// maxLinks is over how many links a path may lead, as Linux has it.
const maxLinks = 40

func followed(name string, links int) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if to, errLink := os.Readlink(dir); errLink == nil && links > 0 { // it leads to what is not there yet
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(dir), to)
			}
			return followed(filepath.Join(to, rest), links-1)
		}
		if dir == filepath.Dir(dir) || !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// listen says who has the address when it is taken, and by which flag to choose
// another.
func listen(ctx context.Context, addr, flag string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken: %s; stop it, or choose another with %s", addr, preview.Holder(addr), flag)
	}
	return l, err
}

// openBrowser asks the desktop to show an address; without a desktop nothing
// happens, and the address stands on the terminal.
func openBrowser(address string) {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	if !strings.HasPrefix(address, "http://") {
		return
	}
	if err := exec.Command(name, args...).Start(); err != nil {
		return
	}
}
