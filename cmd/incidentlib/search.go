package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/problem"
	"benchlet.com/incidentlib/generator/search"
)

type searchFlags struct {
	seeds, lang string
	limit       int
	json        bool
}

func newSearch() *cobra.Command {
	var f searchFlags
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search the seeds, with the ranking of the site's search box",
		Long: `search finds cases by their words in either language, and ranks them as the search
box of the site and the MCP server do: parts of Korean words, with or without
particles and spaces; English words in other forms; ids, organisations, and what the
vocabulary calls things. Where few cases have all words, those that have most of them
follow, marked with ~.

Titles and texts are shown in --lang, by default the language of the query.`,
		Example: `  incidentlib search 헬스체크 실패
  incidentlib search --lang en --limit 3 crash-looping
  incidentlib search --json "certificate expired" | jq '.results[].id'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, words []string) error { return runSearch(c, f, strings.Join(words, " ")) },
	}
	seedsFlag(c, &f.seeds)
	c.Flags().StringVar(&f.lang, "lang", "", "the language to show: en or ko")
	c.Flags().IntVar(&f.limit, "limit", 10, "how many cases to show at most")
	c.Flags().BoolVar(&f.json, "json", false, "print the result as JSON")
	return c
}

func runSearch(c *cobra.Command, f searchFlags, query string) error {
	lang := incident.Lang(f.lang)
	switch {
	case f.lang == "" && strings.ContainsFunc(query, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }):
		lang = incident.KO
	case f.lang == "":
		lang = incident.EN
	case !slices.Contains(incident.Langs(), lang):
		return fmt.Errorf("--lang %s: the languages are en and ko", f.lang)
	}
	if f.limit < 1 {
		return fmt.Errorf("--limit %d: show one case at least", f.limit)
	}
	fsys, done, err := openSeeds(f.seeds)
	if err != nil {
		return err
	}
	defer done()
	collection, problems := generator.Load(fsys, f.seeds, runtime.GOMAXPROCS(0), false)
	if collection == nil {
		_ = printProblems(c.ErrOrStderr(), problems) // there is nowhere else to say that it failed
		return failed(fmt.Errorf("%s; mend the seeds first", countProblems(problem.Errors(problems))))
	}
	lib := library.New(collection)
	result, err := search.New(lib, nil).Reader().Search(c.Context(), search.Query{Text: query, Lang: lang, Limit: f.limit})
	if err != nil {
		return failed(err)
	}
	p := searchPrinter{lib, lang, search.NewMarker(query), markup.New(markup.Options{}), isTerminal(c.OutOrStdout())}
	if f.json {
		return p.json(c.OutOrStdout(), query, result)
	}
	return p.text(c.OutOrStdout(), query, result)
}

// searchPrinter prints what was found.
type searchPrinter struct {
	lib    *library.Library
	lang   incident.Lang
	marker *search.Marker
	plain  *markup.Renderer
	marks  bool // on a terminal, the words found stand out
}

// snippetLimit is how many characters of a text a result shows.
const snippetLimit = 160

// snippet is where the words of the query stand in a case; the beginning of its
// summary when they stand in its title or its labels alone.
func (p *searchPrinter) snippet(h search.Hit) string {
	c := p.lib.Case(h.ID)
	var texts []string
	for _, l := range []incident.Lang{p.lang, p.lang.Other()} {
		for _, t := range slices.Concat([]incident.Text{c.Summary, c.SymptomsText, c.Trigger, c.Lessons, c.Impact.Scope}, c.Remediation, c.ActionItems) {
			texts = append(texts, p.plain.Plain(t.In(l)))
		}
	}
	if s := p.marker.Snippet(texts, snippetLimit); s != "" {
		return s
	}
	return h.Lead
}

func (p *searchPrinter) text(w io.Writer, query string, r search.Result) error {
	var b strings.Builder
	for _, h := range r.Hits {
		sign := " "
		if h.Close {
			sign = "~"
		}
		fmt.Fprintf(&b, "%s%s  %s  %s\n  %s\n  %s\n\n", sign, h.ID, h.Date, visible(h.Org), p.marked(h.Title), p.marked(p.snippet(h)))
	}
	switch {
	case r.Total == 0 && !strings.ContainsFunc(query, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		b.WriteString("no case; there is no letter or digit to look for\n")
	case r.Total == 0:
		b.WriteString("no case; try fewer words, or the other language\n")
	case r.Exact == 0:
		fmt.Fprintf(&b, "no case has all words; %s close (~)\n", plural(r.Total, "case"))
	case r.Relaxed:
		fmt.Fprintf(&b, "%s, and %d close (~)\n", plural(r.Exact, "case"), r.Total-r.Exact)
	default:
		b.WriteString(plural(r.Total, "case") + "\n")
	}
	return printed(io.WriteString(w, b.String()))
}

// marked is a text for the terminal, with the words of the query in bold.
func (p *searchPrinter) marked(s string) string {
	s = visible(s)
	if !p.marks {
		return s
	}
	var b strings.Builder
	at := 0
	for _, m := range p.marker.Marks(s) {
		b.WriteString(s[at:m[0]] + "\x1b[1m" + s[m[0]:m[1]] + "\x1b[22m")
		at = m[1]
	}
	return b.String() + s[at:]
}

// found is a case as search --json prints it.
type found struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Lang      string   `json:"lang"` // of the title
	Org       string   `json:"org"`
	Date      string   `json:"date"`
	RootCause *string  `json:"root_cause"`
	Snippet   string   `json:"snippet"`
	Score     int      `json:"score"`
	Close     bool     `json:"close"`
	Matched   []string `json:"matched"`
}

func (p *searchPrinter) json(w io.Writer, query string, r search.Result) error {
	results := []found{}
	for _, h := range r.Hits {
		one := found{h.ID, visible(h.Title), string(h.Lang), visible(h.Org), h.Date, nil, visible(p.snippet(h)), h.Score, h.Close, []string{}}
		for _, word := range h.Matched {
			one.Matched = append(one.Matched, visible(word))
		}
		if h.RootCause != "" {
			one.RootCause = &h.RootCause
		}
		results = append(results, one)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Query   string  `json:"query"`
		Lang    string  `json:"lang"`
		Total   int     `json:"total"`
		Exact   int     `json:"exact"`
		Relaxed bool    `json:"relaxed"`
		Results []found `json:"results"`
	}{visible(query), string(p.lang), r.Total, r.Exact, r.Relaxed, results})
	if err != nil {
		return failed(err)
	}
	return nil
}

// visible is a text without what a terminal would act on and nobody sees:
// control characters and those that turn the direction of writing.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, s)
}

// visibleLines is visible for a text of several lines. An error may repeat what
// somebody else chose: an argument, a path, the answer of a host.
func visibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// isTerminal reports whether w shows what is written to somebody who did not
// ask for plain text.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
