package incident

import (
	"bytes"

	"benchlet.com/incidentlib/generator/escape"
)

// Document is the seed's own JSON of a case, compacted: same keys, order,
// numbers and strings. What the case's texts are is in it once: where a string
// has escapes, the text that it stands for is in its place, and is escaped again
// when the document is written.
type Document struct {
	held  string
	texts []HeldText
	size  int // of the JSON
}

// HeldText is where a text begins and ends that is held in place of a string,
// which went on to After, with its quotes and escapes. Writing the text by
// [escape.CleanJSON] gives the string.
type HeldText struct{ From, To, After uint32 }

// NewDocument makes a document of JSON in which texts stand in place of strings,
// in their order; size is that of the JSON before they did.
func NewDocument(held string, texts []HeldText, size int) Document {
	return Document{held, texts, size}
}

// Len is the size of the JSON.
func (d Document) Len() int { return d.size }

// Append appends the JSON.
func (d Document) Append(b []byte) []byte {
	at := uint32(0)
	for _, t := range d.texts {
		b = append(append(b, d.held[at:t.From]...), '"')
		b = append(escape.CleanJSON(b, d.held[t.From:t.To]), '"')
		at = t.After
	}
	return append(b, d.held[at:]...)
}

// Equal reports whether two documents are the same JSON.
func (d Document) Equal(e Document) bool {
	return d.size == e.size && bytes.Equal(d.Append(nil), e.Append(nil))
}
