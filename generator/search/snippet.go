package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Snippet is the sentence of some plain texts that has the most words of the
// question, and of those the first; "" when none has any. It is cut at words to
// at most limit characters around the first of them.
func (m *Marker) Snippet(texts []string, limit int) string {
	best, most := "", 0
	for _, text := range texts {
		for text != "" {
			end := sentence(text)
			one := strings.TrimSpace(text[:end])
			text = text[end:]
			if n := m.words(one); n > most {
				best, most = one, n
			}
		}
	}
	return m.cut(best, limit)
}

// words is how many words of the question a text has.
func (m *Marker) words(text string) int {
	var seen uint32
	n := 0
	for _, f := range m.marks(normal(text)) {
		if seen>>f.word&1 == 0 {
			seen |= 1 << f.word
			n++
		}
	}
	return n
}

// sentence is where the first sentence of a text ends: after a full stop with a
// space behind it, and the like, or at the end of a line.
func sentence(text string) int {
	for i := range len(text) - 1 {
		if text[i] == '\n' || text[i+1] == ' ' && (text[i] == '.' || text[i] == '?' || text[i] == '!') {
			return i + 1
		}
	}
	return len(text)
}

// cut leaves limit characters of a text, with the first mark in them.
func (m *Marker) cut(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	at := 0
	if marks := m.Marks(text); len(marks) > 0 {
		at = marks[0][0]
	}
	start := back(text, at, limit/3)
	end := start
	for n := 0; n < limit-2 && end < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	out := text[start:end]
	if end < len(text) {
		if space := strings.LastIndexFunc(out, unicode.IsSpace); space > at-start {
			out = out[:space]
		}
		out = strings.TrimRight(out, " ,;:") + "…"
	}
	if start > 0 {
		out = "…" + out
	}
	return out
}

// back is where the word begins that stands at most n characters before at.
func back(text string, at, n int) int {
	start := at
	for i := at; i > 0 && n > 0; n-- {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if unicode.IsSpace(r) {
			start = i
		}
		if i -= size; i == 0 {
			return 0
		}
	}
	return start
}
