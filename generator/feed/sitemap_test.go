package feed

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// A long sitemap is cut into parts of at most 50,000 addresses, which the index
// names; each page is in one of them, with all its languages. Planning the parts
// makes no address of the 60,000.
func TestLongSitemap(t *testing.T) {
	c := &incident.Collection{Site: incident.Site{Default: incident.EN}}
	for i := range 30_000 {
		c.Cases = append(c.Cases, &incident.Case{ID: fmt.Sprintf("IL-%05d", i), OrgSlug: "a", Date: incident.Date{Year: 2024}, Title: incident.Text{EN: "x", KO: "x"}, Summary: incident.Text{EN: "x", KO: "x"}})
	}
	site, err := address.NewSite("https://h.example", "", "", incident.EN)
	if err != nil {
		t.Fatal(err)
	}
	lib := library.New(c)
	files := sitemaps(lib, site)
	if n := testing.AllocsPerRun(1, func() { sitemaps(lib, site) }); n > 100_000 {
		t.Errorf("planning takes %.0f allocations", n)
	}
	content := map[string]string{}
	for _, f := range files {
		content[f.Path] = render(t, f)
	}
	seen := map[string]bool{}
	for name, text := range content {
		if !strings.HasPrefix(name, "sitemap-") {
			continue
		}
		if !strings.Contains(content["sitemap.xml"], "<loc>https://h.example/"+name+"</loc>") {
			t.Errorf("the index does not name %s", name)
		}
		urls := strings.Split(text, "<loc>")[1:]
		if len(urls) > maxURLs {
			t.Errorf("%s has %d addresses", name, len(urls))
		}
		for _, u := range urls {
			loc, _, _ := strings.Cut(u, "</loc>")
			if seen[loc] {
				t.Errorf("%s is there twice", loc)
			}
			seen[loc] = true
		}
	}
	for _, p := range address.Pages(c) {
		for _, l := range p.Langs {
			if !seen[site.URL(l, p.Path)] {
				t.Errorf("%s is missing", site.URL(l, p.Path))
			}
		}
	}
}

func render(t *testing.T, f output.File) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
