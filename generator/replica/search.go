package replica

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"golang.org/x/sync/errgroup"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/remote"
)

// searchVersion is the form of the index that is known here.
const searchVersion = 1

// searchRoot is the file that names all others of the search index.
type searchRoot struct {
	Version     int               `json:"v"`
	DataVersion string            `json:"data_version"`
	Terms       string            `json:"terms"`
	Languages   map[string]string `json:"languages"`
	Facets      map[string]string `json:"facets"`
	Dates       string            `json:"dates"`
	Updated     string            `json:"updated"`
}

// search takes the search index. All its files but the first are named by their
// content: those that the copy holds are not asked for again.
func (s *run) search(ctx context.Context, n *next) error {
	var root searchRoot
	if err := s.document(ctx, n, searchFile, &root); err != nil {
		return optional(err)
	}
	if root.Version != searchVersion {
		return fmt.Errorf("the search index has the form %d; this program knows %d: take a newer one", root.Version, searchVersion)
	}
	if root.DataVersion != n.root.DataVersion {
		return fmt.Errorf("%s belongs to another state of the library than the root: %w", s.client.URL(searchFile), errStale)
	}
	var terms struct {
		Keys []string `json:"keys"`
	}
	if err := s.shard(ctx, n, root.Terms, &terms); err != nil {
		return err
	}
	names := []string{root.Dates, root.Updated}
	for _, key := range terms.Keys {
		names = append(names, address.SearchShardFile(key))
	}
	for _, name := range root.Facets {
		names = append(names, name)
	}
	for lang, name := range root.Languages {
		var l struct {
			Runs []uint32 `json:"runs"`
			Keys []string `json:"keys"`
		}
		if err := s.shard(ctx, n, name, &l); err != nil {
			return err
		}
		if len(l.Runs) != len(l.Keys) {
			return fmt.Errorf("%s names %d runs with %d keys", name, len(l.Runs), len(l.Keys))
		}
		number := uint32(0)
		for i, key := range l.Keys {
			number += l.Runs[i]
			names = append(names, address.SearchDocsFile(lang, number, key))
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(s.opt.Jobs)
	for _, name := range names {
		g.Go(func() error { return s.shard(ctx, n, name, nil) })
	}
	return g.Wait()
}

// shardName is what a file of the index may be called. It has a hash of its
// content at its end.
const shardName = `^s/([a-z0-9_]+/)*[a-z0-9_]+(-[a-z0-9_]+)*\.json$`

// shard takes a file of the index.
func (s *run) shard(ctx context.Context, n *next, name string, to any) error {
	if ok, err := regexp.MatchString(shardName, name); err != nil || !ok {
		return fmt.Errorf("the search index names %q, which is no file of it", name)
	}
	file := address.SearchFile(name)
	src := s.held.keep(file)
	if !s.held.has(file) {
		s.stage.trust(file, "")
		if _, ok := s.stage.find(file, "", json.Valid); !ok {
			r, err := s.get(ctx, s.at(file), "", 0)
			if errors.Is(err, remote.ErrNotFound) {
				return fmt.Errorf("%w: %w", err, errStale)
			}
			if err != nil {
				return err
			}
			if !json.Valid(r.Body) {
				return remote.Decode(r, &json.RawMessage{})
			}
			if err := s.stage.put(file, "", r.Body, ""); err != nil {
				return err
			}
		}
		src = s.stage.take(file, "")
	}
	n.add(file, src)
	if to == nil {
		return nil
	}
	var b bytes.Buffer
	if err := src(&b); err != nil {
		return err
	}
	return json.Unmarshal(b.Bytes(), to)
}
