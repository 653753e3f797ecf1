package markup

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// emphasisParser parses *, ** and _ as CommonMark does and ~~ as GitHub does,
// except next to Korean, Chinese and Japanese.
//
// CommonMark finds where emphasis ends by the spaces around words: in
// "**카카오(Kakao)**는" it takes the second ** for an opening one, for ")"
// stands before it and a letter after it. These scripts write no space there.
// The published amendment to CommonMark ("CJK-friendly emphasis") therefore
// lets a CJK character count as a space would on the outside of a delimiter
// run, and CJK punctuation as a letter on its inside. Text without CJK
// characters is parsed exactly as before.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte{'*', '_', '~'} }

func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := precedingRune(block)
	line, segment := block.PeekLine()
	n, c := runLength(line), line[0]
	st := stateOf(pc)
	// A single ~ is a range in Korean and in English ("3~5분"), three or more
	// are no strikethrough to GitHub either.
	if c == '~' && n != 2 || n > maxRun || st.delimiters >= maxDelimiters {
		return literalRun(block, segment, n)
	}
	st.delimiters++
	after := rune(' ')
	if n < len(line) {
		after, _ = utf8.DecodeRune(line[n:])
	}
	canOpen, canClose := flanking(c, before, after)
	d := parser.NewDelimiter(canOpen, canClose, n, c, processor(c))
	d.Segment = segment.WithStop(segment.Start + n)
	block.Advance(n)
	pc.PushDelimiter(d)
	return d
}

// flanking applies rules 1 to 8 of CommonMark's emphasis to a delimiter run of
// c between two characters.
func flanking(c byte, before, after rune) (canOpen, canClose bool) {
	a, b := classOf(before), classOf(after)
	left := !b.space && (!b.foreignPunct() || a.space || a.punct || a.cjk)
	right := !a.space && (!a.foreignPunct() || b.space || b.punct || b.cjk)
	if c == '_' {
		return left && (!right || a.punct), right && (!left || b.punct)
	}
	return left, right
}

type class struct{ space, punct, cjk bool }

// foreignPunct reports punctuation of other scripts than CJK. What is CJK
// punctuation, such as "」", counts as a letter.
func (c class) foreignPunct() bool { return c.punct && !c.cjk }

func classOf(r rune) class {
	return class{util.IsSpaceRune(r), util.IsPunctRune(r), isCJK(r)}
}

// isCJK reports whether r belongs to Hangul, Han, Kana or Bopomofo or is a
// wide symbol or punctuation mark used with them. Emoji are not.
func isCJK(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case 0x3000 <= r && r <= 0x33FF, // punctuation, Kana, Bopomofo, Jamo, enclosed forms
		0xFE30 <= r && r <= 0xFE4F,   // compatibility forms
		0xFF00 <= r && r <= 0xFFEF,   // full and half width forms
		0xE0100 <= r && r <= 0xE01EF: // ideographic variation selectors
		return r != 0x3030 && r != 0x303D && r != 0x3297 && r != 0x3299 // these four are emoji
	}
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo)
}

// precedingRune returns the character before the reader. It looks past a
// variation selector, which only picks a form of the character before it.
func precedingRune(block text.Reader) rune {
	r := block.PrecendingCharacter()
	if r < 0xFE00 || 0xFE0E < r {
		return r
	}
	_, at := block.Position()
	prefix := block.Source()[:at.Start]
	_, n := utf8.DecodeLastRune(prefix)
	if r, m := utf8.DecodeLastRune(prefix[:len(prefix)-n]); m > 0 {
		return r
	}
	return r
}

func processor(c byte) parser.DelimiterProcessor {
	if c == '~' {
		return strike{}
	}
	return pairing{}
}

// pairing tells goldmark's delimiter algorithm which runs belong together and
// what they become.
type pairing struct{}

func (pairing) IsDelimiter(c byte) bool { return c == '*' || c == '_' || c == '~' }

func (pairing) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (pairing) OnMatch(n int) ast.Node { return ast.NewEmphasis(n) }

// strike is the pairing of ~~.
type strike struct{ pairing }

func (strike) OnMatch(int) ast.Node { return extast.NewStrikethrough() }
