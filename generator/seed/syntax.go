package seed

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// explainSyntax says what a person did wrong at an offset where the JSON reader
// gave up, and what to write: the reader's own words name bytes, not habits.
func explainSyntax(src []byte, offset int, err error) (what, remedy string) {
	before := bytes.TrimRight(src[:offset], " \t\r\n")
	var next byte
	if rest := bytes.TrimLeft(src[offset:], " \t\r\n"); len(rest) > 0 {
		next = rest[0]
	}
	var last byte
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	switch {
	case len(bytes.TrimSpace(src)) == 0:
		return "the file is empty", "write a JSON object"
	case errors.Is(err, io.ErrUnexpectedEOF) || (next == 0 && errors.Is(err, io.EOF)):
		return "the document ends before it is complete", "close what is open: a string, a list or an object"
	case next == ',' && (last == ',' || last == '[' || last == '{'):
		return "there is a comma too many", "delete one comma"
	case last == ',' && (next == '}' || next == ']'):
		return "there is a comma after the last entry", "delete the comma"
	case next == '/' || next == '#':
		return "JSON has no comments", "delete the comment"
	case next == '\'':
		return "this is a single quote", `write strings with double quotes: "…"`
	case bytes.HasPrefix(src[offset:], []byte("“")) || bytes.HasPrefix(src[offset:], []byte("”")):
		return "this is a typographic quote", `write strings with straight double quotes: "…"`
	case src[min(offset, len(src)-1)] == '\n' || src[min(offset, len(src)-1)] == '\t' || src[min(offset, len(src)-1)] < ' ':
		return "a line break, a tab or a control character stands inside a string", `write a line break as \n and a tab as \t`
	case last == '\\' || next == '\\':
		return "this escape does not exist in JSON", `write a backslash as \\`
	case next == '"' || next == '{' || next == '[':
		return "a comma or a colon is missing before this", "write the comma after the entry before, or the colon after its key"
	}
	return "this is not JSON: " + plainReason(src, offset, err), `check the quotes, commas and brackets around it`
}

func plainReason(src []byte, offset int, err error) string {
	if syn := (*jsontext.SyntacticError)(nil); errors.As(err, &syn) && syn.Err != nil {
		return syn.Err.Error()
	}
	r, _ := utf8.DecodeRune(src[offset:])
	return "unexpected " + quote(string(r))
}
