package output

import (
	"bytes"
	"errors"
)

// Names that the package uses on disk. No file may be published to the root of
// a site under a name that begins with reservedPrefix.
const (
	// ManifestName is the file in the root of a site that lists its files.
	ManifestName = ".incidentlib-manifest"
	// RetainedName is the file in the root of a site that lists the assets
	// kept from the build before; there is none when none are kept.
	RetainedName = ".incidentlib-retained"
	// KeysName is the file in the root of a site that says what its files
	// were made from; there is none when no file has a key.
	KeysName = ".incidentlib-keys"
	// NoteName is the file in the root of a site that holds Options.Note;
	// there is none without.
	NoteName = ".incidentlib-note"
	// MemoryName is the file in the root of a site that holds what
	// Options.Memory gave; there is none without.
	MemoryName = ".incidentlib-memory"

	reservedPrefix = ".incidentlib-"
	keptPrefix     = ".incidentlib-kept-" // a foreign file that lost its name to another
	insideWork     = ".incidentlib-work"  // the work folder, where it has to be inside
	workSuffix     = ".incidentlib"       // ".public.incidentlib" beside "public"

	sinceName = ".incidentlib-since" // in the root of the spare tree: from when on it may have changed

	lockName    = "lock"    // in the work folder: held while a build runs
	stageName   = "tree"    // the staging tree; after a swap, the old tree
	spareName   = "spare"   // the tree of the build before, kept for the next one
	droppedName = "dropped" // a spare tree that is being removed
	asideName   = "new"     // where new files wait while the spare tree becomes the staging tree
	journalName = "journal" // what is to be done in place
	swapName    = "swap"    // which tree was about to be swapped in
	tmpSuffix   = ".tmp"    // of a note that is not whole yet
)

// What a caller may want to tell apart with errors.Is.
var (
	// ErrBusy: another build is publishing to the same folder.
	ErrBusy = errors.New("another build is publishing to this folder")
	// ErrForeign: something that is not ours is where a file has to go, or
	// the folder is not one of ours at all.
	ErrForeign = errors.New("not made by incidentlib")
	// ErrNoSwap: the folder cannot be replaced whole on this system.
	ErrNoSwap = errors.New("the folder cannot be replaced in one step here; use --in-place")
)

// Kind is what a file is for, which decides when it appears in place.
type Kind uint8

// The kinds, in the order in which they are put in place: a page may refer to
// data and assets, so it comes last.
const (
	Asset Kind = iota // named by its content; stays one build longer
	Data              // read by programs: JSON, feeds, indexes
	Page              // read by people
)

// String is the kind's name in a manifest.
func (k Kind) String() string {
	switch k {
	case Asset:
		return "asset"
	case Data:
		return "data"
	default:
		return "page"
	}
}

func parseKind(s string) (Kind, bool) {
	for _, k := range []Kind{Asset, Data, Page} {
		if k.String() == s {
			return k, true
		}
	}
	return 0, false
}

// File is one file to publish. Its bytes are made when they are asked for, so
// that memory never holds the site.
type File struct {
	Path   string                        // slash-separated, relative, clean: "cases/IL-0123/index.html"
	Kind   Kind                          // decides the order in place, and whether the file is retained
	Render func(dst *bytes.Buffer) error // appends the bytes; called at most once, from any goroutine
	Key    func() Key                    // what the bytes are made from; may be nil; called at most once, before Render
	Data   func() Key                    // what of the cases they are made from; may be nil. For those who make a Key: Publish does not look at it
}

// Options say where and how to publish.
type Options struct {
	Dir      string                // the folder; made, with its parents, when it is missing
	InPlace  bool                  // touch only the changed files instead of swapping the folder
	Jobs     int                   // files in work at once; 0 means GOMAXPROCS
	Spare    int64                 // keep the tree that a swap replaces for the next build, if so many bytes at most are only in it
	Key      Key                   // of the whole build, for Current; zero for none
	Fresh    bool                  // make every file, whatever the keys say
	Note     []byte                // what else is to be said of the build, kept in NoteName; may be nil
	Memory   func() []byte         // what the next build may take from this one, kept in MemoryName; may be nil; called when all files are rendered, if there is anything to write
	Progress func(done, total int) // files rendered; may be nil; about a hundred calls, one at a time
}

// Result says what a build is and what publishing it did. Counts are of the
// site's files, without the package's own.
type Result struct {
	ID           string // the manifest's SHA-256 in hexadecimal
	Files        int
	Bytes        int64
	Written      int // new or changed
	Unchanged    int // left as they were
	Removed      int // of earlier builds, now gone
	LargestPath  string
	LargestBytes int64
}

// Bytes is a file whose bytes are there already.
func Bytes(path string, kind Kind, b []byte) File {
	return File{Path: path, Kind: kind, Render: func(dst *bytes.Buffer) error {
		_, err := dst.Write(b)
		return err
	}}
}
