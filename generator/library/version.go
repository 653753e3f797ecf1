package library

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"benchlet.com/incidentlib/generator/incident"
)

// DataVersion is a digest of what the library was made from: the documents of
// its cases, the vocabulary with its prose, and the withdrawn ids. What is made
// of one library says so by it, and what carries another belongs to another.
func (l *Library) DataVersion() string { return l.version() }

func versionOf(c *incident.Collection, cases []*incident.Case) func() string {
	return sync.OnceValue(func() string {
		h := sha256.New()
		for _, one := range cases {
			h.Write([]byte(one.ID))
			h.Write(one.Sum[:])
		}
		e := json.NewEncoder(h)
		if c.Vocabulary != nil {
			e.Encode(c.Vocabulary.Axes) // plain data and a hash: neither fails
		}
		for i := range c.Topics {
			t := &c.Topics[i]
			e.Encode([]string{t.Term.String(), string(t.Lang), t.Text})
		}
		for _, w := range c.Withdrawn {
			e.Encode([]string{w.ID, w.Since.String(), w.Reason.EN, w.Reason.KO, w.ReplacedBy})
		}
		return hex.EncodeToString(h.Sum(nil))
	})
}
