package upload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"benchlet.com/incidentlib/generator/output"
)

// JournalName is the object that lists what a publish is going to touch; there is
// none when none is under way.
const JournalName = ".incidentlib-publishing"

// ownPrefix begins the names of our own objects.
const ownPrefix = ".incidentlib-"

// journal is what a run is going to touch, and whose it is.
type journal struct {
	word    string // of this run alone
	from    string // the id of the manifest that it began with, or "none"
	target  string // the id of the manifest that it will end with
	touched output.Manifest
}

const journalHeader = "incidentlib publishing 2 "

func (j journal) text() []byte {
	return append([]byte(journalHeader+j.word+" "+j.from+" "+j.target+"\n"), j.touched.Text()...)
}

// parseJournal reads what text wrote and accepts nothing else.
func parseJournal(text []byte) (journal, error) {
	line, list, ok := strings.Cut(string(text), "\n")
	rest, isHeader := strings.CutPrefix(line, journalHeader)
	words := strings.Split(rest, " ")
	if !ok || !isHeader || len(words) != 3 {
		return journal{}, errors.New("not a journal")
	}
	m, err := output.ParseManifest([]byte(list))
	return journal{words[0], words[1], words[2], m}, err
}

// state is what the store says about itself.
type state struct {
	manifest output.Manifest
	text     []byte // the manifest's; nil where there is none
	whole    bool   // the manifest is there and can be read
	retained output.Manifest
	journal  journal
	begun    bool // there is a journal
	damaged  []string
}

func readState(ctx context.Context, s store) (*state, error) {
	st := &state{}
	text, err := readMaybe(ctx, s, output.ManifestName)
	if err != nil {
		return nil, err
	}
	if st.text = text; text != nil {
		st.manifest, err = output.ParseManifest(text)
		st.whole = err == nil
		st.note(output.ManifestName, err)
	}
	if text, err = readMaybe(ctx, s, output.RetainedName); err != nil {
		return nil, err
	}
	if text != nil {
		st.retained, err = output.ParseManifest(text)
		st.note(output.RetainedName, err)
	}
	if text, err = readMaybe(ctx, s, JournalName); err != nil {
		return nil, err
	}
	if st.begun = text != nil; st.begun {
		st.journal, err = parseJournal(text)
		if st.note(JournalName, err); err != nil {
			st.whole = false // what was touched cannot be told
		}
		// A run that puts back the build of the manifest, after one that was killed,
		// is not at its end because the manifest is as it will be.
		if id := st.id(); id == st.journal.target && id != st.journal.from {
			st.journal.touched = nil // it came to its end, but for the journal
		}
	}
	return st, nil
}

// id names the manifest; "none" where there is none that can be read.
func (st *state) id() string {
	if !st.whole {
		return "none"
	}
	return st.manifest.ID()
}

func (st *state) note(name string, err error) {
	if err != nil {
		st.damaged = append(st.damaged, fmt.Sprintf("%s is damaged: %v", name, err))
	}
}

// readMaybe reads an object; nil where there is none.
func readMaybe(ctx context.Context, s store, name string) ([]byte, error) {
	text, err := s.read(ctx, name)
	switch {
	case errors.Is(err, errNone):
		return nil, nil
	case err != nil:
		return nil, err
	case text == nil:
		text = []byte{}
	}
	return text, nil
}

// still reports whether the store is as the run found it, and the journal the
// run's own.
func (st *state) still(ctx context.Context, s store, mine journal) error {
	text, err := readMaybe(ctx, s, JournalName)
	if err != nil {
		return err
	}
	now, err := parseJournal(text)
	if err != nil || now.word != mine.word {
		return ErrBusy
	}
	if text, err = readMaybe(ctx, s, output.ManifestName); err != nil {
		return err
	}
	if !bytes.Equal(text, st.text) {
		return ErrBusy
	}
	return nil
}
