package output

import (
	"errors"
	"fmt"
	"strings"
)

const (
	journalHeader = "incidentlib journal 1 "
	journalEnd    = "end"
)

// journal is what is to be done in a folder, in this order. Each step can be
// done again after it was done, so that a killed build can be completed by
// doing everything from the start.
type journal struct {
	folder string   // identity of the folder that it is for
	clear  []string // files of ours that stand where a folder has to be, or the reverse
	assets []string // staged files to put in place
	others []string // likewise: data, then pages
	remove []string // files of ours to delete
	own    []string // the package's own files to put in place
}

// step is one kind of line in a journal.
type step struct {
	verb  string
	paths *[]string
}

func (j *journal) steps() []step {
	return []step{
		{"clear", &j.clear}, {"asset", &j.assets}, {"put", &j.others}, {"remove", &j.remove}, {"own", &j.own},
	}
}

// text is the journal as it is stored: a header, "VERB PATH" lines, an end.
func (j *journal) text() []byte {
	var b strings.Builder
	b.WriteString(journalHeader + j.folder + "\n")
	for _, s := range j.steps() {
		for _, p := range *s.paths {
			b.WriteString(s.verb + " " + p + "\n")
		}
	}
	b.WriteString(journalEnd + "\n")
	return []byte(b.String())
}

// parseJournal reads what text wrote and accepts nothing else.
func parseJournal(text []byte) (*journal, error) {
	lines := strings.Split(string(text), "\n")
	folder, ok := strings.CutPrefix(lines[0], journalHeader)
	n := len(lines)
	if !ok || n < 3 || lines[n-1] != "" || lines[n-2] != journalEnd {
		return nil, errors.New("not a whole journal")
	}
	j := &journal{folder: folder}
	verbs := map[string]*[]string{}
	for _, s := range j.steps() {
		verbs[s.verb] = s.paths
	}
	for i, line := range lines[1 : n-2] {
		verb, p, _ := strings.Cut(line, " ")
		list := verbs[verb]
		if list == nil {
			return nil, fmt.Errorf("line %d: unknown verb %q", i+2, verb)
		}
		own := ownName(p) && (verb == "own" || verb == "remove")
		if err := CheckPath(p); err != nil && !own {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		*list = append(*list, p)
	}
	return j, nil
}
