package page

import (
	"math/big"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// budgetPeriod is the window of an error budget, in seconds: 30 days.
const budgetPeriod = 30 * 86400

// budgetView is what an outage of a known length costs of an error budget.
type budgetView struct {
	Lead   string
	Shares []string // heads of the columns: the share of requests that failed
	Rows   []budgetRow
}

type budgetRow struct {
	Target, Budget string
	Used           []string
}

// budgetTargets are availability targets as allowed failures in 100,000.
func budgetTargets() []struct {
	name    string
	allowed int64
} {
	return []struct {
		name    string
		allowed int64
	}{{"99.9%", 100}, {"99.95%", 50}, {"99.99%", 10}}
}

func budgetShares() []int64 { return []int64{100, 50, 10, 1} }

// budgetFor is the arithmetic of an error budget: a target of 99.9 % allows
// 0.1 % of 30 days, 43.2 minutes; 39 minutes of outage use 90.3 % of them, and
// 39 minutes in which a tenth of the requests fail, a tenth of that.
func budgetFor(d incident.Duration, l incident.Lang) *budgetView {
	if !d.Known() {
		return nil
	}
	v := &budgetView{Lead: budgetLead(d, l)}
	for _, s := range budgetShares() {
		v.Shares = append(v.Shares, group(int(s))+"%")
	}
	for _, t := range budgetTargets() {
		row := budgetRow{Target: t.name, Budget: minutes(big.NewRat(budgetPeriod*t.allowed, 100_000*60), l)}
		for _, s := range budgetShares() {
			row.Used = append(row.Used, percent(budgetUsed(d.Seconds, s, t.allowed)))
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// budgetUsed is the percentage of the budget that is used up.
func budgetUsed(seconds, share, allowed int64) *big.Rat {
	used := new(big.Rat).Mul(big.NewRat(seconds, budgetPeriod), big.NewRat(share, 100))
	return used.Mul(used, big.NewRat(100_000*100, allowed))
}

func budgetLead(d incident.Duration, l incident.Lang) string {
	if l == incident.KO {
		return durationText(d, l) + " 동안의 장애가 쓰는 에러 버짓이다."
	}
	return "What " + durationText(d, l) + " of failures cost."
}

// percent rounds to one decimal, and to none from 1,000 on.
func percent(r *big.Rat) string {
	if r.Cmp(big.NewRat(99995, 100)) >= 0 { // what one decimal would round to 1000.0
		n := new(big.Int)
		n.SetString(r.FloatString(0), 10)
		return group(int(n.Int64())) + "%"
	}
	s := r.FloatString(1)
	if s == "0.0" {
		return "<0.1%"
	}
	return strings.TrimSuffix(s, ".0") + "%"
}

func minutes(r *big.Rat, l incident.Lang) string {
	s := strings.TrimRight(strings.TrimRight(r.FloatString(2), "0"), ".")
	if l == incident.KO {
		return s + "분"
	}
	return s + " min"
}
