package mirror

import (
	"bytes"
	"encoding/json"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// toYAML is a JSON document as YAML, in the same order, for people to read.
func toYAML(dst *bytes.Buffer, src []byte) error {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	doc, err := yamlOf(d)
	if err != nil {
		return err
	}
	e := yaml.NewEncoder(dst)
	e.SetIndent(2)
	if err := e.Encode(doc); err != nil {
		return err
	}
	return e.Close()
}

// yamlOf reads the next value. YAML's own reader would take nearly all of JSON,
// but not a character that is escaped as two halves. How each part is written is
// the encoder's choice.
func yamlOf(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: t}, nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: t.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatBool(t)}, nil
	case json.Delim:
		n := &yaml.Node{Kind: yaml.MappingNode}
		if t == '[' {
			n.Kind = yaml.SequenceNode
		}
		for d.More() {
			part, err := yamlOf(d)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, part)
		}
		_, err = d.Token() // its end
		return n, err
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: "null"}, nil
}
