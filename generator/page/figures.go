package page

import (
	"fmt"
	"html/template"
	"strings"

	"benchlet.com/incidentlib/generator/figure"
	"benchlet.com/incidentlib/generator/incident"
)

// stormMark begins the figure of a retry storm in a page, and nothing else: no
// text can write markup.
const stormMark = `<div class="storm"`

// hasStorm reports whether the HTML of a text has the figure of a retry storm.
func hasStorm(html template.HTML) bool { return strings.Contains(string(html), stormMark) }

// scripts are those that a page needs: the search box, and what its body asks for.
func (m *maker) scripts(v view) []string {
	out := []string{m.assets["searchbox.js"]}
	if v.reads {
		out = append(out, m.assets["read.js"])
	}
	if v.spends {
		out = append(out, m.assets["budget.js"])
	}
	if v.storms {
		out = append(out, m.assets["storm.js"])
	}
	if v.chances {
		out = append(out, m.assets["ways.js"])
	}
	return out
}

type stormData struct {
	Caption    string
	Panels     []stormPanel
	Sum, Never string // Never is for an hour that does not recover
	Rows       []stormRow
	Now        stormRow      // the outcome of what the lab begins with
	Lab        template.HTML // the picture that the reader's own choice is drawn into
	Inputs     []stormInput
	Capacity   int
	Seed       uint32
}

// stormPanel is the picture of a variant.
type stormPanel struct {
	Name, Times string
	SVG         template.HTML
}

type stormRow struct {
	Name                                             string
	Requests, Calls, Times, Failed, Recovered, Burnt string
}

// stormInput is a slider. Unit follows its value.
type stormInput struct {
	ID, Label           string
	Min, Max, Step, Now int
	Shown               string
}

// figure is a figure of a text: its data was checked before any page is made.
func (m *maker) figure(name string) (template.HTML, error) {
	f := m.lib.Collection().Figure(name)
	if f == nil {
		return "", fmt.Errorf("the figure %q has no data", name)
	}
	s, err := figure.ParseStorm(f.Data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.File, err)
	}
	d := stormData{Caption: stormSaid(m.word("storm-caption"), s), Sum: stormSaid(m.word("storm-table"), s), Never: stormSaid(m.word("storm-never"), s), Capacity: s.Capacity, Seed: s.Seed}
	for i := range s.Variants {
		v := &s.Variants[i]
		label := m.stormName(v.Name)
		row := stormRow{Name: label, Requests: group(v.Requests), Calls: group(v.Calls), Times: times(v), Failed: group(v.Failures),
			Recovered: m.recovered(v.Recovery, s), Burnt: tenths(v.BudgetBurnt) + "%"}
		svg := s.Panel(v, figure.Labels{ID: "storm-" + v.Name, Title: label, About: filled(m.word("storm-about"), row)})
		d.Panels = append(d.Panels, stormPanel{label, row.Times, trusted(svg)})
		d.Rows = append(d.Rows, row)
	}
	lab := s.Panel(&s.Variants[0], figure.Labels{ID: "storm-lab", Title: m.word("storm-try"), About: m.word("storm-try-note")})
	d.Lab, d.Now = trusted(lab), d.Rows[0]
	d.Inputs = []stormInput{
		{"storm-fail", m.word("storm-fail"), 0, 100, 5, s.FailRate / 10, group(s.FailRate/10) + "%"},
		{"storm-clients", m.word("storm-clients"), 200, 2000, 50, s.Clients, group(s.Clients)},
		{"storm-attempts", m.word("storm-attempts"), 1, 5, 1, s.Attempts, group(s.Attempts)},
	}
	return m.set.execute("storm", d)
}

// stormName is what a variant is called.
func (m *maker) stormName(variant string) string {
	switch variant {
	case "jitter":
		return m.word("storm-jitter")
	case "budget":
		return m.word("storm-budget")
	case "breaker":
		return m.word("storm-breaker")
	case "idempotency":
		return m.word("storm-idempotency")
	case "all":
		return m.word("storm-all")
	}
	return m.word("storm-none")
}

// filled is a sentence with the numbers of a row in it.
func filled(sentence string, r stormRow) string {
	return strings.NewReplacer("{calls}", r.Calls, "{times}", r.Times, "{failed}", r.Failed, "{recovered}", r.Recovered, "{burnt}", r.Burnt).Replace(sentence)
}

// stormSaid is a sentence with the parameters of a storm in it.
func stormSaid(sentence string, s *figure.Storm) string {
	return strings.NewReplacer("{rate}", group(s.Clients/s.SecondsPerMessage), "{capacity}", group(s.Capacity), "{fail}", group(s.FailRate/10),
		"{from}", group(s.DegradedFrom), "{to}", group(s.DegradedFrom+s.DegradedMinutes), "{attempts}", group(s.Attempts),
		"{messages}", group(s.Variants[0].Messages), "{left}", group(len(s.Variants[0].CallsBy)-s.DegradedFrom-s.DegradedMinutes)).Replace(sentence)
}

// recovered says how long after the degradation its failures ended.
func (m *maker) recovered(seconds *int, s *figure.Storm) string {
	switch {
	case seconds == nil:
		return stormSaid(m.word("storm-never"), s)
	case *seconds == 0:
		return m.word("storm-at-once")
	case m.lang == incident.KO:
		return group(*seconds) + "초"
	}
	return group(*seconds) + " s"
}

// times is how many calls a message became.
func times(v *figure.Variant) string {
	hundredths := (v.Calls*200 + v.Messages) / (2 * v.Messages)
	return fmt.Sprintf("%d.%02d×", hundredths/100, hundredths%100)
}

// tenths is a percentage, of thousandths.
func tenths(milli int) string { return fmt.Sprintf("%d.%d", milli/10, milli%10) }
