package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"benchlet.com/incidentlib/generator/incident"
)

// searchAnswer is what search_incidents answers.
type searchAnswer struct {
	Query      string        `json:"query"`
	Lang       incident.Lang `json:"lang"`
	Total      int           `json:"total"`
	Relaxed    bool          `json:"relaxed"`
	Results    []caseSummary `json:"results"`
	NextCursor string        `json:"next_cursor,omitempty"`
}

// window is how many of the first results are put in order by their texts: those
// that have all words in one sentence come first.
const window = 24

func searchIncidents(ctx context.Context, r *request) (*answer, error) {
	q := query{text: clean(r.texts["query"]), lang: string(r.lang), limit: r.ints["limit"]}
	if err := r.filters(ctx, &q); err != nil {
		return nil, err
	}
	const name = "search_incidents"
	offset, err := readCursor(r.texts["cursor"], r.version, r.key(name))
	if err != nil {
		return nil, err
	}
	words := queryWords(q.text)
	f, err := r.findSorted(ctx, q, offset, words)
	if err != nil {
		return nil, err
	}
	all, records, err := r.summaries(ctx, f.ids)
	if err != nil {
		return nil, err
	}
	for i := range all {
		text, from := cmp.Or(records[i].summary, records[i].symptoms).Best(r.lang)
		all[i].Snippet = snippet(text, records[i].symptoms.In(from), words)
		if from != r.lang && text != "" {
			all[i].Fallback = append(all[i].Fallback, "snippet")
		}
	}
	return fitted(len(all), func(n int) (*answer, error) {
		return structured(searchAnswer{q.text, r.lang, f.total, f.relaxed, append([]caseSummary{}, all[:n]...), r.next(name, offset, n, f.total)}, linksTo(all[:n])...)
	})
}

// findSorted asks the index for a page of results. Those of the window are in the
// order of their texts, on whichever page they stand.
func (r *request) findSorted(ctx context.Context, q query, offset int, words []string) (found, error) {
	limit := q.limit
	q.offset = offset
	if offset >= window || len(words) < 2 {
		return r.lib.index.find(ctx, q)
	}
	q.offset, q.limit = 0, max(window, offset+limit)
	f, err := r.lib.index.find(ctx, q)
	if err != nil {
		return found{}, err
	}
	if err := r.bySentence(ctx, f.ids[:min(window, len(f.ids))], words); err != nil {
		return found{}, err
	}
	f.ids = f.ids[min(offset, len(f.ids)):min(offset+limit, len(f.ids))]
	return f, nil
}

// bySentence puts first the cases in which most words stand in one sentence.
func (r *request) bySentence(ctx context.Context, ids []string, words []string) error {
	together := make(map[string]int, len(ids))
	for _, id := range ids {
		c, err := r.lib.record(ctx, id)
		if err != nil {
			return err
		}
		if c == nil || c.withdrawn != nil {
			continue
		}
		for _, t := range []incident.Text{c.title, c.summary, c.symptoms} {
			together[id] = max(together[id], mostWords(t.EN, words), mostWords(t.KO, words))
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(together[b], together[a]) })
	return nil
}

// queryWords are the words of a query as they are looked for in a sentence: lower
// case, Korean without what may be a particle.
func queryWords(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	for i, w := range fields {
		if letters := []rune(w); len(letters) > 2 && unicode.Is(unicode.Hangul, letters[0]) {
			fields[i] = string(letters[:len(letters)-1])
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// mostWords is the most words that one sentence of a text has.
func mostWords(text string, words []string) int {
	most := 0
	for s := range sentences(text) {
		most = max(most, countWords(s, words))
	}
	return most
}

func countWords(sentence string, words []string) int {
	n := 0
	for _, w := range words {
		if indexFold(sentence, w) >= 0 {
			n++
		}
	}
	return n
}

// indexFold is where a lower-case word stands in a text, ASCII letters in any
// case; -1 if nowhere. Nothing is copied: it runs over every sentence of many cases.
func indexFold(s, word string) int {
	if len(word) == 0 {
		return -1
	}
	first, upper := word[0], word[0]
	if first >= 'a' && first <= 'z' {
		upper -= 'a' - 'A'
	}
	for i := 0; i+len(word) <= len(s); i++ {
		c := s[i]
		if c != first && c != upper {
			continue
		}
		if equalFold(s[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

func equalFold(s, lower string) bool {
	for i := range len(lower) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// sentences walks the sentences of a text.
func sentences(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			end := len(text)
			for i := 0; i < len(text); i++ {
				if text[i] == '\n' || (text[i] == '.' || text[i] == '?' || text[i] == '!') && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
					end = i + 1
					break
				}
			}
			if s := strings.TrimSpace(text[:end]); s != "" && !yield(s) {
				return
			}
			text = text[end:]
		}
	}
}

// snippet is the sentence with most words, of either text; the first one when none
// has any.
func snippet(summary, symptoms string, words []string) string {
	best, most := "", -1
	for _, text := range []string{summary, symptoms} {
		for s := range sentences(text) {
			if n := countWords(s, words); n > most {
				best, most = s, n
			}
		}
	}
	return shortened(best, maxSnippet)
}
