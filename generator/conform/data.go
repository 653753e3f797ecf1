package conform

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/remote"
)

// manifest holds the list of all cases to the root.
func (v *visit) manifest(ctx context.Context, c *checking) {
	where := v.path(address.ManifestDoc)
	c.looked(1)
	r, ok := v.get(ctx, c, where)
	if !ok {
		return
	}
	if sum := remote.Sum(r.Body); sum != v.doc.ManifestSHA256 {
		c.short("/"+where, "has the digest %s; the root promises %s", sum, v.doc.ManifestSHA256)
	}
	entries, err := remote.ParseManifest(r.Body)
	if err != nil {
		c.short("/"+where, "%v", err)
		return
	}
	if len(entries) != v.doc.Counts.Cases {
		c.short("/"+where, "lists %d cases; the root counts %d", len(entries), v.doc.Counts.Cases)
	}
	for i, line := range some(v, slices.Collect(bytes.Lines(r.Body))) {
		v.valid(c, fmt.Sprintf("/%s, line %d of those looked at", where, i+1), "manifest-entry", line)
	}
	v.entries = entries
}

// cases holds every case to its schema, to the manifest and to its address.
func (v *visit) cases(ctx context.Context, c *checking) {
	each(ctx, v.opt.Jobs, some(v, v.entries), func(ctx context.Context, e remote.Entry) {
		v.oneCase(ctx, c, e)
	})
}

func (v *visit) oneCase(ctx context.Context, c *checking, e remote.Entry) {
	d := address.CaseDoc(e.ID)
	where := "/" + v.path(d)
	var doc struct {
		ID        string `json:"id"`
		UpdatedAt string `json:"updated_at"`
	}
	if !v.document(ctx, c, d, "case", &doc) {
		return
	}
	r, err := v.ask(ctx, v.path(d))
	switch {
	case err != nil:
		return
	case doc.ID != e.ID:
		c.short(where, "is the case %s", doc.ID)
	case remote.Short(r.Body) != e.H || len(r.Body) != e.Size:
		c.short(where, "is %d bytes with the digest %s; the manifest says %d and %s", len(r.Body), remote.Short(r.Body), e.Size, e.H)
	case doc.UpdatedAt != e.UpdatedAt:
		c.short(where, "was updated at %s; the manifest says %s", doc.UpdatedAt, e.UpdatedAt)
	}
}

func (v *visit) similar(ctx context.Context, c *checking) {
	known := v.ids()
	each(ctx, v.opt.Jobs, some(v, v.entries), func(ctx context.Context, e remote.Entry) {
		var list listDoc
		d := address.SimilarDoc(e.ID)
		if !v.document(ctx, c, d, "similar", &list) {
			return
		}
		for _, item := range list.Items {
			if !known[item.ID] || item.ID == e.ID {
				c.short("/"+v.path(d), "names %s, which is no other case", item.ID)
			}
		}
	})
}

func (v *visit) ids() map[string]bool {
	out := make(map[string]bool, len(v.entries))
	for _, e := range v.entries {
		out[e.ID] = true
	}
	return out
}

// listDoc is a list of any kind, as far as it is looked at.
type listDoc struct {
	Total int        `json:"total"`
	Count int        `json:"count"`
	Items []listItem `json:"items"`
	Links struct {
		First *string `json:"first"`
		Next  *string `json:"next"`
	} `json:"links"`
	Cases *listDoc `json:"cases"`
	Terms []struct {
		Slug  string `json:"slug"`
		Count int    `json:"count"`
	} `json:"terms"`
}

type listItem struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Year int    `json:"year"`
}

// maxPages is how many pages of a list are walked, unless all are.
const maxPages = 100

// lists walks the list of all cases.
func (v *visit) lists(ctx context.Context, c *checking) {
	var head listDoc
	if !v.document(ctx, c, address.CaseList, "list", &head) {
		return
	}
	where := "/" + v.path(address.CaseList)
	if head.Total != len(v.entries) || head.Count != len(head.Items) {
		c.short(where, "lists %d of %d cases and says %d; the manifest has %d", len(head.Items), head.Total, head.Count, len(v.entries))
	}
	var walked []string
	next, pages, been := head.Links.First, 0, trail{}
	for ; next != nil && (v.opt.All || pages < maxPages); pages++ {
		local, ok := been.goes(v, c, where, *next)
		if !ok {
			return
		}
		var page listDoc
		c.looked(1)
		r, ok := v.get(ctx, c, local)
		if !ok || !v.valid(c, "/"+local, "list-page", r.Body) || !v.read(c, local, r, &page) {
			return
		}
		for _, item := range page.Items {
			walked = append(walked, item.ID)
		}
		next = page.Links.Next
	}
	if next != nil {
		c.note("the first %d pages were walked", pages)
		return
	}
	v.sameCases(c, where+" and its pages", walked)
}

// sameCases holds that ids are those of the manifest, each once.
func (v *visit) sameCases(c *checking, where string, ids []string) {
	known := v.ids()
	for _, id := range ids {
		if !known[id] {
			c.short(where, "%s is not in the manifest, or is there twice", id)
		}
		delete(known, id)
	}
	for id := range known {
		c.short(where, "%s is missing", id)
	}
}

// groups looks at the ways in.
func (v *visit) groups(ctx context.Context, c *checking) {
	v.document(ctx, c, address.VocabDoc, "vocab", nil)
	var topics listDoc
	if v.document(ctx, c, address.TopicsDoc, "topics", &topics) {
		for _, axis := range topics.Items {
			v.axis(ctx, c, incident.AxisID(axis.ID))
		}
	}
	for _, g := range []struct {
		list       address.Doc
		kind, each string
		doc        func(listItem) address.Doc
	}{
		{address.OrgsDoc, "orgs", "org", func(i listItem) address.Doc { return address.OrgDoc(i.Slug, 0) }},
		{address.YearsDoc, "years", "year", func(i listItem) address.Doc { return address.YearDoc(strconv.Itoa(i.Year), 0) }},
	} {
		var list listDoc
		if !v.document(ctx, c, g.list, g.kind, &list) {
			continue
		}
		each(ctx, v.opt.Jobs, some(v, list.Items), func(ctx context.Context, i listItem) {
			var doc listDoc
			if v.document(ctx, c, g.doc(i), g.each, &doc) && (doc.Cases == nil || doc.Cases.Count != len(doc.Cases.Items)) {
				c.short("/"+v.path(g.doc(i)), "does not count its cases right")
			}
		})
	}
}

func (v *visit) axis(ctx context.Context, c *checking, axis incident.AxisID) {
	var doc listDoc
	if !v.document(ctx, c, address.AxisDoc(axis), "axis", &doc) {
		return
	}
	each(ctx, v.opt.Jobs, some(v, doc.Terms), func(ctx context.Context, t struct {
		Slug  string `json:"slug"`
		Count int    `json:"count"`
	}) {
		d := address.TopicDoc(incident.TermRef{Axis: axis, Slug: t.Slug}, 0)
		var topic listDoc
		if v.document(ctx, c, d, "topic", &topic) && (topic.Cases == nil || topic.Cases.Total != t.Count) {
			c.short("/"+v.path(d), "has another number of cases than the %d that %s says", t.Count, v.path(address.AxisDoc(axis)))
		}
	})
}

// changes walks the list of changes, which is all that a copy needs to follow.
func (v *visit) changes(ctx context.Context, c *checking) {
	var doc remote.Changes
	if !v.document(ctx, c, address.ChangesDoc, "changes", &doc) {
		return
	}
	where := "/" + v.path(address.ChangesDoc)
	all, first, been := doc.Items, doc.From, trail{}
	for doc.Links.Next != nil {
		local, ok := been.goes(v, c, where, *doc.Links.Next)
		if !ok {
			return
		}
		doc = remote.Changes{}
		c.looked(1)
		r, ok := v.get(ctx, c, local)
		if !ok || !v.valid(c, "/"+local, "changes-page", r.Body) || !v.read(c, local, r, &doc) {
			return
		}
		if len(doc.Items) == 0 {
			break
		}
		all = append(all, doc.Items...)
	}
	v.sameChanges(c, where, all)
	if len(v.entries) > 0 && first == "" {
		c.short(where, "does not say from when on it tells")
	}
}

// sameChanges holds that the changes tell of the manifest's cases in their order,
// and of every withdrawn id. Pages may overlap with the newest.
func (v *visit) sameChanges(c *checking, where string, all []remote.Change) {
	entries, gone := map[string]remote.Entry{}, map[string]bool{}
	for _, e := range v.entries {
		entries[e.ID] = e
	}
	var last time.Time
	told := map[string]bool{}
	for _, item := range all {
		if told[item.ID] {
			continue
		}
		told[item.ID] = true
		if item.Gone() {
			gone[item.ID] = true
			v.withdrawn = append(v.withdrawn, item)
			if _, there := entries[item.ID]; there {
				c.short(where, "%s is withdrawn, and is in the manifest", item.ID)
			}
			continue
		}
		at, err := time.Parse(time.RFC3339, item.UpdatedAt)
		if err == nil && !last.IsZero() && at.After(last) {
			c.short(where, "%s of %s comes after what is older", item.ID, item.UpdatedAt)
		}
		last = at
		if e, there := entries[item.ID]; !there || e.H != item.H || e.UpdatedAt != item.UpdatedAt {
			c.short(where, "%s is told of with %s of %s; the manifest says %q of %s", item.ID, item.H, item.UpdatedAt, e.H, e.UpdatedAt)
		}
		delete(entries, item.ID)
	}
	for id := range entries {
		c.short(where, "%s is not told of", id)
	}
	if len(gone) != v.doc.Counts.Withdrawn {
		c.short(where, "tells of %d withdrawn ids; the root counts %d", len(gone), v.doc.Counts.Withdrawn)
	}
}

// tombstones looks at the documents of ids that are no longer published.
func (v *visit) tombstones(ctx context.Context, c *checking) {
	each(ctx, v.opt.Jobs, some(v, v.withdrawn), func(ctx context.Context, w remote.Change) {
		where := v.path(address.CaseDoc(w.ID))
		c.looked(1)
		r, ok := v.get(ctx, c, where)
		if !ok {
			return
		}
		var doc struct {
			ID        string `json:"id"`
			Withdrawn bool   `json:"withdrawn"`
		}
		if !v.read(c, where, r, &doc) {
			return
		}
		switch {
		case doc.ID == w.ID && doc.Withdrawn:
			v.valid(c, "/"+where, "tombstone", r.Body)
		case w.ReplacedBy == nil || doc.ID != *w.ReplacedBy || len(r.Via) == 0:
			c.short("/"+where, "leads to the case %s, which is not what took its place", doc.ID)
		}
	})
}

// maxDumps is how many bytes of dumps are fetched, unless all are.
const maxDumps = 100 << 20

// dumps holds the bulk files to their list, and to the manifest.
func (v *visit) dumps(ctx context.Context, c *checking) {
	var list remote.Dumps
	if !v.document(ctx, c, address.DumpsDoc, "dumps", &list) {
		return
	}
	where := "/" + v.path(address.DumpsDoc)
	if list.DataVersion != v.doc.DataVersion || list.Count != v.doc.Counts.Cases {
		c.short(where, "is of %d cases of data %s; the root says %d of %s", list.Count, list.DataVersion, v.doc.Counts.Cases, v.doc.DataVersion)
	}
	var ids []string
	var size int64
	for _, d := range list.Files {
		if size += d.Size; size > maxDumps && !v.opt.All {
			c.note("the files after the first %d MB were not fetched", maxDumps>>20)
			return
		}
		if !remote.ValidDumpName(d.Name) {
			c.short(where, "names %q", d.Name)
			continue
		}
		path := v.path(address.DumpDoc(d.Name))
		c.looked(1)
		r, ok := v.get(ctx, c, path)
		if !ok {
			continue
		}
		if sum := remote.Sum(r.Body); sum != d.SHA256 || int64(len(r.Body)) != d.Size {
			c.short("/"+path, "is %d bytes with the digest %s; its list says %d and %s", len(r.Body), sum, d.Size, d.SHA256)
			continue
		}
		if d.Kind == remote.DumpCases && d.Format == remote.DumpGzip {
			ids = append(ids, v.unpack(c, "/"+path, r.Body)...)
		}
	}
	v.sameCases(c, where, ids)
}

// unpack reads the cases of a dump.
func (v *visit) unpack(c *checking, where string, packed []byte) (ids []string) {
	entries := map[string]remote.Entry{}
	for _, e := range v.entries {
		entries[e.ID] = e
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		c.short(where, "%v", err)
		return nil
	}
	for in := bufio.NewReaderSize(io.LimitReader(z, maxAnswer), maxCase); ; {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return ids
		}
		if err != nil {
			c.short(where, "breaks off: %v", err)
			return ids
		}
		e, err := remote.EntryOf(line)
		if err != nil {
			c.short(where, "%v", err)
			return ids
		}
		if entries[e.ID] != e {
			c.short(where, "%s is another document than the manifest's", e.ID)
		}
		ids = append(ids, e.ID)
	}
}

// openapi looks at the description for programs.
func (v *visit) openapi(ctx context.Context, c *checking) {
	var doc struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	where := v.path(address.OpenAPIDoc)
	c.looked(1)
	r, ok := v.get(ctx, c, where)
	if !ok || !v.read(c, where, r, &doc) {
		return
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") || len(doc.Paths) == 0 {
		c.short("/"+where, "is OpenAPI %q with %d paths", doc.OpenAPI, len(doc.Paths))
	}
	if r, err := v.ask(ctx, v.path(address.OpenAPIYAML)); err == nil && r.Status == http.StatusOK && !bytes.Contains(r.Body, []byte("openapi:")) {
		c.short("/"+v.path(address.OpenAPIYAML), "is no description")
	}
}
