// Package markup turns the Markdown of seeds into HTML that is safe to publish.
//
// A text arrives as a string that nobody has checked and leaves as HTML bytes,
// as one line of HTML, or as plain text. Two promises hold for every input:
//
//   - Nothing runs. The output has only the elements and attributes that this
//     package writes itself; raw HTML is shown as text, an image is shown as
//     its source, and a link leads only to http, https, mailto or a page of
//     ours. A link that may not be one is shown as its source.
//   - Nothing is lost. Every letter and digit of the source reaches the page,
//     as visible text, as the address or title of a link, or as the label of a
//     code block. Markdown that makes text vanish (reference definitions, HTML
//     comments, the surplus cells of a table row, the numbers of a list) is
//     therefore left out or changed.
//
// goldmark parses. This package replaces its parsers where they break a
// promise or fail Korean: emphasis.go lets bold end before a particle, link.go
// knows no references, table.go keeps every cell, blocks.go bounds nesting and
// keeps list numbers. goldmark's HTML renderer is not used: write.go holds the
// complete list of what can appear in a page.
//
// Where Markdown is ambiguous for our texts, a text wins over markup: "~" is
// struck through only when doubled, for "3~5분, 10~20분" is a range; "2023. 11.
// 8." is a date, not three nested lists.
//
// The package returns bytes. Only package page may declare them to be
// template.HTML.
package markup

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Options say what a Renderer cannot know by itself.
type Options struct {
	// Link maps a destination within the site ("/cases/IL-0123/", "#symptoms",
	// "notes") to the address to write. It is called with the destination
	// decoded, never with one that names a scheme or a host. A destination
	// that it refuses is shown as source. Nil keeps every destination as is.
	// It must be safe for concurrent use.
	Link func(dest string) (href string, ok bool)

	// Figure makes the HTML of a figure, trusted as it is, from its name. Sections
	// puts it in the place of a fenced block with the info string "figure" that
	// holds the name alone; one that it refuses is shown as the block that it is.
	// It must be safe for concurrent use.
	Figure func(name string) (html []byte, ok bool)
}

// A Renderer renders texts. It never changes once made and is safe for
// concurrent use.
type Renderer struct {
	link   func(dest string) (href string, ok bool)
	figure func(name string) (html []byte, ok bool)
	blocks parser.Parser // all of our Markdown
	lines  parser.Parser // inline markup only
	pool   *sync.Pool    // of *scratch
}

// scratch is the memory that one rendering needs and the next can use again.
type scratch struct {
	source []byte
	plain  []byte
}

// New returns a Renderer.
func New(opt Options) *Renderer {
	return &Renderer{link: opt.Link, figure: opt.Figure, blocks: newBlockParser(), lines: newLineParser(),
		pool: &sync.Pool{New: func() any { return new(scratch) }}}
}

// Linking returns a Renderer like r whose links within the site go through
// another function: that of a text which is read away from its page.
func (r *Renderer) Linking(link func(dest string) (href string, ok bool)) *Renderer {
	other := *r
	other.link = link
	return &other
}

// Block appends the HTML of a text to dst. Headings in the text go below
// level, the level of the heading that the text stands under: the outermost
// ones become h<level+1> whether written "#" or "##", the ones within them
// h<level+2>, and nothing goes below h6. No element gets an id, so that a text
// can never take the id of a part of the page.
func (r *Renderer) Block(dst []byte, src string, level int) []byte {
	if isProse(src) {
		return appendProse(dst, src)
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendClean(s.source[:0], src)
	w := writer{dst: dst, source: s.source, level: level, links: true, newline: '\n'}
	w.block(r.parse(r.blocks, s.source, &state{links: true, link: r.link}))
	return w.dst
}

// Inline appends a text as one line: for titles and lists. Only inline markup
// counts; "# 1" and "- a" stay as they are, and line breaks and paragraphs
// become spaces.
//
// Without links, as needed inside an <a>, there is no <a> in the output; the
// destination and the title of a link follow its text in parentheses.
func (r *Renderer) Inline(dst []byte, src string, links bool) []byte {
	if isPlain(src) {
		return appendLine(dst, src)
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendLines(s.source[:0], src)
	w := writer{dst: dst, source: s.source, links: links, newline: ' '}
	w.line(r.parse(r.lines, s.source, &state{links: links, link: r.link}))
	return w.dst
}

// Plain returns what a reader of Block sees, without markup and with each run
// of white space made one space: for descriptions, JSON-LD and feeds. It is
// the text content of Block plus the numbers of ordered lists, which a browser
// draws.
func (r *Renderer) Plain(src string) string {
	if isProse(src) {
		return collapsed(src)
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendClean(s.source[:0], src)
	w := writer{dst: s.plain[:0], source: s.source, plain: true, links: true, newline: ' '}
	w.block(r.parse(r.blocks, s.source, &state{links: true, link: r.link}))
	s.plain = w.dst
	return string(collapse(s.plain))
}

// PlainStart is a beginning of Plain: all of it, or n characters at least.
func (r *Renderer) PlainStart(src string, n int) string {
	if !isProse(src) {
		return r.Plain(src)
	}
	for i, c := range src {
		if unicode.IsSpace(c) {
			continue // it may be left out
		}
		if n--; n < 0 {
			return collapsed(src[:i])
		}
	}
	return collapsed(src)
}

// PlainLine is to Inline what Plain is to Block: for the title of a page. A
// title "1. Outage" keeps its number and "# 1" its sign.
func (r *Renderer) PlainLine(src string) string {
	if isPlain(src) {
		return collapsed(src)
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendLines(s.source[:0], src)
	w := writer{dst: s.plain[:0], source: s.source, plain: true, links: true, newline: ' '}
	w.line(r.parse(r.lines, s.source, &state{links: true, link: r.link}))
	s.plain = w.dst
	return string(collapse(s.plain))
}

// A Section is a part of a longer text: what follows a "##" heading.
type Section struct {
	ID      string // from the suffix {#id} of the heading, else empty
	Title   string // the heading as plain text; empty for what precedes the first heading
	Heading []byte // the heading as inline HTML
	HTML    []byte // the blocks below it
}

// Sections splits a text of our own, such as the prose of a topic, by its "##"
// headings, which the page is to print at h<level+1>. "###" becomes
// h<level+2>, and so on.
//
// A heading that ends in {#check} gets that id, so that a link leads to the
// same place in both languages. An id that the text has used already stays
// visible instead, as does one of other characters than a-z, 0-9 and "-". No
// id is ever made from words.
func (r *Renderer) Sections(src string, level int) []Section {
	return r.sections(src, level, true, r.link)
}

// Part is the section of an id in a text of our own, to be set into another
// page than its own; nil when there is none. Its headings have no ids, which
// could be those of the other page, and link takes the place of the Renderer's
// own, for "#logs" is a part of the text's own page.
func (r *Renderer) Part(src, id string, level int, link func(dest string) (href string, ok bool)) []byte {
	for _, s := range r.sections(src, level, false, link) {
		if s.ID == id {
			return s.HTML
		}
	}
	return nil
}

func (r *Renderer) sections(src string, level int, ids bool, link func(dest string) (href string, ok bool)) []Section {
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendClean(s.source[:0], src)
	doc := r.parse(r.blocks, s.source, &state{links: true, ids: map[string]bool{}, link: link})
	var sections []Section
	w := writer{source: s.source, level: level, links: true, ids: ids, newline: '\n', figure: r.figure}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			sections = append(sections, s.section(h))
			w.dst, w.outline = nil, []int{h.Level}
			continue
		}
		if len(sections) == 0 {
			sections = append(sections, Section{})
		}
		w.block(n)
		sections[len(sections)-1].HTML = w.dst
	}
	return sections
}

// Links lists where the links of a text lead within the site, as
// [Options.Link] is asked, in their order. What stands in code is no link, and
// neither is an image. A text of one line is what Inline renders, else Block.
func (r *Renderer) Links(src string, oneLine bool) []string {
	if !strings.Contains(src, "](") {
		return nil // as in most texts
	}
	var found []string
	st := &state{links: true, link: func(dest string) (string, bool) {
		found = append(found, dest)
		return dest, true
	}}
	s := r.scratch()
	defer r.pool.Put(s)
	if oneLine {
		s.source = appendLines(s.source[:0], src)
		r.parse(r.lines, s.source, st)
	} else {
		s.source = appendClean(s.source[:0], src)
		r.parse(r.blocks, s.source, st)
	}
	return found
}

// section starts the section below h.
func (s *scratch) section(h *ast.Heading) Section {
	html := writer{source: s.source, links: true, newline: ' '}
	html.inline(h)
	words := writer{source: s.source, links: true, newline: ' ', plain: true}
	words.inline(h)
	return Section{ID: headingID(h), Title: string(collapse(words.dst)), Heading: html.dst}
}

func (r *Renderer) scratch() *scratch {
	s, _ := r.pool.Get().(*scratch)
	return s
}

func (r *Renderer) parse(p parser.Parser, source []byte, st *state) ast.Node {
	st.Context = parser.NewContext()
	return p.Parse(text.NewReader(source), parser.WithContext(st))
}

// appendClean appends src as the parsers want it: valid UTF-8 without NUL,
// lines ended by "\n" alone. Both replacements are CommonMark's.
func appendClean(dst []byte, src string) []byte {
	start := len(dst)
	dst = append(dst, src...)
	if bytes.IndexByte(dst[start:], '\r') >= 0 {
		dst = append(dst[:start], lineEnds(dst[start:])...)
	}
	if bad := dst[start:]; bytes.IndexByte(bad, 0) >= 0 {
		dst = append(dst[:start], bytes.ReplaceAll(bad, []byte{0}, []byte("\uFFFD"))...)
	}
	if !utf8.Valid(dst[start:]) {
		dst = append(dst[:start], bytes.ToValidUTF8(dst[start:], []byte("\uFFFD"))...)
	}
	if len(dst) > start && dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	return dst
}

// lineEnds makes each "\r\n" and each other "\r" a "\n".
func lineEnds(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
}

// appendLines appends src cleaned and as one paragraph: no blank line ends it,
// no indent keeps it from starting.
func appendLines(dst []byte, src string) []byte {
	start := len(dst)
	dst = appendClean(dst, src)
	out := dst[:start]
	for line := range bytes.Lines(dst[start:]) {
		if line = bytes.TrimLeft(line, " \t\n\v\f"); len(line) > 0 {
			out = append(out, line...)
		}
	}
	return out
}
