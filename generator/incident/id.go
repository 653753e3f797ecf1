package incident

import (
	"cmp"
	"strings"
)

// Patterns of ids and slugs, in the dialect that Go and JSON Schema share. What
// matches them is safe as a name of a file and as a part of an address.
const (
	IDPattern   = `^IL-[0-9]{4,9}$`
	SlugPattern = `^[a-z0-9]+(-[a-z0-9]+)*$`
)

// ReservedSlugs are names that Windows opens devices by: no site that is kept
// there could have a folder of that name.
func ReservedSlugs() []string {
	out := []string{"con", "prn", "aux", "nul"}
	for d := '1'; d <= '9'; d++ {
		out = append(out, "com"+string(d), "lpt"+string(d))
	}
	return append(out, "com0", "lpt0")
}

// maxSlug keeps a slug's folder within what every file system can name.
const maxSlug = 100

// ValidID reports whether s is the id of a case: IL- and 4 to 9 digits.
func ValidID(s string) bool {
	digits, ok := strings.CutPrefix(s, "IL-")
	return ok && len(digits) >= 4 && len(digits) <= 9 && strings.Trim(digits, "0123456789") == ""
}

// ValidSlug reports whether s is a slug: lower-case letters, digits and single
// hyphens between them, at most 100.
func ValidSlug(s string) bool {
	if s == "" || len(s) > maxSlug || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// CompareIDs sorts ids by their number: IL-9999 before IL-10000.
func CompareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// DatePattern and DurationPattern say of [ParseDate] and [ParseDuration] what a
// pattern can: not which days a month has, nor how long is too long.
const (
	DatePattern     = `^(19|2[0-9])[0-9]{2}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$`
	DurationPattern = `^([1-9][0-9]{0,9}d( ([0-9]|1[0-9]|2[0-3])h)?( ([0-9]|[1-5][0-9])m)?( ([0-9]|[1-5][0-9])s)?` +
		`|[1-9][0-9]{0,9}h( ([0-9]|[1-5][0-9])m)?( ([0-9]|[1-5][0-9])s)?` +
		`|[1-9][0-9]{0,9}m( ([0-9]|[1-5][0-9])s)?` +
		`|[1-9][0-9]{0,9}s)$`
)
