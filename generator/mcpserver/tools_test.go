package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/generator"
	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/templates"
)

// quiet is a log that nobody reads.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func newDesign() (*generator.Design, error) {
	return generator.NewDesign(generator.Options{Templates: templates.Files(), Assets: assets.Files()})
}

// realSeeds are the repository's own, loaded once for all tests.
var realSeeds = sync.OnceValues(func() (*Seeds, error) {
	d, err := newDesign()
	if err != nil {
		return nil, err
	}
	s, problems, err := NewSeeds(context.Background(), "../../seeds", d, quiet())
	if len(problems) > 0 {
		return nil, errors.New(problems[0].String())
	}
	return s, err
})

func newTestServer(t testing.TB) *Server {
	t.Helper()
	seeds, err := realSeeds()
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Source: seeds, Version: "test", Log: quiet()})
}

// session is a client of the server, in memory, in one of the eras of the protocol.
func session(t testing.TB, s *Server, version string) *mcp.ClientSession {
	t.Helper()
	at, to := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(t.Context(), at, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), to, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// versions are one of each era.
func versions() []string { return []string{"2025-11-25", "2026-07-28"} }

// ask calls a tool that must answer, and holds what all answers have in common.
func ask(t testing.TB, c *mcp.ClientSession, name string, args map[string]any) map[string]any {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if r.IsError || !ok {
		t.Fatalf("%s %v: %v %v", name, args, r.IsError, r.Content[0])
	}
	if n := utf8.RuneCountInString(text.Text); n > maxAnswer {
		t.Errorf("%s %v: %d characters", name, args, n)
	}
	same, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := errors.Join(json.Unmarshal([]byte(text.Text), &a), json.Unmarshal(same, &b)); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%s %v: the text is not the structured content", name, args)
	}
	out, ok := b.(map[string]any)
	if !ok {
		t.Fatalf("%s %v: %T", name, args, b)
	}
	if err := outputSchemas(t)[name].Validate(b); err != nil {
		t.Errorf("%s %v: %v", name, args, err)
	}
	return out
}

func outputSchemas(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, one := range tools() {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(one.output))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:"+one.name, doc); err != nil {
			t.Fatal(err)
		}
		if out[one.name], err = c.Compile("mem:" + one.name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// at reads a part of an answer: "results.0.id".
func at(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// Every tool answers in both eras, with the words that people use.
func TestEachTool(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, version := range versions() {
		c := session(t, s, version)
		for _, test := range []struct {
			tool string
			args map[string]any
			want map[string]any
		}{
			{"search_incidents", map[string]any{"query": "Cosmos DB health checks"}, map[string]any{"lang": "en", "results.0.id": "IL-0119", "results.0.org": "OpenAI", "results.0.root_cause": "cloud-provider", "results.0.domain.0": "kubernetes",
				"results.0.uri": "incidentlib://cases/IL-0119", "results.0.url": "https://benchlet.com/incidentlib/app/cases/IL-0119/", "relaxed": true}},
			{"search_incidents", map[string]any{"query": "백업이 도는 동안 새 연결 실패"}, map[string]any{"lang": "ko", "results.0.id": "IL-0371", "results.0.url": "https://benchlet.com/incidentlib/app/ko/cases/IL-0371/"}},
			{"search_incidents", map[string]any{"query": "il-0371", "lang": "ko"}, map[string]any{"results.0.id": "IL-0371"}},
			{"search_incidents", map[string]any{"query": "database", "root_cause": "cloud-provider", "org": "openai", "since": "2025", "until": "2025-01"}, map[string]any{"total": 1.0, "results.0.id": "IL-0119", "next_cursor": nil}},
			{"search_incidents", map[string]any{"query": "zzzzqqq"}, map[string]any{"total": 0.0, "results.0": nil, "next_cursor": nil}},
			{"list_incidents", map[string]any{"org": []any{"openai"}, "sort": "date_asc", "since": "2023-11", "until": "2023", "facets": true}, map[string]any{"results.0.id": "IL-0123", "total": 1.0, "facets.root_cause.0.slug": "software-bug", "facets.root_cause.0.label": "Software defect"}},
			{"list_incidents", map[string]any{"components": []any{"database", "database-backup"}, "domain": "networking", "lang": "ko"}, map[string]any{"results.0.id": "IL-0371", "total": 1.0, "lang": "ko"}},
			{"list_incidents", map[string]any{"sort": "id", "limit": 1}, map[string]any{"results.0.id": "IL-0022"}},
			{"get_incident", map[string]any{"id": "IL-0119"}, map[string]any{"lang": "en", "case.id": "IL-0119", "case.title.ko": nil, "case.severity": "unknown", "case.detection": nil, "labels.cloud-provider": "Cloud provider failure", "labels.database": "Database",
				"api_url": "https://benchlet.com/incidentlib/app/api/v1/cases/IL-0119.json", "uri": "incidentlib://cases/IL-0119", "url": "https://benchlet.com/incidentlib/app/cases/IL-0119/"}},
			{"get_incident", map[string]any{"id": " il-0371 ", "lang": "ko", "similar": 2}, map[string]any{"case.title.en": nil, "fallback.0": nil, "similar.2": nil, "labels.database": "데이터베이스", "url": "https://benchlet.com/incidentlib/app/ko/cases/IL-0371/"}},
			{"get_incident", map[string]any{"id": "https://benchlet.com/incidentlib/app/ko/cases/IL-0123/#cause", "sections": []any{"timeline"}, "similar": 0}, map[string]any{"case.id": "IL-0123", "case.summary": nil, "case.timeline.resolved_after": "1h 34m", "similar.0": nil}},
			{"get_topic", map[string]any{"topic": "root_cause/software-bug", "limit": 1}, map[string]any{"axis": "root_cause", "label": "Software defect", "cases.1": nil}},
			{"get_topic", map[string]any{"topic": "retry-storm", "lang": "ko"}, map[string]any{"axis": "contributing", "slug": "retry-storm"}},
			{"get_topic", map[string]any{"topic": "https://benchlet.com/incidentlib/app/topics/root-cause/software-bug/"}, map[string]any{"slug": "software-bug"}},
			{"vocab", map[string]any{"axis": "root_cause"}, map[string]any{"axes.0.axis": "root_cause", "axes.1": nil, "truncated": nil}},
			{"vocab", map[string]any{"find": "메모리"}, map[string]any{"lang": "ko", "axes.0.terms.0.slug": "oom-killed"}},
			{"vocab", nil, map[string]any{"axes.0.axis": "domain", "truncated.0": "summary"}},
		} {
			got := ask(t, c, test.tool, test.args)
			for path, want := range test.want {
				if v := at(got, path); v != want {
					t.Errorf("%s: %s %v: %s is %v, want %v", version, test.tool, test.args, path, v, want)
				}
			}
		}
	}
}

// A mistake in a call is an answer that says what to do instead: a model reads it.
func TestMistakes(t *testing.T) {
	t.Parallel()
	c := session(t, newTestServer(t), "")
	long := strings.Repeat("가", 201)
	for _, test := range []struct {
		tool string
		args any
		says string
	}{
		{"get_incident", map[string]any{"id": 5}, "id is to be a string of 1 to 200 characters, such as IL-0371, or a case's address"},
		{"get_incident", map[string]any{}, "get_incident wants id: a string of 1 to 200 characters, such as IL-0371, or a case's address"},
		{"get_incident", nil, "get_incident wants id: a string of 1 to 200 characters, such as IL-0371, or a case's address"},
		{"get_incident", map[string]any{"id": "IL-0"}, `no case "IL-0"; ids look like IL-0371; try search_incidents`},
		{"get_incident", map[string]any{"id": "IL-9999"}, "no case IL-9999; ids look like IL-0371; try search_incidents"},
		{"get_incident", map[string]any{"id": "../../etc/passwd"}, `no case "../../ETC/PASSWD"; ids look like IL-0371; try search_incidents`},
		{"get_incident", map[string]any{"id": "IL-0119", "lang": "fr"}, "lang is to be one of en, ko, both"},
		{"get_incident", map[string]any{"id": "IL-0119", "sections": []any{"cause"}}, "sections is to be a list of summary, symptoms, trigger, remediation, action_items, lessons, contributing, sources, timeline, impact"},
		{"get_incident", map[string]any{"id": "IL-0119", "similar": 11}, "similar is to be a whole number from 0 to 10"},
		{"get_incident", map[string]any{"id": "IL-0119", "simliar": 1}, `get_incident takes no argument "simliar"; did you mean similar?`},
		{"search_incidents", map[string]any{"query": ""}, "query is to be a string of 1 to 200 characters"},
		{"search_incidents", map[string]any{"query": " \n"}, "query is to be a string of 1 to 200 characters"},
		{"search_incidents", map[string]any{"query": "\u3164\u200b \x00"}, "query is to be a string of 1 to 200 characters"},
		{"search_incidents", map[string]any{"query": long}, "query is to be a string of 1 to 200 characters"},
		{"search_incidents", map[string]any{"query": "x", "limit": 2.5}, "limit is to be a whole number from 1 to 25"},
		{"search_incidents", map[string]any{"query": "x", "limit": "8"}, "limit is to be a whole number from 1 to 25"},
		{"search_incidents", map[string]any{"query": "x", "limit": 1e300}, "limit is to be a whole number from 1 to 25"},
		{"search_incidents", map[string]any{"query": "x", "components": "databse"}, `components: there is no term "databse"; the nearest are database, database-index, database-backup, database-replication, schema-migration; call vocab with axis components for all`},
		{"search_incidents", map[string]any{"query": "x", "root_cause": []any{"소프트웨어 결함"}}, `root_cause: there is no term "소프트웨어 결함"; the nearest are software-bug,`},
		{"search_incidents", map[string]any{"query": "x", "org": "OpenAI Inc"}, `org: there is no organisation "OpenAI Inc"; the nearest are openai,`},
		{"search_incidents", map[string]any{"query": "x", "since": "2025-02-30"}, `since: "2025-02-30" is no date; write YYYY, YYYY-MM or YYYY-MM-DD`},
		{"search_incidents", map[string]any{"query": "x", "since": "2025", "until": "2024"}, "since 2025-01-01 lies after until 2024-12-31; exchange them"},
		{"search_incidents", map[string]any{"query": "x", "cursor": "xyz"}, "cursor is not one that this server gave; leave it out to start again"},
		{"search_incidents", map[string]any{"query": "x", "cursor": cursorText("another", 1, 8)}, "the list changed, start again: call without cursor"},
		{"list_incidents", map[string]any{"sort": "newest"}, "sort is to be one of date_desc, date_asc, updated_desc, id"},
		{"list_incidents", map[string]any{"facets": "yes"}, "facets is to be true or false"},
		{"list_incidents", map[string]any{"domain": 3}, "domain is to be a slug, or a list of up to 20"},
		{"list_incidents", []any{1}, "the arguments of list_incidents are to be one JSON object of valid text with each name once"},
		{"get_topic", map[string]any{"topic": "database"}, `topic "database" is on several axes; write one of domain/database, components/database`},
		{"get_topic", map[string]any{"topic": "root_cause"}, "root_cause is an axis; write root_cause/slug"},
		{"get_topic", map[string]any{"topic": "cause/software-bug"}, `topic: there is no axis "cause"; write axis/slug, the axis one of domain, symptoms,`},
		{"get_topic", map[string]any{"topic": "retry storms"}, `there is no topic "retry storms"; the nearest are contributing/retry-storm,`},
		{"vocab", map[string]any{"axis": "causes"}, `axis: there is no axis "causes"; the nearest are `},
		{"vocab", map[string]any{"find": "qqqq"}, `no term has "qqqq" in its slug, label or aliases;`},
	} {
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.args})
		if err != nil {
			t.Errorf("%s %v: %v", test.tool, test.args, err)
			continue
		}
		said := r.Content[0].(*mcp.TextContent).Text
		if !r.IsError || !strings.HasPrefix(said, test.says) || len(said) >= 1000 {
			t.Errorf("%s %v says %v %q, want %q", test.tool, test.args, r.IsError, said, test.says)
		}
	}
}

// What get_incident answers is what the mirror publishes, byte for byte, and in one
// language the same but for the other one.
func TestSameAsMirror(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	lib, err := s.current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ids, err := lib.caseIDs(t.Context())
	if err != nil || len(ids) < 90 {
		t.Fatal(len(ids), err)
	}
	get := &tools()[0]
	for _, id := range ids {
		published, err := lib.edition.Open(t.Context(), address.MirrorFile(address.CaseDoc(id)))
		if err != nil {
			t.Fatal(err)
		}
		for lang, other := range map[string]string{"both": "", "en": "ko", "ko": "en"} {
			a, err := s.call(t.Context(), get, []byte(`{"id":"`+id+`","lang":"`+lang+`","similar":0}`))
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Case                json.RawMessage
				Fallback, Truncated []string
			}
			if err := json.Unmarshal(a.structured, &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Truncated) > 0 {
				t.Errorf("%s %s: %q are cut", id, lang, got.Truncated)
			}
			var want, is any
			if err := errors.Join(json.Unmarshal(published, &want), json.Unmarshal(got.Case, &is)); err != nil {
				t.Fatal(err)
			}
			if lang == "both" && !bytes.Equal(got.Case, bytes.TrimRight(published, "\n")) {
				t.Errorf("%s: the answer has\n%s\nthe mirror has\n%s", id, got.Case, published)
			}
			if other != "" && len(got.Fallback) == 0 {
				if w, g := fmt.Sprint(without(want, other)), fmt.Sprint(is); w != g {
					t.Errorf("%s in %s: the answer has\n%s\nthe mirror has\n%s", id, lang, g, w)
				}
			}
		}
	}
}

// without is a value with its texts in one language only.
func without(v any, lang string) any {
	switch x := v.(type) {
	case map[string]any:
		delete(x, lang)
		for k := range x {
			x[k] = without(x[k], lang)
		}
	case []any:
		for i := range x {
			x[i] = without(x[i], lang)
		}
	}
	return v
}

// A list is walked to its end by its cursors: every case once, in order.
func TestCursors(t *testing.T) {
	t.Parallel()
	c := session(t, newTestServer(t), "")
	for _, test := range []struct {
		tool, list string
		args       map[string]any
	}{
		{"list_incidents", "results", map[string]any{"limit": 7}},
		{"list_incidents", "results", map[string]any{"limit": 50, "sort": "updated_desc", "facets": true}},
		{"search_incidents", "results", map[string]any{"limit": 5, "query": "database"}},
		{"search_incidents", "results", map[string]any{"limit": 25, "query": "데이터베이스"}},
		{"get_topic", "cases", map[string]any{"limit": 3, "topic": "domain/database"}},
	} {
		seen := map[string]bool{}
		total := -1
		for page := 0; ; page++ {
			got := ask(t, c, test.tool, test.args)
			if n, ok := got["total"].(float64); ok {
				total = int(n)
			} else {
				total = int(got["count"].(float64))
			}
			for _, one := range got[test.list].([]any) {
				id := at(one, "id").(string)
				if seen[id] {
					t.Errorf("%s %v: %s twice", test.tool, test.args, id)
				}
				seen[id] = true
			}
			next, ok := got["next_cursor"].(string)
			if !ok || page > 100 {
				break
			}
			test.args = maps.Clone(test.args)
			test.args["cursor"] = next
		}
		if len(seen) != total || total < 10 {
			t.Errorf("%s %v: %d of %d", test.tool, test.args, len(seen), total)
		}
		test.args["lang"] = "ko"
		if r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.args}); test.args["query"] != "데이터베이스" && (err != nil || !r.IsError) {
			t.Errorf("%s %v goes on with a cursor of another call: %v", test.tool, test.args, err)
		}
	}
}

// The list of tools sits before every model all the time.
func TestListOfTools(t *testing.T) {
	t.Parallel()
	for _, version := range versions() {
		list, err := session(t, newTestServer(t), version).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCount(body); n > 8000 {
			t.Errorf("%d characters", n)
		}
		var names []string
		for _, one := range list.Tools {
			names = append(names, one.Name)
			if a := one.Annotations; a.Title == "" || !a.ReadOnlyHint || !a.IdempotentHint || *a.DestructiveHint || *a.OpenWorldHint {
				t.Errorf("%s: %+v", one.Name, a)
			}
			if !strings.ContainsFunc(one.Description, func(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }) && !strings.Contains(one.Description, "lang ko") {
				t.Errorf("%s has no example in Korean", one.Name)
			}
		}
		if want := []string{"get_incident", "get_topic", "list_incidents", "search_incidents", "vocab"}; !slices.Equal(names, want) {
			t.Errorf("%q", names)
		}
	}
}
