package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
)

// A caller that leaves ends its own wait only: the upstream's answer is there
// when it comes back, and neither breaker nor budget of errors has noticed.
func TestCallerThatLeaves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{MinDelayMillis: 1000, MaxDelayMillis: 1000}, func(o *Options) { o.BreakerFailures = 1 })
		defer l.close()
		stays := make(chan int)
		go func() { stays <- l.do(chatOf("m-1")).Code }()
		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			l.do(chatOf("m-1").WithContext(ctx))
			cancel()
		}
		if code := <-stays; code != http.StatusOK {
			t.Errorf("the caller that stayed got %d", code)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		l.do(chatOf("m-2").WithContext(ctx))
		time.Sleep(2 * time.Second)
		began := time.Now()
		if status, _ := l.chat("m-2"); status != http.StatusOK || time.Since(began) != 0 {
			t.Errorf("who comes back gets %d after %v", status, time.Since(began))
		}
		r := l.gate.ledger.Report()
		if r.Total.Left != 21 || r.Total.Bad != 0 || r.Total.Good != 2 || l.upstream.Served() != 2 || r.Traffic.Failed != 0 {
			t.Errorf("%+v %+v; the upstream was asked %d times", r.Total, r.Traffic, l.upstream.Served())
		}
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{MinDelayMillis: 1000, MaxDelayMillis: 1000}, func(o *Options) { o.MaxInFlight = 2 })
		defer l.close()
		var all sync.WaitGroup
		for i := range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			all.Go(func() { l.do(chatOf(fmt.Sprint("m-", i)).WithContext(ctx)) })
		}
		synctest.Wait()
		full := func(why string) {
			t.Helper()
			if w := l.do(chatOf("m-more")); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
				t.Errorf("%s: %d %v", why, w.Code, w.Header())
			}
		}
		full("as many chats as may be")
		all.Wait()
		full("no chat, but their flights")
		time.Sleep(time.Second)
		if status, _ := l.chat("m-more"); status != http.StatusOK {
			t.Errorf("with room again: %d", status)
		}
	})
}

// Waits are within what full jitter allows, and grow to the cap.
func TestWaitsGrowToTheCap(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var longest []time.Duration
		l := newLab(t, mock.Config{FailRate: 1}, func(o *Options) {
			o.MaxAttempts = 7
			o.Jitter = func(d time.Duration) time.Duration { longest = append(longest, d); return uniform(d) }
		})
		defer l.close()
		began := time.Now()
		l.chat("m-1")
		const ms = time.Millisecond
		want := fmt.Sprint([]time.Duration{150 * ms, 300 * ms, 600 * ms, 1200 * ms, 2000 * ms, 2000 * ms})
		if fmt.Sprint(longest) != want || time.Since(began) > 6250*ms {
			t.Errorf("%v in %v, want %v", longest, time.Since(began), want)
		}
	})
}

func TestWhatTheUpstreamCanAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		status, code, attempts int
		body                   string
		err                    error
		opens                  bool
	}{
		"good":       {status: 200, body: `{"answer":"yes"}`, code: 200, attempts: 1},
		"more":       {status: 200, body: `{"answer":"yes","tokens":3}`, code: 200, attempts: 1},
		"no answer":  {status: 200, body: `{}`, code: 502, attempts: 3, opens: true},
		"no JSON":    {status: 200, body: `<html>`, code: 502, attempts: 3, opens: true},
		"long":       {status: 200, body: strings.Repeat(" ", 1<<20), code: 502, attempts: 1},
		"refuses":    {status: 400, body: `{}`, code: 502, attempts: 1},
		"redirects":  {status: 302, body: `{}`, code: 502, attempts: 1},
		"busy":       {status: 429, body: `{}`, code: 502, attempts: 3, opens: true},
		"fails":      {status: 503, body: `{}`, code: 502, attempts: 3, opens: true},
		"is not up":  {err: errors.New("connection refused"), code: 502, attempts: 3, opens: true},
		"never ends": {err: context.DeadlineExceeded, code: 502, attempts: 3, opens: true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLab(t, mock.Config{}, func(o *Options) {
					o.BreakerFailures = 1
					o.Transport = answers(func(r *http.Request) (*http.Response, error) {
						if c.err == context.DeadlineExceeded {
							<-r.Context().Done()
						}
						if c.err != nil {
							return nil, c.err
						}
						return &http.Response{StatusCode: c.status, Header: http.Header{"Location": {"/other"}}, Body: io.NopCloser(strings.NewReader(c.body))}, nil
					})
				})
				defer l.close()
				status, got := l.chat("m-1")
				if status != c.code || got.Attempts != c.attempts || got.UpstreamStatus != c.status || (got.Err == "") != (status == 200) {
					t.Errorf("%d %+v", status, got)
				}
				if status, _ := l.chat("m-2"); (status == http.StatusServiceUnavailable) != c.opens {
					t.Errorf("the next: %d; the breaker should be open: %v", status, c.opens)
				}
			})
		})
	}
}

type answers func(*http.Request) (*http.Response, error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

// Closing waits for what is under way, refuses what comes, and ends what does
// not end in time. That nothing is left is what synctest holds of every bubble.
func TestClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{MinDelayMillis: 3000, MaxDelayMillis: 3000}, func(o *Options) { o.BreakerFailures = 1 })
		quick, slow := make(chan int), make(chan int)
		go func() { quick <- l.do(chatOf("m-quick")).Code }()
		time.Sleep(time.Second)
		go func() { slow <- l.do(chatOf("m-slow")).Code }()
		time.Sleep(time.Second)
		grace, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		closed := make(chan time.Time)
		began := time.Now()
		go func() { l.gate.Close(grace); closed <- time.Now() }()
		synctest.Wait()
		if status, _ := l.chat("m-late"); status != http.StatusServiceUnavailable {
			t.Errorf("a chat while closing: %d", status)
		}
		if code := <-quick; code != http.StatusOK {
			t.Errorf("a chat that had time: %d", code)
		}
		if code := <-slow; code != http.StatusServiceUnavailable {
			t.Errorf("a chat that had none: %d", code)
		}
		if took := (<-closed).Sub(began); took != 1500*time.Millisecond {
			t.Errorf("closing took %v", took)
		}
		if n := l.traffic(); n.Failed != 0 {
			t.Errorf("closing counts against the upstream: %+v", n)
		}
	})
}

func TestStream(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Healthy(), nil)
		defer l.close()
		ask := func(ctx context.Context, id string) string {
			r := chatOf(id).WithContext(ctx)
			r.Header.Set("Accept", "text/event-stream")
			r.Header.Set("X-Plan", "paid")
			return l.do(r).Body.String()
		}
		body := ask(t.Context(), "m-1")
		whole := l.do(chatOf("m-1")).Body.String()
		if !strings.HasPrefix(body, "event: piece\ndata: \"A prompt of 5 ch\"\n\n") || !strings.HasSuffix(body, "event: done\ndata: "+whole+"\n\n") {
			t.Errorf("%s", body)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if body := ask(ctx, "m-1"); strings.Contains(body, "done") {
			t.Errorf("who left was sent all: %s", body)
		}
		l.configure(`{"failRate":1}`)
		ask(t.Context(), "m-2")
		r := l.gate.ledger.Report()
		for f, want := range map[Function][3]uint64{Send: {3, 1, 0}, StreamStart: {2, 1, 0}, StreamComplete: {1, 0, 1}} {
			if got := r.Functions[f]; [3]uint64{got.Good, got.Bad, got.Left} != want {
				t.Errorf("%s: %+v, want %v", f, got, want)
			}
		}
	})
}
