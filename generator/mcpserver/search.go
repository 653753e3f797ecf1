package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		said := c.said(r.lang)
		if said.text == "" && c.said(r.lang.Other()).text != "" {
			said = c.said(r.lang.Other())
			all[i].Fallback = append(all[i].Fallback, "snippet")
		}
		best, _ := said.together(words)
		all[i].Snippet = shortened(best, maxSnippet)
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
			_, most := c.said(l).together(words)
			together[id] = max(together[id], most, c.titled(l, words))
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

// wording is what a case says in a language, as it is searched. It has few pointers,
// for there are many of it.
type wording struct {
	text  string
	lower string // as long as text
	ends  []int  // of its sentences
}

// maxWording bounds what is kept of a case's texts in a language, in characters.
const maxWording = 10_000

func newWording(texts ...string) wording {
	p := wording{text: firstRunes(strings.Join(texts, "\n"), maxWording)}
	p.lower = strings.Map(func(c rune) rune {
		if lower := unicode.ToLower(c); utf8.RuneLen(lower) == utf8.RuneLen(c) {
			return lower
		}
		return c
	}, p.text)
	for i := range len(p.text) {
		if c := p.text[i]; c == '\n' || (c == '.' || c == '?' || c == '!') && i+1 < len(p.text) && p.text[i+1] == ' ' {
			p.ends = append(p.ends, i+1)
		}
	}
	if p.text != "" {
		p.ends = append(p.ends, len(p.text))
	}
	return p
}

// together is the first of the sentences that have most of some words, and how many
// it has.
func (p *wording) together(words []string) (sentence string, most int) {
	counts := make([]uint8, len(p.ends))
	for _, w := range words {
		for at, i := 0, 0; ; {
			k := strings.Index(p.lower[at:], w)
			if k < 0 {
				break
			}
			for p.ends[i] <= at+k {
				i++
			}
			counts[i]++
			at = p.ends[i]
		}
	}
	from, to := 0, 0
	for i, n := range counts {
		if int(n) > most || to == 0 && p.sentence(i) != "" {
			most, from, to = int(n), i, i+1
		}
	}
	if to == 0 {
		return "", 0
	}
	return p.sentence(from), most
}

func (p *wording) sentence(i int) string {
	from := 0
	if i > 0 {
		from = p.ends[i-1]
	}
	return strings.TrimSpace(p.text[from:p.ends[i]])
}
