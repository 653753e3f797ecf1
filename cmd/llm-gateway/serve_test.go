package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"benchlet.com/incidentlib/cmd/llm-gateway/gateway"
	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
)

// served is the program's server on a real port.
type served struct {
	base string
	stop func() error // ends it and waits
}

func start(t *testing.T, change func(*serveFlags)) served {
	t.Helper()
	f := serveFlags{gate: gateway.Defaults(), mock: mock.Config{}, grace: 2 * time.Second}
	change(&f)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.run(ctx, l) }()
	return served{"http://" + l.Addr().String(), func() error { cancel(); return <-done }}
}

const hello = `{"conversationId":"c-1","messageId":"%s","prompt":"hello"}`

// send is one request on a connection of its own, which is closed afterwards.
func send(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	tr := &http.Transport{DisableKeepAlives: true}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(body)
}

func request(t *testing.T, method, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is under way when the server is stopped is finished, through the mock of
// the same server; what cannot be finished in time is ended; nothing is left.
func TestNoGoroutineIsLeft(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, c := range []struct {
		delay int
		grace time.Duration
		code  int
	}{{300, 5 * time.Second, http.StatusOK}, {20_000, 300 * time.Millisecond, http.StatusServiceUnavailable}} {
		s := start(t, func(f *serveFlags) {
			f.grace = c.grace
			f.mock = mock.Config{MinDelayMillis: c.delay, MaxDelayMillis: c.delay}
		})
		got := make(chan int, 1)
		go func() {
			code, _ := send(t, request(t, http.MethodPost, s.base+"/chat", fmt.Sprintf(hello, "m-1")))
			got <- code
		}()
		// A caller who never says anything must not hold the server up.
		silent, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		fmt.Fprint(silent, "POST /chat HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
		for chats := ""; !strings.Contains(chats, `"chats":1,`); time.Sleep(10 * time.Millisecond) {
			_, chats = send(t, request(t, http.MethodGet, s.base+"/accounting", ""))
		}
		if c.code == http.StatusOK {
			silent.Close()
		}
		began := time.Now()
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if code := <-got; code != c.code {
			t.Errorf("a chat under way: %d, want %d", code, c.code)
		}
		if took := time.Since(began); took > c.grace+3*time.Second {
			t.Errorf("stopping took %v", took)
		}
	}
}

// A page of another site that the reader has open may not post here.
func TestOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	s := start(t, func(*serveFlags) {})
	r := request(t, http.MethodPost, s.base+"/mock/config", `{"failRate":1}`)
	r.Header.Set("Origin", "https://example.org")
	if code, body := send(t, r); code != http.StatusForbidden || !strings.HasPrefix(body, `{"err":`) {
		t.Errorf("%d %s", code, body)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"", 0, "llm-gateway is a lab", ""},
		{"serve --help", 0, "--retry-budget int", ""},
		{"serve --fail-rate 2", 2, "", "failRate is 2; it goes from 0 to 1"},
		{"serve --attempts 0", 2, "", "0 attempts; a call has 1 to 10"},
		{"serve --slo 1", 2, "", "an objective of 1; it lies between 0 and 1"},
		{"serve --upstream ftp://x", 2, "", `the upstream "ftp://x" is no http or https URL`},
		{"serve --plans other", 2, "", "stands for all the others"},
		{"serve now", 2, "", "unknown command"},
		{"serve --addr " + taken.Addr().String(), 1, "", "llm-gateway: listen tcp"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(strings.Fields(c.args), &stdout, &stderr)
		if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("llm-gateway %s: exit %d\n%s\n%s", c.args, code, &stdout, &stderr)
		}
	}
}
