package markup

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Most texts are plain sentences. For them the result of parsing is known
// beforehand, and writing it directly is many times faster. Tests hold
// these functions to the bytes that the parser gives.

// Marks are the bytes that can begin inline markup or need cleaning, as
// bits: those below 64, then those above. "!" and "]" mean nothing without "[".
const (
	marksBelow = 1 | 1<<'\t' | 1<<'\v' | 1<<'\f' | 1<<'\r' | 1<<'&' | 1<<'*' | 1<<'<'
	marksAbove = 1<<('\\'-64) | 1<<('`'-64) | 1<<('_'-64) | 1<<('['-64) | 1<<('~'-64)
)

// isPlain reports whether src has no inline markup. A range ("3~5분"), a name
// ("R&D", "pool_size") and a type ("map[string]any", "Vec<u8>") are none.
func isPlain(src string) bool {
	below, above := uint64(marksBelow), uint64(marksAbove)
	for i := range len(src) {
		c := src[i]
		marks := below
		if c >= 64 {
			marks = above
		}
		if c >= utf8.RuneSelf || marks>>(c&63)&1 == 0 {
			continue
		}
		if isMarkup(src, i) {
			return false
		}
		if c == '&' {
			below &^= 1 << c // what follows makes no markup of the next one either
		} else if c == '[' {
			above &^= 1 << (c - 64)
		}
	}
	return utf8.ValidString(src)
}

// isMarkup reports whether the mark at i can be more than itself: with what is
// around it, or anywhere behind it.
func isMarkup(src string, i int) bool {
	switch rest := src[i+1:]; src[i] {
	case '&':
		return strings.IndexByte(rest, ';') >= 0
	case '<': // there is no HTML, only addresses
		end := strings.IndexAny(rest, "<>")
		return end >= 0 && rest[end] == '>' && strings.ContainsAny(rest[:end], ":@")
	case '[':
		return strings.Contains(rest, "](")
	case '~':
		return strings.HasPrefix(rest, "~")
	case '_':
		return i == 0 || rest == "" || !isWordByte(src[i-1]) || !isWordByte(rest[0])
	}
	return true
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isProse reports whether src is paragraphs of plain text and nothing else: no
// line begins in a way that could mean a block, none is indented or ends in a
// space.
func isProse(src string) bool {
	if !isPlain(src) {
		return false
	}
	for line := range strings.SplitSeq(src, "\n") {
		if line != "" && (startsBlock(line) || line[len(line)-1] == ' ') {
			return false
		}
	}
	return true
}

func startsBlock(line string) bool {
	switch c := line[0]; {
	case strings.IndexByte(" #>-+=|:", c) >= 0:
		return true
	case '0' <= c && c <= '9':
		rest := strings.TrimLeft(line, "0123456789")
		return rest != "" && (rest[0] == '.' || rest[0] == ')')
	}
	return false
}

// appendProse appends the HTML of a text that is prose.
func appendProse(dst []byte, src string) []byte {
	dst = slices.Grow(dst, len(src)+len("<p></p>\n"))
	open := false
	for line := range strings.SplitSeq(src, "\n") {
		switch {
		case line == "" && open:
			dst = append(dst, "</p>\n"...)
			open = false
		case line == "":
		case open:
			dst = append(dst, '\n')
			dst = appendEscaped(dst, line)
		default:
			dst = append(dst, "<p>"...)
			dst = appendEscaped(dst, line)
			open = true
		}
	}
	if open {
		dst = append(dst, "</p>\n"...)
	}
	return dst
}

// appendLine appends the lines of a plain text as one.
func appendLine(dst []byte, src string) []byte {
	first := true
	for line := range strings.SplitSeq(src, "\n") {
		line = strings.Trim(line, " ")
		if line == "" {
			continue
		}
		if !first {
			dst = append(dst, ' ')
		}
		dst = appendEscaped(dst, line)
		first = false
	}
	return dst
}
