package output

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCheckPath(t *testing.T) {
	t.Parallel()
	good := []string{
		"index.html", "cases/IL-0123/index.html", "주제/장애.html", "a b/c+d.json", ".nojekyll", ".well-known/x",
		"console.html", "com10", "com", "nul-island/index.html", strings.Repeat("x", 255), ".incidentlib",
	}
	for _, p := range good {
		if err := CheckPath(p); err != nil {
			t.Errorf("CheckPath(%q) = %v, want nil", p, err)
		}
	}
	bad := map[string]string{
		"":                       "empty",
		"/abs":                   "absolute",
		"..":                     `segment ".."`,
		"a/../b":                 `segment ".."`,
		"./a":                    `segment "."`,
		"a//b":                   "empty segment",
		"a/":                     "empty segment",
		`a\b`:                    "contains",
		"a\x00b":                 "contains",
		"a\nb":                   "contains",
		"a\x7fb":                 "contains",
		"a\u0085b":               "contains",
		"a:b":                    "contains",
		"a\xffb":                 "UTF-8",
		"a./b":                   "dot or a space",
		"a /b":                   "dot or a space",
		"x/nul":                  "device name",
		"x/NUL.html":             "device name",
		"com1.txt/a":             "device name",
		"LPT³":                   "device name",
		"con .x":                 "device name",
		strings.Repeat("x", 256): "256 bytes",
		ManifestName:             "kept for the manifest",
		".Incidentlib-Manifest":  "kept for the manifest",
		".incidentlib-work/a":    "kept for the manifest",
	}
	for p, want := range bad {
		if err := CheckPath(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CheckPath(%q) = %v, want an error with %q", p, err, want)
		}
	}
}

// All faults come in one go, and each clash names both files.
func TestClashes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		paths []string
		want  []string // pieces of the error; none: no error
	}{
		{"none", []string{"a", "b/c", "b/d", "bb"}, nil},
		{"twice", []string{"a", "b", "a"}, []string{`two files have the path "a"`}},
		{"case", []string{"x/Readme", "x/README"}, []string{`"x/README"`, `"x/Readme"`, "case"}},
		{"normal form", []string{"caf\u00e9", "cafe\u0301"}, []string{"Unicode form"}},
		{"full fold", []string{"straße", "STRASSE"}, []string{"case"}},
		{"file and folder", []string{"a", "a/b/c"}, []string{`"a" is a file, and "a/b/c" needs`}},
		{"file and folder in case", []string{"A", "a/b"}, []string{`"A" is a file, and "a/b" needs`}},
		{"file between", []string{"a", "a-b", "a/b"}, []string{`"a" is a file, and "a/b" needs`}},
		{"all at once", []string{"/x", "a", "a", "q/", "b", "b/c"}, []string{`"/x"`, `"a"`, `"q/"`, `"b/c"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var files []File
			for _, p := range tt.paths {
				files = append(files, File{Path: p, Render: func(*bytes.Buffer) error { return nil }})
			}
			_, err := Digest(files, 1)
			if (err != nil) != (tt.want != nil) {
				t.Fatalf("err = %v, want %q", err, tt.want)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("err = %v, want %q in it", err, w)
				}
			}
		})
	}
}

// Clashes are looked for where there are any, and only there.
func TestMayClash(t *testing.T) {
	t.Parallel()
	rnd, keys, clashing := rand.New(rand.NewPCG(3, 4)), newFolder(), 0
	for range 2000 {
		paths, want := somePaths(rnd), false
		var files []File
		for _, p := range paths {
			files = append(files, File{Path: p})
		}
		for i, f := range files {
			for _, g := range files[i+1:] {
				a, b := keys.key(f.Path), keys.key(g.Path)
				want = want || a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
			}
		}
		if want {
			clashing++
		}
		if got := mayClash(files); got != want || len(clashes(files)) > 0 != want {
			t.Errorf("%q may clash: %t, want %t", paths, got, want)
		}
	}
	if clashing < 200 || clashing > 1800 {
		t.Errorf("%d of 2000 clash", clashing)
	}
}
