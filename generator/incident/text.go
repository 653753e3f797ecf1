package incident

// Lang is a language of the library, as a BCP 47 tag.
type Lang string

const (
	EN Lang = "en"
	KO Lang = "ko"
)

// Langs are the languages of the library; the first is the source of plain
// strings in seeds.
func Langs() []Lang { return []Lang{EN, KO} }

// Other is the second language of a page in l.
func (l Lang) Other() Lang {
	if l == EN {
		return KO
	}
	return EN
}

// Text is one text in up to two languages; "" means that a language has none.
// The zero Text is a text that is not known.
type Text struct{ EN, KO string }

// In is the text in l, or "".
func (t Text) In(l Lang) string {
	if l == KO {
		return t.KO
	}
	return t.EN
}

// Has reports whether the text exists in l.
func (t Text) Has(l Lang) bool { return t.In(l) != "" }

// IsZero reports whether there is no text in any language.
func (t Text) IsZero() bool { return t == Text{} }

// Best is the text in l or, where l has none, in the other language; from says
// which language it is in.
func (t Text) Best(l Lang) (text string, from Lang) {
	if t.Has(l) || t.IsZero() {
		return t.In(l), l
	}
	return t.In(l.Other()), l.Other()
}
