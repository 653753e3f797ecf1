package incident

// AxisID names an axis of the vocabulary; it is the case field of that name.
type AxisID string

const (
	Domain       AxisID = "domain"
	Symptoms     AxisID = "symptoms"
	Components   AxisID = "components"
	RootCause    AxisID = "root_cause"
	Contributing AxisID = "contributing"
	Detection    AxisID = "detection"
	Severity     AxisID = "severity"
	DateKind     AxisID = "date_kind"
	SourceKind   AxisID = "source_kind"
)

// AxisIDs are all axes, in the order of the vocabulary.
func AxisIDs() []AxisID {
	return []AxisID{Domain, Symptoms, Components, RootCause, Contributing, Detection, Severity, DateKind, SourceKind}
}

// Term is one word of the vocabulary.
type Term struct {
	Axis      AxisID
	Slug      string
	Label     Text
	Summary   Text
	AliasesEN []string
	AliasesKO []string
	SeeAlso   []TermRef
}

// Ref is the term's own reference.
func (t *Term) Ref() TermRef { return TermRef{t.Axis, t.Slug} }

// Aliases are the other words that people search for in l.
func (t *Term) Aliases(l Lang) []string {
	if l == KO {
		return t.AliasesKO
	}
	return t.AliasesEN
}

// TermRef points at a term: "axis/slug" in a seed.
type TermRef struct {
	Axis AxisID
	Slug string
}

func (r TermRef) String() string { return string(r.Axis) + "/" + r.Slug }

// Axis is one dimension of the vocabulary with its terms, in the editor's order.
type Axis struct {
	ID    AxisID
	Label Text
	Terms []Term
}

// Vocabulary is every axis and term. It is never changed once made.
type Vocabulary struct {
	Axes  []Axis
	index map[TermRef]*Term
}

// NewVocabulary indexes axes. Of two terms that claim one reference the first
// is found; the reader reports the second.
func NewVocabulary(axes []Axis) *Vocabulary {
	v := &Vocabulary{Axes: axes, index: map[TermRef]*Term{}}
	for i := range axes {
		for j := range axes[i].Terms {
			t := &axes[i].Terms[j]
			if _, taken := v.index[t.Ref()]; !taken {
				v.index[t.Ref()] = t
			}
		}
	}
	return v
}

// Term finds a term; nil when there is none.
func (v *Vocabulary) Term(a AxisID, slug string) *Term { return v.index[TermRef{a, slug}] }

// Axis finds an axis; nil when there is none.
func (v *Vocabulary) Axis(a AxisID) *Axis {
	for i := range v.Axes {
		if v.Axes[i].ID == a {
			return &v.Axes[i]
		}
	}
	return nil
}
