package page

import (
	"bytes"
	"os"
	"slices"
	"strings"
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
		pages, err := New(lib, Options{Site: site, Templates: loaded, Assets: Assets{"storm.js": "/storm.js", "ways.js": "/ways.js"}})
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
		hasScripts(t, name, page)
	}
}

// hasScripts holds that a page has the scripts that its body asks for, and no
// other.
func hasScripts(t *testing.T, name, page string) {
	t.Helper()
	for script, marks := range map[string][]string{"/storm.js": {stormMark}, "/ways.js": {`<a class="random"`, `<p class="meant"`}} {
		asks := slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(page, mark) })
		if has := strings.Contains(page, `src="`+script+`"`); strings.HasSuffix(name, ".html") && has != asks {
			t.Errorf("%s: has %s is %v, asks for it is %v", name, script, has, asks)
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
