package mcpserver

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// resource is a fixed address or a template of them, and what answers there.
type resource struct {
	uri, name, about, media string
	read                    func(ctx context.Context, lib *library, parts []string) ([]byte, error)
}

// fixedResources are always listed.
func fixedResources() []resource {
	return []resource{
		{scheme + "about", "about", "What this library is, how much it holds, and when it was last changed", mediaJSON, documentAt(address.RootDoc)},
		{scheme + "changes", "changes", "What changed last, the newest first", mediaJSON, documentAt(address.ChangesDoc)},
		{scheme + "schema/case", "case schema", "The JSON Schema of a case", mediaJSON, documentAt(address.SchemaDoc("case"))},
		{scheme + "vocab", "vocabulary", "Every axis and term with its meaning in both languages, and its count", mediaJSON, documentAt(address.VocabDoc)},
	}
}

// resourceTemplates are the addresses of what there is too much of to list.
func resourceTemplates() []resource {
	return []resource{
		{scheme + "cases/{id}", "case", "A case as JSON, as it is published", mediaJSON, readCase},
		{scheme + "cases/{id}/{lang}.md", "case as text", "A case as Markdown, for reading; lang is en or ko", mediaMarkdown, readCaseMarkdown},
		{scheme + "orgs/{org}", "organisation", "An organisation with its cases", mediaJSON, readOrg},
		{scheme + "topics/{axis}/{slug}", "topic", "A term with its meaning and its cases", mediaJSON, readTopic},
	}
}

// addResources tells the SDK of them. The list of resources is answered by
// listResources.
func (s *Server) addResources() {
	for _, r := range fixedResources() {
		s.mcp.AddResource(&mcp.Resource{URI: r.uri, Name: r.name, Description: r.about, MIMEType: r.media}, s.reads(r))
	}
	for _, r := range resourceTemplates() {
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.uri, Name: r.name, Description: r.about, MIMEType: r.media}, s.reads(r))
	}
}

// reads answers a request for a resource.
func (s *Server) reads(res resource) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		parts := strings.Split(strings.TrimPrefix(req.Params.URI, scheme), "/")
		doc, _, err := on(ctx, s, func(lib *library) ([]byte, error) {
			doc, err := res.read(ctx, lib, parts)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, errNoResource
			}
			return doc, err
		})
		if errors.Is(err, errNoResource) {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		if err != nil {
			return nil, s.failure("resources/read", err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: res.media, Text: string(doc)}}}, nil
	}
}

// errNoResource says that there is nothing at an address. It is a fault of the call.
const errNoResource = fault("there is no such resource")

func documentAt(d address.Doc) func(context.Context, *library, []string) ([]byte, error) {
	return func(ctx context.Context, lib *library, _ []string) ([]byte, error) {
		doc, err := lib.document(ctx, d)
		return cleanJSON(doc), err
	}
}

// caseOf is the published case that an address names.
func caseOf(ctx context.Context, lib *library, id string) (*record, error) {
	if !incident.ValidID(id) {
		return nil, errNoResource
	}
	c, err := lib.record(ctx, id)
	if err == nil && c == nil {
		return nil, errNoResource
	}
	return c, err
}

func readCase(ctx context.Context, lib *library, parts []string) ([]byte, error) {
	c, err := caseOf(ctx, lib, parts[1])
	if err != nil {
		return nil, err
	}
	return object(c.fields), nil
}

func readOrg(ctx context.Context, lib *library, parts []string) ([]byte, error) {
	if !incident.ValidSlug(parts[1]) {
		return nil, errNoResource
	}
	return documentAt(address.OrgDoc(parts[1], 0))(ctx, lib, nil)
}

func readTopic(ctx context.Context, lib *library, parts []string) ([]byte, error) {
	v, err := lib.vocab(ctx)
	if err != nil {
		return nil, err
	}
	t := v.term(parts[1], parts[2])
	if t == nil {
		return nil, errNoResource
	}
	return documentAt(address.TopicDoc(t.ref(), 0))(ctx, lib, nil)
}

// newestCases is what is read of the list of all cases.
type newestCases struct {
	Items []struct {
		ID        string   `json:"id"`
		Org       string   `json:"org"`
		Title     langText `json:"title"`
		UpdatedAt string   `json:"updated_at"`
	} `json:"items"`
}

// maxListed is how many cases are listed as resources; all others are found by the
// tools.
const maxListed = 50

func (s *Server) listResources(ctx context.Context, req *mcp.ListResourcesRequest) (*mcp.ListResourcesResult, error) {
	if req.Params != nil && req.Params.Cursor != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the list of resources has one page: leave cursor out"}
	}
	all, _, err := on(ctx, s, func(lib *library) ([]*mcp.Resource, error) { return listedResources(ctx, lib) })
	if err != nil {
		return nil, s.failure("resources/list", err)
	}
	return &mcp.ListResourcesResult{Cacheable: mcp.Cacheable{TTLMs: keepLists, CacheScope: "public"}, Resources: all}, nil
}

func listedResources(ctx context.Context, lib *library) ([]*mcp.Resource, error) {
	root, err := lib.root(ctx)
	if err != nil {
		return nil, err
	}
	out := []*mcp.Resource{}
	for _, r := range fixedResources() {
		out = append(out, &mcp.Resource{URI: r.uri, Name: r.name, Description: r.about, MIMEType: r.media, Annotations: annotated(root.UpdatedAt, 0.8)})
	}
	var newest newestCases
	if err := lib.decode(ctx, address.CaseList, &newest); err != nil {
		return nil, err
	}
	for _, c := range newest.Items[:min(maxListed, len(newest.Items))] {
		out = append(out, &mcp.Resource{URI: caseURI(c.ID), Name: c.ID, Title: shortened(best(c.Title, incident.EN), maxTitle),
			Description: shortened(c.Org, maxOrg), MIMEType: mediaJSON, Annotations: annotated(c.UpdatedAt, 0.5)})
	}
	return out, nil
}

func annotated(updated string, priority float64) *mcp.Annotations {
	a := &mcp.Annotations{Priority: priority}
	if _, err := time.Parse(time.RFC3339, updated); err == nil {
		a.LastModified = updated
	}
	return a
}

// readCaseMarkdown is a case for reading.
func readCaseMarkdown(ctx context.Context, lib *library, parts []string) ([]byte, error) {
	lang, ok := strings.CutSuffix(parts[2], ".md")
	if !ok || lang != string(incident.EN) && lang != string(incident.KO) {
		return nil, errNoResource
	}
	c, err := caseOf(ctx, lib, parts[1])
	if err != nil {
		return nil, err
	}
	if c.withdrawn != nil {
		return nil, errNoResource
	}
	v, err := lib.vocab(ctx)
	if err != nil {
		return nil, err
	}
	return markdown(parts[1], c, v, incident.Lang(lang))
}
