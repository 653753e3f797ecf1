package mock

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func ask(m *Mock, path, body string) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	m.Routes(mux)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return w
}

const hello = `{"conversationId":"c","messageId":"m","prompt":"hello"}`

// The mock does what it is told from the next request on, and takes its time.
func TestConfig(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := New(Healthy(), 10, func() float64 { return 0.5 })
		began := time.Now()
		if w := ask(m, "/mock/llm", hello); w.Code != http.StatusOK || time.Since(began) != 85*time.Millisecond {
			t.Errorf("%d after %v: %s", w.Code, time.Since(began), w.Body)
		}
		w := ask(m, "/mock/config", `{"failRate":0.51,"minDelayMillis":200,"maxDelayMillis":700}`)
		if want := `{"failRate":0.51,"minDelayMillis":200,"maxDelayMillis":700}`; w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
		began = time.Now()
		if w := ask(m, "/mock/llm", hello); w.Code != http.StatusInternalServerError || time.Since(began) != 450*time.Millisecond {
			t.Errorf("%d after %v: %s", w.Code, time.Since(began), w.Body)
		}
		w = ask(m, "/mock/config", `{"failRate":0.5}`)
		if want := `{"failRate":0.5,"minDelayMillis":200,"maxDelayMillis":700}`; w.Body.String() != want {
			t.Errorf("%s, want %s", w.Body, want)
		}
		if w := ask(m, "/mock/llm", hello); w.Code != http.StatusOK {
			t.Errorf("a draw of just the rate fails: %d", w.Code)
		}
	})
}

func TestLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := New(Healthy(), 1, nil)
		go ask(m, "/mock/llm", hello)
		synctest.Wait()
		if w := ask(m, "/mock/llm", hello); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		time.Sleep(time.Second)
	})
}

// Whatever is posted, the configuration that holds afterwards is a sound one,
// and is changed only where the answer says so.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{`{"failRate":0.3,"minDelayMillis":200,"maxDelayMillis":700}`, `{"failRate":1e400}`, `{"failRate":-0}`, `{"minDelayMillis":null}`, `{"FailRate":1}`, `{`, ``} {
		f.Add([]byte(seed))
	}
	m := New(Healthy(), 10, nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		before := *m.config.Load()
		w := ask(m, "/mock/config", string(body))
		after := *m.config.Load()
		if err := after.Check(); err != nil {
			t.Fatalf("%q: %v", body, err)
		}
		var said Config
		switch w.Code {
		case http.StatusOK:
			if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said != after {
				t.Fatalf("%q: %s, but it is %+v", body, w.Body, after)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			if before != after || !json.Valid(w.Body.Bytes()) {
				t.Fatalf("%q: refused, %s, and yet %+v", body, w.Body, after)
			}
		default:
			t.Fatalf("%q: %d", body, w.Code)
		}
	})
}
