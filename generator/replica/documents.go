package replica

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/remote"
)

func bytesFrom(src source) ([]byte, error) {
	var b bytes.Buffer
	err := src(&b)
	return b.Bytes(), err
}

// document takes a document that nothing says the digest of: as the copy holds
// it where the host says that it is the same. It is read into to, unless that is
// nil.
func (s *run) document(ctx context.Context, n *next, file string, to any) error {
	src, r, err := s.obtain(ctx, n, file)
	if err != nil {
		return err
	}
	b, err := bytesFrom(src)
	if err != nil {
		return err
	}
	r.Body = b
	if to == nil {
		to = &json.RawMessage{}
	}
	if path.Ext(file) == ".json" {
		if err := remote.Decode(r, to); err != nil {
			return err
		}
	}
	n.add(file, src)
	return nil
}

// obtain gets a file, from the host, a run before or the copy.
func (s *run) obtain(ctx context.Context, n *next, file string) (source, remote.Response, error) {
	s.stage.trust(file, n.root.DataVersion)
	from := remote.Response{URL: s.client.URL(s.at(file))}
	if tag, ok := s.stage.find(file, n.root.DataVersion, func([]byte) bool { return true }); ok {
		n.tag(file, tag)
		return s.stage.take(file, n.root.DataVersion), from, nil
	}
	tag := s.held.state.Tags[file]
	if !s.held.has(file) {
		tag = ""
	}
	r, err := s.get(ctx, s.at(file), tag, maxDump)
	if err != nil {
		return nil, r, err
	}
	if r.Body == nil {
		n.tag(file, tag)
		return s.held.keep(file), from, nil
	}
	if path.Ext(file) == ".json" && !json.Valid(r.Body) {
		return nil, r, remote.Decode(r, &json.RawMessage{})
	}
	n.tag(file, r.Header.Get("ETag"))
	return s.stage.take(file, n.root.DataVersion), r, s.stage.put(file, n.root.DataVersion, r.Body, r.Header.Get("ETag"))
}

// tombstones writes the documents of withdrawn ids, which the list of changes
// holds in full; a host may lead away from their addresses. Old ones are in the
// copy, or on the further pages of the list.
func (s *run) tombstones(ctx context.Context, n *next, c remote.Changes) error {
	gone, live := map[string]bool{}, map[string]bool{}
	for _, e := range n.entries {
		live[e.ID] = true
	}
	add := func(c remote.Changes) error {
		for _, item := range c.Items {
			if !item.Gone() {
				continue
			}
			if !incident.ValidID(item.ID) {
				return fmt.Errorf("the list of changes names %q, which is no id", item.ID)
			}
			if live[item.ID] {
				return fmt.Errorf("the list of changes says that %s is withdrawn, and the manifest has it: %w", item.ID, errStale)
			}
			b, err := item.Tombstone()
			if err != nil {
				return err
			}
			gone[item.ID] = true
			n.add(caseFile(item.ID), bytesOf(b))
		}
		return nil
	}
	if err := add(c); err != nil {
		return err
	}
	for pages := 0; len(gone) < n.root.Counts.Withdrawn && c.Links.Next != nil && pages < 10_000; pages++ {
		file, err := pageFile(*c.Links.Next)
		if err != nil {
			return err
		}
		c = remote.Changes{}
		page := n
		if !s.opt.All { // read, not kept
			page = &next{root: n.root, sources: map[string]source{}, state: state{Tags: map[string]string{}}}
		}
		if err := s.document(ctx, page, file, &c); err != nil {
			return err
		}
		if err := add(c); err != nil {
			return err
		}
	}
	return nil
}

// pageFile is the file of a further page of the changes: of its address only the
// name counts.
func pageFile(link string) (string, error) {
	_, name, ok := strings.Cut(link, "/"+docs+"changes/pages/")
	id, isJSON := strings.CutSuffix(name, ".json")
	if !ok || !isJSON || !incident.ValidID(id) {
		return "", fmt.Errorf("the list of changes goes on at %q, which is no page of it", link)
	}
	return address.MirrorFile(address.Doc("changes/pages/" + id)), nil
}

// optional reports that a part of a mirror is not published.
func optional(err error) error {
	if errors.Is(err, remote.ErrNotFound) {
		return nil
	}
	return err
}
