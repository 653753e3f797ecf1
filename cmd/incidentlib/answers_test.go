package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// answers asks a preview until it answers as it should: a script cannot know when
// an edit was noticed.
func answers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: answers FILE PATH STATUS PATTERN…")
	}
	last := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		code, body, err := ask(ts.MkAbs(args[0]), args[1])
		if err == nil && strconv.Itoa(code) == args[2] && matches(body, args[3:]) {
			return
		}
		last = fmt.Sprintf("%d %s %v", code, body, err)
	}
	ts.Fatalf("the last answer: %s", last)
}

func ask(file, path string) (code int, body string, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, "", err
	}
	u, err := url.Parse(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, "", err
	}
	if u.Path = "/"; u.Host == "" {
		return 0, "", fmt.Errorf("no address yet in %s", file)
	}
	resp, err := http.Get(strings.TrimSuffix(u.String(), "/") + path)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all), err
}

func matches(body string, patterns []string) bool {
	for _, p := range patterns {
		p, not := strings.CutPrefix(p, "!")
		if regexp.MustCompile(p).MatchString(body) == not {
			return false
		}
	}
	return true
}
