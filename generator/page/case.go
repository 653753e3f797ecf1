package page

import (
	"html/template"
	"slices"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// relatedAtOnce is how many related cases show before the disclosure.
const relatedAtOnce = 12

// caseData is the body of a case page.
type caseData struct {
	ID, Org, OrgHref string
	Date             dateView
	DateKind         template.HTML // what the date stands for, where it is not the incident
	Domain           []tag
	Title            template.HTML
	TitleLang        incident.Lang
	Both             bool // it is published in both languages, which can be set side by side

	Summary                      template.HTML
	Severity                     template.HTML
	Scope, Users, Region         template.HTML
	DetectedAfter, ResolvedAfter template.HTML

	Symptoms     []template.HTML
	SymptomsText template.HTML
	RootCause    template.HTML
	Trigger      template.HTML
	Components   []template.HTML
	Contributing []template.HTML
	Detection    template.HTML
	Remediation  []template.HTML
	ActionItems  []template.HTML
	Lessons      template.HTML
	Time         *timeView
	Budget       *budgetView
	Spend        *spendView
	Sources      []sourceView
	Review       string
	Docs         []docView
	Articles     []articleLine
	Chain        []chainLine
	ChainDrawn   template.HTML
	relatedView
	Checks      []checkView
	CheckTopics []template.HTML
	Cite        *citeView
	Neighbours  neighboursView
	toolsView
}

type dateView struct{ ISO, Text string }

type tag struct{ Href, Slug, Label string }

type sourceView struct {
	URL               string
	Shown, Kind       template.HTML
	License, Archived string
}

type docView struct {
	URL   string
	Title template.HTML
	Lang  incident.Lang
}

// chainLine is a case of a chain, or how many stand there that are left out.
type chainLine struct {
	Line template.HTML
	Here bool
	Gap  string // since the one before; "" where that is not known
}

// reasoned is a case in a list, with why it is there.
type reasoned struct {
	Line, Why template.HTML
}

type relatedView struct {
	Related          []reasoned
	RelatedRest      []reasoned
	RelatedRestLabel string
	RelatedMore      *moreLink
	Similar          []reasoned
}

// moreLink leads to the cases that a list leaves out.
type moreLink struct {
	Href  string
	Label template.HTML
}

type checkView struct {
	Label template.HTML
	Href  string
	HTML  template.HTML

	storms bool // it has the figure of a retry storm
}

// toolsView are the addresses for scripts, each also as it is shown.
type toolsView struct {
	Markdown, JSON, SimilarJSON, MCP, APIPage        string
	MarkdownShown, JSONShown, SimilarShown, MCPShown template.HTML
}

func (m *maker) tools(c *incident.Case) toolsView {
	v := toolsView{Markdown: m.site.FileURL(m.lang, address.CaseMarkdown(c.ID)), JSON: m.site.API(address.CaseDoc(c.ID)), SimilarJSON: m.site.API(address.SimilarDoc(c.ID)), MCP: m.site.MCP(), APIPage: m.href(address.API)}
	v.MarkdownShown = m.shown(v.Markdown)
	v.JSONShown, v.SimilarShown, v.MCPShown = m.shown(v.JSON), m.shown(v.SimilarJSON), m.shown(v.MCP)
	return v
}

// shown is an address that may break where a part of it ends, and nowhere else.
func (m *maker) shown(url string) template.HTML {
	rest := template.HTMLEscapeString(url)
	out := make([]byte, 0, len(rest)+64)
	for {
		part, after, more := strings.Cut(rest, "/")
		out = append(out, part...)
		if !more {
			return trusted(out)
		}
		out = append(out, '/')
		if after, more = strings.CutPrefix(after, "/"); more {
			out = append(out, '/')
		}
		out = append(out, "<wbr>"...)
		rest = after
	}
}

func (m *maker) casePage(c *incident.Case) (view, error) {
	d, err := m.caseData(c)
	if err != nil {
		return view{}, err
	}
	v := view{template: "case", data: d, title: c.ID + ": " + m.plainLine(c.Title), about: m.plain(c.Summary), section: address.Cases(0), reads: true,
		crumbs:  m.trail(crumb{Href: m.href(address.Cases(0)), Label: m.word("cases")}, crumb{Label: c.ID}),
		article: &articleData{modified: c.UpdatedAt.Format(time.RFC3339), id: c.ID, org: c.Org, topics: m.keywords(c)},
		card:    address.Card(c.ID), cardAlt: c.ID + ": " + m.plainLine(c.Title) + " · " + c.Org + ", " + dateText(c.Date, m.lang),
		files: []fileLink{{Type: "text/markdown", Href: d.Markdown}},
		langs: c.PublishedIn(), spends: d.Spend != nil, chances: d.Neighbours.Random != nil}
	for _, k := range d.Checks {
		v.storms = v.storms || k.storms
	}
	if c.DateKind == "incident" {
		v.article.date = c.Date.String()
	}
	for _, s := range c.Sources {
		v.article.sources = append(v.article.sources, s.URL)
	}
	return v, nil
}

func (m *maker) caseData(c *incident.Case) (*caseData, error) {
	d := &caseData{ID: c.ID, Org: c.Org, OrgHref: m.href(address.Org(c.OrgSlug, 0)),
		Date:         dateView{c.Date.String(), dateText(c.Date, m.lang)},
		Symptoms:     m.chipsOf(incident.Symptoms, c.Symptoms),
		Components:   m.chipsOf(incident.Components, c.Components),
		Contributing: m.chipsOf(incident.Contributing, c.Contributing),
		Time:         m.time(c), Budget: budgetFor(c.Timeline.ResolvedAfter, m.lang), Spend: m.spend(c.Timeline.ResolvedAfter),
		Sources: m.sources(c), Review: m.review(c.Review), Docs: m.docs(c), Articles: m.articles.cases[c.ID], Chain: m.chain(c), relatedView: m.related(c),
		Cite: m.cite(c), Neighbours: m.neighbours(c), toolsView: m.tools(c)}
	d.Title, d.TitleLang = m.label(c.Title)
	d.Both = len(c.PublishedIn()) > 1
	if c.DateKind != "incident" {
		d.DateKind = m.term(incident.DateKind, c.DateKind).name
	}
	for _, s := range c.Domain {
		t := m.term(incident.Domain, s)
		d.Domain = append(d.Domain, tag{t.href, s, t.label})
	}
	d.ChainDrawn = m.chainDrawn(c)
	d.Checks, d.CheckTopics = m.checksOf(c)
	return d, m.caseTexts(c, d)
}

// caseTexts renders the texts of a case into its page.
func (m *maker) caseTexts(c *incident.Case, d *caseData) error {
	var e errs
	d.Summary = keep[template.HTML](&e)(m.blockUnder(c.Summary, titleLevel))
	d.SymptomsText = keep[template.HTML](&e)(m.block(c.SymptomsText))
	d.Trigger = keep[template.HTML](&e)(m.block(c.Trigger))
	d.Lessons = keep[template.HTML](&e)(m.block(c.Lessons))
	d.Scope = keep[template.HTML](&e)(m.inline(c.Impact.Scope))
	d.Users = keep[template.HTML](&e)(m.inline(c.Impact.Users))
	d.Region = keep[template.HTML](&e)(m.inline(c.Impact.Region))
	d.Severity = keep[template.HTML](&e)(m.chipOr(incident.Severity, c.Severity))
	d.RootCause = keep[template.HTML](&e)(m.chipOr(incident.RootCause, c.RootCause))
	d.Detection = keep[template.HTML](&e)(m.chipOr(incident.Detection, c.Detection))
	d.DetectedAfter = keep[template.HTML](&e)(m.duration(c.Timeline.DetectedAfter))
	d.ResolvedAfter = keep[template.HTML](&e)(m.duration(c.Timeline.ResolvedAfter))
	d.Remediation = keep[[]template.HTML](&e)(m.blocks(c.Remediation))
	d.ActionItems = keep[[]template.HTML](&e)(m.blocks(c.ActionItems))
	return e.first
}

// errs keeps the first error of a row of calls.
type errs struct{ first error }

func keep[T any](e *errs) func(T, error) T {
	return func(v T, err error) T {
		if e.first == nil {
			e.first = err
		}
		return v
	}
}

func (m *maker) duration(d incident.Duration) (template.HTML, error) {
	if !d.Known() {
		return m.none, nil
	}
	return m.set.execute("duration", struct{ ISO, Text string }{durationISO(d), durationText(d, m.lang)})
}

func (m *maker) sources(c *incident.Case) []sourceView {
	var out []sourceView
	for _, s := range c.Sources {
		v := sourceView{URL: s.URL, Shown: m.shown(s.URL), Kind: m.term(incident.SourceKind, s.Kind).name, License: s.License, Archived: s.Archived}
		if v.License == "unknown" {
			v.License = ""
		}
		out = append(out, v)
	}
	return out
}

// review says who wrote a case and who checked it.
func (m *maker) review(r incident.Review) string {
	if r.ReviewedAt == "" && r.ReviewedBy == "" {
		if m.lang == incident.KO {
			return "작성: " + r.WrittenBy + ". " + m.word("unreviewed")
		}
		return "Written by " + r.WrittenBy + ". " + m.word("unreviewed")
	}
	at, _, _ := strings.Cut(r.ReviewedAt, "T")
	if d, err := incident.ParseDate(at); err == nil {
		at = dateText(d, m.lang)
	}
	if m.lang == incident.KO {
		return strings.TrimSpace("작성: " + r.WrittenBy + ". 검토: " + strings.TrimSpace(r.ReviewedBy+" "+at))
	}
	by, on := "", ""
	if r.ReviewedBy != "" {
		by = " by " + r.ReviewedBy
	}
	if at != "" {
		on = " on " + at
	}
	return "Written by " + r.WrittenBy + ". Reviewed" + by + on + "."
}

func (m *maker) docs(c *incident.Case) []docView {
	var out []docView
	for _, doc := range c.Docs {
		title, lang := m.label(doc.Title)
		out = append(out, docView{doc.URL, title, lang})
	}
	return out
}

// chain is the incident and its recurrences, with the time between two of them.
func (m *maker) chain(c *incident.Case) []chainLine {
	var out []chainLine
	var before *incident.Case
	for _, link := range m.lib.Chain(c) {
		line := chainLine{Line: m.lines.of(link.Case), Here: link.Case == c}
		if link.Skipped > 0 {
			out = append(out, chainLine{Line: m.escaped(m.leftOut(link.Skipped))})
		} else if before != nil {
			line.Gap = m.gap(before.Date, link.Case.Date)
		}
		before = link.Case
		out = append(out, line)
	}
	return out
}

func (m *maker) leftOut(n int) string {
	if m.lang == incident.KO {
		return "그 사이 " + group(n) + "건"
	}
	return group(n) + " more between"
}

// related is the section of related cases, with the reason of each; without
// any, the nearest by similarity stand in.
func (m *maker) related(c *incident.Case) relatedView {
	r := m.lib.Related(c)
	all := make([]reasoned, 0, len(r.Chosen)+len(r.Shared))
	for _, e := range r.Chosen {
		all = append(all, reasoned{m.lines.of(e), m.escaped(m.word("chosen"))})
	}
	var why template.HTML
	for i, e := range r.Shared {
		if i == 0 || !slices.Equal(e.Components, r.Shared[i-1].Components) { // the most of them share the same ones
			why = m.sharedReason(e)
		}
		all = append(all, reasoned{m.lines.of(e.Case), why})
	}
	v := relatedView{Related: all}
	if len(all) > relatedAtOnce {
		v.Related, v.RelatedRest = all[:relatedAtOnce], all[relatedAtOnce:]
		v.RelatedRestLabel = m.moreText(len(v.RelatedRest))
	}
	if r.Total > len(r.Shared) {
		v.RelatedMore = m.allOfCause(c)
	}
	if len(all) == 0 {
		for _, s := range m.lib.Similar(c) {
			v.Similar = append(v.Similar, reasoned{m.lines.of(s.Case), m.similarReason(s)})
		}
	}
	return v
}

// sharedReason is why two cases are related, as the published pages have it.
func (m *maker) sharedReason(e library.SharedCase) template.HTML {
	labels := make([]template.HTML, len(e.Components))
	for i, s := range e.Components {
		labels[i] = m.term(incident.Components, s).name
	}
	return m.escaped(m.word("same-cause")+" · "+m.word("shared")+" ") + joined(labels)
}

// joined is a row of labels.
func joined(labels []template.HTML) template.HTML {
	var row template.HTML
	for i, l := range labels {
		if i > 0 {
			row += ", "
		}
		row += l
	}
	return row
}

func (m *maker) moreText(n int) string {
	if m.lang == incident.KO {
		return group(n) + "건 더 보기"
	}
	return group(n) + " more"
}

// allOfCause leads to all cases of a root cause, where they can be narrowed by a
// component. It does not say how many: each case more would change the pages of
// all others.
func (m *maker) allOfCause(c *incident.Case) *moreLink {
	ref := incident.TermRef{Axis: incident.RootCause, Slug: c.RootCause}
	before, after := "All cases with the root cause ", ""
	if m.lang == incident.KO {
		before, after = "원인이 ", "인 모든 사례"
	}
	return &moreLink{m.site.Filtered(m.lang, address.ByTerm(ref)), m.escaped(before) + m.terms.at(ref).name + m.escaped(after)}
}

// similarReason names what two cases have in common: shared terms, then words.
func (m *maker) similarReason(s library.Similar) template.HTML {
	var terms []template.HTML
	wording := false
	for _, p := range s.Parts {
		if p.Axis == "" {
			wording = true
			continue
		}
		for _, slug := range p.Terms {
			terms = append(terms, m.term(p.Axis, slug).name)
		}
	}
	why := joined(terms)
	if words := s.Words(m.lang); wording && len(words) > 0 {
		if why != "" {
			why += " · "
		}
		why += m.escaped(m.word("wording") + ": " + strings.Join(words[:min(len(words), 3)], ", "))
	}
	return why
}

func (m *maker) withdrawnPage(w *incident.Withdrawn) (view, error) {
	reason, err := m.blockUnder(w.Reason, titleLevel)
	if err != nil {
		return view{}, err
	}
	since := "Since " + dateText(w.Since, m.lang) + "."
	if m.lang == incident.KO {
		since = dateText(w.Since, m.lang) + "부터."
	}
	var replaced template.HTML
	if w.ReplacedBy != "" {
		replaced = m.lines.of(m.lib.Case(w.ReplacedBy))
	}
	d := struct {
		ID         string
		Reason     template.HTML
		Since      string
		ReplacedBy template.HTML
	}{w.ID, reason, since, replaced}
	return view{template: "withdrawn", data: d, title: w.ID + " " + m.word("withdrawn"), about: m.plain(w.Reason), noIndex: true,
		section: address.Cases(0), crumbs: m.trail(crumb{Href: m.href(address.Cases(0)), Label: m.word("cases")}, crumb{Label: w.ID})}, nil
}
