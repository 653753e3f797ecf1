package output

import (
	"errors"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxSegment is the longest name of a file or folder, in bytes, that the
// common file systems take.
const maxSegment = 255

// CheckPath says why p cannot be published, or nil. The rules hold on every
// system, so that a site which builds on one can be copied to any other.
func CheckPath(p string) error {
	switch {
	case p == "":
		return errors.New("the path is empty")
	case !utf8.ValidString(p):
		return fmt.Errorf("path %q is not UTF-8", p)
	case p[0] == '/':
		return fmt.Errorf("path %q is absolute", p)
	}
	first := true
	for segment := range strings.SplitSeq(p, "/") {
		if fault := segmentFault(segment); fault != "" {
			return fmt.Errorf("path %q %s", p, fault)
		}
		if first && hasReservedPrefix(segment) {
			return fmt.Errorf("path %q begins with %q, which is kept for the manifest", p, reservedPrefix)
		}
		first = false
	}
	return nil
}

func hasReservedPrefix(segment string) bool {
	n := len(reservedPrefix)
	return len(segment) >= n && strings.EqualFold(segment[:n], reservedPrefix)
}

// segmentFault says what is wrong with one name, or "".
func segmentFault(s string) string {
	switch {
	case s == "":
		return "has an empty segment"
	case s == "." || s == "..":
		return fmt.Sprintf("has the segment %q", s)
	case len(s) > maxSegment:
		return fmt.Sprintf("has a segment of %d bytes; %d are the most", len(s), maxSegment)
	case s[len(s)-1] == '.' || s[len(s)-1] == ' ':
		return "has a segment that ends in a dot or a space"
	case deviceName(s):
		return fmt.Sprintf("has the segment %q, a device name on Windows", s)
	}
	for _, r := range s {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			continue // as nearly all are
		}
		if unicode.IsControl(r) || strings.ContainsRune(`\<>:"|?*`, r) {
			return fmt.Sprintf("contains %q", r)
		}
	}
	return ""
}

// deviceName reports whether Windows would open a device for this name: it
// looks only at what stands before the first dot.
func deviceName(s string) bool {
	base, _, _ := strings.Cut(s, ".")
	base = strings.TrimRight(base, " ")
	if len(base) < 3 || len(base) > 7 || !strings.ContainsRune("CPANLcpanl", rune(base[0])) {
		return false // as nearly all are: there is no need for a copy
	}
	base = strings.ToUpper(base)
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789¹²³", port)
}

// folder makes keys under which paths meet that some file system takes for
// one: it folds case and Unicode normal forms. Not for concurrent use.
type folder struct{ fold cases.Caser }

func newFolder() *folder { return &folder{fold: cases.Fold()} }

func (f *folder) key(p string) string {
	for i := range len(p) {
		if p[i] >= utf8.RuneSelf {
			return norm.NFC.String(f.fold.String(norm.NFD.String(p)))
		}
	}
	return strings.ToLower(p)
}

// checkFiles returns the files sorted by path, and where in that each of those
// given is; or everything that is wrong with their paths: those that break a rule,
// and those that cannot stand in one tree.
func checkFiles(files []File) (sorted []File, turns []uint32, err error) {
	given := make([]uint32, len(files)) // by index in sorted
	for i := range given {
		given[i] = uint32(i)
	}
	slices.SortStableFunc(given, func(a, b uint32) int { return strings.Compare(files[a].Path, files[b].Path) })
	sorted, turns = make([]File, len(files)), make([]uint32, len(files))
	for i, g := range given {
		sorted[i], turns[g] = files[g], uint32(i)
	}
	var errs []error
	for _, f := range sorted {
		if err := CheckPath(f.Path); err != nil {
			errs = append(errs, err)
		}
	}
	errs = append(errs, clashes(sorted)...)
	return sorted, turns, errors.Join(errs...)
}

// clashes finds files of one path, and files that need a folder where another
// file stands.
func clashes(sorted []File) []error {
	if !mayClash(sorted) {
		return nil
	}
	var errs []error
	keys := newFolder()
	byKey := make(map[string]string, len(sorted))
	for _, f := range sorted {
		key := keys.key(f.Path)
		switch other, taken := byKey[key]; {
		case !taken:
			byKey[key] = f.Path
		case other == f.Path:
			errs = append(errs, fmt.Errorf("two files have the path %q: %q and %q", f.Path, other, f.Path))
		default:
			errs = append(errs, fmt.Errorf("paths %q and %q differ only in case or Unicode form", other, f.Path))
		}
	}
	seen := map[string]bool{}
	for _, f := range sorted {
		for dir := path.Dir(keys.key(f.Path)); dir != "." && dir != "/" && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if other, taken := byKey[dir]; taken {
				errs = append(errs, fmt.Errorf("path %q is a file, and %q needs a folder there", other, f.Path))
			}
		}
	}
	return errs
}

// mayClash reports whether anything is there for clashes to find, which is rare. It
// looks only at sums of the keys, as the keys of a large site take much memory; two
// that have one sum by chance do no harm.
func mayClash(sorted []File) bool {
	keys, seed := newFolder(), maphash.MakeSeed()
	taken := make(map[uint64]struct{}, len(sorted))
	for i := range sorted {
		taken[maphash.String(seed, keys.key(sorted[i].Path))] = struct{}{}
	}
	if len(taken) < len(sorted) {
		return true
	}
	last := ""
	for i := range sorted {
		parent := path.Dir(sorted[i].Path)
		for dir := parent; dir != last && dir != "." && dir != "/"; dir = path.Dir(dir) {
			if _, ok := taken[maphash.String(seed, keys.key(dir))]; ok {
				return true
			}
		}
		last = parent
	}
	return false
}
