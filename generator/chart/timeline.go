package chart

import "bytes"

// The frame of a timeline: a label above the bar, the bar, the labels below.
const (
	timelineHeight = 58
	timelineTop    = 20
	timelineBar    = 14
)

// Timeline is a case from its start, as seconds: when it was detected and when
// it was over, in either order, with what is said of each.
type Timeline struct {
	Detected, Resolved    int64
	Start, Detect, Finish string
}

// Draw draws the timeline to scale: the time before anybody knew, the time
// until it was over.
func (t Timeline) Draw(l Labels) []byte {
	var b bytes.Buffer
	begin(&b, "timeline", timelineHeight, l)
	whole := max(t.Detected, t.Resolved, 1)
	x := func(seconds int64) int { return int((seconds*width*2 + whole) / (2 * whole)) }
	detected, resolved := x(t.Detected), x(t.Resolved)
	rect(&b, "unnoticed", 0, timelineTop, min(detected, resolved), timelineBar)
	if resolved > detected {
		rect(&b, "noticed", detected, timelineTop, resolved-detected, timelineBar)
	}
	const bottom = timelineHeight - 6
	rect(&b, "pin", min(detected, width-2), timelineTop-4, 2, timelineBar+4)
	flag(&b, "number", detected, timelineTop-8, t.Detect)
	if resolved > width/2 {
		flag(&b, "tick", 0, bottom, t.Start)
	}
	flag(&b, "number", resolved, bottom, t.Finish)
	return end(&b)
}
