package page

import "bytes"

// bound keeps together what is not to be parted at the end of a line. A Korean
// particle stays with the Latin word that it follows: editors set a space between
// the two ("PITR 을"), which is made one at which a line may not end. The id of a
// case, which browsers part after its hyphen, is put into an element that says
// not to. Markup, code and every letter stay as they are, and what needs no
// change is returned itself; else what it becomes is appended to out, which is
// empty.
func bound(out, html []byte) []byte {
	from := 0
	for i := 0; i < len(html); i++ {
		c := html[i]
		if c != ' ' && c != '<' && c != 'I' { // as nearly all
			continue
		}
		switch {
		case c == ' ':
			if i+1 < len(html) && isHangul(html[i+1]) && followsLatin(html[:i]) && isParticle(html[i+1:]) {
				out = append(append(out, html[from:i]...), "\u00a0"...)
				from = i + 1
			}
		case c == '<':
			i += skipped(html[i:])
		case c == 'I' && (i == 0 || !isWordByte(html[i-1])):
			if n := caseID(html[i:]); n > 0 {
				out = append(append(out, html[from:i]...), `<span class="whole">`...)
				out = append(append(out, html[i:i+n]...), "</span>"...)
				from = i + n
				i = from - 1
			}
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
	return isWordByte(c) || c == ')' || c == '>'
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// caseID is the length of the id of a case that html starts with, or 0.
func caseID(html []byte) int {
	n := len("IL-")
	if !bytes.HasPrefix(html, []byte("IL-")) {
		return 0
	}
	for n < len(html) && '0' <= html[n] && html[n] <= '9' {
		n++
	}
	if n < len("IL-0000") {
		return 0
	}
	return n
}

// isHangul reports whether a byte begins a syllable.
func isHangul(c byte) bool { return 0xea <= c && c <= 0xed }

// isParticle reports whether a text starts with a particle that ends there.
func isParticle(after []byte) bool {
	n := 0
	for n+3 <= len(after) && n <= 12 && isHangul(after[n]) {
		n += 3 // bytes of a syllable
	}
	switch string(after[:n]) {
	case "은", "는", "이", "가", "을", "를", "의", "에", "로", "으로", "와", "과", "도", "만", "나", "이나", "에서", "에게", "부터", "까지", "보다", "처럼", "마다",
		"라는", "이라는", "라고", "이라고", "에는", "에도", "에서는", "에서도", "로는", "으로는", "와의", "과의", "로의", "으로의", "로도", "으로도", "이다", "이고", "이며", "인", "였다":
		return true
	}
	return false
}
