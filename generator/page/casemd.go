package page

import (
	"bytes"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/escape"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/output"
)

// markdownFile is a case as Markdown, for AI tools and whoever keeps notes: all
// that the seed says, in the order of the page. It names no case but those that
// an editor put beside this one, so that another case's edit rarely changes it.
func (m *maker) markdownFile(c *incident.Case) output.File {
	return output.File{Path: m.site.Output(m.lang, address.CaseMarkdown(c.ID)), Kind: output.Data, Render: func(dst *bytes.Buffer) error {
		w := &mdWriter{m: m, dst: dst, markup: m.markup.Linking(func(dest string) (string, bool) {
			return m.site.TextURL(m.lang, address.Case(c.ID), dest)
		})}
		w.front(c)
		w.heading(1, c.ID+": "+string(w.line(c.Title)))
		w.intro(c)
		w.body(c)
		w.sources(c)
		w.around(c)
		return nil
	}}
}

// mdWriter writes a case as Markdown. Blocks have a blank line before them.
type mdWriter struct {
	m      *maker
	dst    *bytes.Buffer
	markup *markup.Renderer
}

// front writes the front matter: JSON's strings are YAML's, too.
func (w *mdWriter) front(c *incident.Case) {
	w.dst.WriteString("---\n")
	w.field("id", c.ID)
	w.field("title", w.m.plainLine(c.Title))
	w.field("org", c.Org)
	w.field("date", c.Date.String())
	w.field("date_kind", c.DateKind)
	w.fieldOrNull("severity", c.Severity)
	w.fieldOrNull("root_cause", c.RootCause)
	w.fields("domain", c.Domain)
	w.fields("symptoms", c.Symptoms)
	w.fields("components", c.Components)
	w.fields("contributing", c.Contributing)
	w.fieldOrNull("detected_after", c.Timeline.DetectedAfter.Text)
	w.fieldOrNull("resolved_after", c.Timeline.ResolvedAfter.Text)
	w.field("updated_at", c.Updated)
	w.field("lang", string(w.m.lang))
	w.field("url", w.m.site.URL(w.m.lang, address.Case(c.ID)))
	w.dst.WriteString("---\n")
}

func (w *mdWriter) field(key, value string) {
	w.write(key, ": ")
	w.quote(value)
	w.dst.WriteByte('\n')
}

// fieldOrNull writes a value that may not be known.
func (w *mdWriter) fieldOrNull(key, value string) {
	if value == "" {
		w.write(key, ": null\n")
		return
	}
	w.field(key, value)
}

func (w *mdWriter) fields(key string, values []string) {
	w.write(key, ": [")
	for i, v := range values {
		if i > 0 {
			w.dst.WriteByte(',')
		}
		w.quote(v)
	}
	w.dst.WriteString("]\n")
}

func (w *mdWriter) quote(s string) { w.dst.Write(escape.JSON(w.dst.AvailableBuffer(), s)) }

func (w *mdWriter) write(parts ...string) {
	for _, s := range parts {
		w.dst.WriteString(s)
	}
}

// intro writes the summary and what the incident reached.
func (w *mdWriter) intro(c *incident.Case) {
	m := w.m
	about := w.words(c.Org) + " · " + dateText(c.Date, m.lang)
	if c.DateKind != "incident" {
		about += " (" + w.term(incident.DateKind, c.DateKind) + ")"
	}
	w.block(about)
	w.text(c.Summary)
	w.dst.WriteByte('\n')
	w.fact(m.word("severity"), w.terms(incident.Severity, one(c.Severity)))
	w.fact(m.word("scope"), w.known(c.Impact.Scope))
	w.fact(m.word("users"), w.known(c.Impact.Users))
	w.fact(m.word("region"), w.known(c.Impact.Region))
	w.fact(m.word("detected-after"), durationText(c.Timeline.DetectedAfter, m.lang))
	w.fact(m.word("resolved-after"), durationText(c.Timeline.ResolvedAfter, m.lang))
}

// body writes what happened and what was done.
func (w *mdWriter) body(c *incident.Case) {
	m := w.m
	w.heading(2, m.word("symptoms"))
	w.termList(incident.Symptoms, c.Symptoms)
	w.text(c.SymptomsText)
	w.heading(2, m.word("cause"))
	w.dst.WriteByte('\n')
	w.fact(m.word("root-cause"), w.terms(incident.RootCause, one(c.RootCause)))
	w.fact(m.word("components"), w.terms(incident.Components, c.Components))
	w.fact(m.word("contributing"), w.terms(incident.Contributing, c.Contributing))
	w.heading(3, m.word("trigger"))
	w.text(c.Trigger)
	w.heading(2, m.word("detection"))
	w.termList(incident.Detection, one(c.Detection))
	w.heading(2, m.word("remediation"))
	w.steps(c.Remediation)
	w.heading(2, m.word("action-items"))
	w.steps(c.ActionItems)
	w.heading(2, m.word("lessons"))
	w.text(c.Lessons)
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// sources writes where the facts come from, who wrote them down, and what is
// worth reading beside them.
func (w *mdWriter) sources(c *incident.Case) {
	m := w.m
	w.heading(2, m.word("sources"))
	if len(c.Sources) == 0 {
		w.block(m.word("no-sources"))
	} else {
		w.dst.WriteByte('\n')
	}
	for _, s := range c.Sources {
		item := "<" + s.URL + "> · " + w.term(incident.SourceKind, s.Kind)
		if s.License != "unknown" && s.License != "" {
			item += " · " + m.word("licence") + " " + w.words(s.License)
		}
		if s.Archived != "" {
			item += " · [" + m.word("archived") + "](<" + s.Archived + ">)"
		}
		w.item(item)
	}
	w.block(w.words(m.review(c.Review)))
	if len(c.Docs) > 0 {
		w.heading(2, m.word("docs"))
		w.dst.WriteByte('\n')
	}
	for _, d := range c.Docs {
		title, _ := d.Title.Best(m.lang)
		w.item("[" + w.words(w.markup.PlainLine(title)) + "](<" + d.URL + ">)")
	}
}

// around writes the cases that belong to this one, and where else it is.
func (w *mdWriter) around(c *incident.Case) {
	m := w.m
	if chain := m.lib.Chain(c); len(chain) > 0 {
		w.heading(2, m.word("recurrence"))
		w.dst.WriteByte('\n')
		for _, link := range chain {
			if link.Skipped > 0 {
				w.item(m.leftOut(link.Skipped))
			}
			w.caseItem(link.Case)
		}
	}
	if chosen := m.lib.Chosen(c); len(chosen) > 0 {
		w.heading(2, m.word("related"))
		w.dst.WriteByte('\n')
		for _, other := range chosen {
			w.caseItem(other)
		}
	}
	w.heading(2, m.word("tools"))
	w.dst.WriteByte('\n')
	w.item(m.word("json") + ": <" + m.site.API(address.CaseDoc(c.ID)) + ">")
	w.item(m.word("similar-json") + ": <" + m.site.API(address.SimilarDoc(c.ID)) + ">")
	if mcp := m.site.MCP(); mcp != "" {
		w.item(m.word("mcp") + ": <" + mcp + ">")
	}
	w.heading(2, m.word("cite"))
	w.block(w.words(m.citeWords(m.work(c))))
}

func (w *mdWriter) heading(level int, words string) {
	w.write("\n", "###"[:level], " ", words, "\n")
}

// block writes a block that is Markdown already.
func (w *mdWriter) block(md string) { w.write("\n", md, "\n") }

func (w *mdWriter) item(md string) { w.write("- ", md, "\n") }

// fact writes a value with its name; one that is not known is a dash.
func (w *mdWriter) fact(name, value string) {
	if value == "" {
		value = "–"
	}
	w.write("- **", name, ":** ", value, "\n")
}

func (w *mdWriter) caseItem(c *incident.Case) {
	w.item("[" + c.ID + "](<" + w.m.site.URL(w.m.lang, address.Case(c.ID)) + ">) " + string(w.line(c.Title)) + " (" + w.words(c.Org) + ", " + c.Date.YearString() + ")")
}

// text writes a text of paragraphs under a heading of a section.
func (w *mdWriter) text(t incident.Text) {
	if t.IsZero() {
		w.block("–")
		return
	}
	w.note(t)
	text, _ := t.Best(w.m.lang)
	w.dst.WriteByte('\n')
	w.dst.Write(w.markup.Markdown(w.dst.AvailableBuffer(), text, headingLevel))
	w.dst.WriteByte('\n')
}

// note says so where a text is in the other language.
func (w *mdWriter) note(t incident.Text) {
	if only := w.only(t); only != "" {
		w.block("*" + only + "*")
	}
}

func (w *mdWriter) only(t incident.Text) string {
	switch _, from := t.Best(w.m.lang); {
	case from == w.m.lang:
		return ""
	case from == incident.KO:
		return w.m.word("only-ko")
	}
	return w.m.word("only-en")
}

func (w *mdWriter) line(t incident.Text) []byte {
	text, _ := t.Best(w.m.lang)
	return w.markup.MarkdownLine(nil, text)
}

// known is a text of one line; "" where it is not known.
func (w *mdWriter) known(t incident.Text) string {
	if t.IsZero() {
		return ""
	}
	line := string(w.line(t))
	if only := w.only(t); only != "" {
		line += " *(" + only + ")*"
	}
	return line
}

// words is a plain string, which is no Markdown, as Markdown.
func (w *mdWriter) words(s string) string { return string(markup.EscapeMarkdown(nil, s)) }

// term is a term, linked to its topic.
func (w *mdWriter) term(a incident.AxisID, slug string) string {
	return w.m.term(a, slug).md
}

func (w *mdWriter) terms(a incident.AxisID, slugs []string) string {
	out := make([]string, len(slugs))
	for i, slug := range slugs {
		out[i] = w.term(a, slug)
	}
	return strings.Join(out, ", ")
}

func (w *mdWriter) termList(a incident.AxisID, slugs []string) {
	if len(slugs) == 0 {
		w.block("–")
		return
	}
	w.block(w.terms(a, slugs))
}

// steps writes a list of texts, each of which may be several blocks.
func (w *mdWriter) steps(steps []incident.Text) {
	if len(steps) == 0 {
		w.block("–")
		return
	}
	w.dst.WriteByte('\n')
	for _, t := range steps {
		text, _ := t.Best(w.m.lang)
		w.dst.WriteString("- ")
		if only := w.only(t); only != "" {
			w.write("*(", only, ")* ")
		}
		md := w.markup.Markdown(w.dst.AvailableBuffer(), text, headingLevel)
		if bytes.IndexByte(md, '\n') >= 0 {
			md = bytes.ReplaceAll(md, []byte("\n"), []byte("\n  "))
		}
		w.dst.Write(md)
		w.dst.WriteByte('\n')
	}
}
