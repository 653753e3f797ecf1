package gateway

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jellydator/ttlcache/v3"

	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// maxMemory bounds the bytes of all answers that are remembered.
const maxMemory = 64 << 20

// memory holds answers for a while: the good ones only, as a failure is worth
// asking again. It holds a bounded number and a bounded size of them, and drops
// those first that nobody asked for the longest.
//
// The expiring LRU of hashicorp/golang-lru is not used as it begins a goroutine
// which cannot be ended. This one expires on being read.
type memory struct {
	cache *ttlcache.Cache[string, answer]
}

func newMemory(opt Options) *memory {
	return &memory{ttlcache.New(
		ttlcache.WithTTL[string, answer](opt.Remember),
		ttlcache.WithDisableTouchOnHit[string, answer](), // or a busy caller would keep an answer for ever
		ttlcache.WithCapacity[string, answer](uint64(opt.RememberMax)),
		ttlcache.WithMaxCost(maxMemory, func(i ttlcache.CostItem[string, answer]) uint64 {
			return uint64(len(i.Key) + len(i.Value.body) + len(i.Value.text))
		}),
	)}
}

func (m *memory) get(key string) (answer, bool) {
	item := m.cache.Get(key)
	if item == nil {
		return answer{}, false
	}
	return item.Value(), true
}

func (m *memory) put(key string, a answer) { m.cache.Set(key, a, ttlcache.DefaultTTL) }

// answer waits for the answer to a message, from memory or from a flight that
// this caller or another began. It is not ok when the caller left; the flight
// goes on.
func (g *Gateway) answer(ctx context.Context, m Message) (a answer, ok bool) {
	g.ledger.traffic(func(n *Traffic) { n.Chats++ })
	key := m.key()
	if a, ok := g.remembered(key); ok {
		return a, true
	}
	began := false // written by the flight, and read only once it is over
	landed := g.flights.DoChan(key, func() (any, error) {
		began = true
		return g.fly(key, m), nil
	})
	select {
	case <-ctx.Done():
		return answer{}, false
	case res := <-landed:
		if !began {
			g.ledger.traffic(func(n *Traffic) { n.Joined++ })
		}
		a, ok := res.Val.(answer)
		return a, ok
	}
}

func (g *Gateway) remembered(key string) (answer, bool) {
	a, ok := g.memory.get(key)
	if ok {
		a.via = viaGateway // the upstream had no part in it this time
		g.ledger.traffic(func(n *Traffic) { n.Replayed++ })
	}
	return a, ok
}

// fly is the gateway's half of a chat.
func (g *Gateway) fly(key string, m Message) answer {
	// Another flight may have landed since the caller looked.
	if a, ok := g.remembered(key); ok {
		return a
	}
	if !g.flightSlots.TryAcquire(1) {
		full := wire.Full(g.opt.MaxInFlight)
		a := land(m, Reply{Err: full.Reason}, full.Status, full.RetryAfter)
		a.via = viaGateway
		return a
	}
	defer g.flightSlots.Release(1)
	question, err := json.Marshal(m)
	if err != nil {
		return land(m, Reply{Err: err.Error()}, http.StatusBadGateway, 0)
	}
	t, err := g.caller.call(g.open, question)
	reply := Reply{Answer: t.answer, UpstreamStatus: t.status, Attempts: t.attempts, Degraded: t.degraded}
	switch {
	case err == nil:
		a := land(m, reply, http.StatusOK, 0)
		g.memory.put(key, a)
		return a
	case broken(err):
		reply.Err = "the breaker is open: the upstream failed too often in a row, and is not asked"
		return land(m, reply, http.StatusServiceUnavailable, g.caller.retryAfter())
	case errors.Is(err, context.Canceled):
		reply.Err = "the gateway is closing"
		a := land(m, reply, http.StatusServiceUnavailable, time.Second)
		a.via = viaGateway
		return a
	}
	reply.Err = err.Error()
	return land(m, reply, http.StatusBadGateway, 0)
}

// land writes the answer that every waiting caller gets.
func land(m Message, reply Reply, status int, retryAfter time.Duration) answer {
	body, err := json.Marshal(reply)
	if err != nil {
		status, body = http.StatusBadGateway, []byte(`{"answer":"","upstreamStatus":0,"attempts":0,"degraded":false,"err":"the answer cannot be written"}`)
	}
	return answer{prompt: m.digest(), via: viaLLM, status: status, body: body, text: reply.Answer, retryAfter: retryAfter}
}
