package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// overStdio gives a server lines and its end of input, and returns its lines.
func overStdio(t testing.TB, s *Server, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.ServeStdio(ctx, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatalf("%q: %v\n%s", lines, err, &out)
	}
	if ctx.Err() != nil {
		t.Fatalf("%q: no end", lines)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if !json.Valid([]byte(line)) || !strings.Contains(line, `"jsonrpc":"2.0"`) {
			t.Errorf("no message: %q", line)
		}
		got = append(got, line)
	}
	return got
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// Whatever a client sends, only messages come back, one for each call, and the
// session goes on to its end.
func TestStdio(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for name, test := range map[string]struct {
		lines []string
		want  map[string]string // by id: what the answer has
	}{
		"no session":     {[]string{ping}, map[string]string{"1": `"result":{}`}},
		"nothing":        {nil, nil},
		"empty lines":    {[]string{"", "  ", ping, "\r"}, map[string]string{"1": `"result":{}`}},
		"all at once":    {[]string{hello, call("get_incident", `{"id":"IL-0119"}`), strings.Replace(call("vocab", `{}`), `"id":1`, `"id":2`, 1)}, map[string]string{"0": `"serverInfo"`, "1": `"structuredContent":{"lang":"en"`, "2": `"structuredContent":{"lang":"en"`}},
		"nonsense":       {[]string{"nonsense", ping}, map[string]string{"null": `-32700`, "1": `"result":{}`}},
		"a string":       {[]string{`"x"`, ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"no message":     {[]string{`{"a":1}`, ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"an empty batch": {[]string{`[]`, ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"one id twice":   {[]string{`[` + ping + `,` + ping + `]`, ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"a late batch":   {[]string{hello, `[` + ping + `]`, ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"half an id":     {[]string{withID("2.5"), ping}, map[string]string{"2.5": `-32600`, "1": `"result":{}`}},
		"no id":          {[]string{withID("null"), ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"too long":       {[]string{`{"x":"` + strings.Repeat("x", maxLine) + `"}`, ping}, map[string]string{"null": `-32600`, "1": `"result":{}`}},
		"unknown":        {[]string{hello, `{"jsonrpc":"2.0","id":1,"method":"nope"}`}, map[string]string{"1": `-32601`}},
		"modern":         {[]string{modernCall("tools/call", `"name":"vocab","arguments":{"find":"memory"}`)}, map[string]string{"7": `"structuredContent":{"lang":"en"`}},
	} {
		got := map[string]string{}
		for _, line := range overStdio(t, s, test.lines...) {
			var m struct{ ID any }
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				continue // told above
			}
			id := fmt.Sprint(m.ID)
			if m.ID == nil {
				id = "null"
			}
			got[id] = line
		}
		for id, has := range test.want {
			if !strings.Contains(got[id], has) {
				t.Errorf("%s: %s has %q, want %s", name, id, got[id], has)
			}
		}
	}
}

// A server that is told to end does so though its client says nothing.
func TestStdioEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, keep := io.Pipe()
	defer keep.Close()
	ended := make(chan error, 1)
	go func() { ended <- newTestServer(t).ServeStdio(ctx, in, io.Discard) }()
	time.Sleep(20 * time.Millisecond)
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it goes on")
	}
}
