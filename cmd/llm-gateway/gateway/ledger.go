package gateway

import (
	"math"
	"sync"
	"time"
)

// Function is what a caller does, of what is noticed apart.
type Function string

// The functions.
const (
	Send           Function = "send"
	StreamStart    Function = "stream_start"
	StreamComplete Function = "stream_complete"
)

// otherPlan counts the plans that are not counted apart.
const otherPlan = "other"

// What an action hung on: the upstream, or the gateway alone, which answers from
// memory and refuses when it is full.
const (
	viaLLM     = "llm"
	viaGateway = "gateway"
)

// Outcome is how an action ended.
type Outcome int

// The outcomes. An action whose caller left is neither good nor bad: nobody
// knows how it would have ended.
const (
	Good Outcome = iota
	Bad
	Left
)

// Key is what actions are counted by. Each part has few values.
type Key struct {
	Plan       string
	Function   Function
	Dependency string
}

// Traffic is what the gateway did, since it began.
type Traffic struct {
	Chats    uint64 `json:"chats"`         // messages that were well formed and had room
	Replayed uint64 `json:"replayed"`      // answered from memory
	Joined   uint64 `json:"joined"`        // waited for a flight that another had begun
	Broken   uint64 `json:"broken"`        // flights that the breaker let not through
	Calls    uint64 `json:"calls"`         // flights that it let through
	Attempts uint64 `json:"attempts"`      // requests to the upstream
	Failed   uint64 `json:"failed"`        // attempts that failed
	Denied   uint64 `json:"retriesDenied"` // retries that there was no budget for
}

// Both windows of the burn rate are cut into slots; a window is the slot that
// runs and those before it.
const (
	slotLength  = 10 * time.Second
	shortWindow = 5 * time.Minute
	longWindow  = time.Hour
	slots       = int64(longWindow / slotLength)
)

// series is one key's count since the beginning, and of each slot of the last
// hour. A slot that is met again an hour later begins anew.
type series struct {
	good, bad, left uint64
	ring            [slots]struct {
		slot      int64
		good, bad uint64
	}
}

// Ledger counts actions, and judges them by an objective.
type Ledger struct {
	slo, pageBurn float64

	mu     sync.Mutex // guards what follows
	series map[Key]*series
	moved  Traffic
}

// NewLedger makes an empty one. An objective of 0.999 wants 999 of 1000 actions
// to be good; burning its budget faster than pageBurn calls somebody.
func NewLedger(slo, pageBurn float64) *Ledger {
	return &Ledger{slo: slo, pageBurn: pageBurn, series: map[Key]*series{}}
}

func (l *Ledger) traffic(change func(*Traffic)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.moved)
}

func slotNow() int64 { return time.Now().UnixNano() / int64(slotLength) }

// Count enters an action.
func (l *Ledger) Count(k Key, o Outcome) {
	now := slotNow()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.series[k]
	if s == nil {
		s = &series{}
		l.series[k] = s
	}
	at := &s.ring[now%slots]
	if at.slot != now {
		at.slot, at.good, at.bad = now, 0, 0
	}
	switch o {
	case Good:
		s.good++
		at.good++
	case Bad:
		s.bad++
		at.bad++
	case Left:
		s.left++
	}
}

// pair is how many were good and bad.
type pair struct{ good, bad uint64 }

func (p *pair) add(good, bad uint64) { p.good += good; p.bad += bad }

// badShare is 0 where there was nothing: no traffic burns no budget.
func (p pair) badShare() float64 {
	if p.good+p.bad == 0 {
		return 0
	}
	return float64(p.bad) / float64(p.good+p.bad)
}

// sum adds up series.
type sum struct {
	all, short, long pair
	left             uint64
}

func (s *sum) add(of *series, now int64) {
	s.all.add(of.good, of.bad)
	s.left += of.left
	for _, at := range of.ring {
		age := now - at.slot
		if age < slots {
			s.long.add(at.good, at.bad)
		}
		if age < int64(shortWindow/slotLength) {
			s.short.add(at.good, at.bad)
		}
	}
}

// Row is a sum and what the objective makes of it.
type Row struct {
	Good         uint64   `json:"good"`
	Bad          uint64   `json:"bad"`
	Left         uint64   `json:"left"`         // by their callers, in neither
	SuccessRatio *float64 `json:"successRatio"` // null: there was nothing
	BudgetLeft   float64  `json:"budgetLeft"`   // share of the error budget of all actions since the beginning; below 0: overspent
	Burn5m       float64  `json:"burn5m"`       // 1 would use up the budget just in time
	Burn1h       float64  `json:"burn1h"`
	Page         bool     `json:"page"` // both burn above the limit: it is serious, and it goes on
}

func (l *Ledger) row(s sum) Row {
	allowed := 1 - l.slo
	r := Row{Good: s.all.good, Bad: s.all.bad, Left: s.left,
		BudgetLeft: round(1 - s.all.badShare()/allowed),
		Burn5m:     round(s.short.badShare() / allowed),
		Burn1h:     round(s.long.badShare() / allowed)}
	if s.all != (pair{}) {
		ratio := round(1 - s.all.badShare())
		r.SuccessRatio = &ratio
	}
	r.Page = r.Burn5m > l.pageBurn && r.Burn1h > l.pageBurn
	return r
}

// round drops what only binary fractions say: 1 - 0.999 is not quite 0.001, and
// just 14.4 would else be above 14.4 on one day and below it on another.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
