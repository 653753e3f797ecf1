package gateway

import (
	"crypto/sha256"
	"strings"
	"time"
	"unicode"

	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// Message is what POST /chat takes.
type Message struct {
	ConversationID string `json:"conversationId"`
	MessageID      string `json:"messageId"`
	Prompt         string `json:"prompt"`
}

// Reply is what POST /chat answers, whether that went well or not.
type Reply struct {
	Answer         string `json:"answer"`
	UpstreamStatus int    `json:"upstreamStatus"` // of the last attempt; 0: no answer
	Attempts       int    `json:"attempts"`
	Degraded       bool   `json:"degraded"` // the retry budget was empty
	Err            string `json:"err,omitempty"`
}

// maxID bounds an id: it is a name, and is kept.
const maxID = 128

func (m Message) check() *wire.Refusal {
	for _, id := range []struct{ name, value string }{{"conversationId", m.ConversationID}, {"messageId", m.MessageID}} {
		switch {
		case id.value == "" || len(id.value) > maxID:
			return wire.Bad("%s has %d bytes; it has 1 to %d", id.name, len(id.value), maxID)
		case strings.ContainsFunc(id.value, unicode.IsControl):
			return wire.Bad("%s has a control character", id.name)
		}
	}
	if strings.TrimSpace(m.Prompt) == "" {
		return wire.Bad("prompt is empty")
	}
	return nil
}

// key tells messages apart. Ids have no control characters, so that no two pairs
// of them join to the same key.
func (m Message) key() string { return m.ConversationID + "\n" + m.MessageID }

// digest stands for the prompt where it is only compared; the prompt itself
// could be long, and is nobody's business for as long as answers are kept.
func (m Message) digest() digest { return sha256.Sum256([]byte(m.Prompt)) }

type digest [sha256.Size]byte

// answer is what a flight brings back. Its bytes are never changed: many callers
// get them.
type answer struct {
	prompt     digest
	via        string // the dependency that it hung on
	status     int
	body       []byte // a Reply, written once so that everybody gets the same bytes
	text       string // the upstream's answer, for streams
	retryAfter time.Duration
}
