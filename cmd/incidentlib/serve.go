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
	open              bool
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
	fl.BoolVar(&f.open, "open", false, "open the site in a browser")
	return c
}

func serve(c *cobra.Command, f serveFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, err := listen(c.Context(), f.addr)
	if err != nil {
		return failed(err)
	}
	opt := preview.Options{Seeds: f.seeds, Templates: templates.Files(), Assets: assets.Files(), Out: f.out, Jobs: f.jobs, Stderr: c.ErrOrStderr()}
	for dir, files := range map[string]*fs.FS{f.templates: &opt.Templates, f.assets: &opt.Assets} {
		if dir != "" {
			*files = os.DirFS(dir)
			opt.Watch = append(opt.Watch, dir)
		}
	}
	s := preview.New(opt)
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	followed := make(chan error, 1)
	go func() {
		err := s.Follow(ctx)
		if err != nil {
			cancel() // a preview that cannot see changes is none
		}
		followed <- err
	}()
	address := "http://" + l.Addr().String() + s.Prefix() + "/"
	fmt.Fprintln(c.OutOrStdout(), address)
	if f.open {
		openBrowser(address)
	}
	if err := errors.Join(s.Serve(ctx, l)); err != nil {
		return failed(err)
	}
	cancel()
	if err := <-followed; err != nil {
		return failed(err)
	}
	return nil
}

// check refuses folders that would make the server watch what it writes.
func (f serveFlags) check() error {
	if f.out == "" {
		return nil
	}
	out, err := filepath.Abs(f.out)
	if err != nil {
		return failed(err)
	}
	for _, dir := range []string{f.seeds, f.templates, f.assets} {
		if dir == "" {
			continue
		}
		watched, err := filepath.Abs(dir)
		if err != nil {
			return failed(err)
		}
		if rel, err := filepath.Rel(watched, out); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("--out %s lies in %s, which is watched; write into another folder", f.out, dir)
		}
	}
	return nil
}

// listen says who has the address when it is taken.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken: %s; stop it, or choose another with --addr", addr, preview.Holder(addr))
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
