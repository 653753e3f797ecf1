package mirror

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// toYAML is a JSON document as YAML, in the same order, for people to read.
func toYAML(dst *bytes.Buffer, json []byte) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(json, &doc); err != nil { // JSON is YAML
		return err
	}
	plain(&doc)
	e := yaml.NewEncoder(dst)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return err
	}
	return e.Close()
}

// plain has the encoder choose how each part is written; the types stay.
func plain(n *yaml.Node) {
	n.Style = 0
	for _, c := range n.Content {
		plain(c)
	}
}
