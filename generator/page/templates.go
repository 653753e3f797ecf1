package page

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"slices"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"

	"benchlet.com/incidentlib/generator/incident"
)

// templateSet are the templates of one language, made small once when they are
// loaded instead of page by page.
type templateSet struct {
	t *template.Template
}

func loadTemplates(files fs.FS, w words, l incident.Lang, minified bool) (*templateSet, error) {
	s := &templateSet{template.New("").Option("missingkey=error")}
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		src, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if src, err = w.in(l, src); err != nil {
			return nil, fmt.Errorf("templates/%s: %w", name, err)
		}
		if minified {
			if src, err = minifyTemplate(src); err != nil {
				return nil, fmt.Errorf("templates/%s: %w", name, err)
			}
		}
		if _, err := s.t.New(name).Parse(string(src)); err != nil {
			return nil, fmt.Errorf("templates/%s: %w", name, err)
		}
	}
	return s, nil
}

// minifyTemplate makes a template's markup small. What could change the text of
// a page, or the context that html/template escapes for, is kept: the space
// between words, quotes, end tags.
func minifyTemplate(src []byte) ([]byte, error) {
	m := minify.New()
	m.Add("text/html", &html.Minifier{
		KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepDefaultAttrVals: true, KeepSpecialComments: true,
		TemplateDelims: html.GoTemplateDelims,
	})
	return m.Bytes("text/html", src)
}

// execute runs a template. It is the only maker of template.HTML: what it
// returns was escaped by html/template for its place, or made by the markup
// package.
func (s *templateSet) execute(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	if err := s.t.ExecuteTemplate(&b, name, data); err != nil {
		return "", err
	}
	return trusted(b.Bytes()), nil
}

// trusted marks HTML that this package or the markup package made.
func trusted(b []byte) template.HTML { return template.HTML(b) }
