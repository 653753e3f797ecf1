package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// programs are what we publish, and the systems that they are built for.
func programs() (names, systems []string) {
	return []string{"incidentlib", "llm-gateway", "sitebench", "sbom"}, []string{"linux", "darwin", "windows"}
}

// goTool runs the go command in the repository.
func goTool(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		t.Fatalf("go %s: %v: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Every module that is compiled into a program of ours is in the list, under the
// licence that its files state; none asks that our own work be given away; and
// the list has no other.
func TestLicences(t *testing.T) {
	t.Parallel()
	known := licences(licencesTSV)
	used := map[string]string{} // path to folder
	names, systems := programs()
	for _, system := range systems {
		args := []string{"list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Dir}}{{end}}{{end}}`}
		for _, name := range names {
			args = append(args, "./cmd/"+name)
		}
		for line := range strings.Lines(goTool(t, "../..", []string{"GOOS=" + system}, args...)) {
			if path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				used[path] = dir
			}
		}
	}
	if len(used) < 20 {
		t.Fatalf("only %d modules", len(used))
	}
	for _, path := range slices.Sorted(maps.Keys(used)) {
		states := statedIn(t, used[path])
		switch {
		case known[path] == "":
			t.Errorf("%s is new here and states %q: see that it may be used, and add it to licences.tsv", path, states)
		case known[path] != states:
			t.Errorf("%s states %q, the list has %q", path, states, known[path])
		}
	}
	fine := []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
	for path, text := range known {
		if used[path] == "" && path != standard {
			t.Errorf("%s is in the list and in no program", path)
		}
		for one := range strings.SplitSeq(text, " AND ") {
			if !slices.Contains(fine, one) {
				t.Errorf("%s: programs of ours may not hold what is under %s", path, one)
			}
		}
	}
	if !slices.IsSorted(strings.Split(licencesTSV, "\n")[:strings.Count(licencesTSV, "\n")]) {
		t.Error("licences.tsv is not sorted")
	}
	t.Logf("%d modules", len(used))
}

// statedIn are the licences that the files of a module state, by words that each
// has and no other: "?" is none that is known here.
func statedIn(t *testing.T, dir string) string {
	t.Helper()
	var text string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := strings.ToLower(e.Name()); !e.IsDir() && (strings.HasPrefix(name, "licen") || strings.HasPrefix(name, "copying") || strings.HasPrefix(name, "unlicense")) {
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			text += " " + strings.ToLower(strings.Join(strings.Fields(string(b)), " "))
		}
	}
	has := func(s string) bool { return strings.Contains(text, s) }
	bsd := has("redistribution and use in source and binary forms")
	found := []string{}
	for _, l := range []struct {
		name  string
		there bool
	}{
		{"AGPL", has("gnu affero")}, {"Apache-2.0", has("apache license") && has("version 2.0")},
		{"BSD-2-Clause", bsd && !has("neither the name")}, {"BSD-3-Clause", bsd && has("neither the name")},
		{"BUSL", has("business source license")}, {"CC-SA or CC-NC", has("sharealike") || has("noncommercial")}, {"CDDL", has("common development and distribution")}, {"EPL", has("eclipse public")},
		{"GPL", has("gnu general public")}, {"ISC", has("permission to use, copy, modify, and/or distribute")}, {"LGPL", has("gnu lesser")},
		{"MIT", has("permission is hereby granted, free of charge")}, {"MPL", has("mozilla public")}, {"SSPL", has("server side public")},
	} {
		if l.there {
			found = append(found, l.name)
		}
	}
	if len(found) == 0 {
		return "?"
	}
	return strings.Join(found, " AND ")
}

// A program is the same wherever and whenever it is built, and so is what is
// written of it. Where INCIDENTLIB_TORTURE is set the second is compiled from
// nothing.
func TestReproducible(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	elsewhere := filepath.Join(dir, "elsewhere")
	for _, folder := range []string{"assets", "cmd", "generator", "templates"} {
		if err := copyGo(filepath.Join("../..", folder), filepath.Join(elsewhere, folder)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(elsewhere, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var env []string
	if os.Getenv("INCIDENTLIB_TORTURE") != "" {
		env = append(env, "GOCACHE="+filepath.Join(dir, "cache"))
	}
	a, b := filepath.Join(dir, "a", "incidentlib"), filepath.Join(dir, "b", "incidentlib")
	goTool(t, "../..", nil, "build", "-trimpath", "-buildvcs=false", "-o", a, "./cmd/incidentlib")
	goTool(t, elsewhere, env, "build", "-trimpath", "-buildvcs=false", "-o", b, "./cmd/incidentlib")
	one, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, two) {
		t.Error("two builds of one source differ")
	}
	if root, err := filepath.Abs("../.."); err != nil || bytes.Contains(one, []byte(root+"/cmd")) {
		t.Errorf("the program names the folder that it was built in: %v", err)
	}
	checkBill(t, a, b)
}

// checkBill holds that what is written of two equal programs is equal, and names
// every module that is in them.
func checkBill(t *testing.T, a, b string) {
	t.Helper()
	var one, two bytes.Buffer
	if err := run([]string{a}, &one); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{b}, &two); err != nil {
		t.Fatal(err)
	}
	if one.String() != two.String() {
		t.Error("two bills of one program differ")
	}
	info, err := buildinfo.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	var doc bill
	if err := json.Unmarshal(one.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Components) != len(info.Deps)+2 || len(doc.Dependencies[0].DependsOn) != len(doc.Components) {
		t.Errorf("%d components of %d modules", len(doc.Components), len(info.Deps))
	}
	for _, c := range doc.Components {
		if c.Name == "" || c.Version == "" || len(c.Licences) != 1 {
			t.Errorf("%+v", c)
		}
	}
}

// copyGo copies a folder without what no build reads.
func copyGo(from, to string) error {
	return filepath.WalkDir(from, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata") {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o644)
	})
}

// What is no program, and what nobody looked at, is an error that says so.
func TestRefuses(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := run(nil, &b); err == nil {
		t.Error("no program is named, and nobody says so")
	}
	if err := run([]string{"main.go"}, &b); err == nil || b.Len() > 0 {
		t.Errorf("a text is a program: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := billOf(info, nil); err == nil || !strings.Contains(err.Error(), "licences.tsv") {
		t.Errorf("a module without a licence is let pass: %v", err)
	}
}
