package mcpserver

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// What a call costs but for the network.
func BenchmarkCall(b *testing.B) {
	h := newTestServer(b).Handler(HTTPOptions{})
	for name, body := range map[string]string{
		"ping":             `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		"get_incident":     call("get_incident", `{"id":"IL-0119"}`),
		"search_incidents": call("search_incidents", `{"query":"database"}`),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := post(h, body); w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

func post(h http.Handler, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// What a search costs that nobody asked before; INCIDENTLIB_FOLDER names a built
// folder to search instead of the seeds.
func BenchmarkSearch(b *testing.B) {
	s := newTestServer(b)
	if folder := os.Getenv("INCIDENTLIB_FOLDER"); folder != "" {
		s = New(Options{Source: NewFolder(folder), Log: quiet()})
	}
	tool := tools()[3]
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		if _, err := s.call(b.Context(), &tool, []byte(`{"query":"`+question(r)+`"}`)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.call(b.Context(), &tool, []byte(`{"query":"`+question(r)+`"}`)); err != nil {
			b.Fatal(err)
		}
	}
}
