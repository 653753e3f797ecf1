package markup

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// A writer writes a parsed text. As plain text it writes the same content in
// the same order without the tags, so that the two cannot differ.
type writer struct {
	dst     []byte
	source  []byte
	level   int   // of the heading that the text stands under
	outline []int // source levels of the headings that the current place is under
	plain   bool  // no tags, no escapes
	links   bool  // links are <a>
	ids     bool  // headings have ids
	newline byte  // stands for a line break of the source
	depth   int   // inline elements around the current place
	inCell  bool
	figure  func(name string) (html []byte, ok bool) // nil where a text has none
}

// tag writes markup. Plain text has a space where a block begins or ends.
func (w *writer) tag(s string) {
	if !w.plain {
		w.dst = append(w.dst, s...)
	}
}

func (w *writer) gap() {
	if w.plain {
		w.dst = append(w.dst, ' ')
	}
}

// text writes characters.
func (w *writer) text(s string) {
	if w.plain {
		w.dst = append(w.dst, s...)
	} else {
		w.dst = appendEscaped(w.dst, s)
	}
}

// attribute writes an attribute whose value came from a text.
func (w *writer) attribute(name, value string) {
	if !w.plain {
		w.dst = append(w.dst, ' ')
		w.dst = append(w.dst, name...)
		w.dst = append(w.dst, '=', '"')
		w.dst = appendAttribute(w.dst, value)
		w.dst = append(w.dst, '"')
	}
}

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

// element writes a block element around what content writes.
func (w *writer) element(open, closing string, n ast.Node, content func(ast.Node)) {
	w.tag(open)
	content(n)
	w.tag(closing)
	w.gap()
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.element("<p>", "</p>\n", n, w.inline)
	case *ast.TextBlock:
		w.inline(n)
		w.gap()
		if n.NextSibling() != nil {
			w.tag("\n")
		}
	case *ast.Heading:
		w.heading(n)
	case *ast.ThematicBreak:
		w.tag("<hr>\n")
	case *ast.CodeBlock:
		w.element(codeBox, "</code></pre>\n", n, w.code)
	case *ast.FencedCodeBlock:
		w.fenced(n)
	case *ast.Blockquote:
		w.element("<blockquote>\n", "</blockquote>\n", n, w.blocks)
	case *ast.List:
		w.list(n)
	case *extast.Table:
		w.table(n)
	default:
		w.blocks(n)
	}
}

// heading writes a heading one level below the one it stands under, whatever
// the author skipped: a text may well start with "##". An empty one heads
// nothing and is left out.
func (w *writer) heading(n *ast.Heading) {
	if !n.HasChildren() {
		return
	}
	for len(w.outline) > 0 && w.outline[len(w.outline)-1] >= n.Level {
		w.outline = w.outline[:len(w.outline)-1]
	}
	w.outline = append(w.outline, n.Level)
	name := "h" + decimal(min(max(w.level+len(w.outline), 1), 6))
	w.tag("<" + name)
	if id := headingID(n); id != "" && w.ids {
		w.attribute("id", id)
	}
	w.element(">", "</"+name+">\n", n, w.inline)
}

// codeBox opens a block of code. It scrolls sideways, so the keyboard has to be
// able to enter it: not every browser lets it by itself.
const codeBox = `<pre tabindex="0"><code>`

// fenced writes a fenced code block with its info string as a label: hidden in
// a class, it would be lost to the reader.
func (w *writer) fenced(n *ast.FencedCodeBlock) {
	if n.Info == nil {
		w.element(codeBox, "</code></pre>\n", n, w.code)
		return
	}
	if name := figureName(n, w.source); name != "" && w.figure != nil {
		if html, ok := w.figure(name); ok {
			w.dst = append(append(w.dst, html...), '\n')
			return
		}
	}
	w.tag(`<figure class="code"><figcaption>`)
	eachPart(n.Info.Segment.Value(w.source), w.text)
	w.gap()
	w.element("</figcaption>"+codeBox, "</code></pre></figure>\n", n, w.code)
}

func (w *writer) code(n ast.Node) {
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		w.text(util.BytesToReadOnlyString(segment.Value(w.source)))
	}
}

// list writes a list. An ordered one keeps the author's numbers, in whatever
// order. Numbers that HTML cannot draw, such as 01, become text.
func (w *writer) list(n *ast.List) {
	drawn := n.IsOrdered() && drawable(n)
	open, closing := "<ul>\n", "</ul>\n"
	switch {
	case drawn && n.Start == 1:
		open, closing = "<ol>\n", "</ol>\n"
	case drawn:
		open, closing = `<ol start="`+decimal(n.Start)+"\">\n", "</ol>\n"
	case n.IsOrdered():
		open = "<ul class=\"numbers\">\n"
	}
	w.tag(open)
	next := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		number := itemNumber(item, next)
		w.tag("<li")
		value, err := strconv.Atoi(number)
		if drawn && err == nil && value != next {
			w.attribute("value", number)
		}
		next = value + 1
		w.tag(">")
		if n.IsOrdered() && (w.plain || !drawn) {
			w.text(number + string(n.Marker) + " ")
		}
		if item.FirstChild() != nil && item.FirstChild().Kind() != ast.KindTextBlock {
			w.tag("\n")
		}
		w.blocks(item)
		w.tag("</li>\n")
		w.gap()
	}
	w.tag(closing)
}

// itemNumber returns the number of an item, given the one that counting gives.
// The parser notes a number only where it is not the start plus the index.
func itemNumber(item ast.Node, next int) string {
	if v, ok := item.AttributeString(numberAttribute); ok {
		number, _ := v.(string)
		return number
	}
	return decimal(next)
}

// drawable reports whether every number is written as HTML draws it.
func drawable(n *ast.List) bool {
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if number := itemNumber(item, 0); len(number) > 1 && number[0] == '0' {
			return false
		}
	}
	return true
}

// table writes a table in an element that scrolls, and takes the focus so that
// a keyboard can scroll it. Classes align, for the site's policy allows no
// style attributes.
func (w *writer) table(n *extast.Table) {
	w.tag("<div class=\"scroll\" tabindex=\"0\"><table>\n")
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		_, header := row.(*extast.TableHeader)
		if header {
			w.tag("<thead>\n")
		} else if row.PreviousSibling() == n.FirstChild() {
			w.tag("<tbody>\n")
		}
		w.tag("<tr>")
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			w.cell(cell, header)
		}
		w.tag("</tr>\n")
		if header {
			w.tag("</thead>\n")
		} else if row.NextSibling() == nil {
			w.tag("</tbody>\n")
		}
	}
	w.tag("</table></div>\n")
}

// cell writes a cell. An empty one in the header heads nothing.
func (w *writer) cell(n ast.Node, header bool) {
	name := "td"
	if header && n.Lines().Len() > 0 {
		name = "th"
	}
	w.tag("<" + name)
	if name == "th" {
		w.tag(` scope="col"`)
	}
	if cell, ok := n.(*extast.TableCell); ok && cell.Alignment != extast.AlignNone {
		w.attribute("class", cell.Alignment.String())
	}
	w.inCell = true
	w.element(">", "</"+name+">", n, w.inline)
	w.inCell = false
}

// line writes the only paragraph of a text that is one line.
func (w *writer) line(doc ast.Node) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
}

func (w *writer) inline(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			w.words(n)
		case *ast.String:
			w.literal(n.Value)
		case *ast.CodeSpan:
			w.codeSpan(n)
		case *ast.Emphasis:
			if n.Level == 2 {
				w.wrap("strong", n)
			} else {
				w.wrap("em", n)
			}
		case *extast.Strikethrough:
			w.wrap("del", n)
		case *link:
			w.link(n)
		default:
			w.inline(n)
		}
	}
}

// wrap writes an inline element. Elements nested beyond all sense are left
// out; their text is not.
func (w *writer) wrap(name string, n ast.Node) {
	w.depth++
	if w.depth > maxEmphasis {
		w.inline(n)
	} else {
		w.tag("<" + name + ">")
		w.inline(n)
		w.tag("</" + name + ">")
	}
	w.depth--
}

func (w *writer) words(n *ast.Text) {
	value := n.Segment.Value(w.source)
	if n.IsRaw() {
		w.literal(value)
	} else {
		eachPart(value, w.text)
	}
	if n.HardLineBreak() && w.newline == '\n' {
		w.tag("<br>\n")
	} else if n.SoftLineBreak() || n.HardLineBreak() {
		w.dst = append(w.dst, w.newline)
	}
}

// literal writes source text as it stands.
func (w *writer) literal(value []byte) {
	s := util.BytesToReadOnlyString(value)
	if w.newline != '\n' {
		s = strings.ReplaceAll(s, "\n", string(w.newline))
	}
	w.text(s)
}

// codeSpan writes inline code, in which a line break is a space. In a table
// cell a pipe can only be written escaped, so there the backslash goes.
func (w *writer) codeSpan(n ast.Node) {
	w.tag("<code>")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			continue
		}
		s := strings.ReplaceAll(util.BytesToReadOnlyString(t.Segment.Value(w.source)), "\n", " ")
		if w.inCell {
			s = strings.ReplaceAll(s, `\|`, "|")
		}
		w.text(s)
	}
	w.tag("</code>")
}

// link writes a link, or, where there may be no <a>, its text, then its
// address and title.
func (w *writer) link(n *link) {
	if !w.links {
		w.inline(n)
		if !n.bare {
			w.text(" (" + n.target.dest)
			if len(n.title) > 0 {
				w.text(` "` + string(n.title) + `"`)
			}
			w.text(")")
		}
		return
	}
	w.tag("<a")
	w.attribute("href", n.target.href)
	if len(n.title) > 0 {
		w.attribute("title", string(n.title))
	}
	if n.target.external {
		w.tag(` rel="noopener"`)
	}
	w.tag(">")
	w.inline(n)
	w.tag("</a>")
}
