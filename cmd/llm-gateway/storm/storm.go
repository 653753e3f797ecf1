// Package storm is a model of a retry storm: users, a gateway that retries,
// and an upstream that is degraded for 39 minutes of an hour. It shows what
// retries make of a fixed load, and what each remedy does about it.
//
// Time is virtual, in ticks of 10 ms. Every minute the same number of messages
// is written. The gateway answers each by calling the upstream, a few times
// where a call fails; of the users who are shown a failure one in four sends the
// message again a few seconds later.
//
// All arithmetic is on whole numbers below 2⁵³ and the only source of chance is
// a xorshift generator of 32 bits, so that assets/storm.js, which repeats this
// model in the browser, gives the same numbers to the last one. The order in
// which random numbers are drawn is part of the model.
package storm

import (
	"errors"
	"fmt"
)

// The shape of the hour. What a reader may change is in [Params].
const (
	TickMillis      = 10
	ticksPerMinute  = 60_000 / TickMillis
	Minutes         = 60
	DegradedFrom    = 3 // minute
	DegradedMinutes = 39

	SecondsPerMessage = 5   // of one client
	BaseMillis        = 150 // of the backoff
	CapMillis         = 2000
	BudgetTokens      = 200
	BudgetPerSecond   = 50
	BreakerFailures   = 8
	BreakerSeconds    = 15
	BreakerProbes     = 3
	Resends           = 1    // by a user, of one message
	resendIn          = 4    // of the users who see a failure, one in so many sends again
	resendTicks       = 400  // that a user waits at least, and as much again at most
	wheelTicks        = 1024 // longer than any wait
	windowTicks       = 10   // over which the upstream feels its load
	lateIn            = 8    // of the calls that fail by overload, one in so many was served too late
	spanTicks         = 1000 // of which the recovery is counted in
	spans             = Minutes * ticksPerMinute / spanTicks
)

// Params are what may be changed. Rates are shares of 1000.
type Params struct {
	Seed        uint32 `json:"seed"`        // not 0
	Clients     int    `json:"clients"`     // each writes a message every 5 s
	Capacity    int    `json:"capacity"`    // of the upstream, in calls a second
	FailRate    int    `json:"failRate"`    // of calls, while degraded
	Attempts    int    `json:"attempts"`    // at most, for each request
	Jitter      bool   `json:"jitter"`      // full jitter instead of the bare backoff
	Budget      bool   `json:"budget"`      // a retry budget for the whole gateway
	Breaker     bool   `json:"breaker"`     // a circuit breaker before the upstream
	Idempotency bool   `json:"idempotency"` // a store that answers repeated messages
}

// Default are the parameters of the article's figures, without any remedy.
func Default() Params {
	return Params{Seed: 39, Clients: 1000, Capacity: 270, FailRate: 300, Attempts: 3}
}

// Minute is what happened in one minute.
type Minute struct {
	Messages int `json:"messages"` // written by users: the load that never changes
	Requests int `json:"requests"` // to the gateway: messages, and messages sent again
	Calls    int `json:"calls"`    // to the upstream
	Failures int `json:"failures"` // shown to users
}

// Result is what came of it.
type Result struct {
	Minutes []Minute `json:"minutes"`
	Total   Minute   `json:"total"`
	Peak    int      `json:"peak"` // most calls within a tenth of a second
	// Recovery is how many seconds after the degradation ended the failures had
	// ended too; -1 where they had not when the hour was over.
	Recovery int `json:"recovery"`
}

// Amplification is how many upstream calls a message became, in thousandths.
func (r Result) Amplification() int {
	return (r.Total.Calls*1000 + r.Total.Messages/2) / r.Total.Messages
}

// BudgetBurnt is the share of a 30-day error budget at 99.9 % that the failures
// used, in thousandths: that budget is the messages of 43.2 minutes.
func (r Result) BudgetBurnt() int {
	budget := r.Total.Messages * 432 / (Minutes * 10)
	return (r.Total.Failures*1000 + budget/2) / budget
}

// request is a message on its way, small enough to be a number in JavaScript.
type request struct {
	resends, attempt int
	kept             bool // the upstream has answered it, too late for the user
	probe            bool // of the breaker
}

// sim is the hour while it passes.
type sim struct {
	p       Params
	random  uint32
	tick    int
	wheel   [wheelTicks][]request
	window  [windowTicks]int // calls of the last ticks
	load    int              // their sum
	tokens  int              // of the budget, in half tokens: it gains one each tick
	row     int              // failures in a row
	open    int              // the tick that the breaker opens the way again at
	probes  int              // still to succeed before it is closed; 0 when it is
	probing int              // of them, how many were let through
	failed  [spans]int
	asked   [spans]int
	r       Result
}

// Run lets the hour pass.
func Run(p Params) Result {
	s := &sim{p: p, random: p.Seed, tokens: 2 * BudgetTokens}
	s.r.Minutes = make([]Minute, Minutes)
	due := 0 // messages, in client ticks
	for s.tick = 0; s.tick < Minutes*ticksPerMinute; s.tick++ {
		s.load -= s.window[s.tick%windowTicks]
		s.window[s.tick%windowTicks] = 0
		s.tokens = min(s.tokens+BudgetPerSecond*2*TickMillis/1000, 2*BudgetTokens)
		slot := &s.wheel[s.tick%wheelTicks]
		for _, q := range *slot {
			s.handle(q)
		}
		*slot = (*slot)[:0]
		for due += p.Clients; due >= SecondsPerMessage*1000/TickMillis; due -= SecondsPerMessage * 1000 / TickMillis {
			s.minute().Messages++
			s.handle(request{})
		}
	}
	s.finish()
	return s.r
}

func (s *sim) minute() *Minute { return &s.r.Minutes[s.tick/ticksPerMinute] }

// next is xorshift32.
func (s *sim) next() uint32 {
	x := s.random
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	s.random = x
	return x
}

func (s *sim) below(n int) int { return int(s.next() % uint32(n)) }

// handle takes a message to the gateway, or makes the next attempt.
func (s *sim) handle(q request) {
	if q.attempt == 0 && !s.admitted(&q) {
		return
	}
	answered, late := s.call()
	q.kept = q.kept || late
	switch {
	case answered:
		s.judge(q, true)
	case late: // the deadline is spent, and the upstream has done its work
		s.judge(q, false)
		s.fail(q)
	case q.probe || q.attempt+1 >= s.p.Attempts || !s.mayRetry():
		s.judge(q, false)
		s.fail(q)
	default:
		wait := min(BaseMillis<<q.attempt, CapMillis) / TickMillis
		if s.p.Jitter {
			wait = s.below(wait)
		}
		q.attempt++
		s.after(max(wait, 1), q)
	}
}

// admitted reports whether a request goes on to the upstream; else it has been
// answered, from the store or by the breaker.
func (s *sim) admitted(q *request) bool {
	s.minute().Requests++
	s.asked[s.tick/spanTicks]++
	if q.kept && s.p.Idempotency {
		return false
	}
	if s.p.Breaker && s.probes > 0 {
		if s.tick < s.open || s.probing == BreakerProbes {
			s.fail(*q)
			return false
		}
		s.probing++
		q.probe = true
	}
	return true
}

// call calls the upstream. Beyond its capacity an upstream does work that it
// cannot finish: what it serves falls as the load rises, instead of staying at
// the capacity. A call that is served late has cost it all the same.
func (s *sim) call() (answered, late bool) {
	s.minute().Calls++
	s.window[s.tick%windowTicks]++
	s.load++
	s.r.Peak = max(s.r.Peak, s.load)
	minute := s.tick / ticksPerMinute
	if minute >= DegradedFrom && minute < DegradedFrom+DegradedMinutes && s.below(1000) < s.p.FailRate {
		return false, false
	}
	full := s.p.Capacity * windowTicks * TickMillis / 1000
	if s.load > full && s.below(s.load*s.load*s.load) >= full*full*full {
		return false, s.below(lateIn) == 0
	}
	return true, false
}

// mayRetry takes a token of the budget.
func (s *sim) mayRetry() bool {
	if !s.p.Budget {
		return true
	}
	if s.tokens < 2 {
		return false
	}
	s.tokens -= 2
	return true
}

// judge tells the breaker how a request ended, after all of its attempts. A
// probe that fails opens it again; as many successes as there are probes close
// it. What was on its way when it opened counts no more.
func (s *sim) judge(q request, answered bool) {
	switch {
	case !s.p.Breaker || s.probes > 0 && !q.probe:
		return
	case answered:
		s.row = 0
		if q.probe {
			s.probes--
		}
		return
	}
	s.row++
	if q.probe || s.row == BreakerFailures {
		s.open = s.tick + BreakerSeconds*1000/TickMillis
		s.probes, s.probing, s.row = BreakerProbes, 0, 0
	}
}

// fail shows a failure to a user, who may send the message again.
func (s *sim) fail(q request) {
	s.minute().Failures++
	s.failed[s.tick/spanTicks]++
	if q.resends < Resends && s.below(resendIn) == 0 {
		s.after(resendTicks+s.below(resendTicks), request{resends: q.resends + 1, kept: q.kept})
	}
}

func (s *sim) after(ticks int, q request) {
	slot := &s.wheel[(s.tick+ticks)%wheelTicks]
	*slot = append(*slot, q)
}

// finish adds up. The failures have ended when no later span of ten seconds has
// more of them than one in a hundred requests.
func (s *sim) finish() {
	for _, m := range s.r.Minutes {
		s.r.Total.Messages += m.Messages
		s.r.Total.Requests += m.Requests
		s.r.Total.Calls += m.Calls
		s.r.Total.Failures += m.Failures
	}
	end := (DegradedFrom + DegradedMinutes) * ticksPerMinute / spanTicks
	last := end
	for i := end; i < spans; i++ {
		if s.failed[i]*100 > s.asked[i] {
			last = i + 1
		}
	}
	s.r.Recovery = (last - end) * spanTicks * TickMillis / 1000
	if last == spans {
		s.r.Recovery = -1
	}
}

// Check says what is wrong with parameters. The bounds keep every number of the
// model exact, and an hour short.
func (p Params) Check() error {
	for _, one := range []struct {
		name        string
		value       int
		least, most int
	}{{"clients", p.Clients, 5, 2000}, {"capacity", p.Capacity, 10, 10_000}, {"fail rate", p.FailRate, 0, 1000}, {"attempts", p.Attempts, 1, 8}} {
		if one.value < one.least || one.value > one.most {
			return fmt.Errorf("the %s is %d; write a number from %d to %d", one.name, one.value, one.least, one.most)
		}
	}
	if p.Seed == 0 {
		return errors.New("the seed is 0, from which no chance comes; write a number from 1 on")
	}
	return nil
}
