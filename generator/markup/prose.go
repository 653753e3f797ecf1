package markup

import (
	"strings"
	"unicode/utf8"
)

// Most texts are plain sentences. For them the result of parsing is known
// beforehand, and writing it directly is many times faster. Tests hold
// these functions to the bytes that the parser gives.

// inlineMarks are the bytes that can begin inline markup or need cleaning.
// "!" and "]" mean nothing without "["; isPlain looks for "~~" and entities.
const inlineMarks = "\\`*_[<\t\r\v\f\x00"

// isPlain reports whether src has no inline markup. A range ("3~5분") and a
// name ("R&D") are none.
func isPlain(src string) bool {
	return !strings.ContainsAny(src, inlineMarks) && (strings.IndexByte(src, '~') < 0 || !strings.Contains(src, "~~")) &&
		(strings.IndexByte(src, '&') < 0 || strings.IndexByte(src, ';') < 0) && utf8.ValidString(src)
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
