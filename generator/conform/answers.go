package conform

import (
	"context"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/host"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/remote"
)

// kinds are one document of each kind, for what is promised of all of a kind.
func (v *visit) kinds() []string {
	out := []string{v.path(address.RootDoc), v.path(address.CaseList), v.path(address.VocabDoc), v.path(address.ChangesDoc), v.path(address.ManifestDoc)}
	if len(v.entries) > 0 {
		id := v.entries[0].ID
		out = append(out, v.path(address.CaseDoc(id)), v.path(address.SimilarDoc(id)))
	}
	if link, ok := v.doc.Schemas["case"]; ok {
		if local, ok := v.local(link); ok {
			out = append(out, local)
		}
	}
	return out
}

// types looks at the media types. A parameter charset may be there or not.
func (v *visit) types(ctx context.Context, c *checking) {
	files := append(v.kinds(), v.path(address.OpenAPIYAML))
	var list remote.Dumps
	if r, err := v.ask(ctx, v.path(address.DumpsDoc)); err == nil && remote.Decode(r, &list) == nil {
		for _, d := range list.Files {
			if remote.ValidDumpName(d.Name) && (d.Format != remote.DumpGzip || d.Kind == remote.DumpCases) {
				files = append(files, v.path(address.DumpDoc(d.Name)))
			}
		}
	}
	if len(files) > few {
		files = files[:few]
	}
	for _, file := range files {
		r, ok := v.get(ctx, c, file)
		c.looked(1)
		if ok {
			c.holdType(file, r, host.MediaType(file))
		}
	}
}

// others are names of media types that mean what ours do.
func others(media string) []string {
	switch media {
	case "application/json":
		return []string{"application/schema+json"}
	case "application/x-ndjson":
		return []string{"application/ndjson", "application/jsonl"}
	case "application/gzip":
		return []string{"application/x-gzip"}
	case "application/yaml":
		return []string{"application/x-yaml", "text/yaml", "text/x-yaml"}
	case "text/javascript":
		return []string{"application/javascript"}
	case "application/xml":
		return []string{"text/xml"}
	}
	return nil
}

// holdType holds an answer to the media type that it has to have.
func (c *checking) holdType(file string, r remote.Response, want string) {
	given := r.Header.Get("Content-Type")
	wanted, _, _ := mime.ParseMediaType(want) // ours are right
	media, params, err := mime.ParseMediaType(given)
	switch {
	case err != nil:
		c.short("/"+file, "has the media type %q; it should be %s", given, want)
	case media != wanted && !slices.Contains(others(wanted), media):
		c.short("/"+file, "has the media type %s; it should be %s", media, wanted)
	case params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8"):
		c.short("/"+file, "says that it is in %s; it is in utf-8", params["charset"])
	}
}

// foreign is where a script of another site comes from.
const foreign = "https://reader.example"

// cors looks at who may read documents. A host may say it always, or only when it
// is asked from elsewhere.
func (v *visit) cors(ctx context.Context, c *checking) {
	for _, file := range v.kinds() {
		c.looked(1)
		r, ok := v.get(ctx, c, file)
		if ok && r.Header.Get("Access-Control-Allow-Origin") == "" {
			again, err := v.client.Do(ctx, remote.Request{Path: file, Header: map[string]string{"Origin": foreign}})
			if err == nil {
				r = again
			}
		}
		if !ok {
			continue
		}
		switch allow := r.Header.Values("Access-Control-Allow-Origin"); {
		case len(allow) == 0:
			c.short("/"+file, "has no Access-Control-Allow-Origin")
		case len(allow) > 1 || allow[0] != "*" && allow[0] != foreign:
			c.short("/"+file, "has Access-Control-Allow-Origin %q; browsers take *, once", strings.Join(allow, ", "))
		}
		if expose := strings.ToLower(strings.Join(r.Header.Values("Access-Control-Expose-Headers"), ",")); !strings.Contains(expose, "etag") && expose != "*" {
			c.short("/"+file, "does not expose ETag (Access-Control-Expose-Headers)")
		}
		for _, via := range r.Via {
			c.note("%s redirects", via)
		}
	}
	missing, err := v.ask(ctx, v.path(address.CaseDoc(noCase)))
	if err == nil && missing.Header.Get("Access-Control-Allow-Origin") == "" {
		c.note("what is not there has no Access-Control-Allow-Origin: a script of another site cannot see that it is a 404")
	}
}

// noCase is an id that no library has.
const noCase = "IL-000000000"

// unchanged asks for documents again with their tags.
func (v *visit) unchanged(ctx context.Context, c *checking) {
	for _, file := range v.kinds() {
		r, ok := v.get(ctx, c, file)
		c.looked(1)
		if !ok {
			continue
		}
		tag := r.Header.Get("ETag")
		if tag == "" {
			c.short("/"+file, "has no ETag")
			continue
		}
		again, err := v.client.Do(ctx, remote.Request{Path: file, Header: map[string]string{"If-None-Match": tag}})
		switch {
		case err != nil:
			c.short("/"+file, "%v", err)
		case again.Status != http.StatusNotModified:
			c.short("/"+file, "answers %d to its own ETag; it should be 304", again.Status)
		case len(again.Body) > 0:
			c.short("/"+file, "sends %d bytes with 304", len(again.Body))
		}
		other, err := v.client.Do(ctx, remote.Request{Path: file, Header: map[string]string{"If-None-Match": `"another"`}})
		if err == nil && other.Status != http.StatusOK {
			c.short("/"+file, "answers %d to another ETag; it should be 200", other.Status)
		}
	}
}

const (
	longest  = 24 * 60 * 60       // seconds that a document may be kept unasked
	halfYear = 180 * 24 * 60 * 60 // at least for what never changes
)

// caching looks at how long things may be kept.
func (v *visit) caching(ctx context.Context, c *checking) {
	for _, file := range v.kinds() {
		r, ok := v.get(ctx, c, file)
		c.looked(1)
		if !ok {
			continue
		}
		age, immutable, none := freshness(r)
		switch {
		case none:
			c.note("documents are not kept at all (no-store), as in a preview")
		case immutable || age > longest:
			c.short("/"+file, "may be kept unasked for %d seconds (%s); it changes", age, r.Header.Get("Cache-Control"))
		}
	}
	for _, file := range v.hashed(ctx) {
		c.looked(1)
		r, ok := v.get(ctx, c, file)
		if !ok {
			continue
		}
		c.holdType(file, r, host.MediaType(file))
		if age, _, none := freshness(r); !none && age < halfYear {
			c.short("/"+file, "is named by its content, and may be kept for %d seconds only (%q)", age, r.Header.Get("Cache-Control"))
		}
	}
}

// freshness reads Cache-Control.
func freshness(r remote.Response) (age int, immutable, none bool) {
	for part := range strings.SplitSeq(r.Header.Get("Cache-Control"), ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); strings.ToLower(name) {
		case "max-age":
			age, _ = strconv.Atoi(value)
		case "immutable":
			immutable = true
		case "no-store":
			none = true
		}
	}
	return age, immutable, none
}

// hashed are the style sheets, scripts and pictures of the home page.
func (v *visit) hashed(ctx context.Context) []string {
	if v.higher {
		return nil
	}
	r, err := v.ask(ctx, "")
	if err != nil || r.Status != http.StatusOK {
		return nil
	}
	var out []string
	for _, m := range regexp.MustCompile(`["=/](assets/[A-Za-z0-9._-]+)`).FindAllStringSubmatch(string(r.Body), -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// missing looks at what is not there.
func (v *visit) missing(ctx context.Context, c *checking) {
	files := []string{v.path(address.CaseDoc(noCase)), v.path("nothing"), v.at(docs + "cases/")}
	if !v.higher {
		files = append(files, "no-such-page/", "ko/no-such-page/", "assets/nothing.0000000000.js")
	}
	for _, file := range files {
		c.looked(1)
		r, err := v.ask(ctx, file)
		switch {
		case err != nil:
			c.short("/"+file, "%v", err)
		case r.Status != http.StatusNotFound && r.Status != http.StatusGone:
			c.short("/"+file, "answers %d; there is nothing there", r.Status)
		case strings.HasSuffix(file, ".json") && !strings.Contains(r.Header.Get("Content-Type"), "json"):
			c.note("a missing document is answered with %s", r.Header.Get("Content-Type"))
		case strings.HasPrefix(file, "ko/") && !strings.Contains(string(r.Body), `lang="ko"`) && !strings.Contains(string(r.Body), "lang=ko"):
			c.note("a missing Korean page is answered in English")
		}
	}
}

// aliases looks at the short addresses, where the host offers them.
func (v *visit) aliases(ctx context.Context, c *checking) {
	if len(v.entries) == 0 {
		return
	}
	first := v.entries[0].ID
	root := address.AliasRoot
	if v.higher {
		root = ""
	}
	if r, err := v.ask(ctx, root+string(address.CaseDoc(first))); err != nil || r.Status == http.StatusNotFound {
		c.note("this host offers none")
		return
	}
	for _, d := range []address.Doc{address.CaseDoc(first), address.SimilarDoc(first), address.CaseList, address.TopicsDoc, address.OrgsDoc,
		address.YearsDoc, address.VocabDoc, address.AxisDoc(incident.RootCause)} {
		c.looked(1)
		short := root + string(d)
		r, ok := v.get(ctx, c, short)
		full, okFull := v.get(ctx, c, v.path(d))
		if !ok || !okFull {
			continue
		}
		c.holdType(short, r, "application/json")
		if string(r.Body) != string(full.Body) {
			c.short("/"+short, "is another document than /%s", v.path(d))
		}
		if r.Header.Get("Access-Control-Allow-Origin") != full.Header.Get("Access-Control-Allow-Origin") {
			c.short("/"+short, "may be read by others than /%s", v.path(d))
		}
	}
	c.looked(1)
	if r, err := v.ask(ctx, root+string(address.CaseDoc(noCase))); err == nil && r.Status != http.StatusNotFound {
		c.short("/"+root+string(address.CaseDoc(noCase)), "answers %d; there is nothing there", r.Status)
	}
}

// pages looks at what browsers are told of pages.
func (v *visit) pages(ctx context.Context, c *checking) {
	if v.higher {
		return
	}
	for _, file := range v.pagePaths() {
		c.looked(1)
		r, ok := v.get(ctx, c, file)
		if !ok {
			continue
		}
		c.holdType(file, r, host.MediaType(".html"))
		for _, h := range host.PageHeaders() {
			switch got := r.Header.Values(h.Name); {
			case len(got) == 0:
				c.short("/"+file, "has no %s", h.Name)
			case len(got) > 1 || got[0] != h.Value:
				c.short("/"+file, "has %s %q; it should be %q", h.Name, strings.Join(got, ", "), h.Value)
			}
		}
		if age, _, _ := freshness(r); age > longest/24 {
			c.short("/"+file, "may be kept unasked for %d seconds; it changes with each edit", age)
		}
	}
}

func (v *visit) pagePaths() []string {
	out := []string{"", "ko/", "api/", "cases/"}
	if len(v.entries) > 0 {
		id := v.entries[len(v.entries)-1].ID
		out = append(out, string(address.Case(id)), "ko/"+string(address.Case(id)))
	}
	return out
}

// slashes asks for pages without the slash at their end.
func (v *visit) slashes(ctx context.Context, c *checking) {
	if v.higher {
		return
	}
	for _, file := range v.pagePaths()[1:] {
		c.looked(1)
		file = strings.TrimSuffix(file, "/")
		r, ok := v.get(ctx, c, file)
		switch {
		case !ok:
		case len(r.Via) == 0:
			c.note("a page is answered with and without its slash")
		case len(r.Via) > 1:
			c.short("/"+file, "is redirected %d times: %s", len(r.Via), strings.Join(r.Via, ", "))
		case r.URL != v.client.URL(file)+"/":
			c.short("/"+file, "leads to %s", r.URL)
		}
	}
}

// search looks at the index.
func (v *visit) search(ctx context.Context, c *checking) {
	if v.higher {
		return
	}
	r, err := v.ask(ctx, address.SearchIndex)
	if err != nil || r.Status == http.StatusNotFound {
		return
	}
	c.looked(1)
	var root map[string]any
	if !v.read(c, address.SearchIndex, r, &root) {
		return
	}
	c.holdType(address.SearchIndex, r, "application/json")
	if version, ok := root["data_version"].(string); ok && version != v.doc.DataVersion {
		c.short("/"+address.SearchIndex, "is of the data %s; the root is of %s", version, v.doc.DataVersion)
	}
	if age, immutable, _ := freshness(r); immutable || age > longest {
		c.short("/"+address.SearchIndex, "may be kept unasked for %d seconds; it changes", age)
	}
	name, _ := root["terms"].(string)
	if name == "" {
		return
	}
	file := address.SearchFile(name)
	c.looked(1)
	shard, ok := v.get(ctx, c, file)
	if age, _, none := freshness(shard); ok && !none && age < halfYear {
		c.short("/"+file, "is named by its content, and may be kept for %d seconds only", age)
	}
}

// beside looks at the files that machines find a library by. Those that are not
// published are passed over.
func (v *visit) beside(ctx context.Context, c *checking) {
	if v.higher {
		return
	}
	for _, file := range []string{"feed.xml", "feed.json", "ko/feed.xml", "ko/feed.json", "sitemap.xml", "robots.txt", address.LLMs, "opensearch.xml", address.APICatalog, address.MCPCatalog} {
		r, err := v.ask(ctx, file)
		if err != nil {
			c.short("/"+file, "%v", err)
			continue
		}
		if r.Status == http.StatusNotFound {
			continue
		}
		c.looked(1)
		if r.Status != http.StatusOK {
			c.short("/"+file, "answers %d", r.Status)
			continue
		}
		c.holdType(file, r, host.MediaType(file))
		if isJSON := path.Ext(file) == ".json" || file == address.APICatalog; isJSON {
			v.read(c, file, r, new(any))
		}
	}
	if c.Looked == 0 {
		c.note("there are none")
	}
}
