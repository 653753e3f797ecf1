package incident

// WhyForbidden says what is wrong with a character that no text of a library may
// hold, or "": what cannot be seen, reorders what can, or is no character at all.
// Such text could say one thing to a reviewer and another to a reader, a feed or an
// AI agent. A line break and a tab are text.
func WhyForbidden(r rune) string {
	switch {
	case r == '\n' || r == '\t':
		return ""
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return "is a control character"
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return "reorders text on the screen"
	case r == 0x2028, r == 0x2029:
		return "breaks lines in ways that tools disagree on"
	case r == 0x00ad, r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e, r == 0x200b,
		r >= 0x2060 && r <= 0x2065, r >= 0x206a && r <= 0x206f, r == 0x3164, r == 0xfeff, r == 0xffa0,
		r >= 0x1d173 && r <= 0x1d17a:
		return "cannot be seen"
	case r >= 0xe0000 && r <= 0xe0fff, r >= 0xfe00 && r <= 0xfe0d, r >= 0xfff9 && r <= 0xfffb:
		return "can hide text" // tags and variation selectors carry bytes that only machines see
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return "is no character"
	}
	return ""
}
