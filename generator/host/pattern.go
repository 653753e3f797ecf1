package host

import (
	"regexp"
	"strings"
)

// Pattern is a pattern of addresses as Cloudflare and Netlify read them: "*"
// stands for anything, ":name" for one part. A part of an alias is never one
// with a dot: short addresses have none, and a rule that took "/cases/IL-1.json"
// for one would hide the file.
type Pattern string

// Match reports whether an address is of the pattern.
func (p Pattern) Match(urlPath string) bool {
	before, after, open := strings.Cut(string(p), "*")
	if open {
		return len(urlPath) >= len(before)+len(after) && strings.HasPrefix(urlPath, before) && strings.HasSuffix(urlPath, after)
	}
	_, ok := p.fill("", urlPath)
	return ok
}

// fill puts what the names of a pattern stand for in an address into their
// places in another.
func (p Pattern) fill(to, urlPath string) (string, bool) {
	parts, given := strings.Split(string(p), "/"), strings.Split(urlPath, "/")
	if len(parts) != len(given) {
		return "", false
	}
	for i, part := range parts {
		switch {
		case strings.HasPrefix(part, ":") && given[i] != "" && !strings.Contains(given[i], "."):
			to = strings.Replace(to, part, given[i], 1)
		case part != given[i]:
			return "", false
		}
	}
	return to, true
}

// holder reports whether a pattern is that of a document.
func (p Pattern) holder(doc string) bool {
	return strings.HasSuffix(string(p), "/"+doc)
}

// regexp is the pattern as a regular expression of nginx, Caddy and Go. Names
// become groups, in their order.
func (p Pattern) regexp() string {
	var b strings.Builder
	b.WriteByte('^')
	for i, part := range strings.Split(string(p), "/") {
		if i > 0 {
			b.WriteByte('/')
		}
		if strings.HasPrefix(part, ":") {
			b.WriteString(`([^/.]+)`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, `.*`))
	}
	b.WriteByte('$')
	return b.String()
}

// names are the names of a pattern, with their colons.
func (p Pattern) names() []string {
	var out []string
	for part := range strings.SplitSeq(string(p), "/") {
		if strings.HasPrefix(part, ":") {
			out = append(out, part)
		}
	}
	return out
}

// covers reports whether every address of another pattern is of this one, too.
func (p Pattern) covers(other Pattern) bool {
	return p.Match(strings.NewReplacer("*", "x/x", ":", "").Replace(string(other)))
}
