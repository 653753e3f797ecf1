package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Every command in the README works: each block runs as it stands in a folder
// with the seeds and a built site, but for `go run ./cmd/…`, which is the program
// of that name, built once, and for targets of make, which are only looked up:
// some of them run this test.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the blocks are for a Unix shell")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", programs+string(filepath.Separator), "../...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	blocks := regexp.MustCompile("(?s)\n```sh\n(.*?)\n```\n").FindAllSubmatch(readme, -1)
	if len(blocks) < 5 {
		t.Fatalf("the README has %d blocks of commands", len(blocks))
	}
	for _, b := range blocks {
		block := string(b[1])
		t.Run(strings.Fields(block)[0]+" "+strings.Fields(block)[1], func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(block, "jq ") {
				if _, err := exec.LookPath("jq"); err != nil {
					t.Skip("jq is not here")
				}
			}
			runBlock(t, root, programs, block)
		})
	}
}

func runBlock(t *testing.T, root, programs, block string) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "seeds"), os.DirFS(filepath.Join(root, "seeds"))); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(block, "public/") {
		if code := run([]string{"build", "--quiet", "--seeds", filepath.Join(dir, "seeds"), "--out", filepath.Join(dir, "public")}, &bytes.Buffer{}, os.Stderr); code != 0 {
			t.Fatalf("build: exit %d", code)
		}
	}
	for line := range strings.SplitSeq(block, "\n") {
		cmd := exec.Command("sh", "-ec", strings.ReplaceAll(line, "go run ./cmd/", programs+"/"))
		cmd.Dir = dir
		if target, ok := strings.CutPrefix(line, "make "); ok {
			cmd = exec.Command("make", "-n", strings.Fields(target)[0])
			cmd.Dir = root
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}
