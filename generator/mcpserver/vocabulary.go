package mcpserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// vocabulary is the published vocabulary with its counts.
type vocabulary struct {
	axes []vocabAxis
	site address.Site
}

type vocabAxis struct {
	ID    string      `json:"id"`
	Label langText    `json:"label"`
	Terms []vocabTerm `json:"terms"`
}

type vocabTerm struct {
	Axis    string   `json:"axis"`
	Slug    string   `json:"slug"`
	Label   langText `json:"label"`
	Summary langText `json:"summary"`
	Aliases struct {
		EN []string `json:"en"`
		KO []string `json:"ko"`
	} `json:"aliases"`
	Count int    `json:"count"`
	URL   string `json:"url"`
}

func (t *vocabTerm) ref() incident.TermRef {
	return incident.TermRef{Axis: incident.AxisID(t.Axis), Slug: t.Slug}
}

func readVocabulary(doc []byte) (*vocabulary, error) {
	var d struct {
		Axes []vocabAxis `json:"axes"`
	}
	if err := json.Unmarshal(cleanJSON(doc), &d); err != nil {
		return nil, fmt.Errorf("the vocabulary: %w", err)
	}
	v := &vocabulary{axes: d.Axes}
	for i := range v.axes {
		for j := range v.axes[i].Terms {
			t := &v.axes[i].Terms[j]
			base, ok := strings.CutSuffix(t.URL, "/"+string(address.Topic(t.ref(), 0)))
			if !ok {
				continue
			}
			var err error
			if v.site, err = address.NewSite(base, "", "", incident.EN); err != nil {
				return nil, fmt.Errorf("the vocabulary: %w", err)
			}
			return v, nil
		}
	}
	return nil, fmt.Errorf("the vocabulary has no term with the address of its page")
}

func (v *vocabulary) axis(id string) *vocabAxis {
	for i := range v.axes {
		if v.axes[i].ID == id {
			return &v.axes[i]
		}
	}
	return nil
}

func (v *vocabulary) term(axis, slug string) *vocabTerm {
	a := v.axis(axis)
	if a == nil {
		return nil
	}
	for i := range a.Terms {
		if a.Terms[i].Slug == slug {
			return &a.Terms[i]
		}
	}
	return nil
}

// label is what a term is called in a language; its slug when nothing says so.
func (v *vocabulary) label(axis, slug string, l incident.Lang) string {
	if t := v.term(axis, slug); t != nil {
		return cmp.Or(best(t.Label, l), slug)
	}
	return slug
}

func best(t langText, l incident.Lang) string {
	s, _ := t.text().Best(l)
	return s
}

// words are all that people may call a term.
func (t *vocabTerm) words() []string {
	return slices.Concat([]string{t.Slug, t.Label.EN, t.Label.KO}, t.Aliases.EN, t.Aliases.KO)
}

// candidate is something that may have been meant, and what it is called.
type candidate struct {
	id    string
	words []string
}

func (a *vocabAxis) candidates() []candidate {
	out := make([]candidate, len(a.Terms))
	for i := range a.Terms {
		out[i] = candidate{a.Terms[i].Slug, a.Terms[i].words()}
	}
	return out
}

// nearest are the ids that an unknown word may have meant, the likeliest first.
func nearest(word string, among []candidate, n int) []string {
	type scored struct {
		id    string
		score float64
	}
	word = firstRunes(word, maxWord)
	all := make([]scored, len(among))
	for i, c := range among {
		all[i].id = c.id
		for _, w := range c.words {
			all[i].score = max(all[i].score, alike(word, w))
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := []string{}
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.id)
	}
	return out
}

// maxWord is how much of a word is compared.
const maxWord = 60

// alike is how many pairs of neighbouring letters two words share, from 0 to 1.
func alike(a, b string) float64 {
	if strings.EqualFold(a, b) {
		return 1
	}
	pa, pb := pairs(a), pairs(b)
	if len(pa)+len(pb) == 0 {
		return 0
	}
	shared, total := 0, len(pa)+len(pb)
	for _, p := range pa {
		if i := slices.Index(pb, p); i >= 0 {
			shared++
			pb = slices.Delete(pb, i, i+1)
		}
	}
	return 2 * float64(shared) / float64(total)
}

func pairs(s string) (out []string) {
	letters := []rune("^" + strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s)))
	for i := 1; i < len(letters); i++ {
		out = append(out, string(letters[i-1:i+1]))
	}
	return out
}

// firstRunes is the beginning of a text, of at most n characters.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
