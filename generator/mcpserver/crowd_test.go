package mcpserver

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// listen runs the server as the program does, and says where.
func listen(t *testing.T, opt HTTPOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := NewHTTPServer(newTestServer(t).Handler(opt))
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return l.Addr().String()
}

// opened is a connection on which a request has been begun.
func opened(t *testing.T, addr, request string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return c
}

func head(length int) string {
	return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: " + strconv.Itoa(length) + "\r\n\r\n"
}

// 500 clients at once, beside 200 that never end their request and 100 that never
// read their answers: every call is answered, and no memory stays behind. With
// INCIDENTLIB_TORTURE each client calls twenty times.
func TestManyClients(t *testing.T) {
	each, clients := 1, 500
	if os.Getenv("INCIDENTLIB_TORTURE") != "" {
		each = 20
	}
	addr := listen(t, HTTPOptions{})
	for range 200 {
		opened(t, addr, head(60_000)+`{"jsonrpc":"2.0",`)
	}
	big := call("list_incidents", `{"limit":50,"facets":true}`)
	for range 100 {
		opened(t, addr, strings.Repeat(head(len(big))+big, 20))
	}
	before := inUse()
	ids := []string{"IL-0119", "IL-0123", "IL-0022"}
	var mu sync.Mutex
	var times []time.Duration
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			c := dial(t, addr)
			defer c.conn.Close()
			r := rand.New(rand.NewPCG(uint64(i), 11))
			for range each {
				at := time.Now()
				if err := c.ask(anyCall(r, ids)); err != nil {
					t.Errorf("client %d: %v", i, err)
					return
				}
				mu.Lock()
				times = append(times, time.Since(at))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(times) != clients*each {
		t.Fatalf("%d of %d calls were answered", len(times), clients*each)
	}
	slices.Sort(times)
	limit, after := before+64<<20, inUse()
	for end := time.Now().Add(time.Minute); after > limit && time.Now().Before(end); after = inUse() {
		time.Sleep(20 * time.Millisecond) // the server has still to see that clients are gone
	}
	t.Logf("%d clients, %d calls: p50 %v, p99 %v; %d MB in use before, %d after", clients, len(times), times[len(times)/2].Round(time.Millisecond), times[len(times)*99/100].Round(time.Millisecond), before>>20, after>>20)
	if after > limit {
		t.Errorf("%d MB in use, %d before", after>>20, before>>20)
	}
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Requests that are too long, no requests at all, or never end, end soon: the
// client is told what is wrong, or is left.
func TestEndlessRequests(t *testing.T) {
	t.Parallel()
	addr := listen(t, HTTPOptions{})
	for name, test := range map[string]struct {
		request string
		status  int
	}{
		"a body too long":       {head(100<<20) + strings.Repeat(" ", 70<<10), http.StatusRequestEntityTooLarge},
		"chunks without end":    {strings.Replace(head(1), "Content-Length: 1", "Transfer-Encoding: chunked", 1) + strings.Repeat("1000\r\n"+strings.Repeat(" ", 0x1000)+"\r\n", 20), http.StatusRequestEntityTooLarge},
		"headers without end":   {"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: "+strings.Repeat("b", 1000)+"\r\n", 40), http.StatusRequestHeaderFieldsTooLarge},
		"a line without end":    {"GET /" + strings.Repeat("a", 40<<10), http.StatusRequestHeaderFieldsTooLarge},
		"no request":            {"\x00\xff\x1b nonsense\r\n\r\n", http.StatusBadRequest},
		"no host":               {"POST /mcp HTTP/1.1\r\n\r\n", http.StatusBadRequest},
		"two lengths":           {strings.Replace(head(5), "\r\n\r\n", "\r\nContent-Length: 6\r\n\r\n", 1) + "12345", http.StatusBadRequest},
		"10,000 deep":           {head(20_000) + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), http.StatusBadRequest},
		"no JSON":               {head(1) + "x", http.StatusBadRequest},
		"half of a character":   {head(len(ping)+1) + ping + "\xff", http.StatusBadRequest},
		"a header split by \\n": {strings.Replace(head(len(ping)), "Accept:", "Mcp-Name: a\nb\r\nAccept:", 1) + ping, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			c := dialed(t, addr)
			go io.WriteString(c, test.request) // the server need not take all of it
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || resp.StatusCode != test.status {
				t.Errorf("%v, %v, want %d", resp, err, test.status)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	if os.Getenv("INCIDENTLIB_TORTURE") == "" {
		return
	}
	start := time.Now()
	c := opened(t, addr, head(60_000)+"{")
	n, err := io.Copy(io.Discard, c)
	t.Logf("a request that never ends was left after %v: %d bytes, %v", time.Since(start).Round(time.Second), n, err)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

func dialed(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(fmt.Errorf("no deadline: %w", err))
	}
	return c
}
