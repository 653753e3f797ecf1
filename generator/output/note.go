package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// noteHeader is the first line of a note, before the id of the manifest that it
// belongs to.
const noteHeader = "incidentlib note 1 "

// noteText is the note of the build of that id as it is stored; nil where there is
// none.
func noteText(id string, note []byte) []byte {
	if note == nil {
		return nil
	}
	return append([]byte(noteHeader+id+"\n"), note...)
}

func (b *build) noteText() []byte { return noteText(b.id, b.opt.Note) }

// readNoteIn reads the note in the folder dir as it is stored; nil where there is
// none, or none that can be read.
func readNoteIn(dir string) []byte { return readOwn(dir, NoteName) }

// Built is what a finished build says about itself.
type Built struct {
	Manifest Manifest
	Note     []byte // nil where there is none
}

// Read reads what the folder of a finished build says. The folder is not to be
// built into meanwhile.
func Read(dir string) (Built, error) {
	m, id, err := readManifest(join(dir, ManifestName), checked)
	if err != nil {
		return Built{}, err
	}
	if id == "" {
		_, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return Built{}, fmt.Errorf("%s is not there; build into it first", dir)
		}
		return Built{}, fmt.Errorf("%s holds no %s: %w; build into it first", dir, ManifestName, ErrForeign)
	}
	note, ok := bytes.CutPrefix(readNoteIn(dir), []byte(noteHeader+id+"\n"))
	if !ok {
		note = nil
	}
	return Built{m, note}, nil
}
