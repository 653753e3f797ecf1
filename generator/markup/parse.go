package markup

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Bounds on what a text may ask for. Beyond them markup is text: the letters
// stay, the structure does not, and time and stack stay small.
const (
	maxNesting    = 32   // open blocks; a list and its item count as two
	maxEmphasis   = 64   // nested inline elements
	maxRun        = 64   // "*" in a row
	maxDelimiters = 1000 // delimiter runs in one block; goldmark pairs them in quadratic time
	maxBrackets   = 32   // open "[" that may still become links
	maxBackticks  = 32   // "`" in a row
	maxAddress    = 2048 // bytes of a link's destination
	maxTitle      = 1024 // bytes of a link's title
	maxFilled     = 1000 // cells that a table adds to short rows
)

// A state is what the parsers know about the text at hand. The parsers
// themselves are shared by all goroutines.
type state struct {
	parser.Context

	link  func(dest string) (href string, ok bool)
	links bool            // destinations become addresses
	ids   map[string]bool // heading ids in use; nil where headings take none

	brackets   []bracket // open "[" of the current block, innermost last
	delimiters int       // delimiter runs of the current block
}

// stateOf returns our state. Every parse of ours has one; the fallback keeps a
// parser that somebody uses otherwise from failing.
func stateOf(pc parser.Context) *state {
	if st, ok := pc.(*state); ok {
		return st
	}
	return &state{Context: pc}
}

// newBlockParser returns the parser of all of our Markdown: CommonMark without
// raw HTML and link references, with tables and strikethrough.
func newBlockParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(headingParser{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(listParser{parser.NewListParser()}, 300),
			util.Prioritized(itemParser{parser.NewListItemParser()}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(headingParser{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(quoteParser{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 200)),
		inlineParsers(),
	)
}

// newLineParser returns a parser to which any text is one paragraph.
func newLineParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		inlineParsers(),
	)
}

func inlineParsers() parser.Option {
	return parser.WithInlineParsers(
		util.Prioritized(codeParser{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(linkParser{}, 200),
		util.Prioritized(autoLinkParser{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(emphasisParser{}, 500),
	)
}

// codeParser is goldmark's with a bound: each length of an unclosed run costs
// a scan of the rest of the block.
type codeParser struct{ parser.InlineParser }

func (p codeParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if n := runLength(line); n > maxBackticks {
		return literalRun(block, segment, n)
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// runLength counts how often the first byte of line is repeated.
func runLength(line []byte) int {
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return n
}

// literalRun consumes n bytes as text.
func literalRun(block text.Reader, segment text.Segment, n int) ast.Node {
	block.Advance(n)
	return ast.NewTextSegment(segment.WithStop(segment.Start + n))
}
