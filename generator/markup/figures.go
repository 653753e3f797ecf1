package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A FigureMark is a place in a text where a figure is asked for.
type FigureMark struct {
	Name string
	Line int // of the fence, from 1
}

// Figures are the figures that a text asks for, in their order.
func (r *Renderer) Figures(src string) []FigureMark {
	if !strings.Contains(src, figureInfo) {
		return nil
	}
	s := r.scratch()
	defer r.pool.Put(s)
	s.source = appendClean(s.source[:0], src)
	var out []FigureMark
	doc := r.parse(r.blocks, s.source, &state{links: true, ids: map[string]bool{}})
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*ast.FencedCodeBlock); ok && entering && f.Info != nil {
			if name := figureName(f, s.source); name != "" {
				out = append(out, FigureMark{name, 1 + bytes.Count(s.source[:f.Info.Segment.Start], []byte("\n"))})
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

const figureInfo = "figure"

// figureName is the name in a block that asks for a figure; "" for any other.
func figureName(n *ast.FencedCodeBlock, source []byte) string {
	if n.Info == nil || string(bytes.TrimSpace(n.Info.Segment.Value(source))) != figureInfo {
		return ""
	}
	var name []byte
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		name = append(name, segment.Value(source)...)
	}
	return string(bytes.TrimSpace(name))
}
