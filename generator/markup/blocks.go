package markup

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// quoteParser is goldmark's with bounded nesting. Each open block costs work
// on each line, even on a blank one.
type quoteParser struct{ parser.BlockParser }

func (p quoteParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) >= maxNesting {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// listParser is goldmark's with bounded nesting, and it leaves dates alone.
type listParser struct{ parser.BlockParser }

func (p listParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	// goldmark first: its Open also resets a flag that it shares with the
	// parser of items.
	node, st := p.BlockParser.Open(parent, reader, pc)
	list, ok := node.(*ast.List)
	if !ok {
		return node, st
	}
	line, _ := reader.PeekLine()
	if len(pc.OpenedBlocks())+2 > maxNesting || list.IsOrdered() && startsDate(line) {
		return nil, parser.NoChildren
	}
	return node, st
}

// startsDate reports whether two list numbers follow each other, as in the
// Korean date "2023. 11. 8.". CommonMark would nest a list in a list, which
// nobody means.
func startsDate(line []byte) bool {
	rest, ok := afterNumber(line)
	if !ok {
		return false
	}
	_, ok = afterNumber(rest)
	return ok
}

// afterNumber returns what follows "1." or "1)" and a space.
func afterNumber(line []byte) ([]byte, bool) {
	digits := listNumber(line)
	if len(digits) == 0 || len(digits) > 9 {
		return nil, false
	}
	rest := bytes.TrimLeft(line, " \t")[len(digits):]
	if len(rest) == 0 || rest[0] != '.' && rest[0] != ')' {
		return nil, false
	}
	rest = rest[1:]
	return rest, len(rest) == 0 || bytes.IndexByte([]byte(" \t\n"), rest[0]) >= 0
}

// listNumber returns the digits that line starts with after white space.
func listNumber(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t")
	n := 0
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	return line[:n]
}

// itemParser is goldmark's; it also remembers the number of an item wherever
// counting on from the first item would give another.
type itemParser struct{ parser.BlockParser }

const numberAttribute = "number"

func (p itemParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	node, st := p.BlockParser.Open(parent, reader, pc)
	list, ok := parent.(*ast.List)
	if node == nil || !ok || !list.IsOrdered() {
		return node, st
	}
	digits := string(listNumber(line))
	if digits != decimal(list.Start+list.ChildCount()) {
		node.SetAttributeString(numberAttribute, digits)
	}
	return node, st
}

// headingParser is goldmark's, either kind; it also takes the suffix {#id}
// where headings may have ids.
type headingParser struct{ parser.BlockParser }

const idAttribute = "id"

func (p headingParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	p.BlockParser.Close(node, reader, pc)
	ids := stateOf(pc).ids
	if ids == nil || node.Parent() == nil || node.Lines().Len() == 0 {
		return
	}
	last := node.Lines().Len() - 1
	segment := node.Lines().At(last)
	words, id := cutID(segment.Value(reader.Source()))
	if id == "" || ids[id] {
		return
	}
	ids[id] = true
	node.SetAttributeString(idAttribute, id)
	node.Lines().Set(last, segment.WithStop(segment.Start+len(words)))
}

// cutID splits "words {#id}". The id is empty if there is none.
func cutID(line []byte) (words []byte, id string) {
	trimmed := bytes.TrimRight(line, " \t\n")
	open := bytes.LastIndex(trimmed, []byte("{#"))
	if open < 1 || trimmed[open-1] != ' ' || trimmed[len(trimmed)-1] != '}' {
		return line, ""
	}
	name := trimmed[open+2 : len(trimmed)-1]
	words = bytes.TrimRight(trimmed[:open], " \t")
	if len(name) == 0 || len(words) == 0 {
		return line, ""
	}
	for _, c := range name {
		if (c < 'a' || 'z' < c) && (c < '0' || '9' < c) && c != '-' {
			return line, ""
		}
	}
	return words, string(name)
}

func headingID(h *ast.Heading) string {
	v, _ := h.AttributeString(idAttribute)
	id, _ := v.(string)
	return id
}
