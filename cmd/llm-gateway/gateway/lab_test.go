package gateway

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
)

// lab is a gateway before a mock, without a network: within a bubble of synctest
// all of its waits are in virtual time.
type lab struct {
	t        testing.TB
	gate     *Gateway
	upstream *mock.Mock
	mux      *http.ServeMux
}

// direct hands requests to a handler.
type direct struct{ to http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.to.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// chance is the same in every run.
func chance(seed uint64) func() float64 {
	var mu sync.Mutex
	from := rand.New(rand.NewPCG(seed, 0))
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return from.Float64()
	}
}

func newLab(t testing.TB, c mock.Config, change func(*Options)) *lab {
	t.Helper()
	l := &lab{t: t, upstream: mock.New(c, 10_000, chance(1)), mux: http.NewServeMux()}
	l.upstream.Routes(l.mux)
	draw := chance(2)
	opt := Defaults()
	opt.Upstream = "http://upstream.test/mock/llm"
	opt.Transport = direct{l.mux}
	opt.MaxInFlight = 10_000
	opt.Jitter = func(d time.Duration) time.Duration { return time.Duration(draw() * float64(d)) }
	if change != nil {
		change(&opt)
	}
	var err error
	if l.gate, err = New(opt); err != nil {
		t.Fatal(err)
	}
	l.gate.Routes(l.mux)
	return l
}

// close is deferred in every bubble: a goroutine that it leaves fails the test.
func (l *lab) close() { l.gate.Close(context.Background()) }

func (l *lab) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	l.mux.ServeHTTP(w, r)
	return w
}

func post(path, body string) *http.Request {
	return httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
}

func chatOf(id string) *http.Request {
	return post("/chat", `{"conversationId":"c-1","messageId":"`+id+`","prompt":"hello"}`)
}

// chat asks once and reads the reply.
func (l *lab) chat(id string) (int, Reply) {
	l.t.Helper()
	w := l.do(chatOf(id))
	return w.Code, l.reply(w.Body)
}

func (l *lab) reply(body io.Reader) Reply {
	l.t.Helper()
	var r Reply
	if err := json.NewDecoder(body).Decode(&r); err != nil {
		l.t.Fatal(err)
	}
	return r
}

func (l *lab) configure(body string) {
	l.t.Helper()
	if w := l.do(post("/mock/config", body)); w.Code != http.StatusOK {
		l.t.Fatalf("%d %s", w.Code, w.Body)
	}
}

func (l *lab) traffic() Traffic { return l.gate.ledger.Report().Traffic }

// bubble runs a test in virtual time.
func bubble(t *testing.T, f func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, f)
}
