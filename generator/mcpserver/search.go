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
const window = 16

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
	all, cards, err := r.summaries(ctx, f.ids)
	if err != nil {
		return nil, err
	}
	for i, c := range cards {
		said := c.said[r.lang]
		if len(said) == 0 && len(c.said[r.lang.Other()]) > 0 {
			said = c.said[r.lang.Other()]
			all[i].Fallback = append(all[i].Fallback, "snippet")
		}
		all[i].Snippet = snippet(said, words)
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
		c, err := r.lib.card(ctx, id)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		for _, l := range incident.Langs() {
			together[id] = max(together[id], mostWords(c.said[l], words), countWords(strings.ToLower(c.title.In(l)), words))
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

// sentence is one of a text, and as it is searched.
type sentence struct{ text, lower string }

// sentences are those of a text.
func sentences(text string) (out []sentence) {
	for len(text) > 0 {
		end := len(text)
		for i := 0; i < len(text); i++ {
			if text[i] == '\n' || (text[i] == '.' || text[i] == '?' || text[i] == '!') && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n') {
				end = i + 1
				break
			}
		}
		if s := shortened(strings.TrimSpace(text[:end]), maxSentence); s != "" {
			out = append(out, sentence{s, strings.ToLower(s)})
		}
		text = text[end:]
	}
	return out
}

// maxSentence bounds what is taken for one sentence, in characters.
const maxSentence = 1000

// mostWords is the most words that one sentence has.
func mostWords(all []sentence, words []string) int {
	most := 0
	for _, s := range all {
		if most = max(most, countWords(s.lower, words)); most == len(words) {
			break
		}
	}
	return most
}

func countWords(lower string, words []string) int {
	n := 0
	for _, w := range words {
		if strings.Contains(lower, w) {
			n++
		}
	}
	return n
}

// snippet is the sentence with most words; the first one when none has any.
func snippet(all []sentence, words []string) string {
	best, most := "", -1
	for _, s := range all {
		if n := countWords(s.lower, words); n > most {
			best, most = s.text, n
		}
	}
	return shortened(best, maxSnippet)
}
