// Package gateway stands between callers and an upstream that can fail, and
// keeps a short degradation short:
//
//   - a call is tried again a few times, after waits with full jitter;
//   - all retries of the process are paid for from one budget, so that they are
//     a bounded load however many calls fail; an empty budget shows as degraded;
//   - a breaker stops calls altogether after failures in a row;
//   - a messageId is asked for once: callers that come meanwhile wait for the
//     same answer, callers that come later get it from memory, byte for byte;
//   - every action is counted by plan, function and dependency (Ledger).
//
// POST /chat runs in two halves. The half of the caller reads, waits and writes,
// and ends when the caller leaves. The flight asks the upstream; it belongs to
// the gateway, ends by itself, and is remembered even if nobody waits for it any
// more, so that a caller who comes back finds the answer there.
package gateway

import (
	"context"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// Gateway answers chats.
type Gateway struct {
	opt     Options
	caller  *caller
	ledger  *Ledger
	memory  *memory
	flights singleflight.Group
	metrics http.Handler

	// Chats and flights are bounded apart: a flight may outlive its chat.
	chatSlots, flightSlots *semaphore.Weighted

	// open ends when the gateway closes. It is here, and not a parameter, as
	// flights belong to no request.
	open   context.Context
	cancel context.CancelFunc
}

// New makes a gateway of options that Check finds nothing wrong with.
func New(opt Options) (*Gateway, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	if opt.Jitter == nil {
		opt.Jitter = uniform
	}
	if opt.Transport == nil {
		opt.Transport = transport(opt)
	}
	ledger := NewLedger(opt.SLO, opt.PageBurn)
	registry := prometheus.NewRegistry() // the library's own is one for the whole process
	if err := registry.Register(ledger); err != nil {
		return nil, err
	}
	g := &Gateway{opt: opt, ledger: ledger, caller: newCaller(opt, ledger), memory: newMemory(opt),
		metrics:   promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		chatSlots: semaphore.NewWeighted(int64(opt.MaxInFlight)), flightSlots: semaphore.NewWeighted(int64(opt.MaxInFlight))}
	g.open, g.cancel = context.WithCancel(context.Background())
	return g, nil
}

// transport keeps a connection for every flight; with the usual two, most of a
// load would spend its time opening new ones.
func transport(opt Options) http.RoundTripper {
	return &http.Transport{
		MaxIdleConns: opt.MaxInFlight, MaxIdleConnsPerHost: opt.MaxInFlight,
		IdleConnTimeout: opt.UpstreamTimeout, MaxResponseHeaderBytes: 16 << 10,
	}
}

// Routes adds the gateway's addresses.
func (g *Gateway) Routes(mux *http.ServeMux) {
	wire.Route(mux, http.MethodPost, "/chat", g.chat)
	wire.Route(mux, http.MethodGet, "/metrics", g.metrics.ServeHTTP)
	wire.Route(mux, http.MethodGet, "/accounting", func(w http.ResponseWriter, _ *http.Request) {
		wire.WriteJSON(w, http.StatusOK, g.ledger.Report())
	})
}

// Close takes no new chats and waits for those under way, and for their flights;
// when grace ends it ends them. Nothing of the gateway runs afterwards.
func (g *Gateway) Close(grace context.Context) {
	stop := context.AfterFunc(grace, g.cancel)
	all := int64(g.opt.MaxInFlight)
	// Who waits for all slots keeps them from everybody else. These waits end:
	// chats end with their flights, and flights with their context.
	for _, slots := range []*semaphore.Weighted{g.chatSlots, g.flightSlots} {
		if err := slots.Acquire(context.Background(), all); err != nil {
			return // not with a context that never ends
		}
	}
	stop()
	g.cancel()
	g.caller.client.CloseIdleConnections()
}

// chat is the caller's half.
func (g *Gateway) chat(w http.ResponseWriter, r *http.Request) {
	act := action{ledger: g.ledger, plan: g.plan(r), streams: strings.Contains(r.Header.Get("Accept"), "text/event-stream")}
	if !g.chatSlots.TryAcquire(1) {
		act.answered(Bad, viaGateway)
		wire.Full(g.opt.MaxInFlight).Write(w)
		return
	}
	defer g.chatSlots.Release(1)
	var m Message
	f := wire.Read(w, r, &m)
	if f == nil {
		f = m.check()
	}
	if f != nil {
		f.Write(w) // the caller's fault, which burns no budget
		return
	}
	a, ok := g.answer(r.Context(), m)
	switch {
	case !ok:
		act.answered(Left, viaLLM)
	case a.prompt != m.digest():
		// 409 and not 400: nothing is wrong with the request itself, and under
		// another messageId it would be answered.
		(&wire.Refusal{Status: http.StatusConflict, Reason: "this messageId was used for another prompt; a new prompt needs a new one"}).Write(w)
	case a.status != http.StatusOK:
		act.answered(Bad, a.via)
		wire.RetryAfter(w, a.retryAfter)
		wire.WriteBytes(w, a.status, a.body)
	case act.streams:
		act.answered(Good, a.via)
		g.stream(w, r, a, &act)
	default:
		act.answered(Good, a.via)
		wire.WriteBytes(w, a.status, a.body)
	}
}

// plan is the caller's plan, of those that are counted apart: a header can say
// anything, and each label value is memory that is never given back.
func (g *Gateway) plan(r *http.Request) string {
	said := r.Header.Get("X-Plan")
	for _, plan := range g.opt.Plans {
		if plan == said {
			return plan
		}
	}
	return otherPlan
}
