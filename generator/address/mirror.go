package address

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
)

// Doc is a document of the mirror: its path below the API's root, without the
// ".json" that its file carries (MIRROR 2.3). What is no JSON document has its
// extension in its name.
type Doc string

const (
	RootDoc     Doc = "index"
	CaseList    Doc = "cases"
	VocabDoc    Doc = "vocab"
	TopicsDoc   Doc = "topics"
	OrgsDoc     Doc = "orgs"
	YearsDoc    Doc = "years"
	ChangesDoc  Doc = "changes"
	ManifestDoc Doc = "manifest.ndjson"
	DumpsDoc    Doc = "dumps/index"
	OpenAPIDoc  Doc = "openapi"
	OpenAPIYAML Doc = "openapi.yaml"

	// MirrorRoot is the folder of the mirror. Its version is part of the address.
	MirrorRoot = "api/v1/"
	// AliasRoot is where the short addresses of documents begin that hosts can
	// answer at which rewrite addresses: without version and ".json".
	AliasRoot = "api/"
)

// AliasDocs are the documents that have a short address; ":name" stands for a
// part that varies. Those that tell what changed have none: they are for
// programs, which can as well name the version that they were written for.
func AliasDocs() []Doc {
	term := incident.TermRef{Axis: ":axis", Slug: ":slug"}
	return []Doc{CaseList, TopicsDoc, OrgsDoc, YearsDoc, VocabDoc, CaseDoc(":id"), SimilarDoc(":id"),
		AxisDoc(term.Axis), TopicDoc(term, 0), OrgDoc(":slug", 0), YearDoc(":year", 0)}
}

// Files at the root of the site that say where the API is.
const (
	LLMs       = "llms.txt"
	APICatalog = ".well-known/api-catalog"
	MCPCatalog = ".well-known/mcp/catalog.json"
)

// SchemaDoc is the JSON Schema of a kind of document.
func SchemaDoc(kind string) Doc { return Doc("schema/" + kind) }

// CaseDoc is the document of one case.
func CaseDoc(id string) Doc { return Doc("cases/" + id) }

// SimilarDoc is the list of the cases nearest to one.
func SimilarDoc(id string) Doc { return Doc("cases/" + id + "/similar") }

// CaseListPage is a page of the list of all cases, from 1.
func CaseListPage(page int) Doc { return CaseList.page(page) }

// page is a document, or one of its pages from 1.
func (d Doc) page(page int) Doc {
	if page == 0 {
		return d
	}
	return d.Part(fmt.Sprintf("%04d", page))
}

// Part is a page of a document by its name.
func (d Doc) Part(name string) Doc { return d + "/pages/" + Doc(name) }

// AxisDoc is the list of an axis's terms. The mirror names axes as the case's
// fields do, with "_".
func AxisDoc(a incident.AxisID) Doc { return Doc("topics/" + string(a)) }

// TopicDoc is a term with its cases; page 0 is the document itself, later
// pages count from 1.
func TopicDoc(t incident.TermRef, page int) Doc { return Doc("topics/" + t.String()).page(page) }

// OrgDoc is an organisation with its cases, paged as a topic.
func OrgDoc(slug string, page int) Doc { return Doc("orgs/" + slug).page(page) }

// YearDoc is a year with its cases, paged as a topic.
func YearDoc(year string, page int) Doc { return Doc("years/" + year).page(page) }

// DumpDoc is a file of the dumps.
func DumpDoc(file string) Doc { return Doc("dumps/" + file) }

// MirrorFile is the output file that holds a document.
func MirrorFile(d Doc) string {
	if path.Ext(string(d)) != "" {
		return MirrorRoot + string(d)
	}
	return MirrorRoot + string(d) + ".json"
}

// MirrorRoot is the absolute address below which all documents are.
func (s Site) MirrorRoot() string {
	return s.origin + s.prefix + "/" + strings.TrimSuffix(MirrorRoot, "/")
}

// Mirror is the absolute address of a document as it works on any static host:
// with its version and its ".json".
func (s Site) Mirror(d Doc) string { return s.origin + s.prefix + "/" + MirrorFile(d) }

// API is the address of a document that pages print: short, on the API's own
// host where there is one, else as [Site.Mirror].
func (s Site) API(d Doc) string {
	if s.api == "" {
		return s.Mirror(d)
	}
	return s.api + "/" + string(d)
}

// APIPrefix is the path of the API's own host that documents are below, and
// whether that host is asked by https.
func (s Site) APIPrefix() (prefix string, secure bool) {
	u, err := url.Parse(s.api)
	if err != nil { // it was parsed when the site was made
		return "", false
	}
	return u.EscapedPath(), u.Scheme == "https"
}

// APIMirror is what [Site.MirrorRoot] is, on the API's own host; "" where there is
// none.
func (s Site) APIMirror() string {
	if s.api == "" {
		return ""
	}
	return s.api + "/" + strings.Trim(strings.TrimPrefix(MirrorRoot, AliasRoot), "/")
}

// APIHost is the API's own host, or "" where there is none.
func (s Site) APIHost() string { return s.api }
