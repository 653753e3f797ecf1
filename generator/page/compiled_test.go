package page

import (
	"bytes"
	"os"
	"testing"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/seed"
	"benchlet.com/incidentlib/templates"
)

// Every template of ours is compiled, and writes what html/template writes: one
// that is not costs a page ten times the time.
func TestCompiled(t *testing.T) {
	t.Parallel()
	r := seed.Read(os.DirFS("../../seeds"), "seeds", 2)
	lib := library.New(r.Collection)
	s := r.Collection.Site
	site, err := address.NewSite(s.BaseURL, s.APIURL, s.MCPURL, s.Default)
	if err != nil {
		t.Fatal(err)
	}
	render := func(compiled bool) map[string]string {
		loaded, err := LoadTemplates(templates.Files(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range loaded.sets {
			set.plain = !compiled
		}
		pages, err := New(lib, Options{Site: site, Templates: loaded})
		if err != nil {
			t.Fatal(err)
		}
		files := pages.Rest()
		for _, c := range lib.Cases() {
			files = append(files, pages.Case(c)...)
		}
		made := rendered(t, files)
		for l, set := range loaded.sets {
			for _, why := range set.quick.Unfit() {
				t.Errorf("%s: not compiled: %s", l, why)
			}
		}
		return made
	}
	plain := render(false)
	for name, page := range render(true) {
		if page != plain[name] {
			t.Errorf("%s differs from what html/template writes", name)
		}
	}
}

func rendered(t *testing.T, files []output.File) map[string]string {
	made := map[string]string{}
	for _, f := range files {
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			t.Fatal(f.Path, err)
		}
		made[f.Path] = b.String()
	}
	return made
}
