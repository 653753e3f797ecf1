package mcpserver

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever is sent over HTTP, an answer of the protocol comes back or an error of
// HTTP, in bounds and without what no text may hold.
func FuzzHTTP(f *testing.F) {
	for _, w := range wires() {
		if len(w.body) < 2000 {
			f.Add(w.body, w.headers["Mcp-Protocol-Version"], w.headers["Mcp-Method"], w.headers["Mcp-Name"])
		}
	}
	h := newTestServer(f).Handler(HTTPOptions{})
	f.Fuzz(func(t *testing.T, body, version, method, name string) {
		resp := wire{body: body, headers: map[string]string{"Mcp-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": name}}.send(h)
		got, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode >= 500 {
			t.Errorf("%d: %s", resp.StatusCode, got)
		}
		if resp.StatusCode == 202 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
			return
		}
		if !json.Valid(got) || !strings.Contains(string(got), `"jsonrpc":"2.0"`) {
			t.Errorf("%d: %q", resp.StatusCode, got)
		}
	})
}

// Whatever the arguments of a tool are, it answers, and never with more than it may.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{}`, `{"id":"IL-0119","lang":"both","sections":["summary"],"similar":3}`, `{"query":"데이터베이스 연결","limit":25,"components":["database"]}`,
		`{"topic":"root_cause/software-bug","cursor":"x"}`, `{"find":"메모리","axis":"symptoms"}`, `{"facets":true,"sort":"updated_desc","since":"2020","until":"2024-02"}`} {
		for i := range tools() {
			f.Add(i, seed)
		}
	}
	s := newTestServer(f)
	f.Fuzz(func(t *testing.T, n int, args string) {
		all := tools()
		one := &all[uint(n)%uint(len(all))]
		a, err := s.call(t.Context(), one, []byte(args))
		if err != nil {
			t.Fatalf("%s %s: %v", one.name, args, err)
		}
		if a.structured == nil {
			if a.mistake == "" || len(a.mistake) >= 1000 || clean(a.mistake) != a.mistake || !utf8.ValidString(a.mistake) {
				t.Errorf("%s %s: %q", one.name, args, a.mistake)
			}
			return
		}
		if !a.structured.IsValid() || utf8.RuneCount(a.structured) > maxAnswer {
			t.Errorf("%s %s: %d characters: %s", one.name, args, utf8.RuneCount(a.structured), a.structured)
		}
	})
}

// Whatever the lines are, the session ends as it should.
func FuzzStdio(f *testing.F) {
	f.Add(ping)
	f.Add(hello + "\n" + call("vocab", `{"find":"memory"}`))
	f.Add("[" + ping + "]\n[]\nnonsense\n" + ping)
	f.Add(ping + ping + "\r\n" + ping)
	s := newTestServer(f)
	f.Fuzz(func(t *testing.T, lines string) { overStdio(t, s, lines) })
}
