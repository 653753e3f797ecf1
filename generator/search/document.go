package search

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
)

// The weight of a word by where it stands.
const (
	weightTitle = 4
	weightID    = 8
	weightOrg   = 3
	weightLabel = 2
	weightText  = 1
)

// document is what the index has of one case. It is never changed once made.
type document struct {
	of     *incident.Case
	number uint32
	terms  []uint32  // each once
	counts []uint8   // of the terms, in fifths
	joined []uint64  // digests of the pairs of words that may be one, each once
	length uint64    // the sum of all counts, in whole words
	step   int       // of the length
	rows   [2][]byte // what results show of it, as JSON, by language
}

// Number is the number of an id, which is the number of its document: IL-0371
// is 371. No two cases have one number.
func Number(id string) (uint32, bool) {
	if !incident.ValidID(id) {
		return 0, false
	}
	n, err := strconv.ParseUint(id[len("IL-"):], 10, 32)
	return uint32(n), err == nil
}

// lexicon numbers the terms as they are met. A number keeps its meaning for
// ever, so that the indexes before and after an edit use one lexicon, which only
// ever grows.
type lexicon struct {
	mu      sync.RWMutex
	numbers map[string]uint32
	terms   []string
	first   int // how many there were when all cases had been read
}

func (l *lexicon) number(term string) uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.numbers[term]
	if !ok {
		n = uint32(len(l.terms))
		term = strings.Clone(term) // a part of a text would keep all of it
		l.numbers[term] = n
		l.terms = append(l.terms, term)
	}
	return n
}

// known are the terms so far.
func (l *lexicon) known() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.terms[:len(l.terms):len(l.terms)]
}

// numbered is a form whose terms have their numbers.
type numbered struct {
	form
	numbers []uint32
}

// tokenizer makes documents, one after another.
type tokenizer struct {
	vocabulary *incident.Vocabulary
	plain      *markup.Renderer
	lexicon    *lexicon
	forms      map[string]*numbered // by spelling
	across     map[[2]rune]uint32   // pairs of syllables

	counts []uint16 // by term, of the document being made
	terms  []uint32
	joined map[uint64]bool
	buf    []byte
}

func newTokenizer(v *incident.Vocabulary, l *lexicon) *tokenizer {
	return &tokenizer{vocabulary: v, plain: markup.New(markup.Options{}), lexicon: l,
		forms: map[string]*numbered{}, across: map[[2]rune]uint32{}, joined: map[uint64]bool{}}
}

func (t *tokenizer) document(c *incident.Case) *document {
	d := &document{of: c}
	d.number, _ = Number(c.ID)
	t.read(c.ID, weightID)
	t.read(c.Org, weightOrg)
	t.read(c.OrgSlug, weightOrg)
	for _, l := range incident.Langs() {
		t.read(t.plain.PlainLine(c.Title.In(l)), weightTitle)
		for _, text := range []incident.Text{c.Summary, c.SymptomsText, c.Trigger, c.Lessons, c.Impact.Scope, c.Impact.Users, c.Impact.Region} {
			t.read(t.block(text.In(l)), weightText)
		}
		for _, text := range slices.Concat(c.Remediation, c.ActionItems) {
			t.read(t.block(text.In(l)), weightText)
		}
		for i := range c.Docs {
			t.read(t.plain.PlainLine(c.Docs[i].Title.In(l)), weightText)
		}
		t.labels(c, l)
	}
	t.finish(d)
	for i, l := range incident.Langs() {
		d.rows[i] = t.row(c, l)
	}
	return d
}

// block is a text without its markup. Most have none that hides a word.
func (t *tokenizer) block(text string) string {
	if strings.ContainsAny(text, "`*_[]<>&\\#|~!") {
		return t.plain.Plain(text)
	}
	return text
}

// labels reads what the terms of a case are called.
func (t *tokenizer) labels(c *incident.Case, l incident.Lang) {
	for _, axis := range incident.AxisIDs() {
		for _, slug := range c.Terms(axis) {
			if term := t.vocabulary.Term(axis, slug); term != nil && isFacet(axis) {
				t.read(term.Label.In(l), weightLabel)
				for _, alias := range term.Aliases(l) {
					t.read(alias, weightLabel)
				}
			}
		}
	}
}

// read counts the terms of a text.
func (t *tokenizer) read(text string, weight int) {
	var before *numbered
	eachRun(normal(text), func(r run) {
		f := t.form(r)
		if !f.counts(r.gap) {
			before = nil
			return
		}
		for i, n := range f.numbers {
			t.count(n, f.terms[i].weight*weight)
		}
		if before != nil {
			t.pair(before, f, r.gap, weight)
		}
		before = f
	})
}

func (t *tokenizer) pair(before, f *numbered, g gap, weight int) {
	if g == spaced && before.run.hangul && f.run.hangul {
		key := [2]rune{before.last, f.first}
		n, ok := t.across[key]
		if !ok {
			n = t.lexicon.number(across(&before.form, &f.form, g))
			t.across[key] = n
		}
		t.count(n, whole*weight)
	}
	if pairs(&before.form, &f.form, g) {
		t.buf = pairStem(t.buf, &before.form, &f.form)
		t.joined[digestOf(t.buf)] = true
	}
}

func (t *tokenizer) form(r run) *numbered {
	f, ok := t.forms[r.text]
	if !ok {
		r.text = strings.Clone(r.text)
		f = &numbered{form: newForm(r)}
		for _, w := range f.terms {
			f.numbers = append(f.numbers, t.lexicon.number(w.term))
		}
		t.forms[r.text] = f
	}
	return f
}

func (t *tokenizer) count(term uint32, n int) {
	for int(term) >= len(t.counts) {
		t.counts = append(t.counts, make([]uint16, 1+len(t.counts))...)
	}
	if t.counts[term] == 0 {
		t.terms = append(t.terms, term)
	}
	t.counts[term] = uint16(min(int(t.counts[term])+n, 1<<16-1))
}

// finish moves what was counted into a document.
func (t *tokenizer) finish(d *document) {
	slices.Sort(t.terms)
	d.terms, d.counts = slices.Clone(t.terms), make([]uint8, len(t.terms))
	total := uint64(0)
	for i, term := range t.terms {
		d.counts[i] = uint8(min(t.counts[term], maxCount))
		total += uint64(t.counts[term])
		t.counts[term] = 0
	}
	t.terms = t.terms[:0]
	d.length = total / whole
	d.step = min(step(d.length), steps-1)
	for digest := range t.joined {
		d.joined = append(d.joined, digest)
	}
	slices.Sort(d.joined)
	clear(t.joined)
}

// How many characters of a summary a result shows.
const (
	leadEN = 160
	leadKO = 110
)

// row is what a result shows of a case: id, organisation and its slug, date,
// root cause, title, beginning of the summary; then, where a text is not in the
// language asked for, the language of the title and that of the summary.
func (t *tokenizer) row(c *incident.Case, l incident.Lang) []byte {
	title, in := c.Title.Best(l)
	summary, from := c.Summary.Best(l)
	row := []string{c.ID, c.Org, c.OrgSlug, c.Date.String(), c.RootCause, t.plain.PlainLine(title), lead(t.plain.Plain(summary), from)}
	if in != l || from != l {
		row = append(row, string(in), string(from))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(row) // strings alone do not fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// lead is the beginning of a text, cut at a word.
func lead(s string, l incident.Lang) string {
	limit := leadEN
	if l == incident.KO {
		limit = leadKO
	}
	space, n := 0, 0
	for at, r := range s {
		if r == ' ' {
			space = at
		}
		if n++; n > limit {
			if space == 0 {
				space = at
			}
			return strings.TrimRight(s[:space], " ,;:.") + "…"
		}
	}
	return s
}
