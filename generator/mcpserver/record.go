package mcpserver

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/incident"
)

// record is the published document of a case: its fields in their order, each as
// it is written, but for characters that no text may hold.
type record struct {
	fields    []field
	withdrawn *tombstone // for a case that is no longer published; nil otherwise
}

// card is what lists and searches show of a case. It is small, and kept.
type card struct {
	id, org, date, rootCause string
	domain                   []string
	title                    incident.Text
	said                     map[incident.Lang][]sentence // what its summary and symptoms say
	gone                     bool                         // the case is no longer published
}

type field struct {
	name  string
	value jsontext.Value
}

// tombstone stands where a case was.
type tombstone struct {
	ID         string    `json:"id"`
	Withdrawn  bool      `json:"withdrawn"`
	Since      string    `json:"since"`
	Reason     *langText `json:"reason"`
	ReplacedBy string    `json:"replaced_by"`
}

// langText is a text as documents have it; null in a language is "".
type langText struct {
	EN string `json:"en"`
	KO string `json:"ko"`
}

func (t *langText) text() incident.Text {
	if t == nil {
		return incident.Text{}
	}
	return incident.Text{EN: t.EN, KO: t.KO}
}

// objectFields takes a JSON object apart.
func objectFields(doc []byte) ([]field, error) {
	d := jsontext.NewDecoder(bytes.NewReader(doc))
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	if t.Kind() != '{' {
		return nil, errors.New("it is no JSON object")
	}
	fields := make([]field, 0, 32)
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := t.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		end := d.InputOffset()
		fields = append(fields, field{name, cleanJSON(doc[end-int64(len(v)) : end])})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	return fields, nil
}

// readRecord reads the document of a case.
func readRecord(id string, doc []byte) (*record, error) {
	fields, err := objectFields(doc)
	if err != nil {
		return nil, fmt.Errorf("the document of %s: %w", id, err)
	}
	r := &record{fields: fields}
	if r.field("withdrawn") != nil {
		r.withdrawn = &tombstone{}
		if err := json.Unmarshal(doc, r.withdrawn); err != nil {
			return nil, fmt.Errorf("the document of %s: %w", id, err)
		}
		return r, nil
	}
	if got, err := decoded[string](r, "id"); err != nil || got != id {
		return nil, fmt.Errorf("the document of %s is that of %q", id, got)
	}
	return r, nil
}

// decoded reads a field of a case; null is nothing.
func decoded[T any](c *record, name string) (v T, err error) {
	if raw := c.field(name); raw != nil && raw.Kind() != 'n' {
		if err = json.Unmarshal(raw, &v); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return v, err
}

// text is a field that is a text.
func (r *record) text(name string) (incident.Text, error) {
	t, err := decoded[langText](r, name)
	return t.text(), err
}

// newCard takes from a record what lists show of it.
func newCard(id string, r *record) (*card, error) {
	c := &card{id: id, said: map[incident.Lang][]sentence{}}
	if r.withdrawn != nil {
		c.gone = true
		return c, nil
	}
	var errs [7]error
	var summary, symptoms incident.Text
	c.org, errs[0] = decoded[string](r, "org")
	c.date, errs[1] = decoded[string](r, "date")
	c.rootCause, errs[2] = decoded[string](r, "root_cause")
	c.domain, errs[3] = decoded[[]string](r, "domain")
	c.title, errs[4] = r.text("title")
	summary, errs[5] = r.text("summary")
	symptoms, errs[6] = r.text("symptoms_text")
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("the document of %s: %w", id, err)
	}
	c.org, c.date, c.rootCause = shortened(c.org, maxOrg), firstRunes(c.date, 10), firstRunes(c.rootCause, 100)
	c.domain = c.domain[:min(len(c.domain), maxDomains)]
	c.title = incident.Text{EN: shortened(c.title.EN, maxTitle), KO: shortened(c.title.KO, maxTitle)}
	for _, l := range incident.Langs() {
		c.said[l] = append(sentences(summary.In(l)), sentences(symptoms.In(l))...)
	}
	return c, nil
}

// field is the value of a field; nil when there is none of that name.
func (r *record) field(name string) jsontext.Value {
	for i := range r.fields {
		if r.fields[i].name == name {
			return r.fields[i].value
		}
	}
	return nil
}

// size is about what a card takes of memory.
func (c *card) size() uint64 {
	n := 512 + len(c.title.EN) + len(c.title.KO)
	for _, all := range c.said {
		for _, s := range all {
			n += 32 + len(s.text)
			if s.lower != s.text {
				n += len(s.lower)
			}
		}
	}
	return uint64(n)
}
