package address

import (
	"benchlet.com/incidentlib/generator/incident"
)

// File is a file of a language that stands beside its pages: "feed.xml",
// "cases/IL-0123.md". Like a [Path] it carries no prefix; unlike one it is the
// name of what answers there.
type File string

// CaseIDs is the list of the ids of all cases, for scripts of the pages. It is
// the same in every language and stands at the root.
const CaseIDs File = "cases/ids.json"

// Atom is the Atom feed of a page's cases: of all at [Home], else of a topic's
// or an organisation's.
func Atom(p Path) File { return File(p + "feed.xml") }

// JSONFeed is the same feed as JSON.
func JSONFeed(p Path) File { return File(p + "feed.json") }

// CaseMarkdown is a case as Markdown.
func CaseMarkdown(id string) File { return File(string(cases) + id + ".md") }

// Card is the picture of a case that others show beside a link to it.
func Card(id string) File { return File("cards/" + id + ".png") }

// SiteCard is the picture of every page that is no case's.
const SiteCard File = "cards/site.png"

// Output is the output file of a file of a language.
func (s Site) Output(l incident.Lang, f File) string { return s.lang(l) + string(f) }

// FileHref is the address of a file as a link of the site's own pages.
func (s Site) FileHref(l incident.Lang, f File) string {
	return s.prefix + "/" + s.lang(l) + string(f)
}

// FileURL is the absolute address of a file.
func (s Site) FileURL(l incident.Lang, f File) string { return s.origin + s.FileHref(l, f) }
