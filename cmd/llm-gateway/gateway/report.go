package gateway

import (
	"cmp"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Report is the ledger at one moment. An action is a message, the beginning of a
// stream or its completion; the sums by plan and by dependency are of all three.
type Report struct {
	SLO           float64          `json:"slo"`
	PageBurn      float64          `json:"pageBurn"`
	Traffic       Traffic          `json:"traffic"`
	Amplification *float64         `json:"amplification"` // attempts a call; null: there was none
	Total         Row              `json:"total"`
	Plans         map[string]Row   `json:"plans"`
	Functions     map[Function]Row `json:"functions"`
	Dependencies  map[string]Row   `json:"dependencies"`
	Cells         []Cell           `json:"cells"`
}

// Cell is a row of one plan, function and dependency.
type Cell struct {
	Plan       string   `json:"plan"`
	Function   Function `json:"function"`
	Dependency string   `json:"dependency"`
	Row
}

// Report adds everything up.
func (l *Ledger) Report() Report {
	now := slotNow()
	l.mu.Lock()
	defer l.mu.Unlock()
	out := Report{SLO: l.slo, PageBurn: l.pageBurn, Traffic: l.moved, Amplification: l.moved.amplification(), Cells: []Cell{}}
	var total sum
	plans, functions, dependencies := map[string]*sum{}, map[Function]*sum{}, map[string]*sum{}
	for k, s := range l.series {
		var cell sum
		cell.add(s, now)
		out.Cells = append(out.Cells, Cell{k.Plan, k.Function, k.Dependency, l.row(cell)})
		for _, of := range []*sum{&total, at(plans, k.Plan), at(functions, k.Function), at(dependencies, k.Dependency)} {
			of.add(s, now)
		}
	}
	slices.SortFunc(out.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Plan, b.Plan), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Dependency, b.Dependency))
	})
	out.Total, out.Plans, out.Functions, out.Dependencies = l.row(total), rows(l, plans), rows(l, functions), rows(l, dependencies)
	return out
}

func at[K comparable](sums map[K]*sum, k K) *sum {
	if sums[k] == nil {
		sums[k] = &sum{}
	}
	return sums[k]
}

func rows[K comparable](l *Ledger, sums map[K]*sum) map[K]Row {
	out := map[K]Row{}
	for k, s := range sums {
		out[k] = l.row(*s)
	}
	return out
}

func (t Traffic) amplification() *float64 {
	if t.Calls == 0 {
		return nil
	}
	a := round(float64(t.Attempts) / float64(t.Calls))
	return &a
}

// Describe is of prometheus.Collector. It names nothing beforehand: the ledger
// is collected from whole, so that a number stands in one place only.
func (l *Ledger) Describe(chan<- *prometheus.Desc) {}

// Collect is of prometheus.Collector.
func (l *Ledger) Collect(out chan<- prometheus.Metric) {
	r := l.Report()
	send := func(name, help string, kind prometheus.ValueType, v float64, labels ...string) {
		var names, values []string
		for i := 0; i+1 < len(labels); i += 2 {
			names, values = append(names, labels[i]), append(values, labels[i+1])
		}
		desc := prometheus.NewDesc("llm_gateway_"+name, help, names, nil)
		m, err := prometheus.NewConstMetric(desc, kind, v, values...)
		if err != nil {
			m = prometheus.NewInvalidMetric(desc, err) // which /metrics reports
		}
		out <- m
	}
	count := func(name, help string, v uint64, labels ...string) {
		send(name, help, prometheus.CounterValue, float64(v), labels...)
	}
	for _, c := range r.Cells {
		c.collect(send)
	}
	t := r.Traffic
	count("chats_total", "Well-formed messages that there was room for.", t.Chats)
	count("replayed_total", "Messages answered from memory.", t.Replayed)
	count("joined_total", "Messages that waited for the call of another.", t.Joined)
	count("breaker_refused_total", "Calls that the breaker let not through.", t.Broken, "dependency", viaLLM)
	count("upstream_calls_total", "Calls that the breaker let through.", t.Calls, "dependency", viaLLM)
	count("upstream_attempts_total", "Requests to the upstream.", t.Attempts-t.Failed, "dependency", viaLLM, "outcome", "good")
	count("upstream_attempts_total", "Requests to the upstream.", t.Failed, "dependency", viaLLM, "outcome", "bad")
	count("retries_denied_total", "Retries that there was no budget for.", t.Denied, "dependency", viaLLM)
}

func (c Cell) collect(send func(name, help string, kind prometheus.ValueType, v float64, labels ...string)) {
	labels := []string{"plan", c.Plan, "function", string(c.Function), "dependency", c.Dependency}
	with := func(more ...string) []string { return append(slices.Clone(labels), more...) }
	const actions = "Actions, by how they ended."
	send("actions_total", actions, prometheus.CounterValue, float64(c.Good), with("outcome", "good")...)
	send("actions_total", actions, prometheus.CounterValue, float64(c.Bad), with("outcome", "bad")...)
	send("actions_total", actions, prometheus.CounterValue, float64(c.Left), with("outcome", "left")...)
	if c.SuccessRatio != nil {
		send("success_ratio", "Share of good actions since the beginning.", prometheus.GaugeValue, *c.SuccessRatio, labels...)
	}
	send("error_budget_left_ratio", "Share of the error budget that is left; below 0: overspent.", prometheus.GaugeValue, c.BudgetLeft, labels...)
	const burn = "How many times too fast the error budget is used up."
	send("burn_rate", burn, prometheus.GaugeValue, c.Burn5m, with("window", "5m")...)
	send("burn_rate", burn, prometheus.GaugeValue, c.Burn1h, with("window", "1h")...)
	page := 0.0
	if c.Page {
		page = 1
	}
	send("page", "1: both windows burn too fast.", prometheus.GaugeValue, page, labels...)
}
