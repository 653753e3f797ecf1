package mcpserver

import (
	"benchlet.com/incidentlib/generator/incident"
)

// scheme is that of the resources' addresses.
const scheme = "incidentlib://"

func caseURI(id string) string { return scheme + "cases/" + id }

func caseMarkdownURI(id string, l incident.Lang) string { return caseURI(id) + "/" + string(l) + ".md" }

func topicURI(ref incident.TermRef) string { return scheme + "topics/" + ref.String() }
