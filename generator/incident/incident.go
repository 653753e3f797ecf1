// Package incident holds what the library is made of: a case, its texts, dates
// and durations, and the vocabulary that classifies it. It is pure data: it
// reads no file, makes no address and knows no page.
//
// The fields of a [Case] are those of a seed file (DESIGN 2.1). A value that
// the seed leaves null is the zero value here; the seed's own JSON, which keeps
// the difference between null and absent, travels along to the mirror.
package incident

import (
	"slices"
	"time"
)

// Case is one public incident.
type Case struct {
	File string // the seed file, for messages
	JSON Document
	Sum  Sum // of the document that is published of it

	ID           string
	Org, OrgSlug string
	Date         Date
	DateKind     string
	Title        Text
	Summary      Text
	SymptomsText Text
	Trigger      Text
	Lessons      Text
	Domain       []string
	Symptoms     []string
	Components   []string
	Contributing []string
	RootCause    string // "" when not known
	Detection    string // "" when not known
	Severity     string // "" when not known
	Impact       Impact
	Timeline     Timeline
	Remediation  []Text
	ActionItems  []Text
	Sources      []Source
	Docs         []Doc
	Related      []string // ids, in the editor's order
	RecurrenceOf string   // id, or ""
	Review       Review
	UpdatedAt    time.Time
	Updated      string // UpdatedAt as the seed writes it: "2026-11-10T09:00:34+09:00"
	URL          string
}

// Impact is what the incident reached. A part that is not known is the zero Text.
type Impact struct{ Scope, Users, Region Text }

// Timeline holds the durations from the start of the incident.
type Timeline struct{ DetectedAfter, ResolvedAfter Duration }

// Source is where the facts of a case come from.
type Source struct {
	URL      string
	Kind     string // slug of axis source_kind
	License  string // as the source states it, or "unknown"
	Archived string // address of an archived copy, or ""
}

// Doc is documentation worth reading beside a case.
type Doc struct {
	URL   string
	Title Text
}

// Review says who wrote a case and who checked it, and when.
type Review struct{ WrittenBy, ReviewedAt, ReviewedBy string }

// Withdrawn is a case that is no longer published.
type Withdrawn struct {
	Index      int // its place in withdrawn.json, for messages
	ID         string
	Since      Date
	Reason     Text
	ReplacedBy string // id, or ""
}

// Terms returns the slugs that the case carries on an axis, in the seed's
// order; none for an axis that the case does not fill. On the axis source_kind
// they are the kinds of its sources, each once.
func (c *Case) Terms(a AxisID) []string {
	switch a {
	case Domain:
		return c.Domain
	case Symptoms:
		return c.Symptoms
	case Components:
		return c.Components
	case Contributing:
		return c.Contributing
	case RootCause:
		return one(c.RootCause)
	case Detection:
		return one(c.Detection)
	case Severity:
		return one(c.Severity)
	case DateKind:
		return one(c.DateKind)
	case SourceKind:
		var kinds []string
		for _, s := range c.Sources {
			if !slices.Contains(kinds, s.Kind) {
				kinds = append(kinds, s.Kind)
			}
		}
		return kinds
	}
	return nil
}

// PublishedIn are the languages in which a case has a title and a summary: its
// page in another language is a fallback, which no search engine is shown. A
// case whose title and summary share no language counts for both.
func (c *Case) PublishedIn() []Lang { return inBoth(c.Title, c.Summary) }

func inBoth(title, summary Text) []Lang {
	var out []Lang
	for _, l := range Langs() {
		if title.Has(l) && summary.Has(l) {
			out = append(out, l)
		}
	}
	if out == nil {
		return Langs()
	}
	return out
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
