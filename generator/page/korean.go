package page

import "bytes"

// bound keeps a Korean particle on the line of the Latin word that it follows.
// Editors set a space between the two ("PITR 을"), at which a line may end; the
// space is made one at which it may not. Markup, code and every other letter
// stay as they are, and what needs no change is returned itself.
func bound(html []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(html); i++ {
		switch {
		case html[i] == '<':
			i += skipped(html[i:])
		case html[i] == ' ' && followsLatin(html[:i]) && isParticle(html[i+1:]):
			out = append(append(out, html[from:i]...), "\u00a0"...)
			from = i + 1
		}
	}
	if from == 0 {
		return html
	}
	return append(out, html[from:]...)
}

// skipped is where the tag that html starts with ends, or the element, where
// that is code.
func skipped(html []byte) int {
	end := ">"
	for _, tag := range []string{"pre", "code"} {
		if rest := html[1:]; bytes.HasPrefix(rest, []byte(tag)) && len(rest) > len(tag) && (rest[len(tag)] == '>' || rest[len(tag)] == ' ') {
			end = "</" + tag + ">"
			break
		}
	}
	if at := bytes.Index(html, []byte(end)); at >= 0 {
		return at + len(end) - 1
	}
	return len(html) - 1
}

// followsLatin reports whether a text ends in a Latin letter, a digit, a closing
// bracket, or an element.
func followsLatin(before []byte) bool {
	if len(before) == 0 {
		return false
	}
	c := before[len(before)-1]
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == ')' || c == '>'
}

// isParticle reports whether a text starts with a particle that ends there.
func isParticle(after []byte) bool {
	n := 0
	for n+3 <= len(after) && n <= 12 && 0xea <= after[n] && after[n] <= 0xed {
		n += 3 // bytes of a syllable
	}
	switch string(after[:n]) {
	case "은", "는", "이", "가", "을", "를", "의", "에", "로", "으로", "와", "과", "도", "만", "나", "이나", "에서", "에게", "부터", "까지", "보다", "처럼", "마다",
		"라는", "이라는", "라고", "이라고", "에는", "에도", "에서는", "에서도", "로는", "으로는", "와의", "과의", "로의", "으로의", "로도", "으로도", "이다", "이고", "이며", "인", "였다":
		return true
	}
	return false
}
