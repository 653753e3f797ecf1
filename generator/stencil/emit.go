package stencil

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"reflect"
	"strconv"
	"strings"
	"text/template/parse"
)

// emitter appends a value, escaped for its place.
type emitter func(dst []byte, v reflect.Value) ([]byte, error)

// The escapers that html/template puts behind a value, by the place of it.
const (
	inText  = "htmlescaper"
	inTitle = "rcdataescaper"
	inAttr  = "attrescaper"
	inURL   = "urlfilter|urlnormalizer|attrescaper"
	inPath  = "urlnormalizer|attrescaper"
	inJS    = "jsvalescaper"
)

func (c *compiler) emitter(chain string, typ reflect.Type) (emitter, error) {
	p, ok := c.probes[chain]
	if !ok {
		return nil, unfit("a value with the escapers %q", chain)
	}
	switch {
	case chain == inText && typ == reflect.TypeFor[template.HTML]():
		return func(dst []byte, v reflect.Value) ([]byte, error) { return append(dst, v.String()...), nil }, nil
	case isNumber(typ) && (chain == inText || chain == inTitle || chain == inAttr):
		return func(dst []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(dst, v.Int(), 10), nil }, nil
	case chain == inJS:
		return p.emitJS, nil
	case !isPlain(typ):
		return p.emit, nil
	}
	switch chain {
	case inText, inTitle, inAttr:
		return func(dst []byte, v reflect.Value) ([]byte, error) { return appendEscaped(dst, v.String()), nil }, nil
	case inURL, inPath:
		return func(dst []byte, v reflect.Value) ([]byte, error) {
			if s := v.String(); isPlainURL(s, chain == inURL) {
				return appendEscaped(dst, s), nil
			}
			return p.emit(dst, v)
		}, nil
	}
	return p.emit, nil
}

// isPlain tells whether a type is printed as the string that it is.
func isPlain(t reflect.Type) bool {
	return t.Kind() == reflect.String && !speaks(t) && t.PkgPath() != "html/template"
}

func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return !speaks(t)
	}
	return false
}

// speaks tells whether a type says itself how it is printed.
func speaks(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[fmt.Stringer]()) || t.Implements(reflect.TypeFor[error]()) || t.Implements(reflect.TypeFor[fmt.Formatter]())
}

// escaped are the bytes that are written otherwise, as bits; none is above '>'.
const escaped = 1 | 1<<'"' | 1<<'&' | 1<<'\'' | 1<<'+' | 1<<'<' | 1<<'>'

// appendEscaped escapes what html/template escapes in text and in quoted
// attributes.
func appendEscaped(dst []byte, s string) []byte {
	written := 0
	for i := range len(s) {
		if c := s[i]; c <= '>' && uint64(escaped)>>c&1 != 0 {
			dst = append(append(dst, s[written:i]...), escapeOf(c)...)
			written = i + 1
		}
	}
	return append(dst, s[written:]...)
}

func escapeOf(c byte) string {
	switch c {
	case '"':
		return "&#34;"
	case '&':
		return "&amp;"
	case '\'':
		return "&#39;"
	case '+':
		return "&#43;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	}
	return "\uFFFD"
}

// isPlainURL tells whether an address passes html/template's filters unchanged,
// judged strictly; whole is for one that begins here, so that its scheme counts.
func isPlainURL(s string, whole bool) bool {
	if whole && !strings.HasPrefix(s, "/") &&
		!strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '-' <= c && c <= ':' { // "-./" and digits among them
			continue
		}
		if !strings.ContainsRune("#?=&_~", rune(c)) {
			return false
		}
	}
	return true
}

// probe is a template with one value in a certain place. It does for rare
// values what html/template would do with them there.
type probe struct {
	t              *template.Template
	before, behind string
}

// newProbes are the probes by the escapers that html/template chose for their
// places.
func newProbes() (map[string]probe, error) {
	probes := map[string]probe{}
	for _, p := range []probe{
		{before: ``, behind: ``},
		{before: `<title>`, behind: `</title>`},
		{before: `<a title="`, behind: `"></a>`},
		{before: `<a href="`, behind: `"></a>`},
		{before: `<a href="/`, behind: `"></a>`},
		{before: `<a href="/?q=`, behind: `"></a>`},
		{before: `<script type="application/ld+json">`, behind: `</script>`},
	} {
		var err error
		if p.t, err = template.New("probe").Parse(p.before + "{{.}}" + p.behind); err != nil {
			return nil, err
		}
		if err = p.t.Execute(&bytes.Buffer{}, ""); err != nil {
			return nil, err
		}
		probes[chainOf(p.t)] = p
	}
	return probes, nil
}

func (p probe) emit(dst []byte, v reflect.Value) ([]byte, error) {
	var b bytes.Buffer
	var data any
	if v.IsValid() && v.CanInterface() {
		data = v.Interface()
	}
	if err := p.t.Execute(&b, data); err != nil {
		return dst, err
	}
	out := b.Bytes()
	return append(dst, out[len(p.before):len(out)-len(p.behind)]...), nil
}

// emitJS appends a value as JavaScript. Of a struct html/template writes what
// encoding/json does, which escapes all that a script must not have.
func (p probe) emitJS(dst []byte, v reflect.Value) ([]byte, error) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct && !speaks(v.Type()) && v.CanInterface() {
		to := appender{dst}
		if err := json.NewEncoder(&to).Encode(v.Interface()); err == nil && to.b[len(dst)] == '{' {
			return to.b[:len(to.b)-len("\n")], nil
		}
	}
	return p.emit(dst, v)
}

// appender is an [io.Writer] that appends.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}

// chainOf are the escapers of the only action of a template.
func chainOf(t *template.Template) string {
	for _, n := range t.Tree.Root.Nodes {
		a, ok := n.(*parse.ActionNode)
		if !ok {
			continue
		}
		var chain []string
		for _, cmd := range a.Pipe.Cmds[1:] {
			chain = append(chain, strings.TrimPrefix(cmd.Args[0].String(), escapers))
		}
		return strings.Join(chain, "|")
	}
	return ""
}
