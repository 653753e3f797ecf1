// Package mock is an upstream that fails and delays as it is told, so that the
// gateway's behaviour can be seen without anybody's real service.
package mock

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// maxDelay is the longest delay that can be asked for.
const maxDelay = time.Minute

// Config says how the mock behaves. It is never changed, only replaced whole, so
// that no request sees half of one and half of the next.
type Config struct {
	FailRate       float64 `json:"failRate"`
	MinDelayMillis int     `json:"minDelayMillis"`
	MaxDelayMillis int     `json:"maxDelayMillis"`
}

// Healthy is a mock that always answers, and soon.
func Healthy() Config { return Config{FailRate: 0, MinDelayMillis: 50, MaxDelayMillis: 120} }

// Check says what is wrong with a configuration.
func (c Config) Check() error {
	limit := int(maxDelay.Milliseconds())
	switch {
	case !(c.FailRate >= 0 && c.FailRate <= 1): // so that NaN is refused too
		return wire.Bad("failRate is %v; it goes from 0 to 1", c.FailRate)
	case c.MinDelayMillis < 0 || c.MinDelayMillis > limit:
		return wire.Bad("minDelayMillis is %d; it goes from 0 to %d", c.MinDelayMillis, limit)
	case c.MaxDelayMillis < c.MinDelayMillis || c.MaxDelayMillis > limit:
		return wire.Bad("maxDelayMillis is %d; it goes from minDelayMillis, %d, to %d", c.MaxDelayMillis, c.MinDelayMillis, limit)
	}
	return nil
}

// Mock is the upstream.
type Mock struct {
	config atomic.Pointer[Config]
	draw   func() float64
	limit  int
	slots  *semaphore.Weighted
	served atomic.Int64
}

// New makes a mock that answers up to limit requests at once. Chance comes from
// draw, which is called by many at the same time; nil is chance itself.
func New(c Config, limit int, draw func() float64) *Mock {
	if draw == nil {
		draw = rand.Float64
	}
	m := &Mock{draw: draw, limit: limit, slots: semaphore.NewWeighted(int64(limit))}
	m.config.Store(&c)
	return m
}

// Served is how many requests there were, refused ones not counted.
func (m *Mock) Served() int { return int(m.served.Load()) }

// Routes adds the mock's addresses.
func (m *Mock) Routes(mux *http.ServeMux) {
	wire.Route(mux, http.MethodPost, "/mock/llm", m.llm)
	wire.Route(mux, http.MethodPost, "/mock/config", m.configure)
}

// question is what an upstream is asked.
type question struct {
	ConversationID string `json:"conversationId"`
	MessageID      string `json:"messageId"`
	Prompt         string `json:"prompt"`
}

func (m *Mock) llm(w http.ResponseWriter, r *http.Request) {
	if !m.slots.TryAcquire(1) {
		wire.Full(m.limit).Write(w)
		return
	}
	defer m.slots.Release(1)
	var q question
	if f := wire.Read(w, r, &q); f != nil {
		f.Write(w)
		return
	}
	m.served.Add(1)
	c := *m.config.Load()
	// The delay comes first: a failing upstream is as slow as a working one.
	if wire.Sleep(r.Context(), c.delay(m.draw)) != nil {
		return // nobody waits any more
	}
	if m.draw() < c.FailRate {
		(&wire.Refusal{Status: http.StatusInternalServerError, Reason: "the mock fails as it was told to"}).Write(w)
		return
	}
	wire.WriteJSON(w, http.StatusOK, map[string]string{"answer": answer(q.Prompt)})
}

func (c Config) delay(draw func() float64) time.Duration {
	lo, hi := time.Duration(c.MinDelayMillis)*time.Millisecond, time.Duration(c.MaxDelayMillis)*time.Millisecond
	return lo + time.Duration(draw()*float64(hi-lo))
}

// answer depends on the prompt alone, so that a repeated question is seen to be
// answered from memory by its other fields only.
func answer(prompt string) string {
	runes := []rune(prompt)
	const shown = 80
	head := string(runes[:min(shown, len(runes))])
	return fmt.Sprintf("A prompt of %d characters, which begins with %q, was read and is hereby answered.", len(runes), head)
}

// change is a configuration with gaps: what is not named stays as it is.
type change struct {
	FailRate       *float64 `json:"failRate"`
	MinDelayMillis *int     `json:"minDelayMillis"`
	MaxDelayMillis *int     `json:"maxDelayMillis"`
}

func (m *Mock) configure(w http.ResponseWriter, r *http.Request) {
	var to change
	if f := wire.Read(w, r, &to); f != nil {
		f.Write(w)
		return
	}
	for {
		old := m.config.Load()
		next := to.apply(*old)
		if err := next.Check(); err != nil {
			wire.Bad("%v", err).Write(w)
			return
		}
		// Two changes at once that name different fields both hold.
		if m.config.CompareAndSwap(old, &next) {
			wire.WriteJSON(w, http.StatusOK, next)
			return
		}
	}
}

func (to change) apply(c Config) Config {
	if to.FailRate != nil {
		c.FailRate = *to.FailRate
	}
	if to.MinDelayMillis != nil {
		c.MinDelayMillis = *to.MinDelayMillis
	}
	if to.MaxDelayMillis != nil {
		c.MaxDelayMillis = *to.MaxDelayMillis
	}
	return c
}
