// Package stencil runs the templates of html/template at the speed of appended
// bytes. It owns no rule of escaping: html/template reads the templates and
// decides for each value how its place has to be escaped; a stencil is made of
// the trees that come out, once for a template and the type of its data, with
// every field looked up beforehand. Values that need no more than the five
// characters of HTML escaped, which are nearly all, are appended here; any other
// is handed to html/template itself, in a template of the same context.
//
// What a stencil cannot do as html/template does it is an error when it is made
// (maps, methods with arguments, functions but the few of the language,
// templates called inside attributes); the caller then runs the template as it
// is. A stencil writes the same bytes as its template, and a test holds that.
package stencil

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"slices"
	"sync"
)

// Set are the templates of one html/template set. It is safe for concurrent
// use.
type Set struct {
	t      *template.Template
	probes func() (map[string]probe, error)
	made   sync.Map // key to *made
	runs   sync.Pool
}

type key struct {
	name string
	data reflect.Type
}

type made struct {
	body *body
	err  error
}

// New makes a set of t, which must be whole: it cannot be added to afterwards,
// as with any html/template set that was executed.
func New(t *template.Template) *Set {
	return &Set{t: t, probes: sync.OnceValues(newProbes), runs: sync.Pool{New: func() any { return &run{} }}}
}

// ErrUnfit: the template does something that only html/template can do.
var ErrUnfit = errors.New("not for a stencil")

// Append appends the template name, executed with data, to dst. With an error
// that is [ErrUnfit] nothing was run; with any other the template failed, and
// html/template has the better message. In both cases dst is as it was.
func (s *Set) Append(dst *bytes.Buffer, name string, data any) error {
	if data == nil {
		data = nothing{}
	}
	b, err := s.body(name, reflect.TypeOf(data))
	if err != nil {
		return err
	}
	r := s.runs.Get().(*run)
	defer s.runs.Put(r)
	r.out = dst.AvailableBuffer()
	r.vars = r.vars[:0]
	if err := b.run(r, reflect.ValueOf(data)); err != nil {
		return err
	}
	dst.Write(r.out)
	r.out = nil
	return nil
}

// body compiles what a template and a type of data ask for, once.
func (s *Set) body(name string, data reflect.Type) (*body, error) {
	k := key{name, data}
	if m, ok := s.made.Load(k); ok {
		return m.(*made).body, m.(*made).err
	}
	m := &made{}
	m.body, m.err = s.compile(k)
	s.made.Store(k, m)
	return m.body, m.err
}

func (s *Set) compile(k key) (*body, error) {
	t := s.t.Lookup(k.name)
	if t == nil {
		return nil, fmt.Errorf("%w: there is no template %q", ErrUnfit, k.name)
	}
	// html/template escapes a template when it is first executed. What it says
	// of the missing data is of no interest.
	_ = t.Execute(io.Discard, nil)
	probes, err := s.probes()
	if err != nil {
		return nil, err
	}
	c := &compiler{t: s.t, probes: probes, bodies: map[key]*body{}}
	return c.template(k)
}

// run is one execution.
type run struct {
	out  []byte
	vars []reflect.Value // of all templates that are being run, the innermost last
	base int             // where those of the innermost begin; the first is "$"
}

// nothing is the data of a template that is run without any.
type nothing struct{}

// Unfit are the templates that could not be compiled so far, and why: for tests.
func (s *Set) Unfit() (why []string) {
	s.made.Range(func(k, m any) bool {
		if err := m.(*made).err; err != nil {
			why = append(why, fmt.Sprintf("%s with %v: %v", k.(key).name, k.(key).data, err))
		}
		return true
	})
	slices.Sort(why)
	return why
}
