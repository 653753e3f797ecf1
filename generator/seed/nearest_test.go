package seed

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"id", "org", "org_slug", "title", "summary", "symptoms", "symptoms_text", "데이터베이스"}
	for word, want := range map[string]string{
		"titel": "title", "ttile": "title", "sumamry": "summary", "sumary": "summary", "Summary": "summary", "orgslug": "org_slug", "org-slug": "org_slug",
		"symptom": "symptoms", "symptomsText": "symptoms_text", "데이타베이스": "데이터베이스", "ID": "id", "identifier": "", "x": "", "": "", "status": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"한글", "한굴", 1}, {"ca", "abc", 3}} {
		if got := edits(tt.a, tt.b); got != tt.want {
			t.Errorf("edits(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
