// Package figure draws the figures of texts as SVG, from data files that are
// committed beside them in the seeds. A figure is named by its data file:
// figures/retry-storm.json is what a text calls retry-storm.
//
// A picture has no colours and no sizes of type of its own: it has classes, and
// the style sheet of whoever shows it does the rest. Nothing in it runs and
// nothing is styled inline, as the site's policy asks.
package figure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// RetryStorm is the figure that can be drawn so far.
const RetryStorm = "retry-storm"

// Known reports whether a figure of a name can be drawn.
func Known(name string) bool { return name == RetryStorm }

// Storm is the data of a retry storm: an hour of load on an upstream, without
// any remedy and with some. Shares are in thousandths.
type Storm struct {
	Seed              uint32    `json:"seed"`
	Clients           int       `json:"clients"`
	SecondsPerMessage int       `json:"secondsPerMessage"`
	Capacity          int       `json:"capacity"`
	FailRate          int       `json:"failRatePerMille"`
	Attempts          int       `json:"attempts"`
	DegradedFrom      int       `json:"degradedFromMinute"`
	DegradedMinutes   int       `json:"degradedMinutes"`
	Variants          []Variant `json:"variants"`
}

// Variant is the hour with one choice of remedies.
type Variant struct {
	Name          string `json:"name"`
	Messages      int    `json:"messages"`
	Requests      int    `json:"requests"`
	Calls         int    `json:"calls"`
	Failures      int    `json:"failures"`
	Amplification int    `json:"amplificationPerMille"`
	BudgetBurnt   int    `json:"budgetBurntPerMille"`
	Recovery      *int   `json:"recoverySeconds"` // nil where it did not recover
	Peak          int    `json:"peakCallsPer100ms"`
	CallsBy       []int  `json:"callsByMinute"`
	FailuresBy    []int  `json:"failuresByMinute"`
}

// VariantNames are the variants that a storm has, in their order.
func VariantNames() []string {
	return []string{"none", "jitter", "budget", "breaker", "idempotency", "all"}
}

// FormatError is a fault in a data file, at a line of it.
type FormatError struct {
	Line int
	What string
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// ParseStorm reads the data of a storm, and takes none that it could not draw.
func ParseStorm(src []byte) (*Storm, error) {
	var s Storm
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, &FormatError{lineAt(src, offset(err, d)), "it cannot be read: " + err.Error()}
	}
	if d.More() {
		return nil, &FormatError{lineAt(src, d.InputOffset()), "something follows the data"}
	}
	if what := s.fault(); what != "" {
		return nil, &FormatError{1, what}
	}
	return &s, nil
}

func (s *Storm) fault() string {
	var names []string
	for _, v := range s.Variants {
		names = append(names, v.Name)
		if len(v.CallsBy) != len(s.Variants[0].CallsBy) || len(v.CallsBy) < 2 || len(v.FailuresBy) != len(v.CallsBy) {
			return fmt.Sprintf("the variant %q lacks minutes", v.Name)
		}
		if slices.Min(v.CallsBy) < 0 || slices.Min(v.FailuresBy) < 0 || v.Messages <= 0 {
			return fmt.Sprintf("the variant %q counts below nothing", v.Name)
		}
	}
	if !slices.Equal(names, VariantNames()) {
		return fmt.Sprintf("its variants are %q instead of %q", names, VariantNames())
	}
	if s.Clients <= 0 || s.Capacity <= 0 || s.Attempts <= 0 || s.SecondsPerMessage <= 0 || s.DegradedMinutes <= 0 {
		return "a parameter is missing"
	}
	return ""
}

func offset(err error, d *json.Decoder) int64 {
	if e := (*json.SyntaxError)(nil); errors.As(err, &e) {
		return e.Offset
	}
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return e.Offset
	}
	return d.InputOffset()
}

func lineAt(src []byte, offset int64) int {
	return 1 + bytes.Count(src[:max(0, min(offset, int64(len(src))))], []byte("\n"))
}
