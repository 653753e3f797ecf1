package gateway

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"benchlet.com/incidentlib/cmd/llm-gateway/mock"
	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

func reason(w *httptest.ResponseRecorder) string {
	var f struct{ Err string }
	if json.Unmarshal(w.Body.Bytes(), &f) != nil {
		return "(no JSON) " + w.Body.String()
	}
	return f.Err
}

func TestWrongInputIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	l := newLab(t, mock.Config{}, nil)
	defer l.close()
	const ids = `"conversationId":"c","messageId":"m"`
	for _, c := range []struct {
		path, body string
		code       int
		reason     string
	}{
		{"/chat", ``, 400, "the body is not JSON: "},
		{"/chat", `[]`, 400, `"": no value of this kind or size belongs here`},
		{"/chat", `{` + ids + `,"prompt":7}`, 400, `"/prompt": no value of this kind or size belongs here`},
		{"/chat", `{` + ids + `,"prompt":"p","temperature":1}`, 400, "/temperature: there is no such field"},
		{"/chat", `{` + ids + `,"prompt":"p","prompt":"q"}`, 400, "the body is not JSON: "},
		{"/chat", `{` + ids + `,"prompt":"p"} {}`, 400, "the body is not JSON: "},
		{"/chat", "{" + ids + ",\"prompt\":\"\xff\"}", 400, "the body is not JSON: "},
		{"/chat", `{` + ids + `,"prompt":" "}`, 400, "prompt is empty"},
		{"/chat", `{"messageId":"m","prompt":"p"}`, 400, "conversationId has 0 bytes; it has 1 to 128"},
		{"/chat", `{"conversationId":"c","messageId":"` + strings.Repeat("m", 129) + `","prompt":"p"}`, 400, "messageId has 129 bytes; it has 1 to 128"},
		{"/chat", `{"conversationId":"c\nd","messageId":"m","prompt":"p"}`, 400, "conversationId has a control character"},
		{"/chat", `{` + ids + `,"prompt":"` + strings.Repeat("p", wire.MaxBody) + `"}`, 413, "the body is longer than 65536 bytes"},
		{"/mock/config", `{"failRate":1.5}`, 400, "failRate is 1.5; it goes from 0 to 1"},
		{"/mock/config", `{"failRate":"1"}`, 400, `"/failRate": no value of this kind or size belongs here`},
		{"/mock/config", `{"minDelayMillis":-1}`, 400, "minDelayMillis is -1; it goes from 0 to 60000"},
		{"/mock/config", `{"minDelayMillis":9,"maxDelayMillis":8}`, 400, "maxDelayMillis is 8; it goes from minDelayMillis, 9, to 60000"},
		{"/mock/config", `{"minDelayMillis":0.5}`, 400, `"/minDelayMillis": no value of this kind or size belongs here`},
		{"/mock/llm", `{"question":1}`, 400, "/question: there is no such field"},
	} {
		w := l.do(post(c.path, c.body))
		if got := reason(w); w.Code != c.code || !strings.HasPrefix(got, c.reason) {
			t.Errorf("%s %.80s: %d %s; want %d %s", c.path, c.body, w.Code, got, c.code, c.reason)
		}
	}
	if r := l.gate.ledger.Report(); len(r.Cells) != 0 || l.upstream.Served() != 0 {
		t.Errorf("wrong input burns budget: %+v", r)
	}
}

func TestWrongMethods(t *testing.T) {
	t.Parallel()
	l := newLab(t, mock.Config{}, nil)
	defer l.close()
	for path, allow := range map[string]string{"/chat": "POST", "/mock/llm": "POST", "/mock/config": "POST", "/metrics": "GET, HEAD", "/accounting": "GET, HEAD"} {
		w := l.do(httptest.NewRequest(http.MethodDelete, path, nil))
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != allow || reason(w) == "" {
			t.Errorf("%s: %d %v %s", path, w.Code, w.Header(), w.Body)
		}
	}
}

// Whatever is posted, the answer is JSON with a status that is promised, and a
// good one only for what can be written and read again as it was.
func FuzzChat(f *testing.F) {
	for _, seed := range []string{
		`{"conversationId":"c-1","messageId":"m-1","prompt":"hello"}`, `{"conversationId":"c-1","messageId":"m-1","prompt":"안녕"}`,
		`{"conversationId":"c","messageId":"m","prompt":"p","x":{}}`, `{"messageId":null}`, `[[[[`, `{"prompt":"\ud800"}`, "",
	} {
		f.Add([]byte(seed), "paid")
	}
	l := newLab(f, mock.Config{}, func(o *Options) { o.RememberMax = 8 })
	f.Fuzz(func(t *testing.T, body []byte, plan string) {
		r := post("/chat", string(body))
		r.Header["X-Plan"] = []string{plan}
		w := l.do(r)
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%d %q", w.Code, w.Body)
		}
		switch w.Code {
		case http.StatusOK:
			var m Message
			if err := json.Unmarshal(body, &m); err != nil || m.check() != nil {
				t.Fatalf("%q was answered: %v", body, err)
			}
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusConflict:
			if reason(w) == "" {
				t.Fatalf("no reason for %d", w.Code)
			}
		default:
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
		if n := len(l.gate.ledger.Report().Plans); n > len(l.gate.opt.Plans)+1 {
			t.Fatalf("%d plans", n)
		}
	})
}
