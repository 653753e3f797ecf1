// Package host is what a server that publishes the site has to say about its
// files: media types, caching, security, who may read them from where, which
// short addresses lead to them and where a case that was replaced has gone.
//
// [Rules] say it once. The preview answers by them, and [Files] writes them in
// the words of each static host, so that what an editor sees is what a reader
// gets. Rules are few, by pattern: no host's limit is met however large the
// library is.
package host

import (
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// ContentSecurityPolicy is the policy that every page holds to: nothing inline,
// nothing from elsewhere.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// PagePolicy is the policy that pages have to carry themselves, for hosts that
// send no header: GitHub Pages, and a store of files with nothing before it. It is
// "" where none of the hosts is one. Who may frame a page only a header can say.
func PagePolicy(hosts []Name) string {
	if !slices.Contains(hosts, GitHub) && !slices.Contains(hosts, S3) {
		return ""
	}
	policy, _, _ := strings.Cut(ContentSecurityPolicy, "; frame-ancestors")
	return policy
}

// Header is one header of a response.
type Header struct{ Name, Value string }

// Rule says with which headers the addresses of a pattern are answered. Hosts
// join the values of a header that two matching rules give, so no two rules that
// can match one address give the same header.
type Rule struct {
	Pattern Pattern
	Headers []Header
}

// Alias is a pattern of short addresses that are answered with a document.
type Alias struct {
	From Pattern // "/api/cases/:id"
	To   string  // "/api/v1/cases/:id.json"
}

// Move is an address that has another one now.
type Move struct{ From, To string }

// Missing is the page for addresses below a folder that lead nowhere.
type Missing struct {
	Below string // "/ko/"
	Page  string // "/ko/404.html"
}

// Rules are everything that a host has to know of a site. All addresses in them
// are those that a host sees, with the path of base_url. They are never changed
// once made.
type Rules struct {
	Prefix  string // "/incidentlib/app", or ""
	Headers []Rule
	Types   []Rule // the media types that the end of a name alone does not tell every host
	Aliases []Alias
	Moves   []Move
	Missing []Missing // the most special first
	Docs    string    // "/api/v1/": below it a missing address is a document's
}

// New are the rules of a site: its pages and its mirror on one host.
func New(site address.Site, withdrawn []incident.Withdrawn) Rules {
	r := ofSite(site.Prefix(), site.Secure())
	for _, l := range incident.Langs() {
		r.Missing = append(r.Missing, Missing{site.Href(l, address.Home), site.Prefix() + "/" + site.NotFound(l)})
	}
	slices.SortFunc(r.Missing, func(a, b Missing) int { return len(b.Below) - len(a.Below) })
	for _, w := range withdrawn {
		r.Moves = append(r.Moves, moves(site, w)...)
	}
	return r
}

// OfFiles are the rules of a site's files, which are the same wherever it is
// published; api says that they are those of the API's own host. A store of
// objects has to be told no others.
func OfFiles(api bool) Rules {
	if api {
		return ofAPI("", false)
	}
	return ofSite("", false)
}

func ofSite(prefix string, secure bool) Rules {
	r := rules(prefix, prefix+"/"+address.MirrorRoot, prefix+"/"+address.AliasRoot, secure)
	r.Headers = slices.Concat(r.Headers, r.below(
		Rule{"/assets/*", []Header{immutable()}},
		Rule{"/search/s/*", []Header{anyOrigin(), immutable()}},
		Rule{"/search/index.json", []Header{anyOrigin(), exposed(), briefly()}},
		Rule{"/*feed.xml", []Header{anyOrigin(), briefly()}},
		Rule{"/*feed.json", []Header{anyOrigin(), briefly()}},
	))
	r.Types = r.below(
		Rule{"/*feed.xml", contentType("feed.xml")},
		Rule{"/*feed.json", contentType("feed.json")},
		Rule{"/opensearch.xml", contentType("opensearch.xml")},
		Rule{"/.well-known/api-catalog", contentType(".well-known/api-catalog")},
		Rule{"/*.ndjson", contentType(".ndjson")},
		Rule{"/*.csv", contentType(".csv")},
		Rule{"/*.gz", contentType(".gz")},
		Rule{"/*.md", contentType(".md")},
		Rule{"/*.txt", contentType(".txt")},
		Rule{"/*.webmanifest", contentType(".webmanifest")},
		Rule{"/*.yaml", contentType(".yaml")},
	)
	return r
}

// NewAPI are the rules of the mirror on a host of its own, whose root is the
// folder api of a site: there the short addresses begin at the root.
func NewAPI(site address.Site, withdrawn []incident.Withdrawn) Rules {
	r := ofAPI(site.APIPrefix())
	for _, w := range withdrawn {
		r.Moves = append(r.Moves, r.docMoves(w)...)
	}
	return r
}

func ofAPI(prefix string, secure bool) Rules {
	r := rules(prefix, prefix+"/"+strings.TrimPrefix(address.MirrorRoot, address.AliasRoot), prefix+"/", secure)
	r.Types = r.below(
		Rule{"/*.ndjson", contentType(".ndjson")},
		Rule{"/*.csv", contentType(".csv")},
		Rule{"/*.gz", contentType(".gz")},
		Rule{"/*.yaml", contentType(".yaml")},
	)
	r.Missing = []Missing{{prefix + "/", prefix + "/404.html"}}
	return r
}

// rules are those that both kinds of hosts share.
func rules(prefix, docs, aliases string, secure bool) Rules {
	r := Rules{Prefix: prefix, Docs: docs, Headers: []Rule{
		{Pattern(prefix + "/*"), security(secure && prefix == "")},
		{Pattern(docs + "*"), document()},
	}}
	for _, d := range address.AliasDocs() {
		from := Pattern(aliases + string(d))
		r.Aliases = append(r.Aliases, Alias{from, docs + string(d) + ".json"})
		r.Headers = append(r.Headers, Rule{from, document()})
	}
	root := strings.TrimSuffix(docs, "/")
	for _, from := range []string{root, docs} {
		r.Aliases = append(r.Aliases, Alias{Pattern(from), docs + "index.json"})
	}
	r.Headers = append(r.Headers, Rule{Pattern(root), document()})
	return r
}

// below puts patterns below the path of the site.
func (r Rules) below(rules ...Rule) []Rule {
	for i := range rules {
		rules[i].Pattern = Pattern(r.Prefix) + rules[i].Pattern
	}
	return rules
}

// PageHeaders are sent with every answer, of whatever site.
func PageHeaders() []Header { return security(false) }

// security is what every answer carries. Strict-Transport-Security speaks for a
// whole host, and browsers do not forget it for a year: only a site that has the
// host to itself, and is published by https, may say it.
func security(owner bool) []Header {
	h := []Header{
		{"Content-Security-Policy", ContentSecurityPolicy},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "strict-origin-when-cross-origin"},
		{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	}
	if owner {
		h = append(h, Header{"Strict-Transport-Security", "max-age=31536000"})
	}
	return h
}

func anyOrigin() Header { return Header{"Access-Control-Allow-Origin", "*"} }
func exposed() Header   { return Header{"Access-Control-Expose-Headers", "ETag, Last-Modified"} }
func immutable() Header { return Header{"Cache-Control", "public, max-age=31536000, immutable"} }
func briefly() Header {
	return Header{"Cache-Control", "public, max-age=300, stale-while-revalidate=86400"}
}

// document is what a document of the mirror is sent with.
func document() []Header {
	return []Header{anyOrigin(), exposed(), briefly(), {"X-Robots-Tag", "noindex"}}
}

func contentType(file string) []Header { return []Header{{"Content-Type", MediaType(file)}} }

// moves are the addresses of a case that another one replaced. The page of its
// tombstone stays for hosts that cannot redirect.
func moves(site address.Site, w incident.Withdrawn) []Move {
	if w.ReplacedBy == "" {
		return nil
	}
	var out []Move
	for _, l := range incident.Langs() {
		from, to := site.Href(l, address.Case(w.ID)), site.Href(l, address.Case(w.ReplacedBy))
		fromFile, toFile := strings.TrimSuffix(from, "/"), strings.TrimSuffix(to, "/")
		out = append(out, Move{from, to}, Move{fromFile, to}, Move{fromFile + ".md", toFile + ".md"})
	}
	r := rules(site.Prefix(), site.Prefix()+"/"+address.MirrorRoot, site.Prefix()+"/"+address.AliasRoot, false)
	return append(out, r.docMoves(w)...)
}

// docMoves are the addresses of a replaced case's documents.
func (r Rules) docMoves(w incident.Withdrawn) []Move {
	if w.ReplacedBy == "" {
		return nil
	}
	var out []Move
	for _, doc := range []func(id string) address.Doc{address.CaseDoc, address.SimilarDoc} {
		from, to := r.Docs+string(doc(w.ID))+".json", r.Docs+string(doc(w.ReplacedBy))+".json"
		out = append(out, Move{from, to})
		for _, a := range r.Aliases {
			if a.From.holder(string(doc(":id"))) {
				out = append(out, Move{strings.Replace(string(a.From), ":id", w.ID, 1), strings.Replace(string(a.From), ":id", w.ReplacedBy, 1)})
			}
		}
	}
	return out
}

// Page are the headers of an address, but for its media type.
func (r Rules) Page(urlPath string) []Header {
	var out []Header
	for _, rule := range r.Headers {
		if rule.Pattern.Match(urlPath) {
			out = append(out, rule.Headers...)
		}
	}
	return out
}

// Cache is how long the answer of an address may be kept.
func (r Rules) Cache(urlPath string) string {
	for _, h := range r.Page(urlPath) {
		if h.Name == "Cache-Control" {
			return h.Value
		}
	}
	return revalidate
}

// revalidate is how pages are kept, and all that no rule speaks of: never
// without asking whether they have changed.
const revalidate = "public, max-age=0, must-revalidate"

// Moved is where an address has gone, or "".
func (r Rules) Moved(urlPath string) string {
	for _, m := range r.Moves {
		if m.From == urlPath {
			return m.To
		}
	}
	return ""
}

// Alias is the address of the document that a short address stands for, or "".
func (r Rules) Alias(urlPath string) string {
	for _, a := range r.Aliases {
		if to, ok := a.From.fill(a.To, urlPath); ok {
			return to
		}
	}
	return ""
}

// NotFound is the page for an address that leads nowhere, or "".
func (r Rules) NotFound(urlPath string) string {
	for _, m := range r.Missing {
		if strings.HasPrefix(urlPath+"/", m.Below) {
			return m.Page
		}
	}
	return ""
}
