package gateway

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
)

// The more fails, the more attempts a call takes: the first of four observations.
func TestAttemptsRiseWithFailures(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Healthy(), func(o *Options) { o.BreakerFailures = 1000 })
		defer l.close()
		last := 0.0
		for _, step := range []struct {
			rate string
			low  float64 // of the mean attempts; expected 1 + p + p²
			high float64
		}{{"0", 1, 1}, {"0.3", 1.3, 1.5}, {"0.7", 2.05, 2.35}, {"1", 3, 3}} {
			l.configure(`{"failRate":` + step.rate + `}`)
			before := l.traffic()
			for i := range 300 {
				l.chat(fmt.Sprintf("m-%s-%d", step.rate, i))
				time.Sleep(time.Second) // so that the budget is not what is seen here
			}
			after := l.traffic()
			mean := float64(after.Attempts-before.Attempts) / float64(after.Calls-before.Calls)
			if mean < step.low || mean > step.high || mean < last {
				t.Errorf("at a failure rate of %s a call takes %.2f attempts; want %.2f to %.2f", step.rate, mean, step.low, step.high)
			}
			last = mean
		}
	})
}

// An empty retry budget shows as degraded and stops retries: the second.
func TestEmptyBudgetDegrades(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{FailRate: 1}, func(o *Options) { o.BreakerFailures = 1000; o.Budget = 5; o.BudgetRefill = 1 })
		defer l.close()
		for i, want := range []Reply{{Attempts: 3}, {Attempts: 3}, {Attempts: 2, Degraded: true}} {
			status, got := l.chat(fmt.Sprint("m-", i))
			if status != http.StatusBadGateway || got.Attempts != want.Attempts || got.Degraded != want.Degraded || got.UpstreamStatus != 500 {
				t.Errorf("chat %d: %d %+v; want %+v", i, status, got, want)
			}
		}
		if status, got := l.chat("m-empty"); status != http.StatusBadGateway || got.Attempts != 1 || !got.Degraded {
			t.Errorf("with an empty budget: %d %+v", status, got)
		}
		time.Sleep(10 * time.Second)
		if _, got := l.chat("m-later"); got.Attempts != 3 || got.Degraded {
			t.Errorf("with a full budget again: %+v", got)
		}
	})
}

// After failures in a row the upstream is not asked, and 503 comes at once; then
// probes find out whether it works again: the third.
func TestBreakerOpensAndCloses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{FailRate: 1, MinDelayMillis: 200, MaxDelayMillis: 700}, nil)
		defer l.close()
		for i := range 8 {
			if status, _ := l.chat(fmt.Sprint("m-", i)); status != http.StatusBadGateway {
				t.Fatalf("chat %d: %d", i, status)
			}
		}
		asked, began := l.upstream.Served(), time.Now()
		w := l.do(chatOf("m-open"))
		if got := l.reply(w.Body); w.Code != http.StatusServiceUnavailable || got.Attempts != 0 || w.Header().Get("Retry-After") != "15" {
			t.Errorf("open: %d %+v %v", w.Code, got, w.Header())
		}
		if l.upstream.Served() != asked || time.Since(began) != 0 {
			t.Errorf("an open breaker asked the upstream %d times and took %v", l.upstream.Served()-asked, time.Since(began))
		}
		l.configure(`{"failRate":0}`)
		time.Sleep(14 * time.Second)
		if status, _ := l.chat("m-early"); status != http.StatusServiceUnavailable {
			t.Errorf("after 14 s: %d", status)
		}
		time.Sleep(time.Second + time.Millisecond)
		l.probe(10, 3)
		if status, _ := l.chat("m-closed"); status != http.StatusOK {
			t.Errorf("after three good probes: %d", status)
		}
	})
}

// In real time too: the best of many, as this machine has other things to do.
func TestOpenBreakerAnswersWithinFiveMilliseconds(t *testing.T) {
	l := newLab(t, mock.Config{FailRate: 1}, func(o *Options) { o.MaxAttempts = 1 })
	defer l.close()
	for i := range l.gate.opt.BreakerFailures {
		l.chat(fmt.Sprint("m-", i))
	}
	best := time.Minute
	for i := range 50 {
		began := time.Now()
		if status, _ := l.chat(fmt.Sprint("m-open-", i)); status != http.StatusServiceUnavailable {
			t.Fatalf("%d", status)
		}
		best = min(best, time.Since(began))
	}
	if best >= 5*time.Millisecond {
		t.Errorf("an open breaker takes %v", best)
	}
}

// probe sends so many chats at once, of which only some may pass.
func (l *lab) probe(n, pass int) {
	l.t.Helper()
	var mu sync.Mutex
	got := map[int]int{}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			w := l.do(chatOf(fmt.Sprint("m-probe-", i)))
			mu.Lock()
			defer mu.Unlock()
			got[w.Code]++
		})
	}
	all.Wait()
	if got[http.StatusOK] != pass || got[http.StatusServiceUnavailable] != n-pass {
		l.t.Errorf("of %d probes: %v", n, got)
	}
}

// A messageId that comes again gets the same bytes at once: the fourth.
func TestSameMessageSameBytes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Healthy(), nil)
		defer l.close()
		first := l.do(chatOf("m-1"))
		began := time.Now()
		again := l.do(chatOf("m-1"))
		if first.Code != http.StatusOK || again.Code != http.StatusOK || !bytes.Equal(first.Body.Bytes(), again.Body.Bytes()) {
			t.Errorf("%d %s\n%d %s", first.Code, first.Body, again.Code, again.Body)
		}
		if time.Since(began) != 0 || l.upstream.Served() != 1 {
			t.Errorf("the second took %v and the upstream was asked %d times", time.Since(began), l.upstream.Served())
		}
		w := l.do(post("/chat", `{"conversationId":"c-1","messageId":"m-1","prompt":"another"}`))
		if w.Code != http.StatusConflict {
			t.Errorf("another prompt under the same messageId: %d %s", w.Code, w.Body)
		}
		w = l.do(post("/chat", `{"conversationId":"c-2","messageId":"m-1","prompt":"another"}`))
		if w.Code != http.StatusOK {
			t.Errorf("the same messageId of another conversation: %d %s", w.Code, w.Body)
		}
		time.Sleep(l.gate.opt.Remember)
		if l.do(chatOf("m-1")); l.upstream.Served() != 3 {
			t.Errorf("an answer is still remembered after %v", l.gate.opt.Remember)
		}
	})
}

func TestSameMessageAtTheSameTimeAsksOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Healthy(), nil)
		defer l.close()
		var all sync.WaitGroup
		bodies := make([]string, 20)
		for i := range bodies {
			all.Go(func() { bodies[i] = l.do(chatOf("m-1")).Body.String() })
		}
		all.Go(func() {
			synctest.Wait() // for the flight to be under way
			if w := l.do(post("/chat", `{"conversationId":"c-1","messageId":"m-1","prompt":"another"}`)); w.Code != http.StatusConflict {
				t.Errorf("another prompt meanwhile: %d %s", w.Code, w.Body)
			}
		})
		all.Wait()
		for _, b := range bodies {
			if b != bodies[0] {
				t.Errorf("%s\n%s", b, bodies[0])
			}
		}
		if n := l.traffic(); l.upstream.Served() != 1 || n.Joined != 20 || n.Calls != 1 {
			t.Errorf("the upstream was asked %d times; %+v", l.upstream.Served(), n)
		}
	})
}

func TestFailuresAreNotRemembered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{FailRate: 1}, nil)
		defer l.close()
		if status, _ := l.chat("m-1"); status != http.StatusBadGateway {
			t.Errorf("%d", status)
		}
		l.configure(`{"failRate":0}`)
		if status, _ := l.chat("m-1"); status != http.StatusOK {
			t.Errorf("after the upstream recovered: %d", status)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, mock.Config{}, func(o *Options) { o.RememberMax = 10 })
		defer l.close()
		for i := range 50 {
			l.chat(fmt.Sprint("m-", i))
		}
		if n := l.gate.memory.cache.Len(); n != 10 {
			t.Errorf("%d answers are remembered", n)
		}
	})
}
