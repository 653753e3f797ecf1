package mirror

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Whatever JSON says, its YAML says, too: also with characters that are escaped as
// two halves, that YAML has no place for, or that make a text look like something
// else.
func TestToYAML(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`{"title":"a \ud83d\ude00 b","b":"😀 \/ \u0041","z":{},"l":[],"m":{"k":[1,-2.5,1e3,true,false,null]}}`,
		`["1","true","null","~","","- a","a: b","# c","2024-01-01","0x1f","1_000","yes","<<","="," a ","a\nb\n","\ttab","\u2028","\u0085"]`,
		`{"1":"x","true":"y","":"z","<<":"w","a b":"\u007f\u0080\ufeff\ufffe\uffff\u0000"}`,
		`"alone"`,
	} {
		var b bytes.Buffer
		if err := toYAML(&b, []byte(src)); err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		var got, want any
		if err := yaml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Errorf("%s is %s: %v", src, b.Bytes(), err)
		}
		if err := json.Unmarshal([]byte(src), &want); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Errorf("%s is %s: %v", src, b.Bytes(), err)
			continue
		}
		if err := json.Unmarshal(again, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read back as %s from\n%s", src, again, b.Bytes())
		}
	}
}
