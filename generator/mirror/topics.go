package mirror

import (
	"slices"
	"sync"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/output"
)

// termDoc is a term of the vocabulary with how many cases carry it.
type termDoc struct {
	Axis    string   `json:"axis"`
	Slug    string   `json:"slug"`
	Label   *text    `json:"label"`
	Summary *text    `json:"summary"`
	Aliases aliases  `json:"aliases"`
	SeeAlso []string `json:"see_also"`
	Count   int      `json:"count"`
	URL     string   `json:"url"`
	APIURL  string   `json:"api_url"`
}

type aliases struct {
	EN []string `json:"en"`
	KO []string `json:"ko"`
}

// axisDoc is an axis with its terms.
type axisDoc struct {
	ID    string    `json:"id"`
	Label *text     `json:"label"`
	Terms []termDoc `json:"terms"`
}

// axisSummary is an axis in the list of all.
type axisSummary struct {
	ID     string `json:"id"`
	Label  *text  `json:"label"`
	Terms  int    `json:"terms"`
	APIURL string `json:"api_url"`
}

// topicDoc is a term with the newest cases that carry it, and where all are.
type topicDoc struct {
	termDoc
	Text  *text           `json:"text"` // the prose of the topic's page, as Markdown
	With  []incidentCount `json:"seen_with"`
	Cases list            `json:"cases"`
}

type incidentCount struct {
	Axis  string `json:"axis"`
	Slug  string `json:"slug"`
	Count int    `json:"count"`
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
	Axes []axisDoc `json:"axes"`
}

func (m *Mirror) vocab() vocabDoc {
	v := vocabDoc{[]axisDoc{}}
	axes := m.lib.Collection().Vocabulary.Axes
	for i := range axes {
		v.Axes = append(v.Axes, m.axis(&axes[i]))
	}
	return v
}

func (m *Mirror) topics() []output.File {
	axes := m.lib.Collection().Vocabulary.Axes
	out := []output.File{document(address.TopicsDoc, func() any {
		items := make([]axisSummary, len(axes))
		for i := range axes {
			items[i] = axisSummary{string(axes[i].ID), textOf(axes[i].Label), len(axes[i].Terms), m.site.Mirror(address.AxisDoc(axes[i].ID))}
		}
		return list{len(items), len(items), items, m.alone(address.TopicsDoc)}
	})}
	for i := range axes {
		a := &axes[i]
		out = append(out, document(address.AxisDoc(a.ID), func() any { return m.axis(a) }))
		for j := range a.Terms {
			out = append(out, m.topic(&a.Terms[j])...)
		}
	}
	return out
}

// topic is a term's document, and pages where it has more than 100 cases.
func (m *Mirror) topic(t *incident.Term) []output.File {
	cases := m.lib.Topic(t.Ref())
	at := func(page int) address.Doc { return address.TopicDoc(t.Ref(), page) }
	out := []output.File{document(at(0), func() any {
		head := cases[:min(perPage, len(cases))]
		d := topicDoc{termDoc: m.term(t), With: []incidentCount{},
			Cases: list{len(cases), len(head), m.summaries(head), m.alone(at(0))}}
		if len(cases) > perPage {
			d.Cases.Links = m.headLinks(at(0), at, len(cases))
		}
		for _, c := range m.lib.CoOccurring(t.Ref()) {
			d.With = append(d.With, incidentCount{string(c.Term.Axis), c.Term.Slug, c.Count})
		}
		prose := incident.Text{}
		if en := m.lib.TopicText(t.Ref(), incident.EN); en != nil {
			prose.EN = en.Text
		}
		if ko := m.lib.TopicText(t.Ref(), incident.KO); ko != nil {
			prose.KO = ko.Text
		}
		d.Text = textOf(prose)
		return d
	})}
	if len(cases) > perPage {
		sorted := sync.OnceValue(func() []*incident.Case { return byID(cases) })
		out = append(out, m.pages(len(cases), sorted, at)...)
	}
	return out
}

// byID sorts cases by ascending id, so that full pages keep their cases.
func byID(cases []*incident.Case) []*incident.Case {
	return slices.SortedFunc(slices.Values(cases), func(a, b *incident.Case) int { return incident.CompareIDs(a.ID, b.ID) })
}
