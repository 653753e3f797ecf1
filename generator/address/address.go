// Package address is the only maker of addresses: of pages, of mirror files, of
// assets; as paths within the site, as absolute URLs and as files of the
// output. Everything that links takes its links from here, so an address is
// decided once and a base path such as /incidentlib/app works everywhere.
//
// A [Path] is an address within one language, without prefix: "cases/IL-0123/".
// A [Site] turns it into what stands in a page ("/incidentlib/app/ko/cases/IL-0123/"),
// into a URL ("https://benchlet.com/incidentlib/app/ko/cases/IL-0123/") or into the file
// that answers there ("ko/cases/IL-0123/index.html").
package address

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"benchlet.com/incidentlib/generator/incident"
)

// Path is the address of a page within its language. It ends in "/", but for
// the home page, which is "".
type Path string

const (
	Home   Path = ""
	Topics Path = "topics/"
	Orgs   Path = "orgs/"
	Years  Path = "years/"
	API    Path = "api/"
	About  Path = "about/"

	Contribute Path = "contribute/"

	cases    Path = "cases/"
	Articles Path = "articles/"
)

// Page numbers of long lists: the newest entries stand at the list's own
// address, which is page 0; page n counts from the oldest, so that its address
// keeps its content while the library grows.
func paged(p Path, page int) Path {
	if page == 0 {
		return p
	}
	return p + Path("page/"+strconv.Itoa(page)+"/")
}

// Cases is the list of all cases.
func Cases(page int) Path { return paged(cases, page) }

// Filtered is the list of all cases as a reader sees it who has chosen terms:
// the page reads them from its address.
func Filtered(terms ...incident.TermRef) Path {
	p, next := cases, "?"
	for _, t := range terms {
		p += Path(next + string(t.Axis) + "=" + t.Slug)
		next = "&"
	}
	return p
}

// Case is the page of one case.
func Case(id string) Path { return cases + Path(id) + "/" }

// Axis is the page of an axis of the vocabulary.
func Axis(a incident.AxisID) Path { return Topics + Path(AxisSlug(a)) + "/" }

// Topic is the page of a term and the cases that carry it.
func Topic(t incident.TermRef, page int) Path {
	return paged(Axis(t.Axis)+Path(t.Slug)+"/", page)
}

// OrgList is the list of organisations, by name; its pages count from the first.
func OrgList(page int) Path {
	if page == 0 {
		return Orgs
	}
	return paged(Orgs, page+1)
}

// Org is the page of an organisation.
func Org(slug string, page int) Path { return paged(Orgs+Path(slug)+"/", page) }

// Year is the page of a year.
func Year(year, page int) Path { return paged(Years+Path(strconv.Itoa(year))+"/", page) }

// Article is the page of an article.
func Article(slug string) Path { return Articles + Path(slug) + "/" }

// AxisSlug is an axis's part of an address: its name with - for _.
func AxisSlug(a incident.AxisID) string { return strings.ReplaceAll(string(a), "_", "-") }

// Within is the page that a link of a text leads to, without query and
// fragment: texts write "/cases/IL-0123/#cause" for [Case]("IL-0123"). It is
// false for a link that does not begin at the root of the site.
func Within(link string) (Path, bool) {
	if i := strings.IndexAny(link, "?#"); i >= 0 {
		link = link[:i]
	}
	rest, ok := strings.CutPrefix(link, "/")
	return Path(rest), ok
}

// CaseID is the inverse of [Case]; "" for another page.
func (p Path) CaseID() string {
	id := strings.TrimSuffix(strings.TrimPrefix(string(p), string(cases)), "/")
	if incident.ValidID(id) && p == Case(id) {
		return id
	}
	return ""
}

// Term is the inverse of [Topic] at page 0; false for another page.
func (p Path) Term() (incident.TermRef, bool) {
	for _, a := range incident.AxisIDs() {
		slug, below := strings.CutPrefix(string(p), string(Axis(a)))
		slug = strings.TrimSuffix(slug, "/")
		if ref := (incident.TermRef{Axis: a, Slug: slug}); below && incident.ValidSlug(slug) && p == Topic(ref, 0) {
			return ref, true
		}
	}
	return incident.TermRef{}, false
}

// Site is where the library is published. It is never changed once made.
type Site struct {
	origin string // "https://benchlet.com"
	prefix string // "/incidentlib/app" or ""
	api    string // "https://incidentlib-api.benchlet.com" or ""
	mcp    string // "https://incidentlib-mcp.benchlet.com/mcp" or ""
	def    incident.Lang
}

// NewSite checks the three addresses of a published library. apiURL and mcpURL
// may be empty: the mirror is then linked below baseURL, and no MCP server is
// named.
func NewSite(baseURL, apiURL, mcpURL string, def incident.Lang) (Site, error) {
	base, err := parse("base_url", baseURL)
	api, errAPI := parseOptional("api_url", apiURL)
	mcp, errMCP := parseOptional("mcp_url", mcpURL)
	if err := errors.Join(err, errAPI, errMCP); err != nil {
		return Site{}, err
	}
	prefix := base.EscapedPath()
	base.Path, base.RawPath = "", ""
	return Site{origin: base.String(), prefix: prefix, api: api, mcp: mcp, def: def}, nil
}

func parseOptional(name, s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := parse(name, s)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// parse reads an http(s) address without query, fragment or user, and drops
// slashes at its end.
func parse(name, s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%s: %q is no http or https address; write one such as https://example.org/incidents", name, s)
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("%s: %q has a query, a fragment or a user; leave them out", name, s)
	}
	if fault := hostFault(u); fault != "" {
		return nil, fmt.Errorf("%s: the host of %q %s", name, s, fault)
	}
	// An empty part at the beginning would make every link one to another host.
	u.Path = strings.TrimRight(u.Path, "/")
	for i, seg := range strings.Split(u.Path, "/") {
		if i > 0 && (seg == "" || seg == "." || seg == "..") {
			return nil, fmt.Errorf("%s: the path of %q has an empty or dotted part", name, s)
		}
	}
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// hostFault says why no address can be made with the host of u, or "".
func hostFault(u *url.URL) string {
	_, err := strconv.ParseUint(cmp.Or(u.Port(), "0"), 10, 16)
	switch {
	case u.Hostname() == "":
		return "has no name"
	case strings.HasSuffix(u.Host, ":") || err != nil:
		return "has a port that is none"
	case strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }):
		return "has other characters than ASCII; write it as browsers send it, with xn--"
	}
	return ""
}

// Prefix is the path of the site on its host: "/incidentlib/app", or "".
func (s Site) Prefix() string { return s.prefix }

// Href is the address of a page as a link of the site's own pages.
func (s Site) Href(l incident.Lang, p Path) string { return s.prefix + "/" + s.lang(l) + string(p) }

// URL is the absolute address of a page.
func (s Site) URL(l incident.Lang, p Path) string { return s.origin + s.Href(l, p) }

// File is the output file that holds a page.
func (s Site) File(l incident.Lang, p Path) string { return s.lang(l) + string(p) + "index.html" }

// NotFound is the output file that static hosts serve for a missing page of a
// language.
func (s Site) NotFound(l incident.Lang) string { return s.lang(l) + "404.html" }

func (s Site) lang(l incident.Lang) string {
	if l == s.def {
		return ""
	}
	return string(l) + "/"
}

// Default is the language whose addresses have no prefix.
func (s Site) Default() incident.Lang { return s.def }

// MCP is the address of the MCP server, or "".
func (s Site) MCP() string { return s.mcp }

// Root is the absolute address of a file at the root of the site.
func (s Site) Root(file string) string { return s.origin + s.prefix + "/" + file }

// Secure reports whether the site is published by https.
func (s Site) Secure() bool { return strings.HasPrefix(s.origin, "https:") }

// Origin is the scheme and host that the site is published at.
func (s Site) Origin() string { return s.origin }
