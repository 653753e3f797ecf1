package page

import (
	"testing"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// A link in a text stays within the site and in the page's language, wherever
// the site is published.
func TestLinksOfTexts(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"https://h.example", "https://h.example/lib"} {
		site, err := address.NewSite(base, "", "", incident.EN)
		if err != nil {
			t.Fatal(err)
		}
		m := &maker{site: site, lang: incident.KO}
		for dest, want := range map[string]string{
			"/":                     site.Prefix() + "/ko/",
			"/cases/IL-0001/":       site.Prefix() + "/ko/cases/IL-0001/",
			"/topics/a/b/?x=1#part": site.Prefix() + "/ko/topics/a/b/?x=1#part",
			"#symptoms":             "#symptoms",
		} {
			if got, ok := m.link(dest); !ok || got != want {
				t.Errorf("%s: link(%q) = %q, %t, want %q", base, dest, got, ok, want)
			}
		}
		for _, dest := range []string{"cases/", "../", "/../x/", "/a/../../x", "/%2e%2e/x", "/a/%2E%2e/", "/.", "//x.example/", "/a//b/", "/%zz"} {
			if got, ok := m.link(dest); ok {
				t.Errorf("%s: link(%q) = %q, want none", base, dest, got)
			}
		}
	}
}
