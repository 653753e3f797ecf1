package preview

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"time"
)

const (
	heartbeat    = 15 * time.Second
	writeTimeout = 5 * time.Second // a browser that does not take an event in this time is cut off
	maxClients   = 1000
)

// hub knows the browsers that listen. It holds no events: a browser is woken
// and takes the newest state, so a slow one can neither queue nor delay.
type hub struct {
	mu      sync.Mutex
	clients map[chan struct{}]bool
	done    chan struct{}
}

func newHub() *hub { return &hub{clients: map[chan struct{}]bool{}, done: make(chan struct{})} }

// join registers a browser; nil when there are too many.
func (h *hub) join() chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.clients) >= maxClients {
		return nil
	}
	wake := make(chan struct{}, 1)
	h.clients[wake] = true
	return wake
}

func (h *hub) leave(wake chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, wake)
}

// wakeAll tells every browser that there is a newer state.
func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for wake := range h.clients {
		select {
		case wake <- struct{}{}:
		default: // it has not looked since the last time, and will see this too
		}
	}
}

// status is what a browser is told of the newest build.
type status struct {
	Build    int      `json:"build"`
	Millis   float64  `json:"ms"`
	Changed  int      `json:"changed"`
	Edit     string   `json:"edit"` // the seed of the page, as a name
	EditHref string   `json:"edit_href"`
	Problems []report `json:"problems"`
}

func (s *Server) statusFor(st *state, page string) status {
	out := status{Build: st.build, Millis: millis(st.took), Changed: st.changed, Problems: st.reports()}
	if st.site == nil {
		return out
	}
	out.Edit = st.site.seedOf(page)
	if abs, err := filepath.Abs(out.Edit); err == nil {
		out.EditHref = (&url.URL{Scheme: "vscode", Host: "file", Path: filepath.ToSlash(abs)}).String()
	}
	return out
}

// events streams the state to one browser. The page that it shows and the
// digest of what it was sent are in the address, so that a build between the
// page and the stream is not missed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	page, seen := r.URL.Query().Get("page"), r.URL.Query().Get("seen")
	if decoded, err := url.PathUnescape(page); err == nil {
		page = decoded
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	wake := s.hub.join()
	if wake == nil {
		plain(w, r, http.StatusServiceUnavailable, "too many browsers are listening")
		return
	}
	defer s.hub.leave(wake)
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	out := stream{w, http.NewResponseController(w)}
	told := ""
	for ok := out.send(": welcome\n\n"); ok; {
		st := s.state()
		now := s.mark(st, page) // first: rendering the page may meet with problems
		body, err := json.Marshal(s.statusFor(st, page))
		if err != nil {
			return
		}
		if string(body) != told {
			told = string(body)
			ok = out.send("event: state\ndata: %s\n\n", body)
		}
		if ok && now != seen {
			seen = now
			ok = out.send("event: reload\ndata: %s\n\n", now)
		}
		if !ok {
			return
		}
		select {
		case <-wake:
		case <-tick.C:
			ok = out.send(": still here\n\n")
		case <-r.Context().Done():
			return
		case <-s.hub.done:
			return
		}
	}
}

// stream is the answer to a browser that listens.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// send writes to the browser; false when it is gone or does not read.
func (s stream) send(format string, args ...any) bool {
	if s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) != nil {
		return false
	}
	if _, err := fmt.Fprintf(s.w, format, args...); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
