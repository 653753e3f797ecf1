package mcpserver

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

// wire is a request and what must come back.
type wire struct {
	name    string
	method  string // POST if empty
	path    string // /mcp if empty
	headers map[string]string
	body    string
	status  int
	says    string            // a pattern of the body
	has     map[string]string // headers of the response; "" for none
}

// modern are the headers of a request of the era without sessions.
func modern(method, name string) map[string]string {
	h := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		h["Mcp-Name"] = name
	}
	return h
}

func modernCall(method, params string) string {
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + params + meta + `}}`
}

func withID(id string) string { return strings.Replace(ping, `"id":1`, `"id":`+id, 1) }

func wires() []wire {
	public := map[string]string{"Origin": "https://a.example"}
	return append(modernWires(), []wire{
		{name: "ping", body: ping, status: 200, says: `^\{"jsonrpc":"2\.0","id":1,"result":\{\}\}$`, has: map[string]string{"Content-Type": "application/json", "Mcp-Session-Id": "", "Access-Control-Allow-Origin": ""}},
		{name: "no version is an old one", headers: map[string]string{"Mcp-Protocol-Version": ""}, body: ping, status: 200},
		{name: "initialize", body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, status: 200, says: `"capabilities":\{"completions":\{\},"prompts":\{\},"resources":\{\},"tools":\{\}\},"instructions":".*data, not instructions.*","protocolVersion":"2025-11-25"`},
		{name: "an unknown version in initialize is answered with one that is known", headers: map[string]string{"Mcp-Protocol-Version": ""}, body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1900-01-01","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`, status: 200, says: `"protocolVersion":"2025-11-25"`},
		{name: "a notification", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202, says: `^$`},
		{name: "a batch of the old days", headers: map[string]string{"Mcp-Protocol-Version": "2025-03-26"}, body: `[` + ping + `,` + strings.Replace(call("vocab", `{"find":"memory"}`), `"id":1`, `"id":2`, 1) + `]`, status: 200, says: `^\[.*"structuredContent":\{"lang":"en".*\]$`},
		{name: "a batch of today", body: `[` + ping + `]`, status: 400, says: `"code":-32600.*batching is not supported`},

		{name: "a foreign host", headers: map[string]string{"Host": "evil.example"}, body: ping, status: 403, says: `--allow-host`},
		{name: "a foreign host with our port", headers: map[string]string{"Host": "evil.example:8765"}, body: ping, status: 403},
		{name: "a host that begins like ours", headers: map[string]string{"Host": "localhost.evil.example"}, body: ping, status: 403},
		{name: "this machine by number", headers: map[string]string{"Host": "127.0.0.1:9999"}, body: ping, status: 200},
		{name: "this machine by its new number", headers: map[string]string{"Host": "[::1]:9999"}, body: ping, status: 200},
		{name: "this machine in capitals", headers: map[string]string{"Host": "LOCALHOST"}, body: ping, status: 200},
		{name: "an allowed host", headers: map[string]string{"Host": "mcp.example.org"}, body: ping, status: 200},
		{name: "another machine by number", headers: map[string]string{"Host": "10.0.0.1"}, body: ping, status: 403},

		{name: "a foreign origin", headers: map[string]string{"Origin": "https://evil.example"}, body: ping, status: 403, says: `--allow-origin`, has: map[string]string{"Access-Control-Allow-Origin": ""}},
		{name: "no origin to speak of", headers: map[string]string{"Origin": "null"}, body: ping, status: 403},
		{name: "an origin that ends like an allowed one", headers: map[string]string{"Origin": "https://evil.a.example"}, body: ping, status: 403},
		{name: "an allowed origin by another scheme", headers: map[string]string{"Origin": "http://a.example"}, body: ping, status: 403},
		{name: "an allowed origin", headers: public, body: ping, status: 200, has: map[string]string{"Access-Control-Allow-Origin": "https://a.example", "Vary": "Origin", "Access-Control-Expose-Headers": "Mcp-Session-Id, MCP-Protocol-Version, Retry-After, Allow"}},
		{name: "a page of this machine", headers: map[string]string{"Origin": "http://localhost:3000"}, body: ping, status: 200, has: map[string]string{"Access-Control-Allow-Origin": "http://localhost:3000"}},
		{name: "errors too are for allowed pages to read", headers: public, body: "nonsense", status: 400, has: map[string]string{"Access-Control-Allow-Origin": "https://a.example"}},
		{name: "405 too", method: "GET", headers: public, status: 405, has: map[string]string{"Access-Control-Allow-Origin": "https://a.example"}},
		{name: "before a page asks", method: "OPTIONS", headers: map[string]string{"Origin": "https://a.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-protocol-version,mcp-session-id,content-type"}, status: 204,
			has: map[string]string{"Access-Control-Allow-Origin": "https://a.example", "Access-Control-Allow-Methods": "POST, GET, OPTIONS", "Access-Control-Max-Age": "86400",
				"Access-Control-Allow-Headers": "Content-Type, Accept, Authorization, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"}},
		{name: "before a foreign page asks", method: "OPTIONS", headers: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}, status: 403, has: map[string]string{"Access-Control-Allow-Origin": ""}},
		{name: "options of no page", method: "OPTIONS", status: 204, has: map[string]string{"Allow": "POST, OPTIONS"}},

		{name: "no stream to open", method: "GET", headers: map[string]string{"Accept": "text/event-stream"}, status: 405, has: map[string]string{"Allow": "POST, OPTIONS"}},
		{name: "no session to end", method: "DELETE", status: 405, has: map[string]string{"Allow": "POST, OPTIONS"}},
		{name: "put", method: "PUT", body: ping, status: 405, has: map[string]string{"Allow": "POST, OPTIONS"}},
		{name: "text", headers: map[string]string{"Content-Type": "text/plain"}, body: ping, status: 415},
		{name: "no type", headers: map[string]string{"Content-Type": ""}, body: ping, status: 415},
		{name: "a type with a parameter", headers: map[string]string{"Content-Type": "Application/JSON; charset=utf-8"}, body: ping, status: 200},
		{name: "too long", body: strings.Repeat(" ", maxBody) + ping, status: 413},
		{name: "just not too long", body: strings.Repeat(" ", maxBody-len(ping)) + ping, status: 200},
		{name: "accepts JSON alone", headers: map[string]string{"Accept": "application/json"}, body: ping, status: 400, says: `"code":-32600.*Accept must contain`},
		{name: "another place", path: "/", body: ping, status: 404},

		{name: "nonsense", body: "nonsense", status: 400, says: `"code":-32700.*"id":null`},
		{name: "nothing", body: "", status: 400, says: `"code":-32700`},
		{name: "half a message", body: ping[:20], status: 400, says: `"code":-32700`},
		{name: "two messages", body: ping + ping, status: 400, says: `"code":-32700`},
		{name: "a string", body: `"ping"`, status: 400, says: `"code":-32600`},
		{name: "no message", body: `{"a":1}`, status: 400, says: `"code":-32600`},
		{name: "an empty batch", body: `[]`, status: 400, says: `"code":-32600`},
		{name: "deep nonsense", body: strings.Repeat("[", 20000) + strings.Repeat("]", 20000), status: 400, says: `"code":-32`},
		{name: "the longest id", body: withID("9007199254740991"), status: 200, says: `"id":9007199254740991,`},
		{name: "an id that is longer", body: withID("9007199254740992"), status: 400, says: `"code":-32600,`},
		{name: "an id of words", body: withID(`"1.5"`), status: 200, says: `"id":"1\.5",`},
		{name: "an id that would come back as another", body: withID("99999999999999999999"), status: 400, says: `"code":-32600,.*the id of.*"id":99999999999999999999,`},
		{name: "an id that is half a number", body: withID("1.5"), status: 400, says: `"code":-32600,.*"id":1\.5,`},
		{name: "an id that is none", body: withID("null"), status: 400, says: `"code":-32600,.*"id":null,`},
		{name: "an id that is true", body: withID("true"), status: 400, says: `"code":-32600,.*"id":null,`},
		{name: "such an id in a batch", headers: map[string]string{"Mcp-Protocol-Version": "2025-03-26"}, body: `[` + ping + `,` + withID("1.5") + `]`, status: 400, says: `"code":-32600,.*the id of`},
		{name: "a long batch", headers: map[string]string{"Mcp-Protocol-Version": "2025-03-26"}, body: `[` + ping + strings.Repeat(`,`+ping, maxBatch) + `]`, status: 400, says: `a batch has at most 20 messages`},

		{name: "an unknown version", headers: map[string]string{"Mcp-Protocol-Version": "1900-01-01"}, body: ping, status: 400, says: `"code":-32022,.*"supported":\["2026-07-28","2025-11-25",.*"requested":"1900-01-01".*"id":1`},
		{name: "a version to come", headers: map[string]string{"Mcp-Protocol-Version": "2099-01-01"}, body: ping, status: 400, says: `"code":-32022`},

		{name: "an unknown tool", body: call("nope", `{}`), status: 200, says: `"error":\{"code":-32602,"message":"unknown tool`},
		{name: "an unknown method", body: `{"jsonrpc":"2.0","id":"x","method":"nope"}`, status: 200, says: `"code":-32601.*"id":"x"`},
		{name: "bad arguments of a tool", body: call("get_incident", `{"id":5}`), status: 200, says: `"result":\{"content":\[\{"type":"text","text":"id is to be [^"]*"\}\],"isError":true\}`},
		{name: "a tool", body: call("get_incident", `{"id":"IL-0119","sections":["timeline"],"similar":0}`), status: 200, says: `^\{"jsonrpc":"2\.0","id":1,"result":\{"content":\[\{"type":"text","text":"\{\\"lang\\":\\"en\\",.*\}"\}\],"structuredContent":\{"lang":"en","case":\{"id":"IL-0119".*\}\}\}$`},
		{name: "search with links", body: call("search_incidents", `{"query":"cosmos db","limit":1}`), status: 200, says: `\{"type":"resource_link","uri":"incidentlib://cases/IL-0119","name":"IL-0119","title":"[^"]+","mimeType":"application/json"\}\],"structuredContent":\{"query":"cosmos db"`},

		{name: "card", method: "GET", path: "/mcp/server-card", status: 200, says: `"name":"com\.benchlet/incidentlib".*"remotes":\[\{.*"url":"http://localhost/mcp"`, has: map[string]string{"Content-Type": "application/mcp-server-card+json", "Access-Control-Allow-Origin": "*"}},
		{name: "health", method: "GET", path: "/healthz", status: 200, says: `^\{"data_version":"[0-9a-f]{64}","status":"ok"\}\n$`},
		{name: "health is asked, not told", method: "POST", path: "/healthz", status: 405},
	}...)
}

// modernWires are the rules of the protocol's newer era.
func modernWires() []wire {
	return []wire{
		{name: "modern: discover", headers: modern("server/discover", ""), body: modernCall("server/discover", ""), status: 200, says: `"resultType":"complete".*"ttlMs":300000,"cacheScope":"public","supportedVersions":\["2026-07-28"`},
		{name: "modern: a tool", headers: modern("tools/call", "vocab"), body: modernCall("tools/call", `"name":"vocab","arguments":{"find":"memory"}`), status: 200, says: `"_meta":\{"io.modelcontextprotocol/serverInfo".*"structuredContent":\{"lang":"en".*"resultType":"complete"`},
		{name: "modern: tools", headers: modern("tools/list", ""), body: modernCall("tools/list", ""), status: 200, says: `"ttlMs":300000,"cacheScope":"public"`},
		{name: "modern: resources", headers: modern("resources/list", ""), body: modernCall("resources/list", ""), status: 200, says: `"resultType":"complete".*"ttlMs":300000,"cacheScope":"public"`},
		{name: "modern: a resource", headers: modern("resources/read", "incidentlib://cases/IL-0119"), body: modernCall("resources/read", `"uri":"incidentlib://cases/IL-0119"`), status: 200, says: `"ttlMs":3600000,"cacheScope":"public"`},
		{name: "modern: no such resource", headers: modern("resources/read", "incidentlib://cases/IL-9999"), body: modernCall("resources/read", `"uri":"incidentlib://cases/IL-9999"`), status: 400, says: `"code":-32602`},
		{name: "modern: an unknown method", headers: modern("nope", ""), body: modernCall("nope", ""), status: 404, says: `"id":7,.*"code":-32601`},
		{name: "modern: ping is of the past", headers: modern("ping", ""), body: modernCall("ping", ""), status: 404, says: `"code":-32601`},
		{name: "modern: nothing to listen to", headers: modern("subscriptions/listen", ""), body: modernCall("subscriptions/listen", `"notifications":{}`), status: 404, says: `"code":-32601`},
		{name: "modern: the method's header is missing", headers: map[string]string{"Mcp-Protocol-Version": "2026-07-28"}, body: modernCall("tools/list", ""), status: 400, says: `"code":-32020`},
		{name: "modern: the method's header is another", headers: modern("tools/call", "vocab"), body: modernCall("tools/list", ""), status: 400, says: `"code":-32020`},
		{name: "modern: the name's header is missing", headers: modern("tools/call", ""), body: modernCall("tools/call", `"name":"vocab","arguments":{}`), status: 400, says: `"code":-32020`},
		{name: "modern: the name's header is another", headers: modern("tools/call", "get_topic"), body: modernCall("tools/call", `"name":"vocab","arguments":{}`), status: 400, says: `"code":-32020`},
		{name: "modern: without its own version", headers: modern("tools/list", ""), body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, status: 400, says: `"code":-32602`},
	}
}

// The rules of the wire, one by one.
func TestWire(t *testing.T) {
	t.Parallel()
	h := newTestServer(t).Handler(HTTPOptions{Listen: "127.0.0.1:8765", Hosts: []string{"mcp.example.org"}, Origins: []string{"https://a.example"}})
	for _, w := range wires() {
		resp := w.send(h)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != w.status {
			t.Errorf("%s: %d, want %d: %s", w.name, resp.StatusCode, w.status, body)
		}
		if ok, err := regexp.Match("(?s)"+w.says, body); err != nil || !ok {
			t.Errorf("%s: %v\n%s\nhas not %s", w.name, err, body, w.says)
		}
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") && !json.Valid(body) {
			t.Errorf("%s: no JSON: %s", w.name, body)
		}
		for name, want := range w.has {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", w.name, name, got, want)
			}
		}
	}
}

func (w wire) send(h http.Handler) *http.Response {
	method, path := w.method, w.path
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/mcp"
	}
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(w.body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	for name, value := range w.headers {
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Result()
}

func TestAnyOriginAndHost(t *testing.T) {
	t.Parallel()
	h := newTestServer(t).Handler(HTTPOptions{Listen: ":8765", Hosts: []string{"*"}, Origins: []string{"*"}})
	resp := wire{headers: map[string]string{"Origin": "https://any.example", "Host": "any.example"}, body: ping}.send(h)
	if resp.StatusCode != 200 || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	everywhere := newTestServer(t).Handler(HTTPOptions{Listen: "0.0.0.0:8765"})
	for host, want := range map[string]int{"192.0.2.1:8765": 200, "any.example": 403, "localhost:8765": 200} {
		if resp := (wire{headers: map[string]string{"Host": host}, body: ping}).send(everywhere); resp.StatusCode != want {
			t.Errorf("%s: %d", host, resp.StatusCode)
		}
	}
}

// One address may not ask for all the time of the server, and is told when to ask
// again. Others, and this machine, go on.
func TestRates(t *testing.T) {
	t.Parallel()
	h := newTestServer(t).Handler(HTTPOptions{Hosts: []string{"*"}, Origins: []string{"*"}, Rate: 0.01})
	from := func(addr string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(ping))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Origin", "https://a.example")
		r.RemoteAddr = addr
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	counts := map[string]int{}
	for range 20 {
		for _, addr := range []string{"192.0.2.1:1000", "192.0.2.2:1000", "[2001:db8::1]:9", "[2001:db8::2]:9", "127.0.0.1:5", "[::1]:5"} {
			w := from(addr)
			if w.Code == http.StatusOK {
				counts[addr]++
			} else if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "100" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Fatalf("%s: %d %v", addr, w.Code, w.Header())
			}
		}
	}
	for addr, n := range counts {
		if local := strings.Contains(addr, "127.") || strings.Contains(addr, "::1]:5"); local && n != 20 || !local && n > 2 {
			t.Errorf("%s: %d of 20", addr, n)
		}
	}
	if a, b := counts["[2001:db8::1]:9"], counts["[2001:db8::2]:9"]; a+b > 2 {
		t.Errorf("one network has two rates: %d and %d", a, b)
	}
}

// slowly is a body that comes when it likes.
type slowly struct{ come <-chan struct{} }

func (b slowly) Read([]byte) (int, error) {
	<-b.come
	return 0, io.EOF
}

// Who sends slowly keeps nobody else from being answered.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	h := newTestServer(t).Handler(HTTPOptions{Calls: 1})
	ask := func(body io.Reader) int {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", body)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	come, codes := make(chan struct{}), make(chan int)
	for range arriving - 1 {
		go func() { codes <- ask(slowly{come}) }()
	}
	for range 10 {
		if code := ask(strings.NewReader(ping)); code != http.StatusOK {
			t.Error(code)
		}
	}
	close(come)
	for range arriving - 1 {
		if code := <-codes; code != http.StatusBadRequest {
			t.Error(code)
		}
	}
}

// The Go SDK's client over HTTP, in both eras: tools, resources, prompts, completions.
func TestClientOverHTTP(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(newTestServer(t).Handler(HTTPOptions{}))
	defer srv.Close()
	for _, version := range versions() {
		c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL + "/mcp"}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, c, "get_incident", map[string]any{"id": "IL-0119"}); at(got, "case.org") != "OpenAI" {
			t.Error(got)
		}
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_incidents", Arguments: map[string]any{"query": "cosmos db", "limit": 2}})
		if err != nil {
			t.Fatal(err)
		}
		if l, ok := r.Content[len(r.Content)-1].(*mcp.ResourceLink); !ok || !strings.HasPrefix(l.URI, "incidentlib://cases/IL-") || l.Title == "" {
			t.Errorf("%s: %v", version, r.Content)
		}
		checkRest(t, c)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkRest holds what there is beside the tools.
func checkRest(t *testing.T, c *mcp.ClientSession) {
	t.Helper()
	list, err := c.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 54 || list.NextCursor != "" || list.Resources[0].URI != "incidentlib://about" || list.Resources[4].Annotations.LastModified == "" {
		t.Fatalf("%v %+v", err, list)
	}
	for _, one := range list.Resources[:8] {
		read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: one.URI})
		if err != nil || !json.Valid([]byte(read.Contents[0].Text)) || read.Contents[0].URI != one.URI {
			t.Errorf("%s: %v", one.URI, err)
		}
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 4 {
		t.Errorf("%v %v", err, templates)
	}
	for uri, says := range map[string]string{
		"incidentlib://cases/IL-0371":                  `"id":"IL-0371"`,
		"incidentlib://cases/IL-0371/ko.md":            "# PITR 을 켠 Render Postgres 데이터베이스에서",
		"incidentlib://cases/IL-0371/en.md":            "## Action items\n\n- ",
		"incidentlib://topics/root_cause/software-bug": `"slug":"software-bug"`,
		"incidentlib://orgs/openai":                    `"name":"OpenAI"`,
	} {
		read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(read.Contents[0].Text, says) {
			t.Errorf("%s: %v %+v", uri, err, read)
		}
	}
	for _, uri := range []string{"incidentlib://cases/IL-9999", "incidentlib://cases/IL-0371/fr.md", "incidentlib://cases/..%2f..%2fetc", "incidentlib://topics/a/b", "incidentlib://orgs/..", "incidentlib://nope", "file:///etc/passwd"} {
		if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "Resource not found") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	checkPrompts(t, c)
}

func checkPrompts(t *testing.T, c *mcp.ClientSession) {
	t.Helper()
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 3 {
		t.Fatalf("%v %v", err, list)
	}
	for _, p := range list.Prompts {
		for _, given := range []string{"pods crash loop", "파드가 재시작을 되풀이한다"} {
			got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{p.Arguments[0].Name: given}})
			if err != nil || !strings.Contains(got.Messages[0].Content.(*mcp.TextContent).Text, given) {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
		for _, args := range []map[string]string{nil, {p.Arguments[0].Name: " "}, {p.Arguments[0].Name: "x", "lang": "fr"}, {p.Arguments[0].Name: strings.Repeat("x", 20_001)}} {
			if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: args}); err == nil {
				t.Errorf("%s takes %v", p.Name, args)
			}
		}
	}
	prompt, template := func(name string) *mcp.CompleteReference {
		return &mcp.CompleteReference{Type: "ref/prompt", Name: name}
	}, func(uri string) *mcp.CompleteReference {
		return &mcp.CompleteReference{Type: "ref/resource", URI: uri}
	}
	for _, test := range []struct {
		ref         *mcp.CompleteReference
		name, value string
		given       map[string]string
		want        []string
	}{
		{prompt("find_similar"), "lang", "", nil, []string{"en", "ko"}},
		{prompt("find_similar"), "symptom", "x", nil, []string{}},
		{prompt("prevention_checklist"), "component", "database-r", nil, []string{"database-replication"}},
		{template("incidentlib://cases/{id}"), "id", "il-012", nil, []string{"IL-0123"}},
		{template("incidentlib://topics/{axis}/{slug}"), "axis", "co", nil, []string{"components", "contributing"}},
		{template("incidentlib://topics/{axis}/{slug}"), "slug", "software", map[string]string{"axis": "root_cause"}, []string{"software-bug"}},
		{template("incidentlib://orgs/{org}"), "org", "opena", nil, []string{"openai"}},
	} {
		params := &mcp.CompleteParams{Ref: test.ref, Argument: mcp.CompleteParamsArgument{Name: test.name, Value: test.value}}
		if test.given != nil {
			params.Context = &mcp.CompleteContext{Arguments: test.given}
		}
		got, err := c.Complete(t.Context(), params)
		if err != nil {
			t.Errorf("%s %q: %v", test.name, test.value, err)
			continue
		}
		if diff := cmp.Diff(test.want, got.Completion.Values); diff != "" {
			t.Errorf("%s %q: %s", test.name, test.value, diff)
		}
	}
	if _, err := c.Complete(t.Context(), &mcp.CompleteParams{Ref: prompt("nope"), Argument: mcp.CompleteParamsArgument{Name: "lang"}}); err == nil {
		t.Error("an unknown prompt is completed")
	}
}
