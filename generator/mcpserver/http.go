package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPOptions say who may ask over HTTP, and how much.
type HTTPOptions struct {
	Listen  string   // the address that is listened on, "127.0.0.1:8765"
	Hosts   []string // further names that the server is called by; "*" for any
	Origins []string // whose pages may ask, such as "https://example.org"; "*" for any
	Rate    float64  // requests a second from one address on average; 0 for any number
	Calls   int      // calls at work at once; 0 for 128
}

// Paths of the endpoint and of what is beside it.
const (
	endpointPath = "/mcp"
	cardPath     = endpointPath + "/server-card"
	healthPath   = "/healthz"
)

// maxBody bounds a request. The longest that makes sense is a post-mortem to
// review.
const maxBody = 64 << 10

// NewHTTPServer is a server of the handler with bounds on what a slow or greedy
// client can hold.
func NewHTTPServer(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
}

// Handler answers over HTTP. Each rule is a handler around the next one; a request
// goes through them in the order of this function.
func (s *Server) Handler(opt HTTPOptions) http.Handler {
	if opt.Calls <= 0 {
		opt.Calls = 128
	}
	sdk := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the rule below is stricter, and knows --allow-host
	})
	mux := http.NewServeMux()
	mux.Handle(endpointPath, s.endpoint(slots(opt.Calls, sdk)))
	mux.HandleFunc("GET "+cardPath, s.card)
	mux.HandleFunc("GET "+healthPath, s.health)
	o := newOrigins(opt.Origins)
	h := newHosts(opt.Listen, opt.Hosts).guard(o.guard(mux))
	h = slots(arriving*opt.Calls, newRates(opt.Rate).guard(h))
	return s.recovering(o.announce(h)) // a refusal is to be read by pages too
}

// recovering answers a request that met with a fault of the program, and goes on.
func (s *Server) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			s.log.Error("a request met with a fault of the program", "fault", v, "stack", string(debug.Stack()))
			refuse(w, http.StatusInternalServerError, "the server met with a fault of its own")
		}()
		next.ServeHTTP(w, r)
	})
}

// arriving is how many times as many requests may be on their way in or out as
// are at work, so that what they hold is bounded.
const arriving = 16

// patience is how long a call waits for its turn. It is longer than many hundred
// calls take, so that a crowd that comes at once is answered, one by one.
const patience = 20 * time.Second

// slots bounds how many requests are in a handler at once. A call has been read
// whole when it comes to the inner one, and is sent when it has left: who sends or
// reads slowly keeps nobody else from being answered.
func slots(n int, next http.Handler) http.Handler {
	free := make(chan struct{}, n)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done(): // nobody waits for the answer
		case <-time.After(patience):
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusServiceUnavailable, "the server has as much to do as it can; try again")
		}
	})
}

// refuse answers with an error of HTTP.
func refuse(w http.ResponseWriter, code int, why string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	io.WriteString(w, why+"\n") // the client may be gone; there is nobody to tell
}

// refuseCall answers with an error of the protocol.
func refuseCall(w http.ResponseWriter, code int, id json.RawMessage, e jsonrpc.Error) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": e})
	if err != nil {
		refuse(w, code, e.Message)
		return
	}
	w.Header().Set("Content-Type", mediaJSON)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	w.Write(body) // as in refuse
}

// endpoint answers what the protocol asks of the one address, before the SDK does
// the rest.
func (s *Server) endpoint(sdk http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", "POST, OPTIONS")
			refuse(w, http.StatusMethodNotAllowed, "send messages with POST; this server keeps no sessions and opens no streams")
			return
		}
		if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(media), mediaJSON) {
			refuse(w, http.StatusUnsupportedMediaType, "Content-Type is to be application/json")
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			if errors.As(err, new(*http.MaxBytesError)) {
				refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a request has at most %d bytes", maxBody))
				return
			}
			refuse(w, http.StatusBadRequest, "the request could not be read")
			return
		}
		if e := nonsense(body); e != nil {
			refuseCall(w, http.StatusBadRequest, idOf(body), *e)
			return
		}
		if e := unsupported(r.Header.Get("Mcp-Protocol-Version")); e != nil {
			refuseCall(w, http.StatusBadRequest, idOf(body), *e)
			return
		}
		ctx, carrier := withCarrier(r.Context())
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(body))
		out := &response{w: w, id: body}
		sdk.ServeHTTP(out, r)
		out.finish(carrier)
	})
}

// nonsense is the protocol's error for a body that is no message.
func nonsense(body []byte) *jsonrpc.Error {
	if !json.Valid(body) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the request is no JSON"}
	}
	if c := bytes.TrimLeft(body, " \t\r\n")[0]; c != '{' && c != '[' {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the request is no JSON-RPC message"}
	}
	ids, n := idsIn(body)
	switch {
	case n > maxBatch:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("a batch has at most %d messages; send the others in another one", maxBatch)}
	case !slices.ContainsFunc(ids, strange):
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("the id of a request is to be a string, or a whole number up to %d", maxID)}
}

// maxBatch bounds a batch: its answers are in memory together, and are hundreds of
// times as long as the calls.
const maxBatch = 20

// idsIn are the ids that the requests of a body have, and how many messages it has.
func idsIn(body []byte) (ids []json.RawMessage, n int) {
	type message struct {
		Method *json.RawMessage `json:"method"`
		ID     json.RawMessage  `json:"id"`
	}
	all := make([]message, 1)
	if bytes.TrimLeft(body, " \t\r\n")[0] == '[' {
		if json.Unmarshal(body, &all) != nil {
			return nil, 0 // the SDK says what is wrong with it
		}
	} else if json.Unmarshal(body, &all[0]) != nil {
		return nil, 1
	}
	for _, m := range all {
		if m.Method != nil && m.ID != nil {
			ids = append(ids, m.ID)
		}
	}
	return ids, len(all)
}

// strange reports whether an id is one that would come back as another: the SDK reads
// numbers as floating point and writes them as whole ones.
func strange(id json.RawMessage) bool {
	if id[0] == '"' {
		return false
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err != nil || n > maxID || n < -maxID
}

// maxID is the last whole number that floating point tells from its neighbours.
const maxID = 1<<53 - 1

// unsupported is the protocol's error for a version that is not spoken here.
func unsupported(version string) *jsonrpc.Error {
	all := mcp.SupportedProtocolVersions()
	if version == "" || slices.Contains(all, version) {
		return nil
	}
	e := &jsonrpc.Error{Code: mcp.CodeUnsupportedProtocolVersion, Message: "unsupported protocol version"}
	if data, err := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: all, Requested: firstRunes(clean(version), maxWord)}); err == nil {
		e.Data = data
	}
	return e
}

// idOf is the id of the message in a body; nil when it has none that an answer can
// have.
func idOf(body []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &m) != nil || len(m.ID) == 0 || !strings.ContainsRune(`"-0123456789`, rune(m.ID[0])) {
		return nil
	}
	return m.ID
}

// response takes what the SDK writes, which is short, and sends it with the answers
// in their places. Errors that the SDK writes as text are sent as JSON.
type response struct {
	w    http.ResponseWriter
	id   []byte // the body of the request
	code int
	body bytes.Buffer
}

// notHandled is how the SDK begins to say that it has no such method.
const notHandled = "JSON RPC not handled"

func (r *response) Header() http.Header { return r.w.Header() }

func (r *response) WriteHeader(code int) {
	if r.code == 0 {
		r.code = code
	}
}

func (r *response) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

func (r *response) finish(c *carrier) {
	h := r.w.Header()
	if r.code >= 400 && !strings.HasPrefix(h.Get("Content-Type"), mediaJSON) {
		h.Del("Content-Length")
		e := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: strings.TrimSpace(r.body.String())}
		switch {
		case strings.HasPrefix(e.Message, notHandled): // in the era of sessions that is an answer like others
			r.code, e.Code, e.Message = http.StatusOK, jsonrpc.CodeMethodNotFound, "method not found"+strings.TrimPrefix(e.Message, notHandled)
		case r.code >= 500:
			e.Code = jsonrpc.CodeInternalError
		}
		refuseCall(r.w, r.code, idOf(r.id), e)
		return
	}
	body := c.splice(r.body.Bytes())
	h.Set("X-Content-Type-Options", "nosniff")
	if len(body) > 0 {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if r.code == 0 { // the client is gone
		r.code = http.StatusOK
	}
	r.w.WriteHeader(r.code)
	r.w.Write(body) // as in refuse
}

// health says whether questions can be answered.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	version, _, err := on(r.Context(), s, func(lib *library) (string, error) {
		if _, err := lib.vocab(r.Context()); err != nil {
			return "", err
		}
		root, err := lib.root(r.Context())
		if err != nil {
			return "", err
		}
		return root.DataVersion, nil
	})
	if err != nil {
		s.log.Error("the library cannot be read", "error", err)
		w.Header().Set("Retry-After", "5")
		writeJSON(w, http.StatusServiceUnavailable, mediaJSON, map[string]string{"status": "the library cannot be read"})
		return
	}
	writeJSON(w, http.StatusOK, mediaJSON, map[string]string{"status": "ok", "data_version": version})
}

// card says what the server is, for those who look for servers (SEP-2127).
func (s *Server) card(w http.ResponseWriter, r *http.Request) {
	at := "http://" + r.Host + endpointPath
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		at = "https" + strings.TrimPrefix(at, "http")
	}
	home, _, err := on(r.Context(), s, func(lib *library) (string, error) {
		v, err := lib.vocab(r.Context())
		if err != nil {
			return "", err
		}
		return v.site.Root(""), nil
	})
	if err != nil {
		s.log.Error("the library cannot be read", "error", err)
		refuse(w, http.StatusServiceUnavailable, "the library cannot be read just now")
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*") // the card is for everybody
	w.Header().Set("Cache-Control", "public, max-age=3600")
	writeJSON(w, http.StatusOK, "application/mcp-server-card+json", map[string]any{
		"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		"name":    cardName(home), "version": s.version, "title": s.implementation().Title,
		"description": "Public software incidents in English and Korean: search, read, compare", "websiteUrl": home,
		"remotes": []any{map[string]any{"type": "streamable-http", "url": at, "supportedProtocolVersions": mcp.SupportedProtocolVersions()}},
	})
}

// cardName is the name of the server below that of the library's host, turned round.
func cardName(home string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(home, "https://"), "http://"), "/")
	host, _, _ = strings.Cut(host, ":")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "/incidentlib"
}

func writeJSON(w http.ResponseWriter, code int, media string, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the answer could not be written")
		return
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	w.Write(append(body, '\n')) // as in refuse
}
