package address

import (
	"net/url"
	"path"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// TextHref is where a link that an editor wrote in a text leads. A path from the
// site's root is language-neutral ("/topics/components/database/") and stays in
// the reader's language. Other relative links mean different things on
// different pages and are refused, as are paths that could climb out of the
// site.
func (s Site) TextHref(l incident.Lang, dest string) (string, bool) {
	if !strings.HasPrefix(dest, "/") || climbs(dest) {
		return "", false
	}
	return s.Href(l, Path(strings.TrimPrefix(dest, "/"))), true
}

// TextURL is [Site.TextHref] for a text that is read away from the site, in a
// feed or a file; page is the one that the text stands on, which a fragment
// belongs to.
func (s Site) TextURL(l incident.Lang, page Path, dest string) (string, bool) {
	if strings.HasPrefix(dest, "#") {
		return s.URL(l, page) + dest, true
	}
	href, ok := s.TextHref(l, dest)
	return s.origin + href, ok
}

// climbs reports whether a path has a dotted or empty part, as a browser reads it.
func climbs(dest string) bool {
	p, _, _ := strings.Cut(dest, "#")
	p, _, _ = strings.Cut(p, "?")
	p, err := url.PathUnescape(p)
	return err != nil || path.Clean(p) != strings.TrimSuffix(p, "/") && p != "/"
}
