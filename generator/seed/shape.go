package seed

import (
	"benchlet.com/incidentlib/generator/incident"
)

// Limits of what a seed may hold, in entries and in characters.
const (
	maxList  = 1000
	maxLine  = 300 // names, licences, aliases
	maxLabel = 200 // of axes and terms
	maxTitle = 600 // of cases, documents and the site; impact too
	maxText  = 50_000
)

type (
	theCase      = incident.Case
	theImpact    = incident.Impact
	theTimeline  = incident.Timeline
	theReview    = incident.Review
	theSource    = incident.Source
	theDoc       = incident.Doc
	theWithdrawn = incident.Withdrawn
	theTerm      = incident.Term
	theSite      = incident.Site
)

// caseShape is the shape of a case file (DESIGN 2.1), in the order of its fields.
func caseShape() kind[theCase] {
	terms := func(a incident.AxisID) kind[[]string] { return list(term(a), itself) }
	steps := list(record(`{"text": {"en": "…", "ko": "…"}}`,
		prop("text", "What was done, or is to be done.", text(), func(t *incident.Text) *incident.Text { return t })), nil)
	updated := timestamp()
	return record("a case: a JSON object with the fields of a case",
		prop("id", "The case's id; equals the file's name, never reused.", id(), func(c *theCase) *string { return &c.ID }),
		prop("org", "The organisation.", line("the organisation's name"), func(c *theCase) *string { return &c.Org }),
		prop("date", "When it happened, or was published: a day, a month or a year.", date(), func(c *theCase) *incident.Date { return &c.Date }),
		prop("docs", "Documentation worth reading.", list(docShape(), nil), func(c *theCase) *[]theDoc { return &c.Docs }),
		prop("title", "Mechanism and effect in one sentence.", textUpTo(maxTitle), func(c *theCase) *incident.Text { return &c.Title }),
		prop("domain", "Fields of technology.", terms(incident.Domain), func(c *theCase) *[]string { return &c.Domain }),
		prop("impact", "What it reached.", impactShape(), func(c *theCase) *theImpact { return &c.Impact }),
		prop("review", "Who wrote it and who checked it.", reviewShape(), func(c *theCase) *theReview { return &c.Review }),
		prop("lessons", "What the organisation, or the source, learnt.", nullable(text()), func(c *theCase) *incident.Text { return &c.Lessons }),
		prop("related", "Ids of cases that an editor puts beside this one.", list(id(), itself), func(c *theCase) *[]string { return &c.Related }),
		prop("sources", "Where the facts come from.", list(sourceShape(), nil), func(c *theCase) *[]theSource { return &c.Sources }),
		prop("summary", "What happened and why.", text(), func(c *theCase) *incident.Text { return &c.Summary }),
		prop("trigger", "What set it off.", nullable(text()), func(c *theCase) *incident.Text { return &c.Trigger }),
		prop("severity", "How bad it was, where a source says so.", orUnknown(term(incident.Severity)), func(c *theCase) *string { return &c.Severity }),
		prop("symptoms", "How it showed.", terms(incident.Symptoms), func(c *theCase) *[]string { return &c.Symptoms }),
		prop("timeline", "Durations from the start of the incident.", timelineShape(), func(c *theCase) *theTimeline { return &c.Timeline }),
		prop("date_kind", "What the date stands for.", term(incident.DateKind), func(c *theCase) *string { return &c.DateKind }),
		prop("detection", "How it was noticed.", nullable(term(incident.Detection)), func(c *theCase) *string { return &c.Detection }),
		prop("components", "Parts of the system that failed.", terms(incident.Components), func(c *theCase) *[]string { return &c.Components }),
		prop("root_cause", "The one root cause.", nullable(term(incident.RootCause)), func(c *theCase) *string { return &c.RootCause }),
		prop("remediation", "What ended it, in order.", steps, func(c *theCase) *[]incident.Text { return &c.Remediation }),
		prop("action_items", "What was changed, or is to be, so that it does not happen again.", steps, func(c *theCase) *[]incident.Text { return &c.ActionItems }),
		prop("contributing", "Contributing factors.", terms(incident.Contributing), func(c *theCase) *[]string { return &c.Contributing }),
		prop("recurrence_of", "The earlier incident that this one repeats.", nullable(id()), func(c *theCase) *string { return &c.RecurrenceOf }),
		prop("symptoms_text", "How it showed, in words.", text(), func(c *theCase) *incident.Text { return &c.SymptomsText }),
		field[theCase]{name: "updated_at", doc: "When the case was last changed.", want: updated.want, schema: updated.schema, layout: updated.layout,
			read: func(d *decoder, c *theCase) {
				if m, ok := updated.read(d, updated.want); ok {
					c.UpdatedAt, c.Updated = m.at, m.text
				}
			}},
		prop("url", "The published page.", webURL(), func(c *theCase) *string { return &c.URL }),
		prop("org_slug", "The organisation's slug.", slug(), func(c *theCase) *string { return &c.OrgSlug }))
}

func docShape() kind[theDoc] {
	return record(`{"url": "https://…", "title": {"en": "…", "ko": "…"}}`,
		prop("url", "Where it is.", webURL(), func(v *theDoc) *string { return &v.URL }),
		prop("title", "What it is called.", textUpTo(maxTitle), func(v *theDoc) *incident.Text { return &v.Title }))
}

func impactShape() kind[theImpact] {
	plain := as(line("a string in English"), func(s string) incident.Text { return incident.Text{EN: s} })
	part := orUnknown(either(plain, text()))
	return record(`{"scope": …, "users": …, "region": …}`,
		prop("scope", "Which services and functions.", part, func(v *theImpact) *incident.Text { return &v.Scope }),
		prop("users", "Which users, how many.", part, func(v *theImpact) *incident.Text { return &v.Users }),
		prop("region", "Where.", part, func(v *theImpact) *incident.Text { return &v.Region }))
}

func reviewShape() kind[theReview] {
	return record(`{"written_by": "…", "reviewed_at": null, "reviewed_by": null}`,
		prop("written_by", "Who wrote the case.", line("a name"), func(v *theReview) *string { return &v.WrittenBy }),
		prop("reviewed_at", "When it was checked.", nullable(reviewDate()), func(v *theReview) *string { return &v.ReviewedAt }),
		prop("reviewed_by", "Who checked it.", nullable(line("a name")), func(v *theReview) *string { return &v.ReviewedBy }))
}

func timelineShape() kind[theTimeline] {
	return record(`{"detected_after": "5m", "resolved_after": "1h 34m"}`,
		prop("detected_after", "From the start until it was noticed.", nullable(duration()), func(v *theTimeline) *incident.Duration { return &v.DetectedAfter }),
		prop("resolved_after", "From the start until it was over.", nullable(duration()), func(v *theTimeline) *incident.Duration { return &v.ResolvedAfter }))
}

func sourceShape() kind[theSource] {
	return record(`{"url": "https://…", "kind": "…", "license": "unknown", "archived": null}`,
		prop("url", "Where it is.", webURL(), func(v *theSource) *string { return &v.URL }),
		prop("kind", "What kind of source.", term(incident.SourceKind), func(v *theSource) *string { return &v.Kind }),
		prop("license", `The licence that it states, or "unknown".`, line(`a licence, or "unknown"`), func(v *theSource) *string { return &v.License }),
		prop("archived", "An archived copy.", nullable(webURL()), func(v *theSource) *string { return &v.Archived }))
}

// vocabShape is the shape of vocab.json (DESIGN 2.2).
func vocabShape() kind[[]incident.Axis] {
	aliases := record(`{"en": [], "ko": []}`,
		prop("en", "In English.", list(line("a word"), itself), func(t *theTerm) *[]string { return &t.AliasesEN }).orAbsent(),
		prop("ko", "In Korean.", list(line("a word"), itself), func(t *theTerm) *[]string { return &t.AliasesKO }).orAbsent())
	refs := list(parsed(`a term such as "components/database"`, object{{"pattern", `^[a-z_]+/[a-z0-9-]+$`}}, parseRef, nil), incident.TermRef.String)
	terms := list(record(`a term: {"slug": "…", "label": …, "summary": …}`,
		prop("slug", "Its name in addresses and cases.", slug(), func(t *theTerm) *string { return &t.Slug }),
		prop("label", "What pages print.", textUpTo(maxLabel), func(t *theTerm) *incident.Text { return &t.Label }),
		prop("summary", "What it means, in one sentence.", text(), func(t *theTerm) *incident.Text { return &t.Summary }),
		field[theTerm]{name: "aliases", doc: "Other words that people search for.", optional: true, want: aliases.want, schema: aliases.schema, layout: aliases.layout,
			read: func(d *decoder, t *theTerm) {
				if a, ok := aliases.read(d, aliases.want); ok {
					t.AliasesEN, t.AliasesKO = a.AliasesEN, a.AliasesKO
				}
			}},
		prop("see_also", "Terms worth reading beside it.", refs, func(t *theTerm) *[]incident.TermRef { return &t.SeeAlso }).orAbsent()),
		func(t theTerm) string { return t.Slug })
	axes := list(record(`an axis: {"id": "…", "label": …, "terms": […]}`,
		prop("id", "The case field of this name.", axisID(), func(a *incident.Axis) *incident.AxisID { return &a.ID }),
		prop("label", "What pages print.", textUpTo(maxLabel), func(a *incident.Axis) *incident.Text { return &a.Label }),
		prop("terms", "In the editor's order.", terms, func(a *incident.Axis) *[]theTerm { return &a.Terms })),
		func(a incident.Axis) string { return string(a.ID) })
	return record(`{"axes": […]}`, prop("axes", "Every axis, in order.", axes, func(v *[]incident.Axis) *[]incident.Axis { return v }))
}

// siteShape is the shape of site.json.
func siteShape() kind[theSite] {
	langs := list(language(), itself)
	return record("the site: a JSON object",
		prop("title", "What the library is called.", textUpTo(maxTitle), func(s *theSite) *incident.Text { return &s.Title }),
		prop("tagline", "One line below the title.", textUpTo(maxTitle), func(s *theSite) *incident.Text { return &s.Tagline }).orAbsent(),
		prop("description", "One or two sentences for search engines and feeds.", text(), func(s *theSite) *incident.Text { return &s.Description }).orAbsent(),
		prop("license", "What others may do with the library's own texts, such as \"CC BY 4.0\".", line("a licence"), func(s *theSite) *string { return &s.License }).orAbsent(),
		prop("base_url", "Where the site is published.", rootURL(), func(s *theSite) *string { return &s.BaseURL }),
		prop("api_url", "The API's own host.", optionalURL(), func(s *theSite) *string { return &s.APIURL }),
		prop("mcp_url", "The MCP server.", optionalURL(), func(s *theSite) *string { return &s.MCPURL }),
		prop("default_language", "The language whose addresses have no prefix.", as(language(), func(s string) incident.Lang { return incident.Lang(s) }),
			func(s *theSite) *incident.Lang { return &s.Default }),
		field[theSite]{name: "languages", doc: "The languages of the site.", want: langs.want, schema: langs.schema, layout: langs.layout,
			read: func(d *decoder, _ *theSite) {
				offset, before := d.at(), len(d.problems)
				if ls, ok := langs.read(d, langs.want); ok && len(d.problems) == before && len(ls) != len(incident.Langs()) {
					d.fault(offset, "a language is missing", `write ["en", "ko"]: the library is bilingual`)
				}
			}})
}

// withdrawnShape is the shape of withdrawn.json.
func withdrawnShape() kind[[]theWithdrawn] {
	entries := list(record(`{"id": "IL-…", "since": "…", "reason": …, "replaced_by": null}`,
		prop("id", "The id that is no longer published.", id(), func(w *theWithdrawn) *string { return &w.ID }),
		prop("since", "Since when.", date(), func(w *theWithdrawn) *incident.Date { return &w.Since }),
		prop("reason", "Why.", text(), func(w *theWithdrawn) *incident.Text { return &w.Reason }),
		prop("replaced_by", "The case that took its place.", nullable(id()), func(w *theWithdrawn) *string { return &w.ReplacedBy })),
		func(w theWithdrawn) string { return w.ID })
	return record(`{"withdrawn": […]}`, prop("withdrawn", "Every id that is no longer published.", entries, func(v *[]theWithdrawn) *[]theWithdrawn { return v }))
}
