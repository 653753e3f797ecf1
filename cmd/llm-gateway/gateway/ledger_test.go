package gateway

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
)

func enter(l *Ledger, plan string, o Outcome, n int) {
	for range n {
		l.Count(Key{plan, Send, viaLLM}, o)
	}
}

// The essay's arithmetic: an objective of 99.9 % leaves 1 of 1000.
func TestAccounting(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := NewLedger(0.999, 14.4)
		empty := l.Report().Total
		if empty.SuccessRatio != nil || empty.BudgetLeft != 1 || empty.Burn5m != 0 || empty.Page {
			t.Errorf("nothing yet: %+v", empty)
		}
		enter(l, "free", Good, 9995)
		enter(l, "free", Bad, 5)
		enter(l, "free", Left, 100)
		half := l.Report().Total
		if *half.SuccessRatio != 0.9995 || half.BudgetLeft != 0.5 || half.Burn5m != 0.5 || half.Burn1h != 0.5 || half.Left != 100 {
			t.Errorf("half of the budget: %+v", half)
		}
		enter(l, "paid", Good, 950)
		enter(l, "paid", Bad, 50)
		r := l.Report()
		if paid := r.Plans["paid"]; paid.Burn5m != 50 || !paid.Page || paid.BudgetLeft != -49 {
			t.Errorf("5 %% of failures: %+v", paid)
		}
		if free := r.Plans["free"]; free.BudgetLeft != half.BudgetLeft || free.Page || r.Total.Page || r.Total.Burn1h != 5 {
			t.Errorf("a plan hides in the mean, %+v, and not in its row, %+v", r.Total, r.Plans["free"])
		}
	})
}

// 14.4 itself does not page; a hair above does, in both windows only.
func TestPagingNeedsBothWindows(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := NewLedger(0.999, 14.4)
		enter(l, "free", Good, 9856)
		enter(l, "free", Bad, 144)
		if r := l.Report().Total; r.Burn5m != 14.4 || r.Burn1h != 14.4 || r.Page {
			t.Errorf("at the limit: %+v", r)
		}
		enter(l, "free", Bad, 1)
		if r := l.Report().Total; !r.Page {
			t.Errorf("above the limit: %+v", r)
		}
		time.Sleep(4*time.Minute + 50*time.Second)
		if r := l.Report().Total; !r.Page {
			t.Errorf("within 5 minutes: %+v", r)
		}
		time.Sleep(10 * time.Second)
		if r := l.Report().Total; r.Burn5m != 0 || r.Burn1h <= 14.4 || r.Page {
			t.Errorf("after 5 minutes it is over: %+v", r)
		}
		enter(l, "free", Good, 10_000)
		enter(l, "free", Bad, 1)
		time.Sleep(55*time.Minute - time.Second)
		if r := l.Report().Total; r.Burn1h == 0 {
			t.Errorf("within the hour: %+v", r)
		}
		time.Sleep(5*time.Minute + time.Second)
		if r := l.Report().Total; r.Burn1h != 0 || r.Bad != 146 || *r.SuccessRatio >= 1 {
			t.Errorf("after the hour the sum stays: %+v", r)
		}
	})
}

// A short spike after a good hour burns fast now, and little of the hour.
func TestShortSpikeDoesNotPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := NewLedger(0.999, 14.4)
		for range 59 {
			enter(l, "free", Good, 1000)
			time.Sleep(time.Minute)
		}
		enter(l, "free", Bad, 100)
		if r := l.Report().Total; r.Burn5m <= 14.4 || r.Burn1h >= 14.4 || r.Page {
			t.Errorf("%+v", r)
		}
	})
}

func TestMetricsAndAccountingSayTheSame(t *testing.T) {
	l := newLab(t, mock.Config{}, nil)
	defer l.close()
	for _, plan := range []string{"paid", "gold", "", "paid\n", "other"} {
		r := chatOf("m-" + strings.TrimSpace(plan) + "x")
		r.Header["X-Plan"] = []string{plan}
		l.do(r)
	}
	l.configure(`{"failRate":1}`)
	l.gate.opt.MaxAttempts = 1
	l.do(chatOf("m-fails"))
	metrics := l.do(httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`llm_gateway_actions_total{dependency="llm",function="send",outcome="good",plan="paid"} 1`,
		`llm_gateway_actions_total{dependency="llm",function="send",outcome="good",plan="other"} 3`,
		`llm_gateway_actions_total{dependency="gateway",function="send",outcome="good",plan="other"} 1`,
		`llm_gateway_burn_rate{dependency="llm",function="send",plan="other",window="5m"} 250`,
		`llm_gateway_page{dependency="llm",function="send",plan="other"} 1`,
		`llm_gateway_upstream_calls_total{dependency="llm"} 5`,
		`llm_gateway_upstream_attempts_total{dependency="llm",outcome="bad"} 3`,
	} {
		if !strings.Contains(metrics.Body.String(), want+"\n") {
			t.Errorf("%d: no %s in\n%s", metrics.Code, want, metrics.Body)
		}
	}
	accounting := l.do(httptest.NewRequest(http.MethodGet, "/accounting", nil))
	var r Report
	d := json.NewDecoder(bytes.NewReader(accounting.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil || r.Traffic.Calls != 5 || len(r.Cells) != 3 || *r.Amplification != 1.4 || !r.Total.Page {
		t.Errorf("%v %s", err, accounting.Body)
	}
	if strings.Contains(accounting.Body.String(), "gold") {
		t.Errorf("a plan that nobody set up is counted apart: %s", accounting.Body)
	}
}

func TestLedgerIsSafe(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := NewLedger(0.999, 14.4)
		for range 8 {
			go func() {
				for range 100 {
					enter(l, "free", Good, 1)
					l.Report()
				}
			}()
		}
		synctest.Wait()
		if got := l.Report().Total.Good; got != 800 {
			t.Errorf("%d", got)
		}
	})
}
