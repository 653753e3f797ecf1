package output

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestManifestRoundTrip(t *testing.T) {
	t.Parallel()
	m := Manifest{{Path: "a b/c.html", Kind: Page, Size: 12}, {Path: "x.json", Kind: Data}, {Path: "z.css", Kind: Asset, Size: 1 << 40}}
	m[0].SHA256[0] = 0xab
	got, err := ParseManifest(m.Text())
	if err != nil || !slices.Equal(got, m) {
		t.Fatalf("ParseManifest(Text) = %v, %v; want %v", got, err, m)
	}
	if len(m.ID()) != 64 || m.ID() == m[:2].ID() {
		t.Errorf("ID() = %q does not depend on the files", m.ID())
	}
}

func TestParseManifestIsStrict(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0", 64)
	line := func(s string) string { return manifestHeader + "\n" + sum + " " + s }
	for text, want := range map[string]string{
		"":                                       "line 1",
		"incidentlib manifest 2\n":               "line 1",
		line("1 page a"):                         "line 2: cut short",
		line("1 page\n"):                         "line 2: want",
		line("01 page a\n"):                      "no size",
		line("-1 page a\n"):                      "no size",
		line("1 pagan a\n"):                      "no kind",
		line("1 page ../a\n"):                    "line 2: path",
		line("1 page a\r\n"):                     "line 2: path",
		line("1 page .incidentlib-x\n"):          "kept for",
		line("1 page a\n\n"):                     "line 3: want",
		line("1 page a\n" + sum + " 1 page a\n"): "line 3: \"a\" is out of order",
		manifestHeader + "\n" + strings.Repeat("A", 64) + " 1 page a\n": "no SHA-256",
		manifestHeader + "\n" + sum[:62] + " 1 page a\n":                "no SHA-256",
	} {
		if _, err := ParseManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseManifest(%q) = %v, want an error with %q", text, err, want)
		}
	}
}

// A journal that was not written whole, or names a path outside, is refused.
func TestParseJournalIsStrict(t *testing.T) {
	t.Parallel()
	j := &journal{folder: "1:2", clear: []string{"a"}, assets: []string{"b c"}, remove: []string{RetainedName}, own: []string{ManifestName}}
	got, err := parseJournal(j.text())
	if err != nil || string(got.text()) != string(j.text()) {
		t.Fatalf("parseJournal(text) = %v, %v", got, err)
	}
	for n := range len(j.text()) {
		if _, err := parseJournal(j.text()[:n]); err == nil {
			t.Errorf("a journal cut at byte %d is accepted", n)
		}
	}
	for _, line := range []string{"put ../x", "put " + ManifestName, "sing a", "remove /etc/passwd"} {
		if _, err := parseJournal([]byte(journalHeader + "1:2\n" + line + "\nend\n")); err == nil {
			t.Errorf("journal line %q is accepted", line)
		}
	}
}

// A manifest that is taken is written again to the byte, and names no path that
// leads out of its folder.
func FuzzManifest(f *testing.F) {
	sum := strings.Repeat("0", 64)
	for _, line := range []string{"1 page a", "12 data a/b c.json", "0 asset x.css", "1 page ../a", "1 page /a", "1 page con", "1 page a//b"} {
		f.Add([]byte(manifestHeader + "\n" + sum + " " + line + "\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ParseManifest(text)
		if err != nil {
			return
		}
		if string(m.Text()) != string(text) {
			t.Errorf("%q is written again as %q", text, m.Text())
		}
		for _, e := range m {
			if !filepath.IsLocal(filepath.FromSlash(e.Path)) || strings.ContainsAny(e.Path, "\\\x00\n") || e.Size < 0 {
				t.Errorf("%q has %+v", text, e)
			}
		}
	})
}
