package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/templates"
)

// realSeeds are the repository's own, loaded once for all tests.
var realSeeds = sync.OnceValues(func() (*Seeds, error) {
	d, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files()})
	if err != nil {
		return nil, err
	}
	s, problems, err := NewSeeds(context.Background(), "../../seeds", d, slog.New(slog.DiscardHandler))
	if len(problems) > 0 {
		return nil, errors.New(problems[0].String())
	}
	return s, err
})

func newTestServer(t testing.TB) *Server {
	t.Helper()
	seeds, err := realSeeds()
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Source: seeds, Version: "test", Log: slog.New(slog.DiscardHandler)})
	return s
}

// session is a client of the server, in memory.
func session(t testing.TB, s *Server) *mcp.ClientSession {
	t.Helper()
	at, to := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(t.Context(), at, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), to, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTry(t *testing.T) {
	c := session(t, newTestServer(t))
	for _, call := range []mcp.CallToolParams{
		{Name: "search_incidents", Arguments: map[string]any{"query": "cosmos db"}},
		{Name: "search_incidents", Arguments: map[string]any{"query": "데이터베이스"}},
		{Name: "get_incident", Arguments: map[string]any{"id": "il-0119"}},
		{Name: "get_incident", Arguments: map[string]any{"id": "https://benchlet.com/incidentlib/app/cases/IL-0371", "lang": "ko", "sections": []string{"summary"}}},
		{Name: "get_incident", Arguments: map[string]any{"id": 5}},
		{Name: "get_incident", Arguments: map[string]any{}},
		{Name: "get_incident", Arguments: map[string]any{"id": "IL-9999"}},
		{Name: "list_incidents", Arguments: map[string]any{"components": "database", "limit": 2, "facets": true}},
		{Name: "list_incidents", Arguments: map[string]any{"components": "databse"}},
		{Name: "get_topic", Arguments: map[string]any{"topic": "retry-storm"}},
		{Name: "vocab", Arguments: map[string]any{}},
		{Name: "vocab", Arguments: map[string]any{"find": "메모리"}},
	} {
		r, err := c.CallTool(t.Context(), &call)
		if err != nil {
			t.Error(call.Name, err)
			continue
		}
		b, _ := json.Marshal(r.StructuredContent)
		if r.IsError {
			b, _ = json.Marshal(r.Content)
		}
		t.Logf("%s %v: %v %d\n%.1800s\n", call.Name, call.Arguments, r.IsError, len(b), b)
	}
	l, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(l)
	t.Log(len(b))
}
