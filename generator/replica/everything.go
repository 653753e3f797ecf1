package replica

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/remote"
)

// perPage is how many cases a page of a list has (MIRROR 2.3).
const perPage = 100

// listed is what is read of a list to know what else there is.
type listed struct {
	Total int `json:"total"`
	Items []struct {
		ID   string `json:"id"`
		Slug string `json:"slug"`
		Year int    `json:"year"`
	} `json:"items"`
	Terms []struct {
		Slug string `json:"slug"`
	} `json:"terms"`
	Cases *listed `json:"cases"`
}

// everything takes all other documents. They have no digest, so each is asked
// for; those that are the same cost no bytes.
func (s *run) everything(ctx context.Context, n *next) error {
	all, err := s.leaves(ctx, n)
	if err != nil {
		return err
	}
	for _, e := range n.entries {
		all = append(all, address.SimilarDoc(e.ID))
	}
	g, some := errgroup.WithContext(ctx)
	g.SetLimit(s.opt.Jobs)
	for _, d := range all {
		g.Go(func() error { return s.withPages(some, n, d) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return s.beside(ctx, n)
}

// leaves are the documents that the lists name.
func (s *run) leaves(ctx context.Context, n *next) ([]address.Doc, error) {
	out := []address.Doc{address.CaseList}
	for _, root := range []address.Doc{address.TopicsDoc, address.OrgsDoc, address.YearsDoc} {
		var list listed
		if err := s.document(ctx, n, address.MirrorFile(root), &list); err != nil {
			return nil, err
		}
		for _, item := range list.Items {
			if name, ok := partName(root, item.ID, item.Slug, item.Year); ok {
				out = append(out, root+"/"+address.Doc(name))
			} else {
				return nil, fmt.Errorf("%s names %+v, which cannot be a part of an address", root, item)
			}
		}
	}
	axes := regexp.MustCompile(`^topics/[a-z_]+$`)
	for _, axis := range slices.Clone(out) {
		if !axes.MatchString(string(axis)) {
			continue
		}
		var list listed
		if err := s.document(ctx, n, address.MirrorFile(axis), &list); err != nil {
			return nil, err
		}
		for _, t := range list.Terms {
			if !incident.ValidSlug(t.Slug) {
				return nil, fmt.Errorf("%s names the term %q", axis, t.Slug)
			}
			out = append(out, axis+"/"+address.Doc(t.Slug))
		}
	}
	return out, nil
}

// partName is how an entry of a list is called in an address.
func partName(root address.Doc, id, slug string, year int) (string, bool) {
	switch root {
	case address.TopicsDoc:
		ok, err := regexp.MatchString(`^[a-z_]+$`, id)
		return id, ok && err == nil
	case address.OrgsDoc:
		return slug, incident.ValidSlug(slug)
	}
	return strconv.Itoa(year), year > 0
}

// withPages takes a document, and its pages where it is the head of a long list.
func (s *run) withPages(ctx context.Context, n *next, d address.Doc) error {
	var list listed
	if err := s.document(ctx, n, address.MirrorFile(d), &list); err != nil {
		return err
	}
	total, paged := list.Total, d == address.CaseList
	if list.Cases != nil {
		total, paged = list.Cases.Total, list.Cases.Total > perPage
	}
	if total > n.root.Counts.Cases {
		return fmt.Errorf("%s says that it lists %d cases of %d", d, total, n.root.Counts.Cases)
	}
	for page := 1; paged && (page-1)*perPage < total; page++ {
		if err := s.document(ctx, n, address.MirrorFile(address.Doc(fmt.Sprintf("%s/pages/%04d", d, page))), nil); err != nil {
			return err
		}
	}
	return nil
}

// beside takes what is not a list: schemas, descriptions, dumps.
func (s *run) beside(ctx context.Context, n *next) error {
	files := []string{address.MirrorFile(address.OpenAPIDoc), address.MirrorFile(address.OpenAPIYAML)}
	kinds := regexp.MustCompile(`^[a-z][a-z-]*$`)
	for name := range n.root.Schemas {
		if !kinds.MatchString(name) {
			return fmt.Errorf("the root names the schema %q", name)
		}
		files = append(files, address.MirrorFile(address.SchemaDoc(name)))
	}
	for _, file := range files {
		if err := optional(s.document(ctx, n, file, nil)); err != nil {
			return err
		}
	}
	var list remote.Dumps
	if err := s.document(ctx, n, dumpsFile, &list); err != nil {
		return optional(err)
	}
	for _, d := range list.Files {
		if !remote.ValidDumpName(d.Name) {
			return fmt.Errorf("the list of dumps names %q", d.Name)
		}
		file := address.MirrorFile(address.DumpDoc(d.Name))
		if err := s.document(ctx, n, file, &json.RawMessage{}); err != nil {
			return err
		}
		b, err := bytesFrom(n.sources[file])
		if err != nil {
			return err
		}
		if remote.Sum(b) != d.SHA256 {
			return fmt.Errorf("%s is not what the list of dumps says: %w", s.client.URL(s.at(file)), errStale)
		}
	}
	return nil
}
