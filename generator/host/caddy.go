package host

import (
	"bytes"
	"fmt"
	"strings"
)

// caddy is a file to import into a site block. In a route directives are
// followed as they stand: headers, where an address has gone, short addresses,
// files.
func (r Rules) caddy(b *bytes.Buffer) {
	fmt.Fprintf(b, `# Written by incidentlib. Import this file into a site block whose root is the
# folder that the host's addresses begin at%s:
#
#   incidents.example.org {
#     root * /var/www/incidents
#     import /var/www/incidents%s/.hosts/Caddyfile
#   }

`, r.where(), r.Prefix)
	fmt.Fprintf(b, "route %s/* {\n\tencode zstd gzip\n", r.Prefix)
	caddyHeaders(b, "", []Header{{"Cache-Control", revalidate}})
	for i, rule := range r.joined() {
		if rule.Pattern == Pattern(r.Prefix+"/*") {
			caddyHeaders(b, "", rule.Headers)
			continue
		}
		fmt.Fprintf(b, "\n\t@rule%d path_regexp %s\n", i, rule.Pattern.regexp())
		caddyHeaders(b, fmt.Sprintf("@rule%d ", i), rule.Headers)
	}
	b.WriteByte('\n')
	for _, m := range r.Moves {
		fmt.Fprintf(b, "\tredir %s %s 301\n", m.From, m.To)
	}
	for i, a := range r.Aliases {
		to := a.To
		for j, name := range a.From.names() {
			to = strings.Replace(to, name, fmt.Sprintf("{re.alias%d.%d}", i, j+1), 1)
		}
		fmt.Fprintf(b, "\t@alias%[1]d path_regexp alias%[1]d %[2]s\n\trewrite @alias%[1]d %[3]s\n", i, a.From.regexp(), to)
	}
	b.WriteString("\n\tfile_server {\n\t\thide .incidentlib-* .hosts .git .nojekyll _headers _redirects\n\t}\n}\n\n")
	r.caddyErrors(b)
}

// caddyErrors says what is answered where there is nothing.
func (r Rules) caddyErrors(b *bytes.Buffer) {
	b.WriteString("handle_errors {\n\theader Cache-Control no-store\n")
	fmt.Fprintf(b, "\t@document path_regexp ^%s\n\thandle @document {\n\t\theader Content-Type application/problem+json\n\t\trespond `%s` {http.error.status_code}\n\t}\n", r.Docs, problem)
	for i, m := range r.Missing {
		fmt.Fprintf(b, "\t@missing%[1]d path %[2]s*\n\thandle @missing%[1]d {\n\t\theader Content-Type %[4]q\n\t\trewrite * %[3]s\n\t\tfile_server\n\t}\n", i, m.Below, m.Page, MediaType(m.Page))
	}
	b.WriteString("}\n")
}

func caddyHeaders(b *bytes.Buffer, matcher string, headers []Header) {
	for _, h := range headers {
		fmt.Fprintf(b, "\theader %s%s %q\n", matcher, h.Name, h.Value)
	}
}
