// Package wire is what the gateway and the mock upstream share of HTTP: strict
// and bounded reading of JSON, and refusals that say why.
package wire

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// MaxBody bounds every body, of requests and of the upstream's answers.
const MaxBody = 64 << 10

// Refusal is an answer without a result, and its reason.
type Refusal struct {
	Status     int           `json:"-"`
	Reason     string        `json:"err"`
	RetryAfter time.Duration `json:"-"` // 0: not worth trying again as it is
}

func (f *Refusal) Error() string { return f.Reason }

// Bad refuses input that is wrong.
func Bad(format string, args ...any) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, Reason: fmt.Sprintf(format, args...)}
}

// Write sends the refusal.
func (f *Refusal) Write(w http.ResponseWriter) {
	RetryAfter(w, f.RetryAfter)
	WriteJSON(w, f.Status, f)
}

// RetryAfter sets the header of that name, in whole seconds and rounded up: a
// caller that comes a moment early is refused once more.
func RetryAfter(w http.ResponseWriter, d time.Duration) {
	if d > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(d.Seconds()))))
	}
}

// WriteJSON sends a value.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"err":"the answer cannot be written"}`)
	}
	WriteBytes(w, status, body)
}

// WriteBytes sends JSON that is written already.
func WriteBytes(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body) // the caller may be gone; there is nobody to tell
}

// Read fills v with the body of a request. It refuses what is not one JSON
// value, what v has no field for, names that come twice, and long bodies.
func Read(w http.ResponseWriter, r *http.Request, v any) *Refusal {
	err := json.UnmarshalRead(http.MaxBytesReader(w, r.Body, MaxBody), v, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		return &Refusal{Status: http.StatusRequestEntityTooLarge, Reason: fmt.Sprintf("the body is longer than %d bytes", MaxBody)}
	}
	if f := (*json.SemanticError)(nil); errors.As(err, &f) {
		// The library's own words name types of Go, which callers do not know.
		if errors.Is(err, json.ErrUnknownName) {
			return Bad("%s: there is no such field", f.JSONPointer)
		}
		return Bad("%q: no value of this kind or size belongs here", f.JSONPointer)
	}
	return Bad("the body is not JSON: %v", err)
}

// Route answers one method at a path, and refuses the others in JSON; ServeMux
// would do that in plain text.
func Route(mux *http.ServeMux, method, path string, h http.HandlerFunc) {
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method && (method != http.MethodGet || r.Method != http.MethodHead) {
			allow := method
			if method == http.MethodGet {
				allow = "GET, HEAD"
			}
			w.Header().Set("Allow", allow)
			(&Refusal{Status: http.StatusMethodNotAllowed, Reason: path + " takes " + allow}).Write(w)
			return
		}
		h(w, r)
	})
}

// Full is the refusal of a server that does as much as it may.
func Full(limit int) *Refusal {
	return &Refusal{
		Status:     http.StatusServiceUnavailable,
		Reason:     fmt.Sprintf("as many requests as may run at once do so, %d, or the server is closing", limit),
		RetryAfter: time.Second,
	}
}

// Sleep waits, but not for longer than the context lasts.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
