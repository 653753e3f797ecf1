package gateway

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"
)

// Options are the figures of a gateway.
type Options struct {
	Upstream  string                            // URL that questions are posted to
	Transport http.RoundTripper                 // nil: the network
	Jitter    func(time.Duration) time.Duration // nil: anything from 0 to what is given

	MaxAttempts     int           // of one call, the first included
	BackoffBase     time.Duration // the longest wait before the second attempt; doubled for each further one
	BackoffCap      time.Duration // no wait is longer
	UpstreamTimeout time.Duration // of one attempt

	Budget       int     // retries that may be saved up, for the whole process
	BudgetRefill float64 // retries that come back in a second
	NoBudget     bool    // any number of retries: what the budget is compared with

	BreakerFailures int           // calls that fail in a row before the breaker opens
	BreakerOpen     time.Duration // how long it then lets no call through
	BreakerProbes   int           // calls that must succeed before it closes again

	Remember    time.Duration // how long an answer is good for its messageId
	RememberMax int           // answers remembered at once
	MaxInFlight int           // chats, and calls for them, at once
	ChunkDelay  time.Duration // between two pieces of a stream

	SLO      float64  // the share of actions that is to succeed
	PageBurn float64  // the burn rate that calls somebody, above it in both windows
	Plans    []string // values of X-Plan that are counted apart
}

// Defaults are the essay's figures, and ours where it has none.
func Defaults() Options {
	return Options{
		MaxAttempts: 3, BackoffBase: 150 * time.Millisecond, BackoffCap: 2 * time.Second, UpstreamTimeout: 8 * time.Second,
		Budget: 200, BudgetRefill: 50,
		BreakerFailures: 8, BreakerOpen: 15 * time.Second, BreakerProbes: 3,
		Remember: 10 * time.Minute, RememberMax: 4096, MaxInFlight: 256, ChunkDelay: 20 * time.Millisecond,
		SLO: 0.999, PageBurn: 14.4, Plans: []string{"free", "paid", "enterprise"},
	}
}

// uniform is full jitter: any wait up to the longest is as likely as any other,
// so that callers which failed together do not come back together.
func uniform(longest time.Duration) time.Duration {
	if longest <= 0 {
		return 0
	}
	return rand.N(longest + 1)
}

// maxPlans bounds the label values of every metric.
const maxPlans = 16

// Check says everything that is wrong with the options.
func (o Options) Check() error {
	var errs []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	u, err := url.Parse(o.Upstream)
	must(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", "the upstream %q is no http or https URL", o.Upstream)
	must(o.MaxAttempts >= 1 && o.MaxAttempts <= 10, "%d attempts; a call has 1 to 10", o.MaxAttempts)
	must(o.BackoffBase >= 0 && o.BackoffCap >= o.BackoffBase && o.BackoffCap <= time.Minute, "backoff from %v to %v; it goes from 0 to a minute at most", o.BackoffBase, o.BackoffCap)
	must(o.UpstreamTimeout > 0 && o.UpstreamTimeout <= time.Minute, "an attempt of %v; it takes a minute at most", o.UpstreamTimeout)
	must(o.Budget >= 0 && o.BudgetRefill >= 0, "a retry budget of %d and %v a second; neither is below 0", o.Budget, o.BudgetRefill)
	must(o.BreakerFailures >= 1 && o.BreakerProbes >= 1 && o.BreakerOpen > 0, "a breaker of %d failures, %v and %d probes; each is above 0", o.BreakerFailures, o.BreakerOpen, o.BreakerProbes)
	must(o.Remember > 0 && o.RememberMax >= 1, "%d answers remembered for %v; both are above 0", o.RememberMax, o.Remember)
	must(o.MaxInFlight >= 1, "%d chats at once; at least 1", o.MaxInFlight)
	must(o.ChunkDelay >= 0 && o.ChunkDelay <= time.Second, "%v between pieces; it goes from 0 to a second", o.ChunkDelay)
	must(o.SLO > 0 && o.SLO < 1, "an objective of %v; it lies between 0 and 1", o.SLO)
	must(o.PageBurn > 0, "a burn rate of %v; it is above 0", o.PageBurn)
	must(len(o.Plans) <= maxPlans, "%d plans; there are %d at most", len(o.Plans), maxPlans)
	for _, plan := range o.Plans {
		must(utf8.ValidString(plan), "the plan %q is no text", plan) // nor a label, then
	}
	must(!slices.Contains(o.Plans, "") && !slices.Contains(o.Plans, otherPlan), "a plan is called %q or nothing, which stands for all the others", otherPlan)
	return errors.Join(errs...)
}

// longestCall is how long a call can take with all of its attempts.
func (o Options) longestCall() time.Duration {
	return time.Duration(o.MaxAttempts)*o.UpstreamTimeout + time.Duration(o.MaxAttempts-1)*o.BackoffCap
}
