package page

import (
	"bytes"
	"html/template"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/stencil"
)

// templateSet are the templates of one language, made small once when they are
// loaded instead of page by page.
type templateSet struct {
	t     *template.Template
	quick *stencil.Set                       // the same, compiled
	plain bool                               // run the templates as they are: what the compiled ones are held to
	raw   func() (*template.Template, error) // as they are written, for the lines of errors

	buffers sync.Pool // of *bytes.Buffer, for what is executed into a value
}

// Templates are the templates and words of all languages, ready to be run. They
// are never changed once loaded.
type Templates struct {
	words words
	sets  map[incident.Lang]*templateSet
}

// LoadTemplates reads templates and words.json. Verbose leaves the markup as it
// is written, for reading and for tests.
func LoadTemplates(files fs.FS, verbose bool) (*Templates, error) {
	w, err := loadWords(files)
	if err != nil {
		return nil, err
	}
	t := &Templates{w, map[incident.Lang]*templateSet{}}
	for _, l := range incident.Langs() {
		if t.sets[l], err = loadTemplates(files, w, l, !verbose); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// TemplateError is a fault in a template, at the line that its author knows.
type TemplateError struct {
	File string // "templates/case.html"
	Line int    // 0 where it is not known
	What string
}

func (e *TemplateError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.What
}

func loadTemplates(files fs.FS, w words, l incident.Lang, minified bool) (*templateSet, error) {
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	sources := make([]string, len(names))
	for i, name := range names {
		src, err := fs.ReadFile(files, name)
		if err == nil {
			src, err = w.in(l, src)
		}
		if err != nil {
			return nil, &TemplateError{File: "templates/" + name, What: err.Error()}
		}
		sources[i] = string(src)
	}
	raw := sync.OnceValues(func() (*template.Template, error) { return parse(names, sources, false) })
	t, err := parse(names, sources, minified)
	if err != nil {
		if _, rawErr := raw(); rawErr != nil {
			err = rawErr // the same fault, at its line
		}
		return nil, err
	}
	return &templateSet{t: t, quick: stencil.New(t), raw: raw}, nil
}

func parse(names, sources []string, minified bool) (*template.Template, error) {
	t := template.New("").Option("missingkey=error")
	for i, name := range names {
		src := sources[i]
		if minified {
			small, err := minifyTemplate([]byte(src))
			if err != nil {
				return nil, &TemplateError{File: "templates/" + name, What: err.Error()}
			}
			src = string(small)
		}
		if _, err := t.New(name).Parse(src); err != nil {
			return nil, templateError(err)
		}
	}
	return t, nil
}

// templateError takes the file and the line out of an error of the template
// packages, whose words they begin: "template: case.html:12:3: …".
func templateError(err error) error {
	found := regexp.MustCompile(`^(?:html/)?template: ?([^:]+):([0-9]+)(?::[0-9]+)?: (.*)$`).FindStringSubmatch(err.Error())
	if found == nil {
		return &TemplateError{File: "templates", What: err.Error()}
	}
	line, _ := strconv.Atoi(found[2])
	return &TemplateError{File: "templates/" + found[1], Line: line, What: found[3]}
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

// execute runs a template: what it returns was escaped by html/template for its
// place.
func (s *templateSet) execute(name string, data any) (template.HTML, error) {
	b, ok := s.buffers.Get().(*bytes.Buffer)
	if !ok {
		b = bytes.NewBuffer(make([]byte, 0, 1<<10))
	}
	defer s.buffers.Put(b)
	b.Reset()
	if err := s.executeTo(b, name, data); err != nil {
		return "", err
	}
	return trusted(b.Bytes()), nil
}

// executeTo runs a template into a buffer: compiled, or as it is where that
// cannot be. Should it fail it runs again as it is written, so that the error
// names the line.
func (s *templateSet) executeTo(b *bytes.Buffer, name string, data any) error {
	if !s.plain && s.quick.Append(b, name, data) == nil {
		return nil
	}
	err := s.t.ExecuteTemplate(b, name, data)
	if err == nil {
		return nil
	}
	if raw, rawErr := s.raw(); rawErr == nil {
		if again := raw.ExecuteTemplate(io.Discard, name, data); again != nil {
			err = again
		}
	}
	return templateError(err)
}

// trusted is the only maker of template.HTML. It is given what a template, the
// markup, figure or chart package wrote, or what html/template escaped, and
// nothing else.
func trusted(b []byte) template.HTML { return template.HTML(b) }
