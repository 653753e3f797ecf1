package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"benchlet.com/incidentlib/cmd/llm-gateway/gateway"
	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr  string
	grace time.Duration
	gate  gateway.Options
	mock  mock.Config
}

func newServe() *cobra.Command {
	f := serveFlags{gate: gateway.Defaults(), mock: mock.Healthy()}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the gateway and its mock upstream",
		Long: `serve listens on this machine only, unless told otherwise, and prints its address:

  POST /chat         conversationId, messageId, prompt; X-Plan says the caller's plan.
                     With "Accept: text/event-stream" the answer comes in pieces.
  POST /mock/config  failRate, minDelayMillis, maxDelayMillis, from the next request on
  POST /mock/llm     the upstream that fails so
  GET  /metrics      for Prometheus
  GET  /accounting   the same as JSON: success, error budget, burn rates

Stop it with Ctrl-C: what is under way is finished first; a second one does not wait.`,
		Example: `  llm-gateway serve --fail-rate 0.3
  llm-gateway serve --fail-rate 0.3 --no-retry-budget   # to compare
  curl -s 127.0.0.1:8080/chat -d '{"conversationId":"c-1","messageId":"m-1","prompt":"hello"}'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c, f) },
	}
	f.register(c)
	return c
}

// register names every figure; what a flag is not given for is a default.
func (f *serveFlags) register(c *cobra.Command) {
	fl, g := c.Flags(), &f.gate
	fl.SortFlags = false
	fl.StringVar(&f.addr, "addr", "127.0.0.1:8080", "where to listen")
	fl.StringVar(&g.Upstream, "upstream", "", "URL that is asked for answers (default: the mock here)")
	fl.Float64Var(&f.mock.FailRate, "fail-rate", f.mock.FailRate, "share of requests that the mock fails")
	fl.IntVar(&f.mock.MinDelayMillis, "min-delay", f.mock.MinDelayMillis, "milliseconds that the mock takes at least")
	fl.IntVar(&f.mock.MaxDelayMillis, "max-delay", f.mock.MaxDelayMillis, "milliseconds that the mock takes at most")
	fl.IntVar(&g.MaxAttempts, "attempts", g.MaxAttempts, "attempts of one call, the first included")
	fl.DurationVar(&g.BackoffBase, "backoff-base", g.BackoffBase, "longest wait before the second attempt; it doubles for each further one")
	fl.DurationVar(&g.BackoffCap, "backoff-cap", g.BackoffCap, "longest wait of all")
	fl.DurationVar(&g.UpstreamTimeout, "upstream-timeout", g.UpstreamTimeout, "how long an attempt may take")
	fl.IntVar(&g.Budget, "retry-budget", g.Budget, "retries that may be saved up, for the whole process")
	fl.Float64Var(&g.BudgetRefill, "retry-refill", g.BudgetRefill, "retries that come back in a second")
	fl.BoolVar(&g.NoBudget, "no-retry-budget", g.NoBudget, "do not bound the retries of the process")
	fl.IntVar(&g.BreakerFailures, "breaker-failures", g.BreakerFailures, "calls that fail in a row before the breaker opens")
	fl.DurationVar(&g.BreakerOpen, "breaker-open", g.BreakerOpen, "how long it stays open")
	fl.IntVar(&g.BreakerProbes, "breaker-probes", g.BreakerProbes, "calls that must then succeed before it closes")
	fl.DurationVar(&g.Remember, "remember", g.Remember, "how long an answer is remembered for its messageId")
	fl.IntVar(&g.RememberMax, "remember-max", g.RememberMax, "answers remembered at once")
	fl.IntVar(&g.MaxInFlight, "max-in-flight", g.MaxInFlight, "chats at once; more are answered 503")
	fl.DurationVar(&g.ChunkDelay, "chunk-delay", g.ChunkDelay, "wait between two pieces of a stream")
	fl.Float64Var(&g.SLO, "slo", g.SLO, "share of actions that is to succeed")
	fl.Float64Var(&g.PageBurn, "page-burn", g.PageBurn, "burn rate above which, in both windows, somebody is called")
	fl.StringSliceVar(&g.Plans, "plans", g.Plans, "values of X-Plan that are counted apart")
	fl.DurationVar(&f.grace, "grace", 5*time.Second, "how long to finish what is under way on being stopped")
}

func serve(c *cobra.Command, f serveFlags) error {
	if err := f.mock.Check(); err != nil {
		return err
	}
	// The mock's address is known only once we listen; all else is judged before.
	given := f.gate
	if given.Upstream == "" {
		given.Upstream = "http://" + f.addr
	}
	if err := given.Check(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // so that the next signal ends the program at once
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", f.addr)
	if err != nil {
		return failure{err}
	}
	fmt.Fprintln(c.OutOrStdout(), "http://"+l.Addr().String())
	if err := f.run(ctx, l); err != nil {
		return failure{err}
	}
	return nil
}

// connections is how many there may be for each chat that may run: its caller's,
// the one to the mock, and as many that are idle or ask for something else.
// Further ones wait to be accepted.
const connections = 4

// run serves until the context ends. The gateway closes before the server does,
// as its last calls may go to the mock of the same server.
func (f serveFlags) run(ctx context.Context, l net.Listener) error {
	if f.gate.Upstream == "" {
		f.gate.Upstream = "http://" + l.Addr().String() + "/mock/llm"
	}
	g, err := gateway.New(f.gate)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	srv := f.server(g)
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Serve(netutil.LimitListener(l, connections*f.gate.MaxInFlight)) }()
	select {
	case err = <-stopped:
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.grace)
	defer cancel()
	// Whoever does not read or write holds the gateway up; a moment later than the
	// rest, so that callers whose flights have just been ended hear of it.
	hard := time.AfterFunc(f.grace+time.Second, func() { srv.Close() })
	defer hard.Stop()
	g.Close(grace)
	if srv.Shutdown(grace) != nil {
		srv.Close() // whoever is still here does not read
	}
	return err
}

func (f serveFlags) server(g *gateway.Gateway) *http.Server {
	mux := http.NewServeMux()
	g.Routes(mux)
	mock.New(f.mock, f.gate.MaxInFlight, nil).Routes(mux)
	// Pages of other sites may not post here through the reader's browser.
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		(&wire.Refusal{Status: http.StatusForbidden, Reason: "pages of other sites may not ask here"}).Write(w)
	}))
	const patience = 5 * time.Second
	return &http.Server{
		Handler:           guard.Handler(mux),
		ReadHeaderTimeout: patience,
		ReadTimeout:       2 * patience,
		WriteTimeout:      f.gate.LongestAnswer() + 2*patience,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}
