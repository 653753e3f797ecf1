package generator_test

import (
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/shard"
	"benchlet.com/incidentlib/templates"
)

// The shards of any number, joined, are what one build makes; each file is in one
// of them, and what is made of one case in one and the same.
func TestShardsJoined(t *testing.T) {
	t.Parallel()
	design, err := generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files(), Hosts: []host.Name{host.S3, host.GitHub}, NoCards: true})
	if err != nil {
		t.Fatal(err)
	}
	lib := library.New(load(t, smallSeeds(t)))
	fresh := func() *generator.Plan {
		p, err := generator.NewPlan(lib, design)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	whole, err := output.Digest(fresh().Files(), 1)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	tried := map[int]bool{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "N")
		if tried[n] || len(tried) == 3 {
			return // enough is enough: each is a whole site
		}
		tried[n] = true
		dir, err := os.MkdirTemp(root, "shards")
		if err != nil {
			t.Fatal(err)
		}
		var dirs []string
		for k := range n {
			p := shard.Part{K: k + 1, N: n}
			dirs = append(dirs, filepath.Join(dir, p.String()))
			note := shard.Note{Part: p, Seeds: "these", Program: "this", Settings: "none"}
			opt := output.Options{Dir: dirs[k], Note: note.Text()}
			if _, err := output.Publish(t.Context(), fresh().Share(p, generator.Origin{}), opt); err != nil {
				t.Fatal(err)
			}
		}
		files, err := shard.Join(rapid.Permutation(dirs).Draw(t, "order"))
		if err != nil {
			t.Fatal(err)
		}
		joined, err := output.Digest(files, 2)
		if err != nil {
			t.Fatal(err)
		}
		if joined.ID() != whole.ID() {
			t.Errorf("%d shards joined are %s, and the whole is %s", n, joined.ID(), whole.ID())
		}
	})
}
