package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"regexp"
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

// in returns a template's source with the words of a language in place of its
// {{word "key"}} marks: a page prints the same words a thousand times, a template
// is loaded once. A word stands in text or in a quoted attribute; both escape
// alike. One that does not exist is an error, so that no page has a hole in it.
func (w words) in(l incident.Lang, src []byte) ([]byte, error) {
	var missing []string
	mark := regexp.MustCompile(`\{\{word "([^"]*)"\}\}`)
	out := mark.ReplaceAllFunc(src, func(found []byte) []byte {
		key := string(mark.FindSubmatch(found)[1])
		t, ok := w[key]
		if !ok {
			missing = append(missing, key)
		}
		return []byte(template.HTMLEscapeString(t.In(l)))
	})
	if missing != nil {
		return nil, fmt.Errorf("words.json has no %q", missing)
	}
	return bound(nil, out), nil
}
