package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// recoverTarget finishes what a killed build began, and leaves no staging
// tree. Without a note from that build nothing had begun: its staging tree
// holds new files and second names of old ones, and goes.
func recoverTarget(t *target, jobs int) error {
	if err := completeJournal(t, jobs); err != nil {
		return err
	}
	if err := completeSwap(t, jobs); err != nil {
		return err
	}
	t.committed = false
	if err := completeDrop(t, jobs); err != nil {
		return err
	}
	return t.clean()
}

// readNote reads a note in the work folder; from its finding on, the work
// folder is needed.
func (t *target) readNote(name string) (text []byte, found bool, err error) {
	text, err = os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	t.committed = true
	return text, err == nil, err
}

// isFolder reports whether the folder is the one of that identity, and not
// another that was put in its place.
func (t *target) isFolder(id string) bool {
	info, err := os.Lstat(t.dir)
	return err == nil && identity(info) == id
}

// completeJournal does again everything that a build in place was to do.
func completeJournal(t *target, jobs int) error {
	text, found, err := t.readNote(t.journalPath())
	if err != nil || !found {
		return err
	}
	j, err := parseJournal(text)
	if err != nil {
		return fmt.Errorf("the journal of an interrupted build, %s, is damaged: %w; remove %s and build again",
			t.journalPath(), err, t.work)
	}
	if !t.isFolder(j.folder) {
		return os.Remove(t.journalPath()) // that folder is gone, and the work with it
	}
	if err := j.apply(t, jobs); err != nil {
		return fmt.Errorf("complete an interrupted build: %w", err)
	}
	return nil
}

// completeSwap drains the old tree if the folder is the tree that was to be
// swapped in: then the tree in staging is the one from before.
func completeSwap(t *target, jobs int) error {
	text, found, err := t.readNote(t.swapPath())
	if err != nil || !found {
		return err
	}
	_, err = os.Lstat(t.stage())
	if !t.isFolder(strings.TrimSuffix(string(text), "\n")) || errors.Is(err, fs.ErrNotExist) {
		return os.Remove(t.swapPath())
	}
	if err != nil {
		return err
	}
	before, err := readPublished(t.stage(), nil)
	if err != nil {
		return err
	}
	now, err := readPublished(t.dir, nil)
	if err != nil {
		return err
	}
	d := drainer{target: t, root: t.stage(), old: before.owned(), next: now.owned(), fork: newForker(jobs)}
	if err := d.run(); err != nil {
		return fmt.Errorf("clear what an interrupted build left in %s: %w", t.work, err)
	}
	t.committed = false
	return os.Remove(t.swapPath())
}
