package markup

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tableTransformer makes tables of paragraphs as GitHub does, with one
// difference: a row with more cells than the header keeps them all, and the
// other rows grow. goldmark and GitHub drop them.
type tableTransformer struct{}

// Transform implements parser.ParagraphTransformer.
func (tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := node.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		aligns := parseAlignments(lines.At(i), source)
		if aligns == nil {
			continue
		}
		rows := [][]text.Segment{splitRow(lines.At(i-1), source)}
		if len(rows[0]) != len(aligns) {
			continue
		}
		columns, cells := len(aligns), len(aligns)
		for j := i + 1; j < lines.Len(); j++ {
			row := splitRow(lines.At(j), source)
			rows = append(rows, row)
			columns = max(columns, len(row))
			cells += len(row)
		}
		// Short rows are filled up: a table could grow far beyond its source.
		if columns*len(rows)-cells > maxFilled {
			return
		}
		for len(aligns) < columns {
			aligns = append(aligns, extast.AlignNone)
		}
		insertTable(node, i-1, newTable(aligns, rows), source)
		return
	}
}

// insertTable puts the table in the place of the paragraph. Lines before
// "from" become a paragraph of their own: goldmark could still make a heading
// of the old one and put it after the table.
func insertTable(node *ast.Paragraph, from int, table ast.Node, source []byte) {
	parent := node.Parent()
	if from > 0 {
		lead := ast.NewParagraph()
		lead.SetBlankPreviousLines(node.HasBlankPreviousLines())
		for i := range from {
			line := node.Lines().At(i)
			lead.Lines().Append(line.TrimLeftSpace(source))
		}
		last := lead.Lines().At(from - 1)
		lead.Lines().Set(from-1, last.TrimRightSpace(source))
		parent.InsertBefore(parent, node, lead)
	} else {
		table.SetBlankPreviousLines(node.HasBlankPreviousLines())
	}
	parent.InsertBefore(parent, node, table)
	parent.RemoveChild(parent, node)
}

func newTable(aligns []extast.Alignment, rows [][]text.Segment) ast.Node {
	table := extast.NewTable()
	table.Alignments = aligns
	for i, cells := range rows {
		row := extast.NewTableRow(aligns)
		for column, align := range aligns {
			cell := extast.NewTableCell()
			cell.Alignment = align
			if column < len(cells) && !cells[column].IsEmpty() {
				cell.Lines().Append(cells[column])
			}
			row.AppendChild(row, cell)
		}
		if i == 0 {
			table.AppendChild(table, extast.NewTableHeader(row))
		} else {
			table.AppendChild(table, row)
		}
	}
	return table
}

// parseAlignments parses the line below the header: "| :-- | --: |". It
// returns nil for any other line. A line of hyphens alone is no table.
func parseAlignments(segment text.Segment, source []byte) []extast.Alignment {
	line := bytes.TrimSpace(segment.Value(source))
	if len(bytes.Trim(line, "-:| \t")) > 0 || !bytes.ContainsAny(line, ":|") {
		return nil
	}
	var aligns []extast.Alignment
	for _, cell := range splitRow(segment, source) {
		c := bytes.TrimSpace(cell.Value(source))
		left, right := bytes.HasPrefix(c, []byte(":")), bytes.HasSuffix(c, []byte(":"))
		dashes := bytes.Trim(c, ":")
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 || len(c)-len(dashes) > 2 {
			return nil
		}
		switch {
		case left && right:
			aligns = append(aligns, extast.AlignCenter)
		case left:
			aligns = append(aligns, extast.AlignLeft)
		case right:
			aligns = append(aligns, extast.AlignRight)
		default:
			aligns = append(aligns, extast.AlignNone)
		}
	}
	return aligns
}

// splitRow splits a line at each "|" that no backslash escapes. Pipes at
// either end only frame the row.
func splitRow(segment text.Segment, source []byte) []text.Segment {
	row := trimmed(segment.Start, segment.Stop, source)
	start, stop := row.Start, row.Stop
	if start < stop && source[start] == '|' {
		start++
	}
	var cells []text.Segment
	from := start
	for i := start; i < stop; i++ {
		switch source[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, trimmed(from, i, source))
			from = i + 1
		}
	}
	if from < stop {
		cells = append(cells, trimmed(from, stop, source))
	}
	return cells
}

func trimmed(start, stop int, source []byte) text.Segment {
	segment := text.NewSegment(start, stop)
	segment = segment.TrimLeftSpace(source)
	return segment.TrimRightSpace(source)
}
