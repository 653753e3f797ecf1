package mcpserver

import (
	"net/http"
	"net/http/httptest"
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
