package escape

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
)

// texts are what the fuzzing begins with.
func texts() []string {
	all := []string{"", "plain", "한글 데이터베이스", `<a href="x">'&'</a>`, "a\\b\"c", "\u2028\u2029\u2027\u202a", "\xe2\x80", "a\xffb", "\ufffd", "\ufffe\uffff", "\U0001f600", "\x7f\u0080"}
	var low strings.Builder
	for c := range byte(0x80) {
		low.WriteByte(c)
	}
	return append(all, low.String())
}

func FuzzXML(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		if err := xml.EscapeText(&want, []byte(s)); err != nil {
			t.Fatal(err)
		}
		if got := XML([]byte("before"), s); string(got) != "before"+want.String() {
			t.Errorf("XML(%q) is %q, want %q", s, got, want.String())
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, s := range texts() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := JSON([]byte("before"), s); string(got) != "before"+strings.TrimSuffix(want.String(), "\n") {
			t.Errorf("JSON(%q) is %q, want %q", s, got, want.String())
		}
	})
}

func BenchmarkXML(b *testing.B) { bench(b, XML) }

func BenchmarkJSON(b *testing.B) { bench(b, JSON) }

func bench(b *testing.B, of func(b []byte, s string) []byte) {
	s := strings.Repeat("An expired certificate stopped the <p>database</p>; \"Redis를\" 다시 시작했다. ", 10)
	var room []byte
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		room = of(room[:0], s)
	}
}
