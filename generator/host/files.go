package host

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/output"
)

// Name is a host, or a program that hosts are made with.
type Name string

// The hosts that a build can write files for.
const (
	Cloudflare Name = "cloudflare"
	Netlify    Name = "netlify"
	GitHub     Name = "github"
	S3         Name = "s3"
	Nginx      Name = "nginx"
	Caddy      Name = "caddy"
)

// Names are all hosts.
func Names() []Name { return []Name{Cloudflare, Netlify, GitHub, S3, Nginx, Caddy} }

// Parse reads the name of a host.
func Parse(s string) (Name, error) {
	var all []string
	for _, n := range Names() {
		if string(n) == s {
			return n, nil
		}
		all = append(all, string(n))
	}
	return "", fmt.Errorf("there is no host %q; write one or more of %s", s, strings.Join(all, ", "))
}

// What is written, and where. What a host reads by itself has to lie in the root
// of the site. What a person or a script reads lies in a folder of its own,
// which none of the hosts that it is for shows; another that shows it gives away
// nothing that its own answers do not.
const (
	headersName   = "_headers"
	redirectsName = "_redirects"
	noJekyllName  = ".nojekyll"

	folder     = ".hosts/"
	nginxName  = folder + "nginx.conf"
	caddyName  = folder + "Caddyfile"
	s3ListName = folder + "s3.tsv"
	s3SyncName = folder + "s3.sh"
)

// Files are the files that hosts are configured by, but for [Uploads]. Those that
// Cloudflare and Netlify read are always among them: other hosts take them for
// two small texts.
func Files(r Rules, hosts []Name) []output.File {
	out := []output.File{
		text(headersName, r.headersFile),
		text(redirectsName, r.redirectsFile),
	}
	done := map[Name]bool{}
	for _, h := range hosts {
		if done[h] {
			continue
		}
		done[h] = true
		switch h {
		case Cloudflare, Netlify, S3:
		case GitHub:
			out = append(out, output.Bytes(noJekyllName, output.Data, nil))
		case Nginx:
			out = append(out, text(nginxName, r.nginx))
		case Caddy:
			out = append(out, text(caddyName, r.caddy))
		}
	}
	return out
}

// APIFiles are those of [Files] for the API's own host, and its page for addresses
// that lead nowhere: without one, Cloudflare takes a site for one page that
// answers everything.
func APIFiles(r Rules, hosts []Name) []output.File {
	const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not found</title></head>` +
		`<body><h1>Not found</h1><p>There is no document at this address.</p></body></html>` + "\n"
	return append(Files(r, hosts), output.Bytes("404.html", output.Page, []byte(page)))
}

// Uploads are what an upload to S3 is done by, for a site of these files; nothing
// when no host is one.
func Uploads(r Rules, hosts []Name, files []output.File) []output.File {
	if !slices.Contains(hosts, S3) {
		return nil
	}
	paths := paths(files)
	return []output.File{
		text(s3ListName, func(b *bytes.Buffer) { r.s3List(b, paths) }),
		text(s3SyncName, func(b *bytes.Buffer) { r.s3Script(b, paths) }),
	}
}

func text(path string, write func(*bytes.Buffer)) output.File {
	return output.File{Path: path, Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		write(dst)
		return nil
	}}
}

// headersFile is _headers, for Cloudflare Pages and Netlify. To Netlify a pattern
// that ends in "/*" is of the folder itself, too, which must have no second rule.
func (r Rules) headersFile(b *bytes.Buffer) {
	rules := r.joined()
	for _, rule := range rules {
		if slices.ContainsFunc(rules, func(other Rule) bool { return other.Pattern == rule.Pattern+"/*" }) {
			continue
		}
		fmt.Fprintf(b, "%s\n", rule.Pattern)
		for _, h := range rule.Headers {
			fmt.Fprintf(b, "  %s: %s\n", h.Name, h.Value)
		}
	}
}

// joined are the rules of headers and of media types, one for a pattern.
func (r Rules) joined() []Rule {
	var out []Rule
	at := map[Pattern]int{}
	for _, rules := range [][]Rule{r.Headers, r.Types} {
		for _, rule := range rules {
			i, ok := at[rule.Pattern]
			if !ok {
				i = len(out)
				at[rule.Pattern] = i
				out = append(out, Rule{Pattern: rule.Pattern})
			}
			out[i].Headers = append(out[i].Headers, rule.Headers...)
		}
	}
	return out
}

// redirectsFile is _redirects, for Cloudflare Pages and Netlify: the first rule
// that matches is followed, and one with a name must come after those without.
func (r Rules) redirectsFile(b *bytes.Buffer) {
	for _, m := range r.Moves {
		fmt.Fprintf(b, "%s %s 301\n", m.From, m.To)
	}
	for _, named := range []bool{false, true} {
		for _, a := range r.Aliases {
			if (len(a.From.names()) > 0) == named {
				fmt.Fprintf(b, "%s %s 200\n", a.From, a.To)
			}
		}
	}
}

// Print is the file of a host as text, for those whose configuration lies
// elsewhere.
func (r Rules) Print(h Name, others []output.File) string {
	var b bytes.Buffer
	switch h {
	case Cloudflare, Netlify:
		b.WriteString("# _headers\n")
		r.headersFile(&b)
		b.WriteString("\n# _redirects\n")
		r.redirectsFile(&b)
	case GitHub:
		b.WriteString("# An empty file .nojekyll; GitHub Pages can be told nothing else.\n")
	case Nginx:
		r.nginx(&b)
	case Caddy:
		r.caddy(&b)
	case S3:
		r.s3Script(&b, paths(others))
	}
	return b.String()
}

func paths(files []output.File) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}
