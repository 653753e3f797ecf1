package markup

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// linkParser parses [text](destination "title"). It differs from goldmark's in
// three ways: there are no references, because the text of a definition would
// vanish from the page; an image becomes its own source, because no page may
// load anything from elsewhere; and so does a link whose destination is
// refused.
type linkParser struct{}

// A bracket is a "[" or "![" that may become the start of a link.
type bracket struct {
	node   ast.Node          // stands for the bracket in the tree
	bottom *parser.Delimiter // the last delimiter run before it
	at     mark
	image  bool
	dead   bool // a link within it makes it text, for links do not nest
}

// A mark is a place in a block.
type mark struct {
	line int
	pos  text.Segment
}

// A link is an accepted link in the tree. Its children are its text.
type link struct {
	ast.BaseInline

	target target
	title  []byte
	bare   bool // the text is the address itself
}

// Kind implements ast.Node.
func (*link) Kind() ast.NodeKind { return ast.KindLink }

// Dump implements ast.Node.
func (n *link) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

func (linkParser) Trigger() []byte { return []byte{'!', '[', ']'} }

func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	st := stateOf(pc)
	switch {
	case line[0] == ']':
		return p.closeBracket(parent, block, st)
	case line[0] == '[':
		return st.open(block, 1)
	case len(line) > 1 && line[1] == '[':
		return st.open(block, 2)
	}
	return nil
}

// CloseBlock forgets what the block left open.
func (linkParser) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) {
	st := stateOf(pc)
	st.brackets = st.brackets[:0]
	st.delimiters = 0
}

// open notes a bracket of n bytes. When there are too many the outermost one
// becomes text.
func (st *state) open(block text.Reader, n int) ast.Node {
	if len(st.brackets) == maxBrackets {
		st.brackets = append(st.brackets[:0], st.brackets[1:]...)
	}
	b := bracket{image: n == 2, bottom: st.LastDelimiter()}
	b.at.line, b.at.pos = block.Position()
	// A string node is never merged with the text after it, and where no link
	// comes of it, it is already the text to show.
	b.node = ast.NewString(block.Source()[b.at.pos.Start : b.at.pos.Start+n])
	block.Advance(n)
	st.brackets = append(st.brackets, b)
	return b.node
}

// closeBracket handles "]": with a destination after it, it ends a link.
func (p linkParser) closeBracket(parent ast.Node, block text.Reader, st *state) ast.Node {
	if len(st.brackets) == 0 {
		return nil
	}
	b := st.brackets[len(st.brackets)-1]
	st.brackets = st.brackets[:len(st.brackets)-1]
	if b.dead {
		return nil
	}
	block.Advance(1)
	dest, title, ok := parseTail(block)
	if !ok {
		return nil
	}
	// The emphasis of the link's text is settled now, so that none of it can
	// reach out of the link.
	parser.ProcessDelimiters(b.bottom, st)
	var to target
	if !b.image {
		to, ok = st.resolve(string(unescape(dest)))
	}
	if b.image || !ok {
		removeFrom(parent, b.node)
		return ast.NewString(sourceSince(block, b.at))
	}
	n := &link{target: to, title: bytes.ReplaceAll(unescape(title), []byte("\n"), []byte(" "))}
	for c := b.node.NextSibling(); c != nil; c = b.node.NextSibling() {
		parent.RemoveChild(parent, c)
		n.AppendChild(n, c)
	}
	parent.RemoveChild(parent, b.node)
	st.killBrackets()
	return n
}

// killBrackets makes text of every open bracket around a link.
func (st *state) killBrackets() {
	for i := range st.brackets {
		if !st.brackets[i].image {
			st.brackets[i].dead = true
		}
	}
}

// removeFrom removes first and all that follows it.
func removeFrom(parent, first ast.Node) {
	for c := first; c != nil; {
		next := c.NextSibling()
		parent.RemoveChild(parent, c)
		c = next
	}
}

// sourceSince returns the source from m to where the reader is, without the
// prefixes of blocks around it.
func sourceSince(block text.Reader, m mark) []byte {
	endLine, end := block.Position()
	defer func() { block.SetPosition(endLine, end) }()
	block.SetPosition(m.line, m.pos)
	var source []byte
	for n := m.line; n < endLine; n++ {
		line, _ := block.PeekLine()
		source = append(source, line...)
		block.AdvanceLine()
	}
	line, segment := block.PeekLine()
	n := min(max(end.Start-segment.Start, 0), len(line))
	return append(source, line[:n]...)
}

// parseTail parses (destination "title"). It copies, for the parts may stand
// on several lines.
func parseTail(block text.Reader) (dest, title []byte, ok bool) {
	if block.Peek() != '(' {
		return nil, nil, false
	}
	block.Advance(1)
	skipBlank(block)
	if block.Peek() == '<' {
		dest, ok = takeQuoted(block, '<', '>', maxAddress)
		ok = ok && bytes.IndexByte(dest, '\n') < 0
	} else {
		dest, ok = takeBare(block)
	}
	if !ok {
		return nil, nil, false
	}
	gap := skipBlank(block)
	if q := block.Peek(); gap && (q == '"' || q == '\'' || q == '(') {
		closer := q
		if q == '(' {
			closer = ')'
		}
		if title, ok = takeQuoted(block, q, closer, maxTitle); !ok {
			return nil, nil, false
		}
		skipBlank(block)
	}
	if block.Peek() != ')' {
		return nil, nil, false
	}
	block.Advance(1)
	return dest, title, true
}

// skipBlank skips white space and reports whether there was any.
func skipBlank(block text.Reader) bool {
	skipped := false
	for util.IsSpace(block.Peek()) {
		block.Advance(1)
		skipped = true
	}
	return skipped
}

// takeQuoted takes what stands between opener and closer, escapes unchanged.
// An opener inside, where it differs, must be escaped.
func takeQuoted(block text.Reader, opener, closer byte, limit int) ([]byte, bool) {
	block.Advance(1)
	var taken []byte
	for len(taken) <= limit {
		c := block.Peek()
		switch {
		case c == closer:
			block.Advance(1)
			return taken, true
		case c == text.EOF || c == opener:
			return nil, false
		case c == '\\':
			taken = append(taken, c)
			block.Advance(1)
			if c = block.Peek(); !util.IsPunct(c) {
				continue
			}
		}
		taken = append(taken, c)
		block.Advance(1)
	}
	return nil, false
}

// takeBare takes a destination without <>: no white space, parentheses in
// balance and, as in cmark, not nested deeply.
func takeBare(block text.Reader) ([]byte, bool) {
	var taken []byte
	for depth := 0; len(taken) <= maxAddress; {
		c := block.Peek()
		switch {
		case c == text.EOF:
			return nil, false
		case c <= ' ' || c == 0x7F || c == ')' && depth == 0:
			return taken, depth == 0
		case c == '(':
			if depth++; depth > 32 {
				return nil, false
			}
		case c == ')':
			depth--
		case c == '\\':
			taken = append(taken, c)
			block.Advance(1)
			if c = block.Peek(); !util.IsPunct(c) {
				continue
			}
		}
		taken = append(taken, c)
		block.Advance(1)
	}
	return nil, false
}

// autoLinkParser parses <https://…> and <mail@…> like goldmark's; one whose
// address is refused is text.
type autoLinkParser struct{ parser.InlineParser }

func (p autoLinkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	var at mark
	at.line, at.pos = block.Position()
	auto, ok := p.InlineParser.Parse(parent, block, pc).(*ast.AutoLink)
	if !ok {
		return nil
	}
	label := auto.Label(block.Source())
	dest := string(label)
	if auto.AutoLinkType == ast.AutoLinkEmail {
		dest = "mailto:" + dest
	}
	st := stateOf(pc)
	to, ok := st.resolve(dest)
	if !ok {
		return ast.NewString(sourceSince(block, at))
	}
	n := &link{target: to, bare: true}
	n.AppendChild(n, ast.NewString(label))
	st.killBrackets()
	return n
}
