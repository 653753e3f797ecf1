package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCompletions is how many values the protocol lets an answer have.
const maxCompletions = 100

// complete offers values for an argument that somebody is typing.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	p := req.Params
	if p.Ref == nil {
		return nil, invalid("completion/complete wants ref")
	}
	var given map[string]string
	if p.Context != nil {
		given = p.Context.Arguments
	}
	known := knowsPrompt(p.Ref, p.Argument.Name) || knowsTemplate(p.Ref, p.Argument.Name)
	if !known {
		return nil, invalid("there is no such prompt or template with the argument " + quoted(p.Argument.Name))
	}
	values, _, err := on(ctx, s, func(lib *library) ([]string, error) { return values(ctx, lib, p.Argument.Name, given) })
	if err != nil {
		return nil, s.failure("completion/complete", err)
	}
	typed := strings.ToLower(p.Argument.Value)
	var found []string
	for _, v := range values {
		if strings.HasPrefix(strings.ToLower(v), typed) {
			found = append(found, v)
		}
	}
	shown := append([]string{}, found[:min(len(found), maxCompletions)]...)
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: shown, Total: len(found), HasMore: len(found) > len(shown)}}, nil
}

func knowsPrompt(ref *mcp.CompleteReference, argument string) bool {
	return ref.Type == "ref/prompt" && slices.ContainsFunc(prompts(), func(p prompt) bool {
		return p.name == ref.Name && (argument == "lang" || argument == p.argument)
	})
}

func knowsTemplate(ref *mcp.CompleteReference, argument string) bool {
	return ref.Type == "ref/resource" && slices.ContainsFunc(resourceTemplates(), func(r resource) bool {
		return r.uri == ref.URI && strings.Contains(r.uri, "{"+argument+"}")
	})
}

// values are all that an argument may be; none for free text.
func values(ctx context.Context, lib *library, argument string, given map[string]string) ([]string, error) {
	switch argument {
	case "lang":
		return []string{"en", "ko"}, nil
	case "id":
		return lib.caseIDs(ctx)
	case "org":
		orgs, err := lib.organisations(ctx)
		return ids(orgs), err
	case "axis", "slug", "component":
	default:
		return nil, nil
	}
	v, err := lib.vocab(ctx)
	if err != nil {
		return nil, err
	}
	axis := given["axis"]
	if argument == "component" {
		axis = "components"
	}
	var out []string
	for i := range v.axes {
		switch a := &v.axes[i]; {
		case argument == "axis":
			out = append(out, a.ID)
		case axis == "" || axis == a.ID:
			out = append(out, ids(a.candidates())...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func ids(all []candidate) []string {
	var out []string
	for _, c := range all {
		out = append(out, c.id)
	}
	return out
}
