package page

import (
	"errors"
	"testing"
	"testing/fstest"

	"benchlet.com/incidentlib/generator/incident"
)

// A fault in a template is named at the line of the file as its author sees it,
// though templates are made small before they run.
func TestTemplateErrorsHaveLines(t *testing.T) {
	t.Parallel()
	words := words{"x": {EN: "X", KO: "엑스"}}
	for src, want := range map[string]string{
		"{{define \"a\"}}\n<p>\n{{if}}</p>{{end}}":                    "templates/a.html:3: missing value for if",
		"{{define \"a\"}}\n<p>\n\n{{.Missing}}</p>{{end}}":            `templates/a.html:4: executing "a" at <.Missing>: can't evaluate field Missing in type struct { There int }`,
		"{{define \"a\"}}\n{{word \"y\"}}{{end}}":                     `templates/a.html: words.json has no ["y"]`,
		"{{define \"a\"}}\n<p>\n<a href=\"{{.There}}>x</a>{{end}}":    "templates: html/template:a: ends in a non-text context: {stateURL delimDoubleQuote urlPartPreQuery jsCtxRegexp [] attrURL elementNone <nil>}",
		"{{define \"a\"}}{{word \"x\"}}\n\n{{template \"b\"}}{{end}}": `templates/a.html:3: no such template "b"`,
	} {
		set, err := loadTemplates(fstest.MapFS{"a.html": {Data: []byte(src)}}, words, incident.EN, true)
		if err == nil {
			_, err = set.execute("a", struct{ There int }{1})
		}
		if e := (*TemplateError)(nil); !errors.As(err, &e) || e.Error() != want {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}
