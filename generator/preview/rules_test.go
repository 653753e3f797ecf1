package preview

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The preview answers by the rules that hosts are told: short addresses, cases
// that were replaced, who may read documents, and tags. Nothing of it is kept,
// and no redirect is for ever.
func TestAnswersByTheRulesOfHosts(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	withdrawn := `{"withdrawn": [{"id": "IL-0003", "since": "2025-01-02", "reason": {"en": "Told twice.", "ko": "두 번 실렸다."}, "replaced_by": "IL-0001"}]}`
	if err := os.WriteFile(filepath.Join(dir, "seeds", "withdrawn.json"), []byte(withdrawn), 0o644); err != nil {
		t.Fatal(err)
	}
	s := run(t, dir, nil)
	ask := func(target, tag string) *httptest.ResponseRecorder {
		t.Helper()
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		if tag != "" {
			req.Header.Set("If-None-Match", tag)
		}
		w := httptest.NewRecorder()
		s.s.Handler().ServeHTTP(w, req)
		return w
	}
	for target, want := range map[string]struct {
		code      int
		location  string
		anyOrigin bool
	}{
		"/lib/api/v1":                    {200, "", true},
		"/lib/api/v1/":                   {200, "", true},
		"/lib/api/orgs/acme":             {200, "", true},
		"/lib/api/cases/IL-0003":         {307, "/lib/api/cases/IL-0001", true},
		"/lib/api/v1/cases/IL-0003.json": {307, "/lib/api/v1/cases/IL-0001.json", true},
		"/lib/ko/cases/IL-0003":          {307, "/lib/ko/cases/IL-0001/", false},
		"/lib/api/cases/IL-9999":         {404, "", true},
		"/lib/cases/IL-0001/":            {200, "", false},
	} {
		w := ask(target, "")
		h := w.Header()
		if w.Code != want.code || h.Get("Location") != want.location || (h.Get("Access-Control-Allow-Origin") == "*") != want.anyOrigin || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v, want %+v", target, w.Code, h, want)
		}
		tag := h.Get("ETag")
		if (tag != "") != (want.code == 200) {
			t.Errorf("%s: %d with the tag %q", target, w.Code, tag)
		}
		if again := ask(target, tag); want.code == 200 && (again.Code != http.StatusNotModified || again.Body.Len() > 0 || again.Header().Get("ETag") != tag) {
			t.Errorf("%s again: %d %q", target, again.Code, again.Body)
		}
		if other := ask(target, `"other", W/`+tag+`0`); other.Code != want.code {
			t.Errorf("%s with other tags: %d", target, other.Code)
		}
	}
}
