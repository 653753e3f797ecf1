package mirror

import (
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// near is a case that resembles another, with the parts of its score.
type near struct {
	summary
	Score int    `json:"score" doc:"How alike the two are: the sum of the parts' scores."`
	Why   []part `json:"why" doc:"The parts of the score."`
}

// part is one reason: the terms of an axis that both cases carry, or, where
// axis is "wording", the distinctive words that both texts use.
type part struct {
	Axis  string              `json:"axis" is:"reason" doc:"The axis of the shared terms, or wording."`
	Terms []string            `json:"terms" is:"slug" doc:"The terms of the axis that both carry; empty for wording."`
	Words map[string][]string `json:"words,omitempty" doc:"By language, the rarest distinctive words that both texts use; only for wording."`
	Score int                 `json:"score" doc:"What this part adds to the score."`
}

// wording is what stands in place of an axis where words are the reason.
const wording = "wording"

func (m *Mirror) similar(c *incident.Case) list[near] {
	found := m.lib.Similar(c)
	items := make([]near, len(found))
	for i := range found {
		items[i] = near{m.summary(found[i].Case), found[i].Score, parts(&found[i])}
	}
	return whole(m, address.SimilarDoc(c.ID), items)
}

func parts(s *library.Similar) []part {
	out := make([]part, len(s.Parts))
	for i, p := range s.Parts {
		out[i] = part{Axis: string(p.Axis), Terms: filled(p.Terms), Score: p.Score}
		if p.Axis == "" {
			out[i].Axis = wording
			out[i].Words = map[string][]string{}
			for _, l := range incident.Langs() {
				out[i].Words[string(l)] = filled(s.Words(l))
			}
		}
	}
	return out
}
