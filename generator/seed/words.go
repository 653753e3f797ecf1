package seed

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
)

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// silent reports a text of which a page would show nothing, and a link that it
// labels could not be seen: spaces written as entities or as code, marks and
// joiners that stand on no letter.
func silent(s string) bool {
	if first, _ := utf8.DecodeRuneInString(s); first != '&' && first != '`' && shows(first) {
		return false // nearly every text
	}
	return !strings.ContainsFunc(strings.ReplaceAll(html.UnescapeString(s), "`", ""), shows)
}

func shows(r rune) bool {
	const blankBraille = '\u2800'
	return !unicode.IsSpace(r) && !unicode.In(r, unicode.M, unicode.Cf) && r != blankBraille
}

func axisNames() []string {
	var out []string
	for _, a := range incident.AxisIDs() {
		out = append(out, string(a))
	}
	return out
}

func axisID() kind[incident.AxisID] {
	want := "one of " + strings.Join(axisNames(), ", ")
	return as(oneOf(want, "axis", axisNames()), func(s string) incident.AxisID { return incident.AxisID(s) })
}

func language() kind[string] {
	var names []string
	for _, l := range incident.Langs() {
		names = append(names, string(l))
	}
	return oneOf(`"en" or "ko"`, "language of the library", names)
}

// oneOf is a string of a fixed set.
func oneOf(want, noun string, names []string) kind[string] {
	values := make([]any, len(names))
	for i, n := range names {
		values[i] = n
	}
	return parsed(want, object{{"enum", values}}, func(s string) (string, error) {
		if !slices.Contains(names, s) {
			return "", fmt.Errorf("%s is no %s", quote(s), noun)
		}
		return s, nil
	}, func(s string) string { return Nearest(s, names) })
}

func parseRef(s string) (incident.TermRef, error) {
	axis, slug, ok := strings.Cut(s, "/")
	if !ok || !incident.ValidSlug(slug) {
		return incident.TermRef{}, fmt.Errorf("%s is not of the form axis/slug", quote(s))
	}
	for _, a := range axisNames() {
		if a == axis {
			return incident.TermRef{Axis: incident.AxisID(axis), Slug: slug}, nil
		}
	}
	return incident.TermRef{}, fmt.Errorf("%s is no axis", quote(axis))
}
