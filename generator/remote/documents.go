package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"slices"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// The documents of a mirror as a client reads them: only what it needs. They
// stand here and not with their writer, so that a reader that is wrong is not
// wrong in the same way.

// Root is where a client begins.
type Root struct {
	DataVersion    string            `json:"data_version"`
	ManifestSHA256 string            `json:"manifest_sha256"`
	Counts         Counts            `json:"counts"`
	Links          map[string]any    `json:"links"`
	Schemas        map[string]string `json:"schemas"`
}

// Counts are how much there is.
type Counts struct {
	Cases     int `json:"cases"`
	Withdrawn int `json:"withdrawn"`
}

// Entry is a line of the manifest.
type Entry struct {
	ID        string `json:"id"`
	UpdatedAt string `json:"updated_at"`
	H         string `json:"h"`
	Size      int    `json:"size"`
}

// Changes is what changed, newest first, or a page of it.
type Changes struct {
	From  string   `json:"from"`
	To    string   `json:"to"`
	Items []Change `json:"items"`
	Links struct {
		Next *string `json:"next"`
	} `json:"links"`
}

// Change is a case, or an id that is no longer published.
type Change struct {
	ID          string          `json:"id"`
	UpdatedAt   string          `json:"updated_at"`
	H           string          `json:"h"`
	WithdrawnAt string          `json:"withdrawn_at"`
	Reason      json.RawMessage `json:"reason"`
	ReplacedBy  *string         `json:"replaced_by"`
}

// Gone reports whether the id is no longer published.
func (c Change) Gone() bool { return c.WithdrawnAt != "" }

// Tombstone is the document that stands where a withdrawn case was. Its bytes
// are those that are published.
func (c Change) Tombstone() ([]byte, error) {
	return marshal(struct {
		ID         string          `json:"id"`
		Withdrawn  bool            `json:"withdrawn"`
		Since      string          `json:"since"`
		Reason     json.RawMessage `json:"reason"`
		ReplacedBy *string         `json:"replaced_by"`
	}{c.ID, true, c.WithdrawnAt, c.Reason, c.ReplacedBy})
}

// Dumps lists the files with everything in them.
type Dumps struct {
	DataVersion string `json:"data_version"`
	Count       int    `json:"count"`
	Files       []Dump `json:"files"`
}

// Dump is one of the files.
type Dump struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Format string `json:"format"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Count  int    `json:"count"`
}

// The kind and format of the dumps that hold whole cases.
const (
	DumpCases = "cases"
	DumpGzip  = "ndjson.gz"
)

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Decode reads a document that was answered. What is no JSON is told by what it
// looks like: hosts answer with pages where they should not.
func Decode(r Response, to any) error {
	if err := json.Unmarshal(r.Body, to); err != nil {
		what := "no JSON"
		if json.Valid(r.Body) {
			what = "JSON, but not the document that it should be"
		} else if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media == "text/html" || bytes.HasPrefix(bytes.TrimSpace(r.Body), []byte("<")) {
			what = "a page, no JSON"
		}
		return fmt.Errorf("%s is %s: %w", r.URL, what, err)
	}
	return nil
}

// DecodeRoot reads a root document that can be worked with.
func DecodeRoot(r Response) (Root, error) {
	var root Root
	if err := Decode(r, &root); err != nil {
		return root, err
	}
	if len(root.ManifestSHA256) != 2*sha256.Size || root.DataVersion == "" || root.Counts.Cases < 0 {
		return root, fmt.Errorf("%s is not the root of a mirror: it has no manifest_sha256 and data_version", r.URL)
	}
	return root, nil
}

// ParseManifest reads a manifest. Ids are judged before anything is done with
// them: they become names of files.
func ParseManifest(b []byte) ([]Entry, error) {
	var out []Entry
	n := 0
	for line := range bytes.Lines(b) {
		n++
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d of the manifest: %w", n, err)
		}
		switch {
		case !incident.ValidID(e.ID):
			return nil, fmt.Errorf("line %d of the manifest: %q is no id", n, e.ID)
		case len(out) > 0 && incident.CompareIDs(out[len(out)-1].ID, e.ID) >= 0:
			return nil, fmt.Errorf("line %d of the manifest: %s does not come after %s", n, e.ID, out[len(out)-1].ID)
		case len(e.H) != 16 || e.Size <= 0:
			return nil, fmt.Errorf("line %d of the manifest: %s has no digest or no size", n, e.ID)
		}
		out = append(out, e)
	}
	return out, nil
}

// Manifest is the manifest of entries, byte for byte as it is published.
func Manifest(entries []Entry) ([]byte, error) {
	sorted := slices.SortedFunc(slices.Values(entries), func(a, b Entry) int { return incident.CompareIDs(a.ID, b.ID) })
	var b bytes.Buffer
	for _, e := range sorted {
		line, err := marshal(e)
		if err != nil {
			return nil, err
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}

// EntryOf is the manifest's line for the document of a case.
func EntryOf(doc []byte) (Entry, error) {
	var c struct {
		ID        string `json:"id"`
		UpdatedAt string `json:"updated_at"`
	}
	if err := json.Unmarshal(doc, &c); err != nil {
		return Entry{}, err
	}
	if !incident.ValidID(c.ID) {
		return Entry{}, fmt.Errorf("%q is no id of a case", c.ID)
	}
	return Entry{c.ID, c.UpdatedAt, Short(doc), len(doc)}, nil
}

// Sum is the SHA-256 of bytes in hexadecimal.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Short is the beginning of [Sum] that tells the documents of a case apart.
func Short(b []byte) string { return Sum(b)[:16] }

// ValidDumpName reports whether a dump's name is that of a file in the folder of
// dumps.
func ValidDumpName(name string) bool {
	return name != "" && len(name) < 100 && name[0] != '.' && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}
