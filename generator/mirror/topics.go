package mirror

import (
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// termDoc is a term of the vocabulary with how many cases carry it.
type termDoc struct {
	Axis    string   `json:"axis" is:"axis" doc:"The axis, which is the case field of that name."`
	Slug    string   `json:"slug" is:"slug" doc:"The term as cases name it."`
	Label   text     `json:"label" doc:"What pages print."`
	Summary text     `json:"summary" doc:"What it means, in one sentence, as Markdown."`
	Aliases aliases  `json:"aliases" doc:"Other words that people search for."`
	SeeAlso []string `json:"see_also" is:"term" doc:"Terms worth reading beside it, as axis/slug."`
	Count   int      `json:"count" doc:"How many cases carry it."`
	URL     string   `json:"url" is:"uri" doc:"The topic's page, for people."`
	APIURL  string   `json:"api_url" is:"uri" doc:"The topic's document."`
}

type aliases struct {
	EN []string `json:"en" doc:"In English."`
	KO []string `json:"ko" doc:"In Korean."`
}

// axisDoc is an axis with its terms.
type axisDoc struct {
	ID    string    `json:"id" is:"axis" doc:"The axis, which is the case field of that name."`
	Label text      `json:"label" doc:"What pages print."`
	Terms []termDoc `json:"terms" doc:"Its terms, in the editors' order."`
}

// axisSummary is an axis in the list of all.
type axisSummary struct {
	ID     string `json:"id" is:"axis" doc:"The axis, which is the case field of that name."`
	Label  text   `json:"label" doc:"What pages print."`
	Terms  int    `json:"terms" doc:"How many terms it has."`
	APIURL string `json:"api_url" is:"uri" doc:"The axis with its terms."`
}

// topicDoc is a term with the newest cases that carry it, and where all are.
type topicDoc struct {
	termDoc
	Text  *text         `json:"text" doc:"The prose of the topic's page, as Markdown; null where it has none."`
	With  []termCount   `json:"seen_with" doc:"The terms most often seen together with it, at most 12."`
	Cases list[summary] `json:"cases" doc:"The newest cases that carry it, at most 100; links lead to pages of all where there are more."`
}

type termCount struct {
	Axis  string `json:"axis" is:"axis" doc:"The axis of the other term."`
	Slug  string `json:"slug" is:"slug" doc:"The other term."`
	Count int    `json:"count" doc:"How many cases carry both."`
}

func (m *Mirror) term(t *incident.Term) termDoc {
	d := termDoc{Axis: string(t.Axis), Slug: t.Slug, Label: textOf(t.Label), Summary: textOf(t.Summary),
		Aliases: aliases{filled(t.AliasesEN), filled(t.AliasesKO)}, SeeAlso: []string{}, Count: m.lib.Count(t.Ref()),
		URL: m.site.URL(m.site.Default(), address.Topic(t.Ref(), 0)), APIURL: m.site.Mirror(address.TopicDoc(t.Ref(), 0))}
	for _, ref := range t.SeeAlso {
		d.SeeAlso = append(d.SeeAlso, ref.String())
	}
	return d
}

func (m *Mirror) axis(a *incident.Axis) axisDoc {
	d := axisDoc{string(a.ID), textOf(a.Label), make([]termDoc, len(a.Terms))}
	for i := range a.Terms {
		d.Terms[i] = m.term(&a.Terms[i])
	}
	return d
}

// vocabDoc is every axis with its terms.
type vocabDoc struct {
	Axes []axisDoc `json:"axes" doc:"Every axis, in the editors' order."`
}

func (m *Mirror) vocab() vocabDoc {
	v := vocabDoc{[]axisDoc{}}
	axes := m.lib.Collection().Vocabulary.Axes
	for i := range axes {
		v.Axes = append(v.Axes, m.axis(&axes[i]))
	}
	return v
}

func (m *Mirror) axisSummary(a *incident.Axis) axisSummary {
	return axisSummary{string(a.ID), textOf(a.Label), len(a.Terms), m.site.Mirror(address.AxisDoc(a.ID))}
}

func (m *Mirror) topics() []output.File {
	axes := m.lib.Collection().Vocabulary.Axes
	out := []output.File{document(address.TopicsDoc, func() any {
		items := make([]axisSummary, len(axes))
		for i := range axes {
			items[i] = m.axisSummary(&axes[i])
		}
		return whole(m, address.TopicsDoc, items)
	})}
	for i := range axes {
		a := &axes[i]
		out = append(out, document(address.AxisDoc(a.ID), func() any { return m.axis(a) }))
		for j := range a.Terms {
			t := &a.Terms[j]
			cases, at := m.lib.Topic(t.Ref()), topicAt(t)
			out = append(out, ofCases(m.listing(at(0), headOf(cases), func() any { return m.topic(t, cases) }), cases))
			out = append(out, m.morePages(cases, at)...)
		}
	}
	return out
}

func topicAt(t *incident.Term) func(page int) address.Doc {
	return func(page int) address.Doc { return address.TopicDoc(t.Ref(), page) }
}

func (m *Mirror) topic(t *incident.Term, cases []*incident.Case) topicDoc {
	d := topicDoc{termDoc: m.term(t), With: []termCount{}, Cases: m.cases(cases, topicAt(t))}
	for _, c := range m.lib.CoOccurring(t.Ref()) {
		d.With = append(d.With, termCount{string(c.Term.Axis), c.Term.Slug, c.Count})
	}
	prose := incident.Text{}
	if en := m.lib.TopicText(t.Ref(), incident.EN); en != nil {
		prose.EN = en.Text
	}
	if ko := m.lib.TopicText(t.Ref(), incident.KO); ko != nil {
		prose.KO = ko.Text
	}
	d.Text = optional(prose)
	return d
}
