package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The data of the article's figure is what the command prints, to the byte.
// Written with: go run ./cmd/llm-gateway storm --json > seeds/figures/retry-storm.json
func TestFigureIsFresh(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("../../seeds/figures/retry-storm.json")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"storm", "--json"}, &out, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("seeds/figures/retry-storm.json is not what the command prints")
	}
}

func TestStormCommand(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "storm.svg")
	var table, errs bytes.Buffer
	if code := run([]string{"storm", "--svg", file}, &table, &errs); code != 0 {
		t.Fatal(code, errs.String())
	}
	for _, said := range []string{"none", "all", "2084176", "not in the hour", "2.89", "122.5 %"} {
		if !strings.Contains(table.String(), said) {
			t.Errorf("the table does not say %q:\n%s", said, table.String())
		}
	}
	svg, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(svg, []byte("<svg xmlns=")) || bytes.Count(svg, []byte(`class="calls"`)) != 6 {
		t.Errorf("the picture: %v, %.80s", err, svg)
	}
	for _, args := range [][]string{{"storm", "--clients", "1"}, {"storm", "--seed", "0"}, {"storm", "x"}} {
		if run(args, &table, &errs) == 0 {
			t.Errorf("%q is taken", args)
		}
	}
}
