package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/mcpserver"
	"benchlet.com/incidentlib/templates"
)

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	seeds, data, http string
	copyDir           string
	every             time.Duration
	hosts, origins    []string
	rate              float64
	calls             int
}

func newMCP() *cobra.Command {
	var f mcpFlags
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Answer the questions of AI tools, by the Model Context Protocol",
		Long: `mcp serves the library to AI tools: search_incidents, list_incidents,
get_incident, get_topic and vocab, with resources, prompts and completions.
Without --http it speaks with the one client that started it, over stdin and
stdout. With --http it listens; the endpoint is /mcp, with its card at
/mcp/server-card, and /healthz says whether it can answer.

It answers from the seeds, or with --data from a folder that build wrote or from
the library that is published at an address. Any of them may change while it runs.
Of a published library it keeps a copy, as sync does, and asks every five minutes
what changed.

Over HTTP, only names of this machine and those of --allow-host are answered, and
only pages of this machine and of --allow-origin may ask. No key is needed and
nothing can be changed, so --allow-origin '*' is right for a public server.`,
		Example: `  incidentlib mcp
  incidentlib mcp --data https://benchlet.com/incidentlib/app
  incidentlib mcp --data public --http 127.0.0.1:8765
  incidentlib mcp --data public --http :8765 --allow-host mcp.example.org --allow-origin '*'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serveMCP(c, f) },
	}
	fl := c.Flags()
	seedsFlag(c, &f.seeds)
	fl.StringVar(&f.data, "data", "", "a built folder, or the address of a published library, to answer from instead of the seeds")
	fl.StringVar(&f.copyDir, "copy", "", "the folder for the copy of a published library (default: one among the caches of the user)")
	fl.DurationVar(&f.every, "every", 5*time.Minute, "how often to ask a published library what changed")
	fl.StringVar(&f.http, "http", "", "where to listen, such as 127.0.0.1:8765, instead of stdin and stdout")
	fl.StringSliceVar(&f.hosts, "allow-host", nil, `a further name that the server is called by; "*" for any`)
	fl.StringSliceVar(&f.origins, "allow-origin", nil, `a site whose pages may ask, such as https://example.org; "*" for any`)
	fl.Float64Var(&f.rate, "rate", 20, "requests a second that one address may send on average, this machine aside; 0 for any number")
	fl.IntVar(&f.calls, "calls", 128, "requests at work at once")
	return c
}

func serveMCP(c *cobra.Command, f mcpFlags) error {
	if err := f.check(c); err != nil {
		return err
	}
	ctx, release := interruptible()
	defer release()
	log := slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
	source, err := f.source(ctx, c, log)
	if err != nil {
		return err
	}
	v, _, _ := strings.Cut(version(), " ")
	lessCollecting()
	s := mcpserver.New(mcpserver.Options{Source: source, Version: v, Log: log})
	if f.http == "" {
		if err := s.ServeStdio(ctx, c.InOrStdin(), c.OutOrStdout()); err != nil {
			return failed(err)
		}
		return nil
	}
	l, err := listen(ctx, f.http, "--http")
	if err != nil {
		return failed(err)
	}
	h := s.Handler(mcpserver.HTTPOptions{Listen: f.http, Hosts: f.hosts, Origins: f.origins, Rate: f.rate, Calls: f.calls})
	if err := printed(fmt.Fprintln(c.OutOrStdout(), "http://"+l.Addr().String()+"/mcp")); err != nil {
		return err
	}
	return serveUntil(ctx, mcpserver.NewHTTPServer(h), l)
}

func (f mcpFlags) check(c *cobra.Command) error {
	switch {
	case f.data != "" && c.Flags().Changed("seeds"):
		return errors.New("--seeds and --data are two ways to say where the library is; give one")
	case f.http == "" && (len(f.hosts) > 0 || len(f.origins) > 0):
		return errors.New("--allow-host and --allow-origin are for --http; give that too")
	case f.copyDir != "" && !f.published():
		return errors.New("--copy is for the address of a published library; give one with --data")
	case f.every < time.Second || f.every > longestEvery:
		return fmt.Errorf("--every is %v; write a time from 1s to 720h", f.every)
	case f.rate < 0 || f.calls < 1:
		return errors.New("--rate is to be 0 or more, and --calls 1 or more")
	}
	return nil
}

// longestEvery is a month: a copy that is older is not kept.
const longestEvery = 720 * time.Hour

// published reports whether the library is at an address.
func (f mcpFlags) published() bool {
	return strings.HasPrefix(f.data, "http://") || strings.HasPrefix(f.data, "https://")
}

// copied is the library of an address.
func (f mcpFlags) copied(ctx context.Context, log *slog.Logger) (mcpserver.Source, error) {
	dir := f.copyDir
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return nil, failed(fmt.Errorf("there is no place for a copy: %w; name a folder with --copy", err))
		}
		sum := sha256.Sum256([]byte(f.data))
		dir = filepath.Join(caches, "incidentlib", hex.EncodeToString(sum[:8]))
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return nil, failed(err)
		}
	}
	s, err := mcpserver.NewCopy(ctx, mcpserver.CopyOptions{Address: f.data, Dir: dir, Every: f.every, Log: log})
	if err != nil {
		return nil, failed(err)
	}
	return s, nil
}

// source is where the library is.
func (f mcpFlags) source(ctx context.Context, c *cobra.Command, log *slog.Logger) (mcpserver.Source, error) {
	if f.published() {
		return f.copied(ctx, log)
	}
	if f.data != "" {
		folder := mcpserver.NewFolder(f.data)
		if _, err := folder.Edition(ctx); err != nil {
			return nil, failed(err)
		}
		return folder, nil
	}
	if info, err := os.Stat(f.seeds); err != nil || !info.IsDir() {
		return nil, failed(fmt.Errorf("%s is no folder of seeds; name it with --seeds, or a built folder with --data", f.seeds))
	}
	d, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files()})
	if err != nil {
		return nil, failed(err)
	}
	s, problems, err := mcpserver.NewSeeds(ctx, f.seeds, d, log)
	if err != nil {
		return nil, failed(err)
	}
	if len(problems) > 0 {
		_ = printProblems(c.ErrOrStderr(), problems) // there is nowhere else to say that it failed
		return nil, failed(fmt.Errorf("%s; mend them, or name a built folder with --data", countProblems(problems)))
	}
	return s, nil
}

// The collector of garbage would run after every few dozen calls, for what is kept
// is little beside what a call leaves behind. It may wait until there is more, within
// a bound.
const (
	collectAt = 400
	memory    = 256 << 20
)

// lessCollecting sets it so, unless the user did otherwise.
func lessCollecting() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
}

// graceful is how long requests at work have when the server is to stop.
const graceful = 10 * time.Second

// serveUntil serves until ctx ends, and lets what is at work come to its end.
func serveUntil(ctx context.Context, s *http.Server, l net.Listener) error {
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.Background(), graceful)
		defer cancel()
		stopped <- s.Shutdown(last)
	})
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return failed(err)
	}
	if err := <-stopped; err != nil {
		return failed(fmt.Errorf("some requests did not end in time: %w", err))
	}
	return nil
}
