package mcpserver

// scheme is that of the resources' addresses.
const scheme = "incidentlib://"

func caseURI(id string) string { return scheme + "cases/" + id }
