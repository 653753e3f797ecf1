package mcpserver

import (
	"context"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// vocabAnswer is what vocab answers.
type vocabAnswer struct {
	Lang      incident.Lang `json:"lang"`
	Axes      []axisAnswer  `json:"axes"`
	Truncated []string      `json:"truncated,omitempty"` // "summary", or axes of which terms are missing
}

type axisAnswer struct {
	Axis  string       `json:"axis"`
	Label string       `json:"label"`
	Terms []termAnswer `json:"terms"`
}

type termAnswer struct {
	Slug    string `json:"slug"`
	Label   string `json:"label"`
	Summary string `json:"summary,omitempty"`
	Count   int    `json:"count"`
}

func vocab(_ context.Context, r *request) (*answer, error) {
	axis := strings.ReplaceAll(r.texts["axis"], "-", "_")
	if axis != "" && r.vocab.axis(axis) == nil {
		var all []candidate
		for _, a := range r.vocab.axes {
			all = append(all, candidate{a.ID, []string{a.ID, a.Label.EN, a.Label.KO}})
		}
		return nil, faultf("axis: there is no axis %s; the nearest are %s", quoted(axis), strings.Join(nearest(axis, all, 5), ", "))
	}
	out := vocabAnswer{Lang: r.lang, Axes: []axisAnswer{}}
	terms := 0
	for i := range r.vocab.axes {
		a := &r.vocab.axes[i]
		if axis != "" && a.ID != axis {
			continue
		}
		found := axisAnswer{a.ID, best(a.Label, r.lang), r.termsWith(a, r.texts["find"])}
		if len(found.Terms) > 0 || axis != "" {
			out.Axes = append(out.Axes, found)
			terms += len(found.Terms)
		}
	}
	if terms == 0 && r.texts["find"] != "" {
		return nil, faultf("no term has %s in its slug, label or aliases; call vocab without find, or search_incidents with the words", quoted(r.texts["find"]))
	}
	return out.fitted(terms)
}

// termsWith are the terms of an axis that have a word in their names.
func (r *request) termsWith(a *vocabAxis, word string) []termAnswer {
	out := []termAnswer{}
	word = strings.ToLower(word)
	for i := range a.Terms {
		t := &a.Terms[i]
		if !slices.ContainsFunc(t.words(), func(w string) bool { return strings.Contains(strings.ToLower(w), word) }) {
			continue
		}
		out = append(out, termAnswer{t.Slug, best(t.Label, r.lang), best(t.Summary, r.lang), t.Count})
	}
	return out
}

// fitted leaves out the summaries when all is too long, and then the last terms.
func (v vocabAnswer) fitted(terms int) (*answer, error) {
	a, err := structured(v)
	if err != nil || a.length() <= maxAnswer {
		return a, err
	}
	v.Truncated = []string{"summary"}
	for i := range v.Axes {
		for j := range v.Axes[i].Terms {
			v.Axes[i].Terms[j].Summary = ""
		}
	}
	return fitted(terms, func(n int) (*answer, error) { return structured(v.first(n)) })
}

// first is the answer with its first n terms.
func (v vocabAnswer) first(n int) vocabAnswer {
	cut := v
	cut.Axes, cut.Truncated = slices.Clone(v.Axes), slices.Clone(v.Truncated)
	for i := range cut.Axes {
		a := &cut.Axes[i]
		keep := min(n, len(a.Terms))
		if keep < len(a.Terms) {
			cut.Truncated = append(cut.Truncated, a.Axis)
		}
		a.Terms = a.Terms[:keep]
		n -= keep
	}
	return cut
}
