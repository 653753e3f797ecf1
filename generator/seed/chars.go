package seed

// forbidden reports a character that no string of a seed may hold: what cannot
// be seen, reorders what can, or is no character at all. Such text could say
// one thing to a reviewer and another to a reader, a feed or an AI agent.
// A line break and a tab are text.
func forbidden(r rune) bool { return whyForbidden(r) != "" }

func whyForbidden(r rune) string {
	switch {
	case r == '\n' || r == '\t':
		return ""
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return "is a control character"
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return "reorders text on the screen"
	case r == 0x200b, r == 0x2060, r >= 0x2061 && r <= 0x2064, r == 0xfeff, r == 0x180e, r == 0x00ad, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0:
		return "cannot be seen"
	case r == 0x2028, r == 0x2029:
		return "breaks lines in ways that tools disagree on"
	case r >= 0xe0000 && r <= 0xe007f, r >= 0xfff9 && r <= 0xfffb:
		return "hides text"
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return "is no character"
	}
	return ""
}
