package markup

import (
	"html"
	"net/url"
	"strings"
	"unicode"
)

// A target is where an accepted link leads.
type target struct {
	dest     string // as the author wrote it, decoded
	href     string // as the page has it, percent-encoded but not yet escaped
	external bool   // leaves the site
}

// resolve decides about a destination whose escapes and entities are decoded.
// It names what is allowed; all else, known or not, is refused.
func (st *state) resolve(dest string) (target, bool) {
	dest = strings.TrimSpace(dest)
	if dest == "" || strings.ContainsFunc(dest, forbiddenInAddress) {
		return target{}, false
	}
	seen, ok := unmask(dest)
	if !ok {
		return target{}, false
	}
	if scheme, ok := schemeOf(seen); ok {
		href := encode(dest)
		return target{dest, href, scheme != "mailto"}, allowedAbsolute(scheme, href)
	}
	if strings.HasPrefix(seen, "//") || strings.ContainsFunc(seen, forbiddenInAddress) {
		return target{}, false
	}
	href := dest
	if st.link != nil && st.links {
		if href, ok = st.link(dest); !ok {
			return target{}, false
		}
	}
	return target{dest: dest, href: encode(href)}, true
}

// forbiddenInAddress reports characters that browsers drop or reinterpret in
// an address ("java\nscript:", "/\evil.example") or that hide what it says.
func forbiddenInAddress(r rune) bool {
	if r < 0x80 {
		return r < ' ' || r == 0x7F || r == '\\'
	}
	return r == '\uFFFD' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// unmask returns dest as it would look if somebody decoded it again, perhaps
// more than once, and dropped white space. Only decisions are made on it.
func unmask(dest string) (string, bool) {
	for range 8 {
		s := html.UnescapeString(dest)
		if u, err := url.PathUnescape(s); err == nil {
			s = u
		}
		if strings.ContainsFunc(s, unicode.IsSpace) {
			s = strings.Join(strings.Fields(s), "")
		}
		if s == dest {
			return s, true
		}
		dest = s
	}
	return "", false
}

// schemeOf returns the scheme of an address, in lower case: what stands before
// a colon that comes before any slash, question mark or number sign.
func schemeOf(address string) (string, bool) {
	i := strings.IndexAny(address, ":/?#")
	if i < 0 || address[i] != ':' {
		return "", false
	}
	return strings.ToLower(address[:i]), true
}

// allowedAbsolute reports whether href, an address with a scheme, may be
// linked. The scheme must be written plainly, there must be a host, and no
// user name, which serves to show a false host.
func allowedAbsolute(scheme, href string) bool {
	u, err := url.Parse(href)
	if err != nil || u.Scheme != scheme {
		return false
	}
	switch scheme {
	case "http", "https":
		return u.Hostname() != "" && u.User == nil
	case "mailto":
		return u.Opaque != "" && !strings.HasPrefix(u.Opaque, "/")
	}
	return false
}

// encode percent-encodes what an address may not contain, as CommonMark's
// reference program does; an encoded byte stays as it is.
func encode(address string) string {
	const hex = "0123456789ABCDEF"
	var dst []byte
	from := 0
	for i := range len(address) {
		c := address[i]
		if allowedInAddress(c) || c == '%' && i+2 < len(address) && isHex(address[i+1]) && isHex(address[i+2]) {
			continue
		}
		dst = append(dst, address[from:i]...)
		dst = append(dst, '%', hex[c>>4], hex[c&15])
		from = i + 1
	}
	if from == 0 {
		return address
	}
	return string(append(dst, address[from:]...))
}

func allowedInAddress(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-_.+!*'(),;:@=$&/?#~", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
