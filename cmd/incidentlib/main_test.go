package main

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"incidentlib": main})
}

// TestScripts runs the program as its users do. Each script of testdata begins
// with what must hold, and finds the small library of testdata/seeds in its
// folder seeds. Beside the usual commands there are:
//
//	break ID OLD NEW   writes seeds/cases/ID.json: IL-0001 under that id, with NEW for OLD
//	usage CODE WORDS ARG…  runs incidentlib, which must exit so and say so on stderr
//	answers FILE PATH STATUS PATTERN…  asks the preview whose address is in FILE, again
//	                   and again until it answers so; !PATTERN must not be in it
//	interrupt NAME     interrupts the command &NAME&, which must end well within a second
//	taken FILE         starts serve at the address in FILE, which must say who has it
//	sametime A B       holds that two files were changed at the same time
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			if os.Getenv("INCIDENTLIB_TORTURE") != "" {
				env.Setenv("ROUNDS", "100") // of kills
			}
			return os.CopyFS(filepath.Join(env.WorkDir, "seeds"), os.DirFS("testdata/seeds"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"break": breakSeed, "sametime": sameTime, "usage": usage,
			"answers":   answers,
			"interrupt": interrupt, "taken": taken},
	})
}

func breakSeed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: break ID OLD NEW")
	}
	src := strings.ReplaceAll(ts.ReadFile("seeds/cases/IL-0001.json"), "IL-0001", args[0])
	if strings.Count(src, args[1]) != 1 {
		ts.Fatalf("%q is there %d times", args[1], strings.Count(src, args[1]))
	}
	src = strings.Replace(src, args[1], args[2], 1)
	ts.Check(os.WriteFile(ts.MkAbs("seeds/cases/"+args[0]+".json"), []byte(src), 0o644))
}

func sameTime(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sametime A B")
	}
	a, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	b, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if same := a.ModTime().Equal(b.ModTime()); same == neg {
		ts.Fatalf("%s: %v, %s: %v", args[0], a.ModTime(), args[1], b.ModTime())
	}
}

func usage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: usage CODE WORDS ARG…")
	}
	err := ts.Exec("incidentlib", args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	stderr := ts.ReadFile("stderr")
	if said, _ := regexp.MatchString("(?m)^incidentlib: "+args[1], stderr); strconv.Itoa(code) != args[0] || !said {
		ts.Fatalf("exit %d, want %s; stderr does not say %q:\n%s", code, args[0], args[1], stderr)
	}
}

// interrupt ends a background command as Ctrl-C does.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: interrupt NAME")
	}
	for _, c := range ts.BackgroundCmds() {
		start := time.Now()
		if c.Process.Signal(os.Interrupt) != nil {
			continue // it has ended already
		}
		for range 400 {
			if err := c.Process.Signal(syscall.Signal(0)); err != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if took := time.Since(start); took > 5*time.Second {
			ts.Fatalf("it took %v to stop", took)
		}
	}
}

func taken(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: taken FILE")
	}
	u, err := url.Parse(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	err = ts.Exec("incidentlib", "serve", "--addr", u.Host)
	if stderr := ts.ReadFile("stderr"); err == nil || !strings.Contains(stderr, "is taken: incidentlib serve of \"seeds\" has it, process ") {
		ts.Fatalf("%v: %s", err, stderr)
	}
}
