package mcpserver

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxAnswer bounds an answer, in characters: clients put more than that aside
// where the model does not see it.
const maxAnswer = 20_000

// answer is what a tool found.
type answer struct {
	structured jsontext.Value // nil for a mistake in the call
	mistake    string
	links      []link

	once sync.Once
	made []byte // see content
}

// link is a case as a resource that can be read.
type link struct {
	ID, Title, URI string
}

func mistaken(f fault) *answer { return &answer{mistake: string(f)} }

// result is the answer as the SDK takes it.
func (a *answer) result() *mcp.CallToolResult {
	if a.structured == nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: a.mistake}}}
	}
	r := &mcp.CallToolResult{StructuredContent: rawJSON(a.structured), Content: []mcp.Content{&mcp.TextContent{Text: string(a.structured)}}}
	for _, l := range a.links {
		r.Content = append(r.Content, &mcp.ResourceLink{URI: l.URI, Name: l.ID, Title: l.Title, MIMEType: mediaJSON})
	}
	return r
}

// rawJSON is JSON that the encoder of the standard library takes as it is.
type rawJSON jsontext.Value

// MarshalJSON implements json.Marshaler.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }

// size is about what the answer takes of memory.
func (a *answer) size() uint64 {
	n := 256 + 5*len(a.structured)/2 + len(a.mistake)
	for _, l := range a.links {
		n += 96 + len(l.ID) + len(l.Title) + len(l.URI)
	}
	return uint64(n)
}

// length is how long the answer is, in characters.
func (a *answer) length() int {
	n := utf8.RuneCount(a.structured)
	for _, l := range a.links {
		n += 90 + utf8.RuneCountInString(l.Title) + len(l.URI) + len(l.ID)
	}
	return n
}

// structured makes the answer of a value.
func structured(v any, links ...link) (*answer, error) {
	b, err := json.Marshal(v, json.Deterministic(true))
	return &answer{structured: b, links: links}, err
}

// fitted makes the longest answer of at most n entries that is short enough.
func fitted(n int, with func(n int) (*answer, error)) (*answer, error) {
	for {
		a, err := with(n)
		if err != nil || n <= 1 {
			return a, err
		}
		long := a.length()
		if long <= maxAnswer {
			return a, nil
		}
		n = max(1, min(n-1, n*maxAnswer/long))
	}
}

// shortened is a text of at most n characters.
func shortened(s string, n int) string {
	if cut := firstRunes(s, n); cut != s {
		return strings.TrimRight(cut, " \n") + "…"
	}
	return s
}
