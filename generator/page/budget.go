package page

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/chart"
	"benchlet.com/incidentlib/generator/incident"
)

// budgetDays is the window of the table of an error budget.
const budgetDays = 30

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

// spendView is the control by which a reader chooses the share, the target and
// the window. assets/budget.js shows it and reckons as this file does; without
// it there is the table alone.
type spendView struct {
	Seconds int64
	Units   string // what follows a number of seconds, minutes, hours, days
	spendChoices
	Said []saidPart // of what the control begins with
	Bar  template.HTML
}

// saidPart is a part of a sentence: words, then a value, in an element of its
// own where it has an ID.
type saidPart struct{ Text, ID, Value string }

// spendChoices are what a reader may choose, the same for every case.
type spendChoices struct{ Targets, Windows []spendChoice }

type spendChoice struct {
	Value, Text string
	Chosen      bool
}

// budgetTarget is an availability target as allowed failures in 100,000.
type budgetTarget struct {
	name    string
	allowed int64
}

// budgetTargets are the targets of the table.
func budgetTargets() []budgetTarget {
	return []budgetTarget{{"99.9%", 100}, {"99.95%", 50}, {"99.99%", 10}}
}

// spendTargets are those of the control.
func spendTargets() []budgetTarget {
	return []budgetTarget{{"99%", 1000}, {"99.5%", 500}, {"99.9%", 100}, {"99.95%", 50}, {"99.99%", 10}, {"99.999%", 1}}
}

func spendWindows() []int64 { return []int64{7, 28, 30, 90, 365} }

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
		row := budgetRow{Target: t.name, Budget: amount(t.allowed, budgetDays, l)}
		for _, s := range budgetShares() {
			row.Used = append(row.Used, percent(budgetUsed(d.Seconds, s, t.allowed, budgetDays)))
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// spendAllowed is the target that the control begins with; its window is
// budgetDays.
const spendAllowed = 100

func newSpendChoices(l incident.Lang) (c spendChoices) {
	for _, t := range spendTargets() {
		c.Targets = append(c.Targets, spendChoice{strconv.FormatInt(t.allowed, 10), t.name, t.allowed == spendAllowed})
	}
	for _, n := range spendWindows() {
		c.Windows = append(c.Windows, spendChoice{strconv.FormatInt(n, 10), strings.TrimSpace(countText(int(n), nounDay(), l)), n == budgetDays})
	}
	return c
}

// chosen is what a choice begins with.
func chosen(from []spendChoice) string {
	return from[slices.IndexFunc(from, func(c spendChoice) bool { return c.Chosen })].Text
}

// spend is the control as it begins: all requests fail, 99.9 %, 30 days.
func (m *maker) spend(d incident.Duration) *spendView {
	if !d.Known() {
		return nil
	}
	used, of := budgetUsed(d.Seconds, 100, spendAllowed, budgetDays)
	v := &spendView{Seconds: d.Seconds, Units: strings.Join(amountUnits(m.lang), "|"), spendChoices: m.spending, Bar: trusted(chart.Spent(float64(used) / float64(of)))}
	values := map[string]string{"length": durationText(d, m.lang), "failing": "100%", "used": percent(used, of), "amount": amount(spendAllowed, budgetDays, m.lang),
		"goal": chosen(v.Targets), "window": chosen(v.Windows)}
	v.Said = saidParts(m.word("spend-said"), values)
	return v
}

// saidParts cuts a sentence of words.json at its holes, "{used}", each of which
// gets its value and the id by which the script finds it.
func saidParts(sentence string, values map[string]string) []saidPart {
	var out []saidPart
	for {
		before, rest, _ := strings.Cut(sentence, "{")
		name, after, holed := strings.Cut(rest, "}")
		if !holed {
			return append(out, saidPart{Text: before})
		}
		out = append(out, saidPart{before, "spend-" + name, values[name]})
		sentence = after
	}
}

// What follows is whole numbers, as in assets/budget.js: a hundred years of
// seconds times 100 % times 625 is far from overflow, and from what a script
// cannot count exactly.

// rounded is n/d to the nearest whole number, a half upwards.
func rounded(n, d int64) int64 { return (2*n + d) / (2 * d) }

// budgetUsed is the percentage of the budget of a window that is used up:
// seconds/(days·86400) · share/100 · 100000/allowed · 100, in lowest terms.
func budgetUsed(seconds, share, allowed, days int64) (n, d int64) {
	return seconds * share * 125, 108 * days * allowed
}

// percent rounds to one decimal, and to none from 1,000 on.
func percent(n, d int64) string {
	tenths := rounded(n*10, d)
	switch {
	case tenths == 0:
		return "<0.1%"
	case tenths >= 10_000:
		return group(int(rounded(n, d))) + "%"
	}
	return decimal(tenths, 1) + "%"
}

// amount is the budget of a window, days·86400·allowed/100000 seconds, as one
// number of the unit in which it is neither very small nor very large, rounded
// to two decimals.
func amount(allowed, days int64, l incident.Lang) string {
	n, unit, size := days*allowed*108, 3, int64(86400) // n/125 seconds
	switch {
	case n < 60*125:
		unit, size = 0, 1
	case n < 7200*125:
		unit, size = 1, 60
	case n < 172800*125:
		unit, size = 2, 3600
	}
	return decimal(rounded(n*100, 125*size), 2) + amountUnits(l)[unit]
}

// decimal writes a whole number as one of 10^-digits, without zeros at its end.
func decimal(n int64, digits int) string {
	s := strconv.FormatInt(n, 10)
	s = strings.Repeat("0", max(0, digits+1-len(s))) + s
	whole, part := s[:len(s)-digits], strings.TrimRight(s[len(s)-digits:], "0")
	if part == "" {
		return whole
	}
	return whole + "." + part
}

func budgetLead(d incident.Duration, l incident.Lang) string {
	if l == incident.KO {
		return durationText(d, l) + " 동안의 장애가 쓰는 에러 버짓이다."
	}
	return "What " + durationText(d, l) + " of failures cost."
}

func amountUnits(l incident.Lang) []string {
	if l == incident.KO {
		return []string{"초", "분", "시간", "일"}
	}
	return []string{" s", " min", " h", " d"}
}
