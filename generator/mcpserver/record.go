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
	fields []field

	// What lists show of it.
	id, org, orgSlug, date, rootCause string
	domain                            []string
	title, summary, symptoms          incident.Text
	updated                           string

	withdrawn *tombstone // for a case that is no longer published; nothing else is set
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
	d := jsontext.NewDecoder(bytes.NewBuffer(doc))
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
		fields = append(fields, field{name, cleanJSON(v.Clone())})
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
	for name, to := range map[string]any{"id": &r.id, "org": &r.org, "org_slug": &r.orgSlug, "date": &r.date, "root_cause": &r.rootCause,
		"domain": &r.domain, "updated_at": &r.updated, "title": (*textField)(&r.title), "summary": (*textField)(&r.summary), "symptoms_text": (*textField)(&r.symptoms)} {
		if v := r.field(name); v != nil {
			if err := json.Unmarshal(v, to); err != nil {
				return nil, fmt.Errorf("the document of %s: %s: %w", id, name, err)
			}
		}
	}
	if r.id != id {
		return nil, fmt.Errorf("the document of %s is that of %q", id, r.id)
	}
	return r, nil
}

// textField reads a text: an object of languages, or null.
type textField incident.Text

// UnmarshalJSON implements json.Unmarshaler.
func (t *textField) UnmarshalJSON(b []byte) error {
	var l langText
	if err := json.Unmarshal(b, &l); err != nil {
		return err
	}
	*t = textField(incident.Text{EN: l.EN, KO: l.KO})
	return nil
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

// size is about what a record takes of memory.
func (r *record) size() uint64 {
	n := 1024
	for i := range r.fields {
		n += len(r.fields[i].value) + 64
	}
	for _, t := range []incident.Text{r.title, r.summary, r.symptoms} {
		n += len(t.EN) + len(t.KO)
	}
	return uint64(n)
}
