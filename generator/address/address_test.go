package address_test

import (
	"testing"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// One table of what a reader, a script and the output see of each kind of page.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s, err := address.NewSite("https://benchlet.com/incidentlib/app/", "https://api.example", "", incident.EN)
	if err != nil {
		t.Fatal(err)
	}
	cause := incident.TermRef{Axis: incident.RootCause, Slug: "software-bug"}
	for _, c := range []struct {
		path     address.Path
		ko, file string
	}{
		{address.Home, "/incidentlib/app/ko/", "ko/index.html"},
		{address.Case("IL-0123"), "/incidentlib/app/ko/cases/IL-0123/", "ko/cases/IL-0123/index.html"},
		{address.Cases(0), "/incidentlib/app/ko/cases/", "ko/cases/index.html"},
		{address.Cases(2), "/incidentlib/app/ko/cases/page/2/", "ko/cases/page/2/index.html"},
		{address.Topic(cause, 0), "/incidentlib/app/ko/topics/root-cause/software-bug/", "ko/topics/root-cause/software-bug/index.html"},
		{address.Org("openai", 1), "/incidentlib/app/ko/orgs/openai/page/1/", "ko/orgs/openai/page/1/index.html"},
		{address.Year(2023, 0), "/incidentlib/app/ko/years/2023/", "ko/years/2023/index.html"},
	} {
		if got := s.Href(incident.KO, c.path); got != c.ko {
			t.Errorf("Href(ko, %q) = %q, want %q", c.path, got, c.ko)
		}
		if got := s.File(incident.KO, c.path); got != c.file {
			t.Errorf("File(ko, %q) = %q, want %q", c.path, got, c.file)
		}
	}
	if got, want := s.URL(incident.EN, address.Case("IL-0123")), "https://benchlet.com/incidentlib/app/cases/IL-0123/"; got != want {
		t.Errorf("URL = %q, want %q", got, want)
	}
	if got, want := s.API(address.SimilarDoc("IL-0371")), "https://api.example/cases/IL-0371/similar"; got != want {
		t.Errorf("API = %q, want %q", got, want)
	}
	if got, want := s.Mirror(address.TopicDoc(cause, 0)), "https://benchlet.com/incidentlib/app/api/v1/topics/root_cause/software-bug.json"; got != want {
		t.Errorf("Mirror = %q, want %q", got, want)
	}
}

// A page's address says which case or term it is of, and nothing else does.
func TestInverse(t *testing.T) {
	t.Parallel()
	for _, a := range incident.AxisIDs() {
		ref := incident.TermRef{Axis: a, Slug: "a-b1"}
		if got, ok := address.Topic(ref, 0).Term(); !ok || got != ref {
			t.Errorf("%s is of %v, %t", address.Topic(ref, 0), got, ok)
		}
	}
	for link, want := range map[string]string{
		"/cases/IL-0001/": "IL-0001", "/cases/IL-0001/?a=/#b": "IL-0001", "/cases/IL-0001": "", "cases/IL-0001/": "", "/cases/": "",
		"/IL-0001/": "", "/cases/IL-1/": "", "/cases/IL-0001/x/": "", "": "", "#IL-0001": "",
		"/topics/root-cause/bug/": "root_cause/bug", "/topics/root_cause/bug/": "", "/topics/root-cause/": "", "/topics/root-cause/bug": "",
		"/topics/root-cause/bug/page/1/": "", "/topics/causes/bug/": "",
	} {
		got := ""
		if p, ok := address.Within(link); ok {
			got = p.CaseID()
			if ref, ok := p.Term(); ok {
				got += ref.String()
			}
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q", link, got, want)
		}
	}
}

func TestBaseURLs(t *testing.T) {
	t.Parallel()
	for base, prefix := range map[string]string{
		"https://h.example":                  "",
		"https://h.example/":                 "",
		"http://127.0.0.1:4477":              "",
		"https://h.example/incidentlib/app":  "/incidentlib/app",
		"https://h.example/incidentlib/app/": "/incidentlib/app",
		"https://h.example/사례":               "/%EC%82%AC%EB%A1%80",
	} {
		s, err := address.NewSite(base, "", "", incident.EN)
		if err != nil || s.Prefix() != prefix {
			t.Errorf("NewSite(%q): prefix %q, %v; want %q", base, s.Prefix(), err, prefix)
		}
	}
	for _, base := range []string{"", "/app", "ftp://h.example", "https://", "https://h.example/?q=1", "https://h.example/#x",
		"https://u@h.example/", "https://h.example/a/../b", "https://h.example/a//b", "https://h.example//b", "javascript:alert(1)",
		"https://:80", "https://h.example:", "https://h.example:65536", "https://사례.example"} {
		if _, err := address.NewSite(base, "", "", incident.EN); err == nil {
			t.Errorf("NewSite(%q) was accepted", base)
		}
	}
}
