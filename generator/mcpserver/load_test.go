package mcpserver

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestLoad measures a server as its clients see it. It runs where these say so:
//
//	INCIDENTLIB_LOAD=PROGRAM DATA…  the program, and built folders; the first takes
//	                                the load, each is started from
//	INCIDENTLIB_LOAD_SECONDS=5      for how long each tool is asked
//
// Clients and server share the machine. What the server alone takes is therefore
// told too, as time of its processors a call.
func TestLoad(t *testing.T) {
	fields := strings.Fields(os.Getenv("INCIDENTLIB_LOAD"))
	if len(fields) < 2 {
		t.Skip("set INCIDENTLIB_LOAD to a program and built folders")
	}
	seconds, err := strconv.ParseFloat(os.Getenv("INCIDENTLIB_LOAD_SECONDS"), 64)
	if err != nil {
		seconds = 5
	}
	for i, folder := range fields[1:] {
		s := startServer(t, fields[0], folder)
		ids := caseIDsIn(t, folder)
		first := s.firstAnswer(t, ids[0])
		t.Logf("%s: %d cases; start to first answer %v", folder, len(ids), first.Round(time.Millisecond))
		if i == 0 {
			s.load(t, "get_incident, each id again and again", seconds, func(r *rand.Rand) string {
				return call("get_incident", `{"id":"`+ids[r.IntN(len(ids))]+`"}`)
			})
			s.load(t, "get_incident, no call twice", seconds, func(r *rand.Rand) string {
				return call("get_incident", fmt.Sprintf(`{"id":%q,"similar":%d,"lang":%q}`, ids[r.IntN(len(ids))]+strings.Repeat(" ", r.IntN(100)), r.IntN(11), []string{"en", "ko", "both"}[r.IntN(3)]))
			})
			s.load(t, "search_incidents, no call twice", seconds, func(r *rand.Rand) string {
				return call("search_incidents", `{"query":"`+question(r)+`"}`)
			})
		}
		if len(ids) > 0 {
			s.load(t, "all tools", min(seconds, 3), func(r *rand.Rand) string { return anyCall(r, ids) })
		}
		t.Logf("%s: at most %d MB of memory", folder, s.peak()>>20)
		s.stop(t)
	}
}

// question is two words that cases of the corpus and of the seeds have.
func question(r *rand.Rand) string {
	words := []string{"database", "readiness", "probe", "crash", "loop", "memory", "limit", "retry", "storm", "connection", "timeout", "certificate", "deploy", "rollback", "cache",
		"데이터베이스", "연결", "장애", "헬스 체크", "배포", "메모리", "재시도", "인증서", "지연", "오류율", "트래픽", "네트워크", "클러스터"}
	return words[r.IntN(len(words))] + " " + words[r.IntN(len(words))] + " " + words[r.IntN(len(words))]
}

func anyCall(r *rand.Rand, ids []string) string {
	switch r.IntN(5) {
	case 0:
		return call("search_incidents", `{"query":"`+question(r)+`"}`)
	case 1:
		return call("list_incidents", fmt.Sprintf(`{"since":"%d","facets":%v,"limit":%d}`, 2010+r.IntN(15), r.IntN(2) == 0, 1+r.IntN(50)))
	case 2:
		return call("get_topic", fmt.Sprintf(`{"topic":"root_cause/software-bug","limit":%d}`, 1+r.IntN(50)))
	case 3:
		return call("vocab", `{"find":"memory"}`)
	}
	return call("get_incident", `{"id":"`+ids[r.IntN(len(ids))]+`"}`)
}

func call(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

func caseIDsIn(t *testing.T, folder string) (ids []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "api/v1/cases/IL-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no cases: %v", folder, err)
	}
	for _, f := range files {
		ids = append(ids, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	return ids
}

// server is a running program.
type server struct {
	cmd   *exec.Cmd
	addr  string
	start time.Time
}

func startServer(t *testing.T, program, folder string) *server {
	t.Helper()
	s := &server{cmd: exec.Command(program, "mcp", "--data", folder, "--http", "127.0.0.1:0"), start: time.Now()}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the server does not listen: %v", err)
	}
	s.addr = strings.TrimSuffix(strings.TrimPrefix(line, "http://"), "/mcp\n")
	return s
}

func (s *server) firstAnswer(t *testing.T, id string) time.Duration {
	t.Helper()
	c := dial(t, s.addr)
	defer c.conn.Close()
	for _, body := range []string{call("get_incident", `{"id":"`+id+`"}`)} {
		if err := c.ask(body); err != nil {
			t.Fatal(err)
		}
		t.Logf("%v after the start: %.60s", time.Since(s.start).Round(time.Millisecond), body[66:])
	}
	return time.Since(s.start)
}

// cpu is the time of processors that the server took.
func (s *server) cpu() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * (time.Second / 100)
}

// peak is the most memory that the server held.
func (s *server) peak() int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if m := regexp.MustCompile(`VmHWM:\s+(\d+)`).FindSubmatch(b); m != nil {
		n, _ := strconv.ParseInt(string(m[1]), 10, 64)
		return n << 10
	}
	return 0
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	s.cmd.Process.Signal(syscall.SIGTERM)
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// clients is how many ask at once.
const clients = 16

func (s *server) load(t *testing.T, what string, seconds float64, next func(r *rand.Rand) string) {
	t.Helper()
	var mu sync.Mutex
	var times []time.Duration
	var wg sync.WaitGroup
	before, own, start := s.cpu(), ownCPU(), time.Now()
	end := start.Add(time.Duration(seconds * float64(time.Second)))
	for i := range clients {
		wg.Go(func() {
			c := dial(t, s.addr)
			defer c.conn.Close()
			r := rand.New(rand.NewPCG(uint64(i), 7))
			var took []time.Duration
			for time.Now().Before(end) {
				body := next(r)
				at := time.Now()
				if err := c.ask(body); err != nil {
					t.Errorf("%s: %v", body, err)
					return
				}
				took = append(took, time.Since(at))
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, took...)
		})
	}
	wg.Wait()
	if len(times) == 0 {
		t.Fatal("nothing was answered")
	}
	slices.Sort(times)
	n := float64(len(times))
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	t.Logf("%-40s %6.0f/s  p50 %5.1f  p95 %5.1f  p99 %5.1f ms; processors: server %.3f ms a call, clients %.3f ms, %d cores",
		what, n/time.Since(start).Seconds(), ms(times[len(times)/2]), ms(times[len(times)*95/100]), ms(times[len(times)*99/100]),
		ms(s.cpu()-before)/n, ms(ownCPU()-own)/n, runtime.NumCPU())
}

func ownCPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// conn is a client that costs little: the processors are the server's.
type conn struct {
	conn net.Conn
	in   *bufio.Reader
	host string
	body []byte
}

func dial(t *testing.T, addr string) *conn {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		runtime.Goexit()
	}
	return &conn{conn: c, in: bufio.NewReaderSize(c, 64<<10), host: addr}
}

// ask sends a message and reads the answer, which must be a good one.
func (c *conn) ask(body string) error {
	head := "POST /mcp HTTP/1.1\r\nHost: " + c.host + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	if _, err := io.WriteString(c.conn, head+body); err != nil {
		return err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	if resp.ContentLength < 0 {
		return fmt.Errorf("%s without a length", resp.Status)
	}
	c.body = slices.Grow(c.body[:0], int(resp.ContentLength))[:resp.ContentLength]
	if _, err := io.ReadFull(resp.Body, c.body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK || !bytes.Contains(c.body, []byte(`"structuredContent":{`)) {
		return fmt.Errorf("%s: %.200s", resp.Status, c.body)
	}
	return nil
}
