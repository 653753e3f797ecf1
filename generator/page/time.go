package page

import (
	"bytes"
	"html/template"
	"strconv"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/chart"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// recoverySheet is the picture of all times to recover as a file of a language,
// which the pages of cases show; none where there are too few times.
func (m *maker) recoverySheet() []output.File {
	if len(m.counts.times()) < library.FewestTimes {
		return nil
	}
	return []output.File{{Path: m.site.Chart(m.lang, "recovery"), Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		_, err := dst.Write(m.recoveryChart().Sheet())
		return err
	}}}
}

func (m *maker) recoveryChart() chart.Recovery {
	r := chart.Recovery{Counts: make([]int, len(chart.Edges())-1)}
	for _, t := range m.counts.times() {
		r.Counts[chart.Column(t)]++
	}
	for _, t := range chart.TickTimes() {
		r.Ticks = append(r.Ticks, chart.Tick{Seconds: t, Text: lengthText(t, m.lang)})
	}
	return r
}

// recovery are the times to recover of all cases, on a logarithmic scale; nil
// where there are too few. At least half of the cases took as long as the one
// that it marks.
func (m *maker) recovery() *drawing {
	times := m.counts.times()
	if len(times) < library.FewestTimes {
		return nil
	}
	half := times[len(times)/2]
	fill := func(s string) string {
		return said(s, "{known}", group(len(times)), "{all}", m.countOf(len(m.lib.Cases())), "{half}", lengthText(half, m.lang),
			"{least}", lengthText(times[0], m.lang), "{most}", lengthText(times[len(times)-1], m.lang))
	}
	r := m.recoveryChart()
	d := &drawing{Note: fill(m.word("recovery-note")), Caption: m.word("recovery"), Of: m.word("resolved-after"), Rows: m.recoveryRows(r)}
	d.SVG = trusted(r.Draw(chart.Mark{Seconds: half, Text: fill(m.word("recovery-half"))},
		chart.Labels{ID: "recovery", Title: m.word("recovery"), About: fill(m.word("recovery-about"))}))
	return d
}

// recoveryRows are the columns of the picture as rows of a table.
func (m *maker) recoveryRows(r chart.Recovery) []counted {
	edges := chart.Edges()
	rows := make([]counted, len(r.Counts))
	for i, n := range r.Counts {
		from, to := lengthText(edges[i], m.lang), lengthText(edges[i+1], m.lang)
		label := from + " – " + to
		switch i {
		case 0:
			label = said(m.word("under"), "{time}", to)
		case len(rows) - 1:
			label = said(m.word("at-least"), "{time}", from)
		}
		rows[i] = counted{Label: m.escaped(label), Count: group(n)}
	}
	return rows
}

// lengthText is a length of time in the two largest units that it has.
func lengthText(seconds int64, l incident.Lang) string {
	var parts []string
	for _, u := range []struct {
		name    string
		seconds int64
	}{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}} {
		if n := seconds / u.seconds; n > 0 && len(parts) < 2 {
			parts = append(parts, strconv.FormatInt(n, 10)+u.name)
		} else if len(parts) > 0 {
			break
		}
		seconds %= u.seconds
	}
	if parts == nil {
		parts = []string{"0s"}
	}
	return durationText(incident.Duration{Seconds: seconds, Text: strings.Join(parts, " ")}, l)
}

// timeView is how long a case took, and among how many others that is long. Of
// the other cases a page says only what an edit to one of them hardly ever
// changes: in how many of ten its time was the longer one. The counts stand in
// a file of their own, which the picture shows.
type timeView struct {
	Timeline template.HTML // "" unless both times are known
	Said     string
	Rank     string        // its place among all times, in words; "" where it is like many others
	Among    template.HTML // the same, drawn; "" where there are too few
	All      string        // where those stand as numbers
}

func (m *maker) time(c *incident.Case) *timeView {
	t := c.Timeline
	if !t.ResolvedAfter.Known() {
		return nil
	}
	v := &timeView{All: m.href("") + "#recovery"}
	if t.DetectedAfter.Known() {
		v.Said = m.timelineSaid(t)
		v.Timeline = trusted(chart.Timeline{Detected: t.DetectedAfter.Seconds, Resolved: t.ResolvedAfter.Seconds, Start: m.word("start"),
			Detect: said(m.word("detected-at"), "{time}", durationText(t.DetectedAfter, m.lang)),
			Finish: said(m.word("resolved-at"), "{time}", durationText(t.ResolvedAfter, m.lang)),
		}.Draw(chart.Labels{ID: "timeline", Title: m.word("timeline"), About: v.Said}))
	} else {
		v.Said = m.word("detection-unknown")
	}
	times := m.counts.times()
	if len(times) < library.FewestTimes {
		return v
	}
	own := durationText(t.ResolvedAfter, m.lang)
	v.Rank = m.rankSaid(t.ResolvedAfter.Seconds, times)
	about := strings.TrimSpace(said(m.word("this-took"), "{time}", own) + " " + v.Rank)
	v.Among = trusted(chart.OnSheet(m.site.Asset(m.site.Chart(m.lang, "recovery")), chart.Mark{Seconds: t.ResolvedAfter.Seconds, Text: own},
		chart.Labels{ID: "among", Title: m.word("recovery"), About: about}))
	return v
}

// timelineSaid says what a timeline shows.
func (m *maker) timelineSaid(t incident.Timeline) string {
	detected, resolved := t.DetectedAfter.Seconds, t.ResolvedAfter.Seconds
	switch {
	case detected < resolved:
		return said(m.word("timeline-said"), "{time}", durationText(t.DetectedAfter, m.lang), "{rest}", lengthText(resolved-detected, m.lang))
	case detected > resolved:
		return said(m.word("timeline-late"), "{time}", durationText(t.ResolvedAfter, m.lang), "{rest}", lengthText(detected-resolved, m.lang))
	}
	return said(m.word("timeline-at-once"), "{time}", durationText(t.DetectedAfter, m.lang))
}

// rankSaid says in how many of ten of the other cases the time was shorter, or
// longer, whichever is more; rounded down, so that it is never too much said.
func (m *maker) rankSaid(own int64, times []int64) string {
	shorter, longer := library.Standing(times, own)
	switch {
	case shorter == 10:
		return m.word("rank-longest")
	case longer == 10:
		return m.word("rank-shortest")
	case shorter > 5:
		return said(m.word("rank-longer"), "{n}", m.ofTen(shorter))
	case longer > 5:
		return said(m.word("rank-shorter"), "{n}", m.ofTen(longer))
	case shorter == 5:
		return m.word("rank-longer-half")
	case longer == 5:
		return m.word("rank-shorter-half")
	}
	return "" // as long as many others
}

// ofTen is a number from 6 to 9 as one says it of ten.
func (m *maker) ofTen(n int) string {
	if m.lang == incident.KO {
		return []string{"여섯", "일곱", "여덟", "아홉"}[n-6]
	}
	return strconv.Itoa(n)
}

// chainDrawn draws a chain on a line of years; "" where there is none. The list
// beside it has its numbers.
func (m *maker) chainDrawn(c *incident.Case) template.HTML {
	chain := m.lib.Chain(c)
	if len(chain) < 2 {
		return ""
	}
	links := make([]chart.Link, len(chain))
	for i, k := range chain {
		links[i].From, links[i].To = period(k.Case.Date)
		links[i].Here = k.Case == c
	}
	return trusted(chart.Chain(links, chart.Labels{ID: "chain", Title: m.word("recurrence"), About: m.chainSaid(chain)}))
}

func (m *maker) chainSaid(chain []library.ChainLink) string {
	dates := make([]string, len(chain))
	for i, k := range chain {
		dates[i] = k.Case.ID + ", " + dateText(k.Case.Date, m.lang)
	}
	return strings.Join(dates, "; ") + "."
}

// period is the first and the last day that a date may be.
func period(d incident.Date) (from, to time.Time) {
	day := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	}
	switch {
	case d.Month == 0:
		return day(d.Year, 1, 1), day(d.Year, 12, 31)
	case d.Day == 0:
		return day(d.Year, d.Month, 1), day(d.Year, d.Month+1, 0)
	}
	return day(d.Year, d.Month, d.Day), day(d.Year, d.Month, d.Day)
}

// gap says how long after one date another is, no more exactly than both are
// known; "" where they may be the same.
func (m *maker) gap(from, to incident.Date) string {
	exact := from.Day > 0 && to.Day > 0
	months := (to.Year - from.Year) * 12
	if from.Month > 0 && to.Month > 0 {
		months += to.Month - from.Month
		if exact && to.Day < from.Day {
			months-- // the last one is not full
		}
	}
	var parts []string
	add := func(n int, of noun) {
		if n > 0 {
			parts = append(parts, strings.TrimSpace(countText(n, of, m.lang)))
		}
	}
	add(months/12, nounYear())
	add(months%12, nounMonth())
	if exact && months == 0 {
		first, _ := period(from)
		second, _ := period(to)
		add(int(second.Sub(first).Hours()/24), nounDay())
	}
	switch {
	case parts == nil:
		return ""
	case exact:
		return said(m.word("gap"), "{time}", strings.Join(parts, " "))
	}
	return said(m.word("gap-about"), "{time}", strings.Join(parts, " "))
}
