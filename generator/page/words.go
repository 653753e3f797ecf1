package page

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"benchlet.com/incidentlib/generator/incident"
)

// words are the labels that pages print, of both languages. A label exists
// once, in words.json beside the templates.
type words map[string]incident.Text

func loadWords(files fs.FS) (words, error) {
	b, err := fs.ReadFile(files, "words.json")
	if err != nil {
		return nil, err
	}
	var raw map[string]struct{ EN, KO string }
	if err := json.Unmarshal(b, &raw); err != nil {
		return nil, fmt.Errorf("words.json: %w", err)
	}
	w := words{}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		t := incident.Text(raw[key])
		if t.EN == "" || t.KO == "" {
			return nil, fmt.Errorf("words.json: %q is missing in a language", key)
		}
		w[key] = t
	}
	return w, nil
}

// in returns the function that looks words up in a language. A word that does
// not exist is an error, so that no page is published with a hole in it.
func (w words) in(l incident.Lang) func(key string) (string, error) {
	return func(key string) (string, error) {
		t, ok := w[key]
		if !ok {
			return "", fmt.Errorf("words.json has no %q", key)
		}
		return t.In(l), nil
	}
}
