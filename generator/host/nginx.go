package host

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// problem is the answer for a document that is not there (RFC 9457), where a
// host can be told what to say.
const problem = `{"type":"about:blank","title":"Not Found","status":404}`

const missingDocument = "@incidentlib_document_missing"

// nginx is a file to include in a server block. A location that adds a header
// of its own loses those of the one around it, so each names all of its own;
// of regular expressions the first that matches is taken, so the most special
// come first.
func (r Rules) nginx(b *bytes.Buffer) {
	fmt.Fprintf(b, `# Written by incidentlib. Include this file in a server block whose root is the
# folder that the host's addresses begin at%s:
#
#   server {
#     listen 80;
#     server_name incidents.example.org;
#     root /var/www/incidents;
#     include /var/www/incidents%s/.hosts/nginx.conf;
#   }

`, r.where(), r.Prefix)
	fmt.Fprintf(b, "location ^~ %s/ {\n", r.Prefix)
	b.WriteString("  index index.html;\n  absolute_redirect off;\n  default_type application/octet-stream;\n")
	r.nginxTypes(b)
	nginxHeaders(b, "  ", slices.Concat(r.Page(r.Prefix+"/"), []Header{{"Cache-Control", revalidate}}))
	fmt.Fprintf(b, "  error_page 404 %s;\n", r.Missing[len(r.Missing)-1].Page)
	b.WriteString("\n  # What is not for readers.\n")
	fmt.Fprintf(b, "  location ~ ^%s/(_headers|_redirects|\\.incidentlib-|\\.hosts/|\\.git|\\.nojekyll) { return 404; }\n", r.Prefix)
	r.nginxMoves(b)
	r.nginxAliases(b)
	r.nginxRules(b)
	for _, m := range r.Missing[:len(r.Missing)-1] {
		fmt.Fprintf(b, "\n  location ~ ^%s { error_page 404 %s; }\n", m.Below, m.Page)
	}
	b.WriteString("}\n")
	fmt.Fprintf(b, "\nlocation %s {\n  default_type application/problem+json;\n", missingDocument)
	nginxHeaders(b, "  ", slices.Concat(withoutCache(r.Page(r.Docs+"x")), []Header{{"Cache-Control", "no-store"}}))
	fmt.Fprintf(b, "  return 404 '%s';\n}\n", problem)
}

// where says how the root of the server and that of the site lie.
func (r Rules) where() string {
	if r.Prefix == "" {
		return ", which is the site's"
	}
	return "; the site is in " + strings.TrimPrefix(r.Prefix, "/") + " below it"
}

// nginxTypes are the media types, and what is worth compressing. nginx cannot
// compare media types that are long: the charset is added by itself.
func (r Rules) nginxTypes(b *bytes.Buffer) {
	b.WriteString("  types {\n")
	var texts []string
	text := func(media string) string {
		plain, charset, _ := strings.Cut(media, ";")
		if charset != "" && plain != "text/html" { // which nginx always takes
			texts = append(texts, plain)
		}
		return plain
	}
	for _, t := range byExtension() {
		fmt.Fprintf(b, "    %s %s;\n", text(t.media), strings.TrimPrefix(t.ext, "."))
	}
	for _, file := range []string{"feed.xml", "feed.json", "opensearch.xml"} {
		text(MediaType(file))
	}
	all := strings.Join(texts, " ")
	fmt.Fprintf(b, "  }\n  charset utf-8;\n  charset_types %s;\n  gzip on;\n  gzip_vary on;\n  gzip_min_length 1000;\n  gzip_types image/svg+xml %s;\n", all, all)
}

func nginxHeaders(b *bytes.Buffer, indent string, headers []Header) {
	for _, h := range headers {
		always := " always"
		if h.Name == "Cache-Control" && h.Value != "no-store" {
			always = "" // an error must not be kept
		}
		fmt.Fprintf(b, "%sadd_header %s %q%s;\n", indent, h.Name, h.Value, always)
	}
}

func (r Rules) nginxMoves(b *bytes.Buffer) {
	for _, m := range r.Moves {
		fmt.Fprintf(b, "  location = %s {\n", m.From)
		nginxHeaders(b, "    ", r.Page(m.From))
		fmt.Fprintf(b, "    return 301 %s;\n  }\n", m.To)
	}
}

func (r Rules) nginxAliases(b *bytes.Buffer) {
	b.WriteString("\n  # Short addresses of documents.\n")
	for _, a := range r.Aliases {
		to := a.To
		for i, name := range a.From.names() {
			to = strings.Replace(to, name, fmt.Sprintf("$%d", i+1), 1)
		}
		fmt.Fprintf(b, "  location ~ %[1]s { rewrite %[1]s %[2]s last; }\n", a.From.regexp(), to)
	}
}

// nginxRules are the patterns that something is said of, but for the one of
// everything and those of short addresses, which are rewritten.
func (r Rules) nginxRules(b *bytes.Buffer) {
	for _, rule := range r.special() {
		fmt.Fprintf(b, "\n  location ~ %s {\n", rule.regexp())
		headers := r.Page(strings.ReplaceAll(string(rule), "*", "x"))
		if r.Cache(string(rule)) == revalidate {
			headers = append(headers, Header{"Cache-Control", revalidate})
		}
		nginxHeaders(b, "    ", headers)
		if t, _, _ := strings.Cut(r.typeOf(rule), ";"); t != "" {
			fmt.Fprintf(b, "    types { }\n    default_type %s;\n", t)
		}
		if strings.HasPrefix(string(rule), r.Docs) {
			fmt.Fprintf(b, "    try_files $uri %s;\n", missingDocument)
		}
		b.WriteString("  }\n")
	}
}

// special are the patterns with headers of their own or whose media type the
// end of a name does not tell; the narrowest first.
func (r Rules) special() []Pattern {
	var out []Pattern
	for _, rule := range r.joined() {
		alias := slices.ContainsFunc(r.Aliases, func(a Alias) bool { return a.From == rule.Pattern })
		whole := rule.Pattern == Pattern(r.Prefix+"/*")
		extension := strings.HasPrefix(string(rule.Pattern), r.Prefix+"/*.")
		if !alias && !whole && !extension {
			out = append(out, rule.Pattern)
		}
	}
	slices.SortStableFunc(out, func(a, b Pattern) int {
		return cmp.Compare(strings.Count(string(a), "*"), strings.Count(string(b), "*"))
	})
	return out
}

// typeOf is the media type that a rule gives to a pattern, or "".
func (r Rules) typeOf(p Pattern) string {
	for _, t := range r.Types {
		if t.Pattern == p {
			return t.Headers[0].Value
		}
	}
	return ""
}

func withoutCache(headers []Header) []Header {
	return slices.DeleteFunc(slices.Clone(headers), func(h Header) bool { return h.Name == "Cache-Control" })
}
