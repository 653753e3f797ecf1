package page

import (
	"html/template"
	"sync"
	"sync/atomic"
)

// fragments makes each piece of HTML once, when a page first asks for it: a
// case's line stands in some sixty lists, and a preview that renders one page
// needs a few of many thousands. Two pages that ask at the same time may both
// make it; they make the same.
type fragments[K comparable] struct {
	made   sync.Map // K to template.HTML
	make   func(K) (template.HTML, error)
	failed *atomic.Pointer[error] // the first failure; the page that is being rendered reports it
}

func newFragments[K comparable](failed *atomic.Pointer[error], make func(K) (template.HTML, error)) *fragments[K] {
	return &fragments[K]{make: make, failed: failed}
}

// of is the fragment of k; "" when it cannot be made.
func (f *fragments[K]) of(k K) template.HTML {
	if html, ok := f.made.Load(k); ok {
		made, _ := html.(template.HTML)
		return made
	}
	html, err := f.make(k)
	if err != nil {
		f.failed.CompareAndSwap(nil, &err)
		return ""
	}
	f.made.Store(k, html)
	return html
}
