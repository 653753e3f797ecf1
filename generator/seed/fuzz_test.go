package seed

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// FuzzCase reads any bytes as a case. Whatever is accepted is JSON to other
// readers too, is compacted to the same bytes as theirs, and reads the same
// when it is compact.
func FuzzCase(f *testing.F) {
	for _, src := range givenCases(f) {
		f.Add(src)
		f.Add(src[:len(src)/2])
		f.Add(bytes.ReplaceAll(src, []byte(`,`), []byte(`,,`)))
	}
	for _, s := range []string{"", "{", `{"id`, `{"a":"\ud83d\u12`, `"\`, `{"id":"\u0000`, "\ufeff", "[[[", `{"id":1,"id":2}`, "\xff", "nul", "-", "1e", `{"a":"` + "\xf0\x9f", `""""`} {
		f.Add([]byte(s))
	}
	v := givenVocabulary(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		start := time.Now()
		c, faults := readText(src, v)
		if d := time.Since(start); d > time.Minute {
			t.Fatalf("took %v", d)
		}
		if len(faults) > maxFaults+1 {
			t.Fatalf("%d faults", len(faults))
		}
		for _, p := range faults {
			if p.What == "" || p.Remedy == "" || p.Line < 1 || p.Column < 1 {
				t.Fatalf("a fault without a place, a reason or a remedy: %+v", p)
			}
		}
		if len(faults) > 0 {
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, bytes.TrimPrefix(src, []byte(byteOrderMark))); err != nil {
			t.Fatalf("accepted what is no JSON to encoding/json: %v", err)
		}
		if !bytes.Equal(c.JSON, want.Bytes()) {
			t.Fatalf("compacted to\n%s\nwant\n%s", c.JSON, want.Bytes())
		}
		again, faults := readText(c.JSON, v)
		if len(faults) > 0 || !reflect.DeepEqual(again, c) {
			t.Fatalf("the compact form reads as\n%+v\nwant\n%+v\nfaults: %v", again, c, faults)
		}
	})
}

func BenchmarkReadCase(b *testing.B) {
	src := givenCases(b)[1]
	r := &reader{fsys: library(map[string]string{"cases/IL-0119.json": string(src)}), dir: "seeds", vocab: givenVocabulary(b)}
	shape := caseShape()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if o := r.readCase("cases/IL-0119.json", shape); !o.ok {
			b.Fatal(o.problems)
		}
	}
}
