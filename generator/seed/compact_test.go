package seed

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestCompact(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"{ \"a\" :\t[ 1 , true ,\r\n\"b c\\\" \\\\\" ] }": `{"a":[1,true,"b c\" \\"]}`,
		`{}`: `{}`, "": "", " \n": "", `"한 글"`: `"한 글"`,
		"1 2": "nil", "tr ue": "nil", "[1 \n\t 2]": "nil", `{"a":1 x}`: "nil", `"open`: "nil", `"open\"`: "nil", `"open\`: "nil",
	} {
		got := compact(nil, []byte(in))
		if want == "nil" && got != nil || want != "nil" && string(got) != want {
			t.Errorf("compact(%q) is %q, want %q", in, got, want)
		}
	}
}

// What compact makes of JSON is what encoding/json makes of it, and what is no
// JSON does not become JSON.
func FuzzCompact(f *testing.F) {
	for _, s := range []string{`{ "a" : [ 1 , 2 ] }`, `"\\" `, "1 2", "-  1", "tr ue", `"a" "b"`, "[\"a\"\n,]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got := compact(nil, src)
		var want bytes.Buffer
		if json.Compact(&want, src) == nil {
			if got == nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("compact(%q) is %q, want %q", src, got, want.Bytes())
			}
			return
		}
		if json.Valid(got) {
			t.Errorf("compact(%q) is %q, which is JSON", src, got)
		}
	})
}
