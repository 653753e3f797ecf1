package address

import (
	"fmt"
	"net/url"

	"benchlet.com/incidentlib/generator/incident"
)

// Doc is a document of the mirror: its path below the API's root, without the
// ".json" that its file carries (MIRROR 2.3).
type Doc string

const (
	CaseList   Doc = "cases"
	VocabDoc   Doc = "vocab"
	TopicsDoc  Doc = "topics"
	SchemaCase Doc = "schema/case"

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
	return []Doc{CaseList, TopicsDoc, VocabDoc, CaseDoc(":id"), SimilarDoc(":id"), AxisDoc(term.Axis), TopicDoc(term, 0)}
}

// CaseDoc is the document of one case.
func CaseDoc(id string) Doc { return Doc("cases/" + id) }

// SimilarDoc is the list of the cases nearest to one.
func SimilarDoc(id string) Doc { return Doc("cases/" + id + "/similar") }

// CaseListPage is a page of the list of all cases, from 1.
func CaseListPage(page int) Doc { return Doc(fmt.Sprintf("cases/pages/%04d", page)) }

// AxisDoc is the list of an axis's terms. The mirror names axes as the case's
// fields do, with "_".
func AxisDoc(a incident.AxisID) Doc { return Doc("topics/" + string(a)) }

// TopicDoc is a term with its cases; page 0 is the document itself, later
// pages count from 1.
func TopicDoc(t incident.TermRef, page int) Doc {
	d := Doc("topics/" + t.String())
	if page > 0 {
		d += Doc(fmt.Sprintf("/pages/%04d", page))
	}
	return d
}

// MirrorFile is the output file that holds a document.
func MirrorFile(d Doc) string { return MirrorRoot + string(d) + ".json" }

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

// HasAPI reports whether the API has a host of its own.
func (s Site) HasAPI() bool { return s.api != "" }
