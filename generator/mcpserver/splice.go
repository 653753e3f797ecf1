package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"benchlet.com/incidentlib/generator/escape"
)

// A result goes through the SDK's encoder several times over, and through it once
// more as text in text: at several thousand calls a second most of the time would
// go there. Over HTTP the SDK is therefore given a short mark in place of the
// answer, and the answer, whose JSON is made once and kept, is put in place of the
// mark when the response is written. The SDK still decides everything about the
// response but these bytes.

// carrier holds the answers of one HTTP request. A batch has several.
type carrier struct {
	mu      sync.Mutex
	answers map[string]*answer // by mark
}

type carrierKey struct{}

func withCarrier(ctx context.Context) (context.Context, *carrier) {
	c := &carrier{}
	return context.WithValue(ctx, carrierKey{}, c), c
}

// carried is the result for an answer: a mark where there is a carrier.
func carried(ctx context.Context, a *answer) *mcp.CallToolResult {
	c, ok := ctx.Value(carrierKey{}).(*carrier)
	if !ok || a.structured == nil {
		return a.result()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil {
		c.answers = map[string]*answer{}
	}
	mark := rand.Text() // nobody who writes a request can know it
	c.answers[mark] = a
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: mark}}, StructuredContent: mark}
}

// splice puts the answers in place of their marks.
func (c *carrier) splice(body []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for mark, a := range c.answers {
		content := []byte(`{"type":"text","text":"` + mark + `"}`)
		structured := []byte(`"structuredContent":"` + mark + `"`)
		before, rest, ok := bytes.Cut(body, content)
		between, after, ok2 := bytes.Cut(rest, structured)
		if !ok || !ok2 {
			continue // it was put aside: the client is gone
		}
		out := make([]byte, 0, len(body)+len(a.content())+len(a.structured)+32)
		out = append(append(out, before...), a.content()...)
		out = append(append(out, between...), `"structuredContent":`...)
		body = append(append(out, a.structured...), after...)
	}
	return body
}

// content is the answer as the entries of a result's content: the same JSON as
// text, and links. It is made once.
func (a *answer) content() []byte {
	a.once.Do(func() {
		b := append(make([]byte, 0, len(a.structured)+len(a.structured)/4+64), `{"type":"text","text":`...)
		b = escape.JSON(b, string(a.structured))
		b = append(b, '}')
		for _, l := range a.links {
			b = escape.JSON(append(b, `,{"type":"resource_link","uri":`...), l.URI)
			b = escape.JSON(append(b, `,"name":`...), l.ID)
			b = escape.JSON(append(b, `,"title":`...), l.Title)
			b = escape.JSON(append(b, `,"mimeType":`...), mediaJSON)
			b = append(b, '}')
		}
		a.made = b
	})
	return a.made
}
