package seed

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchlet.com/incidentlib/generator/incident"
)

// A kind is one type of value in a seed: how it is read, strictly, and how JSON
// Schema says the same, and how it is laid out in a file. Reader, published
// schema and formatter cannot drift apart, because all come from the kind.
type kind[T any] struct {
	want   string // "a date such as \"2023-11-08\"": completes "write …"
	schema object
	layout *layout
	// read reads the next value; want is what to write instead, which says more
	// than the kind's own where a wider kind asks.
	read func(d *decoder, want string) (T, bool)
}

// str reads a string that valid accepts; valid returns what is wrong, or "".
func str(want string, schema object, valid func(s string) string) kind[string] {
	schema = append(object{{"type", "string"}}, schema...)
	return kind[string]{want, schema, nil, func(d *decoder, want string) (string, bool) {
		s, offset, ok := d.str(want)
		if !ok {
			return "", false
		}
		if what := valid(s); what != "" {
			d.fault(offset, what, "write "+want)
			return "", false
		}
		return s, true
	}}
}

// maxParsed bounds the strings that are dates, durations and the like.
const maxParsed = 200

// parsed makes a kind of strings one of the values that parse makes of them.
// mend is what a string that parse refuses most likely meant, or "".
func parsed[T any](want string, schema object, parse func(s string) (T, error), mend func(s string) string) kind[T] {
	schema = append(object{{"type", "string"}}, schema...)
	return kind[T]{want, schema, nil, func(d *decoder, want string) (T, bool) {
		var zero T
		s, offset, ok := d.str(want)
		if !ok {
			return zero, false
		}
		if len(s) > maxParsed {
			d.fault(offset, quote(s)+" is too long", "write "+want)
			return zero, false
		}
		v, err := parse(s)
		if err != nil {
			d.fault(offset, err.Error(), remedyFor(s, parse, mend, want))
			return zero, false
		}
		return v, true
	}}
}

func remedyFor[T any](s string, parse func(s string) (T, error), mend func(s string) string, want string) string {
	if mend != nil {
		if meant := mend(s); meant != "" {
			if _, err := parse(meant); err == nil {
				return `did you mean "` + meant + `"?`
			}
		}
	}
	return "write " + want
}

// nullable allows null for a value that is not known.
func nullable[T any](k kind[T]) kind[T] {
	want := k.want + ", or null"
	return kind[T]{want, object{{"anyOf", []any{k.schema, object{{"type", "null"}}}}}, k.layout.blankAs("null"), func(d *decoder, want string) (T, bool) {
		if d.kindAt() == 'n' {
			var zero T
			d.skip()
			return zero, true
		}
		return k.read(d, want)
	}}
}

func tooLong(n, limit int) string { return fmt.Sprintf("it has %d characters, more than %d", n, limit) }

// line is a string of one line that says something.
func line(want string) kind[string] {
	return str(want, object{{"pattern", `^[^\n\t]*[^\s][^\n\t]*$`}, {"maxLength", maxLine}}, func(s string) string {
		if n := utf8.RuneCountInString(s); n > maxLine {
			return tooLong(n, maxLine)
		}
		if strings.TrimSpace(s) == "" {
			return "the string is empty"
		}
		if strings.ContainsAny(s, "\n\t") {
			return "there is a line break or a tab in it"
		}
		return ""
	})
}

func id() kind[string] {
	return str(`an id such as "IL-0123"`, object{{"pattern", incident.IDPattern}}, func(s string) string {
		if !incident.ValidID(s) {
			return quote(s) + " is no id"
		}
		return ""
	})
}

func slug() kind[string] {
	reserved := incident.ReservedSlugs()
	return str(`a slug such as "google-cloud": lower-case letters, digits and single hyphens`,
		object{{"pattern", incident.SlugPattern}, {"maxLength", 100}, {"not", object{{"enum", reserved}}}}, func(s string) string {
			switch {
			case !incident.ValidSlug(s):
				return quote(s) + " is no slug"
			case slices.Contains(reserved, s):
				return quote(s) + " is a device on Windows, where no folder can have its name"
			}
			return ""
		})
}

// webPattern is an http or https address as RFC 3986 writes it, in ASCII and
// without a user: the same bytes serve pages, feeds, sitemaps and clients.
const webPattern = `^[hH][tT][tT][pP][sS]?://([a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:.]+\])(:[0-9]{1,5})?` +
	`([/?#](%[0-9a-fA-F]{2}|[a-zA-Z0-9._~:/?#\[\]@!$&'()*+,;=-])*)?$`

// plainWeb knows most addresses that webPattern matches, without asking it.
func plainWeb(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	host, path, _ := strings.Cut(rest, "/")
	return ok && host != "" && strings.Trim(host, ".-") == host && madeOf(host, ".-") && madeOf(path, "./-_:?=&")
}

// madeOf reports whether a text is made of ASCII letters, digits and some marks.
func madeOf(s, marks string) bool {
	for i := range len(s) {
		c := s[i]
		if lower := c | 0x20; (lower < 'a' || lower > 'z') && (c < '0' || c > '9') && strings.IndexByte(marks, c) < 0 {
			return false
		}
	}
	return true
}

// webFault returns what is wrong with an address, or "".
func webFault(s string, pattern *regexp.Regexp) string {
	if plainWeb(s) {
		return ""
	}
	u, err := url.Parse(s)
	switch {
	case err == nil && u.Host != "" && pattern.MatchString(s):
		return ""
	case s == "":
		return "the address is empty"
	case strings.ContainsFunc(s, unicode.IsSpace):
		return "there is a space in " + quote(s)
	case err == nil && u.User != nil:
		return quote(s) + " names a user"
	case strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }):
		return quote(s) + " has other characters than ASCII"
	}
	return quote(s) + " is no http or https address"
}

// webURL is an absolute http or https address.
func webURL() kind[string] {
	re := regexp.MustCompile(webPattern)
	return str(`an address such as "https://example.com/%EA%B0%80?q=1", with %XX for what is not ASCII`, object{{"pattern", webPattern}},
		func(s string) string { return webFault(s, re) })
}

// oddPath is an address whose path has an empty or dotted part: links made with
// it would lead elsewhere, those below https://h//x to a host called x.
const oddPath = `^[a-zA-Z]+://[^/]+(/.*)?(//|/(\.|%2[eE]){1,2}(/|$))`

// rootURL is the address of a whole site, below which others are made.
func rootURL() kind[string] {
	re, odd := regexp.MustCompile(webPattern), regexp.MustCompile(oddPath)
	return str(`an address such as "https://example.org/incidents"`, object{{"pattern", webPattern}, {"not", object{{"pattern", "[?#]|" + oddPath}}}},
		func(s string) string {
			switch {
			case strings.ContainsAny(s, "?#"):
				return quote(s) + " has a query or a fragment"
			case odd.MatchString(s):
				return "the path of " + quote(s) + " has an empty or dotted part"
			}
			return webFault(s, re)
		})
}

func optionalURL() kind[string] {
	root := rootURL()
	want := root.want + `, or "" where there is none`
	return kind[string]{want, object{{"anyOf", []any{root.schema, object{{"const", ""}}}}}, nil, func(d *decoder, want string) (string, bool) {
		if d.nextIs("") {
			d.skip()
			return "", true
		}
		return root.read(d, want)
	}}
}

func date() kind[incident.Date] {
	return parsed(`a date that exists: "2023-11-08", "2023-11" or "2023"`, object{{"pattern", incident.DatePattern}}, incident.ParseDate, meantDate)
}

func duration() kind[incident.Duration] {
	return parsed(`a duration such as "1h 34m", "2d 4h" or "45s"`, object{{"pattern", incident.DurationPattern}}, incident.ParseDuration, meantDuration)
}

const timePattern = `^(19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$`

// moment is a time with the string that it was read from.
type moment struct {
	at   time.Time
	text string
}

func timestamp() kind[moment] {
	re := regexp.MustCompile(timePattern)
	return parsed(`a time such as "2026-11-10T00:00:34Z" (RFC 3339)`, object{{"pattern", timePattern}}, func(s string) (moment, error) {
		t, err := time.Parse(time.RFC3339Nano, s)
		switch {
		case !re.MatchString(s):
			return moment{}, fmt.Errorf("%s is not of the form YYYY-MM-DDThh:mm:ssZ", quote(s))
		case err != nil:
			return moment{}, fmt.Errorf("%s is no time that exists", quote(s))
		}
		return moment{t.UTC(), s}, nil
	}, nil)
}

// reviewDate keeps what an editor wrote: a day, or a time.
func reviewDate() kind[string] {
	re := regexp.MustCompile(timePattern)
	schema := object{{"anyOf", []any{object{{"type", "string"}, {"pattern", incident.DatePattern}}, object{{"type", "string"}, {"pattern", timePattern}}}}}
	return str(`a date such as "2026-11-10", or a time`, schema, func(s string) string {
		_, errDate := incident.ParseDate(s)
		_, errTime := time.Parse(time.RFC3339Nano, s)
		if errDate != nil && (errTime != nil || !re.MatchString(s)) {
			return quote(s) + " is no date that exists"
		}
		return ""
	})
}

// term is the slug of a term of an axis.
func term(a incident.AxisID) kind[string] {
	want := "a term of the axis " + string(a)
	return kind[string]{want, object{{"$term", a}}, nil, func(d *decoder, want string) (string, bool) {
		v, offset, ok := d.str(want)
		switch {
		case !ok:
			return "", false
		case d.vocab == nil && !incident.ValidSlug(v):
			d.fault(offset, quote(v)+" is no slug", "write "+want)
			return "", false
		case d.vocab != nil && d.vocab.Term(a, v) == nil:
			otherwise := "use a term of vocab.json, or add this one there"
			if v == "unknown" {
				otherwise = "write null for what is not known, or leave it out of a list"
			}
			d.fault(offset, fmt.Sprintf("%s is no term of the axis %s", quote(v), a), didYouMean(v, slugs(d.vocab, a), otherwise))
			return "", false
		}
		return v, true
	}}
}

func slugs(v *incident.Vocabulary, a incident.AxisID) []string {
	var out []string
	if axis := v.Axis(a); axis != nil {
		for _, t := range axis.Terms {
			out = append(out, t.Slug)
		}
	}
	return out
}

// orUnknown is k, or the word "unknown", which reads as the zero value.
func orUnknown[T any](k kind[T]) kind[T] {
	want := k.want + `, or "unknown"`
	return kind[T]{want, object{{"anyOf", []any{object{{"const", "unknown"}}, k.schema}}}, k.layout.blankAs(`"unknown"`), func(d *decoder, want string) (T, bool) {
		if d.nextIs("unknown") {
			var zero T
			d.skip()
			return zero, true
		}
		return k.read(d, want)
	}}
}

// list is a list of k, in the seed's order. With a key no two entries may have
// the same one.
func list[T any](k kind[T], key func(T) string) kind[[]T] {
	schema := object{{"type", "array"}, {"items", k.schema}, {"maxItems", maxList}}
	if key != nil {
		schema = append(schema, member{"uniqueItems", true})
	}
	want := "a list, each entry " + k.want
	return kind[[]T]{want, schema, &layout{entries: k.layout, blank: "[]"}, func(d *decoder, want string) ([]T, bool) {
		if t := d.kindAt(); t != '[' {
			d.wrongType(t, want)
			return nil, false
		}
		return readList(d, k, key)
	}}
}

func readList[T any](d *decoder, k kind[T], key func(T) string) (out []T, good bool) {
	start := d.at()
	if _, err := d.json.ReadToken(); err != nil {
		d.broken(err)
		return nil, false
	}
	var offsets []int // of the entries in out
	n := 0
	for t := d.kindAt(); t != 0 && t != ']'; t = d.kindAt() {
		if n++; n > maxList {
			d.skip()
			continue
		}
		d.path = append(d.path, step{index: n - 1})
		offset := d.at()
		if v, ok := k.read(d, k.want); ok {
			if key != nil {
				reportAgain(d, offset, key(v), out, offsets, key)
				offsets = append(offsets, offset)
			}
			out = append(out, v)
		}
		d.path = d.path[:len(d.path)-1]
	}
	if d.dead {
		return nil, false
	}
	if _, err := d.json.ReadToken(); err != nil {
		d.broken(err)
		return nil, false
	}
	if n > maxList {
		d.fault(start, fmt.Sprintf("the list has %d entries", n), fmt.Sprintf("write at most %d", maxList))
	}
	return out, n <= maxList
}

// reportAgain reports an entry whose key an earlier one has. Lists are short:
// looking through them costs less than an index of them.
func reportAgain[T any](d *decoder, offset int, again string, out []T, offsets []int, key func(T) string) {
	for i, v := range out {
		if key(v) == again {
			line, col := position(d.src, offsets[i])
			d.fault(offset, fmt.Sprintf("%s stands in the list twice, first at line %d, column %d", quote(again), line, col), "delete one of the two")
			return
		}
	}
}

func itself(s string) string { return s }

// as is k where the field is of a named type.
func as[T, U any](k kind[T], convert func(T) U) kind[U] {
	return kind[U]{k.want, k.schema, k.layout, func(d *decoder, want string) (U, bool) {
		v, ok := k.read(d, want)
		return convert(v), ok
	}}
}

// either reads a value as a when it is a string, else as b.
func either[T any](a, b kind[T]) kind[T] {
	want := a.want + ", or " + b.want
	return kind[T]{want, object{{"anyOf", []any{a.schema, b.schema}}}, b.layout, func(d *decoder, want string) (T, bool) {
		switch k := d.kindAt(); k {
		case '"':
			return a.read(d, want)
		case '{':
			return b.read(d, want)
		default:
			var zero T
			d.wrongType(k, want)
			return zero, false
		}
	}}
}
