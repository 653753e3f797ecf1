package markup

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// Markdown appends a text as Markdown that means to any reader of CommonMark
// with GitHub's tables what Block shows: what is text here is text there.
// Handing the source on as it is would not do that. Elsewhere raw HTML comes
// alive, "3~5분, 10~20분" is struck through, references vanish, and a block of
// code that nobody closed swallows all that follows. So the text is parsed as
// always and written anew. Headings go below level, as in Block.
//
// One thing cannot be carried over: bold that ends before a Korean particle is
// bold here, and elsewhere its asterisks may show. No letter is lost by it.
func (r *Renderer) Markdown(dst []byte, src string, level int) []byte {
	if isProse(src) {
		src = strings.Trim(src, "\n")
		if !isWild(src) {
			return append(dst, strings.ReplaceAll(src, "~", `\~`)...)
		}
		w := mdWriter{dst: dst, newline: '\n'}
		w.escaped([]byte(src), false)
		return w.dst
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendClean(s.source[:0], src)
	w := mdWriter{source: s.source, level: level, newline: '\n'}
	return append(dst, w.blocks(r.parse(r.blocks, s.source, &state{links: true, link: r.link}))...)
}

// isWild reports whether a plain text has bytes that mean something to other
// readers of Markdown.
func isWild(src string) bool {
	return strings.IndexByte(src, '[') >= 0 || strings.IndexByte(src, '<') >= 0
}

// MarkdownLine is to Markdown what Inline is to Block. With "#" escaped it may
// stand in a heading, too.
func (r *Renderer) MarkdownLine(dst []byte, src string) []byte {
	if inert(src) {
		return append(dst, src...)
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendLines(s.source[:0], src)
	w := mdWriter{source: s.source, newline: ' ', numberSigns: true}
	doc := r.parse(r.lines, s.source, &state{links: true, link: r.link})
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
	return append(dst, unblocked(bytes.TrimSpace(w.dst))...)
}

// An mdWriter writes a parsed text as Markdown.
type mdWriter struct {
	dst         []byte // the inline content at hand
	source      []byte
	level       int
	outline     []int
	newline     byte
	inCell      bool
	numberSigns bool // "#" is escaped, as it has to be at the end of a heading
	depth       int
	after       byte // what stands in the source after the words at hand
}

// blocks returns the blocks below parent with a blank line between them. Two
// lists in a row would become one if their markers were alike.
func (w *mdWriter) blocks(parent ast.Node) []byte {
	var out []byte
	var marker byte
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		var b []byte
		if list, ok := n.(*ast.List); ok {
			b, marker = w.list(list, marker)
		} else if b = w.block(n); len(b) > 0 {
			marker = 0
		}
		if len(b) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "\n\n"...)
		}
		out = append(out, b...)
	}
	return out
}

func (w *mdWriter) block(n ast.Node) []byte {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return unblocked(bytes.TrimSpace(w.inlineOf(n)))
	case *ast.Heading:
		return w.heading(n)
	case *ast.ThematicBreak:
		return []byte("___") // no list begins with it
	case *ast.CodeBlock:
		return w.code(n, "")
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = strings.TrimSpace(string(n.Info.Segment.Value(w.source)))
		}
		return w.code(n, info)
	case *ast.Blockquote:
		return prefixed(w.blocks(n), "> ", "> ")
	case *extast.Table:
		return w.table(n)
	}
	return w.blocks(n)
}

// inlineOf returns the inline content of a block.
func (w *mdWriter) inlineOf(n ast.Node) []byte {
	w.dst = nil
	w.inline(n)
	return w.dst
}

func (w *mdWriter) heading(n *ast.Heading) []byte {
	if !n.HasChildren() {
		return nil
	}
	for len(w.outline) > 0 && w.outline[len(w.outline)-1] >= n.Level {
		w.outline = w.outline[:len(w.outline)-1]
	}
	w.outline = append(w.outline, n.Level)
	w.newline, w.numberSigns = ' ', true
	words := bytes.TrimSpace(w.inlineOf(n))
	w.newline, w.numberSigns = '\n', false
	return append([]byte(strings.Repeat("#", min(w.level+len(w.outline), 6))+" "), words...)
}

// code writes a block of code between fences that nothing in it can close.
func (w *mdWriter) code(n ast.Node, info string) []byte {
	var body []byte
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		body = append(body, segment.Value(w.source)...)
	}
	if len(body) > 0 && body[len(body)-1] != '\n' {
		body = append(body, '\n')
	}
	mark := byte('`')
	if strings.IndexByte(info, mark) >= 0 {
		mark = '~'
	}
	fence := strings.Repeat(string(mark), max(3, longestRun(body, mark)+1))
	out := append([]byte(fence+info+"\n"), body...)
	return append(out, fence...)
}

func longestRun(b []byte, c byte) int {
	longest, run := 0, 0
	for _, x := range b {
		if run++; x != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// list writes a list after one whose marker was before, and returns its own
// last marker. CommonMark counts an ordered list from its first number, so a
// number out of turn begins a list of its own.
func (w *mdWriter) list(n *ast.List, before byte) (out []byte, marker byte) {
	counted := n.IsOrdered() && drawable(n)
	marker = other(before, '-', '*')
	if counted {
		marker = other(before, '.', ')')
	}
	next := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		number := itemNumber(item, next)
		value, _ := strconv.Atoi(number)
		gap := "\n"
		if counted && value != next {
			marker, gap = other(marker, '.', ')'), "\n\n"
		}
		next = value + 1
		head := string(marker) + " "
		if counted {
			head = number + head
		}
		body := w.blocks(item)
		if n.IsOrdered() && !counted {
			body = append([]byte(number+`\`+string(n.Marker)+" "), body...)
		}
		if bytes.IndexByte(body, '\n') >= 0 {
			gap = "\n\n"
		}
		if len(out) > 0 {
			out = append(out, gap...)
		}
		out = append(out, bytes.TrimRight(prefixed(body, head, strings.Repeat(" ", len(head))), " ")...)
	}
	return out, marker
}

// other is a, or b after an a.
func other(before, a, b byte) byte {
	if before == a {
		return b
	}
	return a
}

// prefixed sets first before the first line and rest before the others.
func prefixed(b []byte, first, rest string) []byte {
	out := []byte(first)
	for i, line := range bytes.Split(b, []byte("\n")) {
		if i > 0 {
			out = append(out, '\n')
			if len(line) > 0 {
				out = append(out, rest...)
			} else {
				out = append(out, strings.TrimRight(rest, " ")...)
			}
		}
		out = append(out, line...)
	}
	return out
}

func (w *mdWriter) table(n *extast.Table) []byte {
	var out []byte
	w.inCell, w.newline = true, ' '
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		out = append(out, '|')
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			out = append(out, ' ')
			out = append(out, bytes.TrimSpace(w.inlineOf(cell))...)
			out = append(out, " |"...)
		}
		if row == n.FirstChild() {
			out = append(out, "\n|"...)
			for _, a := range n.Alignments {
				out = append(out, ruleOf(a)...)
			}
		}
		if row.NextSibling() != nil {
			out = append(out, '\n')
		}
	}
	w.inCell, w.newline = false, '\n'
	return out
}

// ruleOf is a column's part of the line below the header.
func ruleOf(a extast.Alignment) string {
	switch a {
	case extast.AlignLeft:
		return " :-- |"
	case extast.AlignRight:
		return " --: |"
	case extast.AlignCenter:
		return " :-: |"
	}
	return " --- |"
}

func (w *mdWriter) inline(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			w.words(n)
		case *ast.String:
			w.literal(n.Value)
		case *ast.CodeSpan:
			w.codeSpan(n)
		case *ast.Emphasis:
			w.wrap(strings.Repeat("*", min(n.Level, 2)), n)
		case *extast.Strikethrough:
			w.wrap("~~", n)
		case *link:
			w.link(n)
		default:
			w.inline(n)
		}
	}
}

func (w *mdWriter) wrap(mark string, n ast.Node) {
	w.depth++
	if w.depth > maxEmphasis {
		mark = ""
	}
	w.dst = append(w.dst, mark...)
	w.inline(n)
	w.dst = append(w.dst, mark...)
	w.depth--
}

func (w *mdWriter) words(n *ast.Text) {
	value := n.Segment.Value(w.source)
	if n.IsRaw() {
		w.literal(value)
	} else {
		if w.after = 0; n.Segment.Stop < len(w.source) {
			w.after = w.source[n.Segment.Stop]
		}
		w.escaped(value, true)
		w.after = 0
	}
	switch {
	case n.HardLineBreak() && w.newline == '\n':
		w.dst = append(w.dst, "\\\n"...)
	case n.SoftLineBreak() || n.HardLineBreak():
		w.dst = append(w.dst, w.newline)
	}
}

// literal writes source that is shown as it stands.
func (w *mdWriter) literal(value []byte) {
	if w.newline != '\n' {
		value = bytes.ReplaceAll(value, []byte("\n"), []byte{w.newline})
	}
	w.escaped(value, false)
}

// escaped writes text. Where it is decoded its own escapes and entities stay as
// they are; all that could begin something gets a backslash.
func (w *mdWriter) escaped(s []byte, decoded bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && decoded && i+1 < len(s) && util.IsPunct(s[i+1]):
			w.dst = append(w.dst, c, s[i+1])
			i++
			continue
		case c == '&':
			_, n := entity(s[i:])
			if decoded && n > 0 {
				w.dst = append(w.dst, s[i:i+n]...)
				i += n - 1
				continue
			}
			if i+1 < len(s) && (s[i+1] == '#' || isLetter(s[i+1])) && bytes.IndexByte(s[i:], ';') > 0 {
				w.dst = append(w.dst, '\\')
			}
		case c == '<' && w.following(s, i) != ' ', c == '_' && !w.withinWord(s, i), c == '|' && w.inCell, c == '#' && w.numberSigns,
			bytes.IndexByte([]byte("\\`*[]~"), c) >= 0:
			w.dst = append(w.dst, '\\')
		}
		w.dst = append(w.dst, c)
	}
}

// withinWord reports whether the "_" at i stands between letters or digits, as
// in max_connections, where it means nothing.
func (w *mdWriter) withinWord(s []byte, i int) bool {
	return len(w.dst) > 0 && isWord(w.dst[len(w.dst)-1]) && isWord(w.following(s, i))
}

// following is the byte after the one at i; 0 where that is not known.
func (w *mdWriter) following(s []byte, i int) byte {
	if i+1 < len(s) {
		return s[i+1]
	}
	return w.after
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }

func (w *mdWriter) codeSpan(n ast.Node) {
	var s []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			s = append(s, bytes.ReplaceAll(t.Segment.Value(w.source), []byte("\n"), []byte(" "))...)
		}
	}
	mark := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	if len(s) > 0 && (s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' && len(bytes.TrimSpace(s)) > 0) {
		pad = " "
	}
	w.dst = append(w.dst, mark+pad...)
	w.dst = append(w.dst, s...) // in a cell its pipes are escaped as they were
	w.dst = append(w.dst, pad+mark...)
}

func (w *mdWriter) link(n *link) {
	if n.bare {
		w.dst = append(w.dst, '<')
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if s, ok := c.(*ast.String); ok {
				w.dst = append(w.dst, s.Value...)
			}
		}
		w.dst = append(w.dst, '>')
		return
	}
	w.dst = append(w.dst, '[')
	w.inline(n)
	w.dst = append(w.dst, "](<"...)
	w.dst = append(w.dst, w.inAddress(n.target.href)...)
	w.dst = append(w.dst, '>')
	if len(n.title) > 0 {
		title := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", `\&`).Replace(string(n.title))
		w.dst = append(w.dst, ` "`+w.inAddress(title)+`"`...)
	}
	w.dst = append(w.dst, ')')
}

// inAddress is what stands in a link's tail, where a pipe would end a cell.
func (w *mdWriter) inAddress(s string) string {
	if w.inCell {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	return strings.ReplaceAll(s, "&", "&amp;")
}

// unblocked escapes what would begin a block at the start of a line.
func unblocked(b []byte) []byte {
	var out []byte
	for line := range bytes.Lines(b) {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			continue
		}
		digits := len(listNumber(line))
		switch {
		case bytes.IndexByte([]byte("#>+-=:|"), line[0]) >= 0:
			out = append(out, '\\')
		case digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')'):
			out = append(out, line[:digits]...)
			out = append(out, '\\')
			line = line[digits:]
		}
		out = append(out, line...)
	}
	return out
}

// inert reports whether a line is the same as text and as Markdown.
func inert(s string) bool {
	return s != "" && isPlain(s) && !isWild(s) && !strings.ContainsAny(s, "#~]&|\n") && !startsBlock(s) && s[len(s)-1] != ' '
}

// EscapeMarkdown appends a string that is no Markdown as a line of it.
func EscapeMarkdown(dst []byte, s string) []byte {
	if inert(s) {
		return append(dst, s...)
	}
	w := mdWriter{newline: ' ', numberSigns: true}
	w.literal(appendLines(nil, s))
	return append(dst, unblocked(bytes.TrimSpace(w.dst))...)
}
