package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"

	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// caller asks the upstream: the only place where load for it is made.
//
// The breaker stands around a whole call, and not around each attempt: its
// figure is of questions that could not be answered in spite of retries, which a
// share of failures that retries can cover never reaches.
type caller struct {
	opt     Options
	client  *http.Client
	budget  *rate.Limiter
	breaker *gobreaker.CircuitBreaker[trip]
	closes  atomic.Int64 // when the open breaker begins to probe, in Unix nanoseconds
	ledger  *Ledger
}

// trip is a call and what became of it.
type trip struct {
	answer   string
	status   int // of the last attempt; 0: it had no answer
	attempts int
	degraded bool // the budget had no retry left
}

// upstreamError is a fault of the upstream; answering says that it works
// nevertheless: it understood, and refused.
type upstreamError struct {
	reason    string
	answering bool
}

func (e *upstreamError) Error() string { return e.reason }

func newCaller(opt Options, ledger *Ledger) *caller {
	c := &caller{opt: opt, ledger: ledger, budget: rate.NewLimiter(rate.Limit(opt.BudgetRefill), opt.Budget)}
	if opt.NoBudget {
		c.budget.SetLimit(rate.Inf)
	}
	// An upstream that sends us elsewhere would get the question posted twice.
	c.client = &http.Client{Transport: opt.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	c.breaker = gobreaker.NewCircuitBreaker[trip](gobreaker.Settings{
		MaxRequests: uint32(opt.BreakerProbes),
		Timeout:     opt.BreakerOpen,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= uint32(opt.BreakerFailures) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				c.closes.Store(time.Now().Add(opt.BreakerOpen).UnixNano())
			}
		},
		IsSuccessful: func(err error) bool {
			f := (*upstreamError)(nil)
			return err == nil || errors.As(err, &f) && f.answering
		},
		// Only the gateway itself ends a call, when it closes: no fault of the upstream.
		IsExcluded: func(err error) bool { return errors.Is(err, context.Canceled) },
	})
	return c
}

// call asks until there is an answer, or no sense in asking again.
func (c *caller) call(ctx context.Context, question []byte) (trip, error) {
	t, err := c.breaker.Execute(func() (trip, error) {
		c.ledger.traffic(func(n *Traffic) { n.Calls++ })
		return c.attempt(ctx, question)
	})
	if broken(err) {
		c.ledger.traffic(func(n *Traffic) { n.Broken++ })
	}
	return t, err
}

// broken says that the breaker let nothing through.
func broken(err error) bool {
	return errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests)
}

// retryAfter is when the breaker may let a call through.
func (c *caller) retryAfter() time.Duration {
	return max(time.Second, time.Until(time.Unix(0, c.closes.Load())))
}

func (c *caller) attempt(ctx context.Context, question []byte) (trip, error) {
	var t trip
	for {
		t.attempts++
		answer, status, err := c.ask(ctx, question)
		t.answer, t.status = answer, status
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		c.ledger.traffic(func(n *Traffic) {
			n.Attempts++
			if err != nil {
				n.Failed++
			}
		})
		if err == nil {
			return t, nil
		}
		if f := (*upstreamError)(nil); errors.As(err, &f) && f.answering || t.attempts == c.opt.MaxAttempts {
			return t, err
		}
		if !c.budget.Allow() {
			t.degraded = true
			c.ledger.traffic(func(n *Traffic) { n.Denied++ })
			return t, err
		}
		if err := wire.Sleep(ctx, c.opt.Jitter(c.opt.longestWait(t.attempts))); err != nil {
			return t, err
		}
	}
}

// longestWait is the longest wait after so many attempts. It doubles step by
// step: a shift by a large number would overflow into no wait at all.
func (o Options) longestWait(attempts int) time.Duration {
	d := o.BackoffBase
	for range attempts - 1 {
		if d >= o.BackoffCap {
			break
		}
		d *= 2
	}
	return min(d, o.BackoffCap)
}

// ask is one attempt. Its status is 0 when there was no whole answer in time.
func (c *caller) ask(ctx context.Context, question []byte) (answer string, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.opt.UpstreamTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opt.Upstream, bytes.NewReader(question))
	if err != nil {
		return "", 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(req)
	if err != nil {
		return "", 0, noAnswer(ctx, err)
	}
	defer resp.Body.Close()
	// One byte more, to tell a body that is too long from one that is just not.
	body, err := io.ReadAll(io.LimitReader(resp.Body, wire.MaxBody+1))
	if err != nil {
		return "", 0, noAnswer(ctx, err)
	}
	answer, err = judge(resp.StatusCode, body)
	return answer, resp.StatusCode, err
}

// noAnswer says why there was none in words that hold for every caller: those of
// net/http name ports of this machine.
func noAnswer(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &upstreamError{reason: "the upstream did not answer in time"}
	}
	if ctx.Err() != nil {
		return err
	}
	return &upstreamError{reason: "the upstream cannot be reached"}
}

// judge says what an answer is worth. Only what may be otherwise the next time
// is worth a retry: faults of the upstream, and its being too busy.
func judge(status int, body []byte) (string, error) {
	switch {
	case status >= 500 || status == http.StatusTooManyRequests:
		return "", &upstreamError{reason: fmt.Sprintf("the upstream answered %d", status)}
	case status != http.StatusOK:
		return "", &upstreamError{reason: fmt.Sprintf("the upstream answered %d", status), answering: true}
	case len(body) > wire.MaxBody:
		return "", &upstreamError{reason: "the upstream's answer is too long", answering: true}
	}
	var v struct {
		Answer *string `json:"answer"`
	}
	if err := json.Unmarshal(body, &v); err != nil || v.Answer == nil {
		return "", &upstreamError{reason: "the upstream's answer cannot be read"}
	}
	return *v.Answer, nil
}
