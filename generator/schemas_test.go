package generator_test

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// paths are the addresses of the description of the API, each with the kinds of
// document that may be there.
func (s *site) paths(t testing.TB) map[string][]string {
	t.Helper()
	type ref struct {
		Ref string `json:"$ref"`
	}
	var d struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct {
						Schema struct {
							ref
							OneOf []ref
						}
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct{ ExternalDocs struct{ URL string } }
		}
	}
	if err := json.Unmarshal(s.bytes("api/v1/openapi.json"), &d); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for p, item := range d.Paths {
		out[p] = nil
		found := item.Get.Responses["200"].Content["application/json"].Schema
		for _, r := range append(found.OneOf, found.ref) {
			if r.Ref != "" {
				out[p] = append(out[p], d.Components.Schemas[path.Base(r.Ref)].ExternalDocs.URL)
			}
		}
	}
	return out
}

// schemasOf compiles the published schemas, by their addresses. They are closed
// first: a field that no schema names is a fault of ours, though readers may
// meet new ones.
func (s *site) schemasOf(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	var all []string
	for _, file := range s.documents() {
		if !strings.HasPrefix(file, "api/v1/schema/") {
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.bytes(file)))
		if err != nil {
			t.Fatal(file, err)
		}
		address := s.base + "/" + file
		if o, _ := doc.(map[string]any); o["$id"] != address {
			t.Errorf("%s: its $id is %v", file, o["$id"])
		}
		closed(t, file, doc)
		if err := c.AddResource(address, doc); err != nil {
			t.Fatal(file, err)
		}
		all = append(all, address)
	}
	out := map[string]*jsonschema.Schema{}
	for _, address := range all {
		compiled, err := c.Compile(address)
		if err != nil {
			t.Fatal(err)
		}
		out[address] = compiled
	}
	return out
}

// closed forbids other fields in every object of a schema, and holds that each
// field says what it is.
func closed(t testing.TB, file string, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			closed(t, file, e)
		}
	case map[string]any:
		props, ok := v["properties"].(map[string]any)
		if ok && v["type"] == "object" {
			v["additionalProperties"] = false
			for name, p := range props {
				if o, _ := p.(map[string]any); o["description"] == nil || o["description"] == "" {
					t.Errorf("%s: %s has no description", file, name)
				}
			}
		}
		for _, e := range v {
			closed(t, file, e)
		}
	}
}

// Every document is where the description of the API says, and is of a kind that
// it says may be there, by the published schema.
func TestSchemas(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(testing.TB) *site{
		"real": realSite, "full": fullSite, "many": manySite,
		"hostile": func(t testing.TB) *site { return newSiteOf(t, load(t, hostileSeeds(t)), false) },
		"empty":   func(t testing.TB) *site { return newSiteOf(t, load(t, newSeeds(t, newSite(), newVocab(nil))), false) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := of(t)
			schemas := s.schemasOf(t)
			patterns := map[*regexp.Regexp][]string{}
			for p, kinds := range s.paths(t) {
				pattern := regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta("api/v1"+p), `[^/]+`)
				patterns[regexp.MustCompile("^"+pattern+"$")] = kinds
			}
			for _, file := range sortedKeys(s.files) {
				if strings.HasPrefix(file, "api/v1/") && !strings.HasPrefix(file, "api/v1/openapi.") {
					s.checkKind(t, file, patterns, schemas)
				}
			}
			line := schemas[s.base+"/api/v1/schema/manifest-entry.json"]
			for l := range bytes.Lines(s.bytes("api/v1/manifest.ndjson")) {
				validate(t, "manifest.ndjson", l, line)
			}
		})
	}
}

func (s *site) checkKind(t *testing.T, file string, patterns map[*regexp.Regexp][]string, schemas map[string]*jsonschema.Schema) {
	t.Helper()
	for pattern, kinds := range patterns {
		if !pattern.MatchString(file) || strings.Contains(file, "/pages/") != strings.Contains(pattern.String(), "/pages/") {
			continue
		}
		if path.Ext(file) != ".json" || strings.HasPrefix(file, "api/v1/schema/") {
			return
		}
		var may []*jsonschema.Schema
		for _, kind := range kinds {
			may = append(may, schemas[kind])
		}
		validate(t, file, s.bytes(file), may...)
		return
	}
	t.Errorf("%s is not in the description of the API", file)
}

// validate holds that a document is of one of some kinds.
func validate(t *testing.T, file string, b []byte, kinds ...*jsonschema.Schema) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	for _, kind := range kinds {
		if err == nil && kind != nil {
			if err = kind.Validate(doc); err == nil {
				return
			}
			if len(kinds) > 1 {
				err = nil
			}
		}
	}
	t.Errorf("%s is none of %d kinds: %v", file, len(kinds), err)
}
