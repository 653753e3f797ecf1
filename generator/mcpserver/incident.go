package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// incidentAnswer is what get_incident answers.
type incidentAnswer struct {
	Lang      string            `json:"lang"`
	Case      jsontext.Value    `json:"case"`
	Labels    map[string]string `json:"labels"`
	Similar   []similarCase     `json:"similar"`
	URL       string            `json:"url"`
	APIURL    string            `json:"api_url"`
	URI       string            `json:"uri"`
	Fallback  []string          `json:"fallback"`
	Truncated []string          `json:"truncated"`
}

type similarCase struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Org   string   `json:"org"`
	Date  string   `json:"date"`
	Why   []string `json:"why"`
}

// sections are the parts of a case that a call may choose, each with its fields.
// What is in none of them is always there.
func sections() map[string][]string {
	return map[string][]string{
		"summary":      {"summary"},
		"symptoms":     {"symptoms", "symptoms_text"},
		"trigger":      {"trigger"},
		"remediation":  {"remediation"},
		"action_items": {"action_items"},
		"lessons":      {"lessons"},
		"contributing": {"contributing"},
		"sources":      {"sources", "docs"},
		"timeline":     {"timeline"},
		"impact":       {"impact"},
	}
}

func sectionNames() []string {
	return []string{"summary", "symptoms", "trigger", "remediation", "action_items", "lessons", "contributing", "sources", "timeline", "impact"}
}

// axesOf are the fields of a case that hold terms of the axis of that name.
func axesOf() []string { return append(filterAxes(), "severity", "date_kind") }

func getIncident(ctx context.Context, r *request) (*answer, error) {
	id, err := caseID(r.texts["id"])
	if err != nil {
		return nil, err
	}
	c, err := r.published(ctx, id)
	if err != nil {
		return nil, err
	}
	similar, err := r.similarTo(ctx, id, r.ints["similar"])
	if err != nil {
		return nil, err
	}
	out := incidentAnswer{Lang: string(r.lang), Similar: similar, URL: r.pageURL(id), APIURL: r.vocab.site.Mirror(address.CaseDoc(id)), URI: caseURI(id), Truncated: []string{}}
	if r.both {
		out.Lang = "both"
	}
	fields, fallback := r.chosen(c)
	out.Fallback = fallback
	out.Labels = r.labels(fields)
	return out.fitted(fields, r.lists["sections"])
}

// caseID is the id in what a call names: an id in any case of letters, or the
// address of a page, a document or a resource.
func caseID(s string) (string, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	s, _, _ = strings.Cut(s, "#")
	s, _, _ = strings.Cut(s, "?")
	for _, part := range strings.Split(s, "/") {
		for _, ext := range []string{".JSON", ".MD"} {
			part = strings.TrimSuffix(part, ext)
		}
		if incident.ValidID(part) {
			return part, nil
		}
	}
	return "", faultf("no case %s; ids look like IL-0371; try search_incidents", quoted(s))
}

// published is a case that can be shown.
func (r *request) published(ctx context.Context, id string) (*record, error) {
	c, err := r.lib.record(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		return nil, faultf("no case %s; ids look like IL-0371; try search_incidents", id)
	case c.withdrawn != nil && c.withdrawn.ReplacedBy != "":
		return nil, faultf("%s was withdrawn; call get_incident with %s, which took its place", id, quoted(c.withdrawn.ReplacedBy))
	case c.withdrawn != nil:
		why, _ := c.withdrawn.Reason.text().Best(r.lang)
		return nil, faultf("%s was withdrawn: %s; try search_incidents", id, shortened(clean(why), maxTitle))
	}
	return c, nil
}

// chosen are the fields of a case that a call asks for, texts in its language
// alone, and which of them are in the other one for want of a text.
func (r *request) chosen(c *record) (fields []field, fallback []string) {
	hidden := map[string]bool{}
	if wanted := r.lists["sections"]; len(wanted) > 0 {
		for name, of := range sections() {
			for _, f := range of {
				hidden[f] = !slices.Contains(wanted, name)
			}
		}
	}
	fallback = []string{}
	for _, f := range c.fields {
		if hidden[f.name] {
			continue
		}
		if !r.both {
			value, fell := inOneLanguage(f.value, r.lang)
			if fell {
				fallback = append(fallback, f.name)
			}
			f.value = value
		}
		fields = append(fields, f)
	}
	return fields, fallback
}

// textNames are the fields of a case that are a text, or have texts in them.
func hasTexts(v jsontext.Value) bool {
	return bytes.Contains(v, []byte(`"en"`)) || bytes.Contains(v, []byte(`"ko"`))
}

// inOneLanguage is a value whose texts have one language: the wanted one, or where
// a text has none of it the other, which is reported.
func inOneLanguage(v jsontext.Value, l incident.Lang) (out jsontext.Value, fell bool) {
	if !hasTexts(v) {
		return v, false
	}
	switch v.Kind() {
	case '{':
		fields, err := objectFields(v)
		if err != nil {
			return v, false // it was read before
		}
		if isText(fields) {
			return oneText(fields, l)
		}
		for i := range fields {
			one, f := inOneLanguage(fields[i].value, l)
			fields[i].value, fell = one, fell || f
		}
		return object(fields), fell
	case '[':
		var list []jsontext.Value
		if json.Unmarshal(v, &list) != nil {
			return v, false
		}
		for i := range list {
			one, f := inOneLanguage(list[i], l)
			list[i], fell = one, fell || f
		}
		b, err := json.Marshal(list)
		if err != nil {
			return v, false
		}
		return b, fell
	}
	return v, false
}

// isText reports whether an object is a text: languages and nothing else.
func isText(fields []field) bool {
	for _, f := range fields {
		if f.name != string(incident.EN) && f.name != string(incident.KO) || f.value.Kind() != '"' && f.value.Kind() != 'n' {
			return false
		}
	}
	return len(fields) > 0
}

func oneText(fields []field, l incident.Lang) (jsontext.Value, bool) {
	var other []field
	for _, f := range fields {
		if f.value.Kind() != '"' || string(f.value) == `""` {
			continue
		}
		if f.name == string(l) {
			return object([]field{f}), false
		}
		other = append(other, f)
	}
	return object(other), len(other) > 0
}

// object puts fields together again.
func object(fields []field) jsontext.Value {
	n := 2
	for _, f := range fields {
		n += len(f.name) + len(f.value) + 4
	}
	out := append(make([]byte, 0, n), '{')
	for i, f := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := jsontext.AppendQuote(nil, f.name)
		if err != nil {
			name = []byte(`""`)
		}
		out = append(append(append(out, name...), ':'), f.value...)
	}
	return append(out, '}')
}

// labels are what the terms of a case are called. A slug that two of its axes have
// under different names stands with its axis the second time.
func (r *request) labels(fields []field) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		if !slices.Contains(axesOf(), f.name) {
			continue
		}
		var list []string
		if f.value.Kind() == '"' {
			list = []string{""}
			if json.Unmarshal(f.value, &list[0]) != nil {
				continue
			}
		} else if f.value.Kind() != '[' || json.Unmarshal(f.value, &list) != nil {
			continue
		}
		for _, slug := range list {
			if r.vocab.term(f.name, slug) == nil {
				continue // "unknown", which is no term
			}
			label := r.labelOf(f.name, slug)
			if was, taken := out[slug]; taken && was != label {
				slug = f.name + "/" + slug
			}
			out[slug] = label
		}
	}
	return out
}

func (r *request) labelOf(axis, slug string) string {
	en, ko := r.vocab.label(axis, slug, incident.EN), r.vocab.label(axis, slug, incident.KO)
	switch {
	case r.both && en != ko:
		return en + " / " + ko
	case r.lang == incident.KO:
		return ko
	}
	return en
}

// nearDoc is what is read of the list of the cases nearest to one.
type nearDoc struct {
	Items []struct {
		ID    string   `json:"id"`
		Org   string   `json:"org"`
		Date  string   `json:"date"`
		Title langText `json:"title"`
		Why   []struct {
			Axis  string              `json:"axis"`
			Terms []string            `json:"terms"`
			Words map[string][]string `json:"words"`
		} `json:"why"`
	} `json:"items"`
}

func (r *request) similarTo(ctx context.Context, id string, n int) ([]similarCase, error) {
	out := []similarCase{}
	if n == 0 {
		return out, nil
	}
	var near nearDoc
	if err := r.lib.decode(ctx, address.SimilarDoc(id), &near); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return out, nil
		}
		return nil, err
	}
	for _, item := range near.Items[:min(n, len(near.Items))] {
		s := similarCase{ID: item.ID, Title: shortened(best(item.Title, r.lang), maxTitle), Org: shortened(item.Org, maxOrg), Date: firstRunes(item.Date, 10), Why: []string{}}
		for _, p := range item.Why {
			var names []string
			for _, slug := range p.Terms {
				names = append(names, r.labelOf(p.Axis, slug))
			}
			axis := p.Axis
			if a := r.vocab.axis(p.Axis); a != nil {
				axis = best(a.Label, r.lang)
			} else if len(p.Words) > 0 {
				axis = map[incident.Lang]string{incident.EN: "Same words", incident.KO: "같은 말"}[r.lang]
				names = append(p.Words[string(r.lang)], p.Words[string(r.lang.Other())]...)
			}
			s.Why = append(s.Why, shortened(axis+": "+strings.Join(names, ", "), maxTitle))
		}
		out = append(out, s)
	}
	return out, nil
}

// fitted leaves out whole sections, the longest first, while the answer is too
// long, and says which; what is left of a summary that is too long by itself is cut.
func (a incidentAnswer) fitted(fields []field, wanted []string) (*answer, error) {
	for {
		a.Case = object(fields)
		out, err := structured(a)
		if err != nil {
			return nil, err
		}
		over := out.length() - maxAnswer
		if over <= 0 {
			return out, nil
		}
		name := longest(fields, a.Truncated)
		switch {
		case name == "" && len(a.Similar) > 0:
			a.Similar = a.Similar[:len(a.Similar)/2]
			if !slices.Contains(a.Truncated, "similar") {
				a.Truncated = append(a.Truncated, "similar")
			}
		case name == "":
			fields = cutValues(fields, maxAnswer/2)
			a.Truncated = append(a.Truncated, "case")
			if slices.Contains(a.Truncated[:len(a.Truncated)-1], "case") {
				return nil, errors.New("a case is too long to be shown")
			}
		default:
			fields = cutSection(fields, name, over)
			a.Truncated = append(a.Truncated, name)
		}
	}
}

// longest is the section that takes most; "" when all have been cut.
func longest(fields []field, cut []string) string {
	most, name := 0, ""
	for _, s := range slices.Sorted(maps.Keys(sections())) {
		n := 0
		for _, f := range fields {
			if slices.Contains(sections()[s], f.name) {
				n += utf8.RuneCount(f.value)
			}
		}
		if n > most && !slices.Contains(cut, s) {
			most, name = n, s
		}
	}
	return name
}

// cutSection shortens the one text of a section so that over characters less are
// left, or takes the section out when that is not enough or it is no text.
func cutSection(fields []field, name string, over int) []field {
	var out []field
	for _, f := range fields {
		if !slices.Contains(sections()[name], f.name) {
			out = append(out, f)
			continue
		}
		if left := utf8.RuneCount(f.value) - over - 100; f.value.Kind() == '{' && left > 500 {
			f.value = cutTexts(f.value, left)
			out = append(out, f)
		}
	}
	return out
}

// cutTexts shortens the texts of an object, each by the same share.
func cutTexts(v jsontext.Value, left int) jsontext.Value {
	fields, err := objectFields(v)
	if err != nil {
		return v
	}
	total := utf8.RuneCount(v)
	for i, f := range fields {
		var s string
		if f.value.Kind() != '"' || json.Unmarshal(f.value, &s) != nil {
			continue
		}
		b, err := jsontext.AppendQuote(nil, shortened(s, utf8.RuneCountInString(s)*left/total))
		if err == nil {
			fields[i].value = b
		}
	}
	return object(fields)
}

// cutValues takes out what no section holds and is longer than any case of ours
// has it.
func cutValues(fields []field, n int) []field {
	return slices.DeleteFunc(slices.Clone(fields), func(f field) bool {
		return f.name != "id" && utf8.RuneCount(f.value) > n/len(fields)
	})
}
