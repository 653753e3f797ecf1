package replica

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"benchlet.com/incidentlib/generator/output"
	"benchlet.com/incidentlib/generator/remote"
)

// next is the copy that is to be put in place.
type next struct {
	way     Way
	root    remote.Root
	entries []remote.Entry
	state   state

	mu      sync.Mutex
	sources map[string]source // by file
}

func (n *next) add(file string, src source) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sources[file] = src
}

// begin forgets cases that another way than the one that begins had found.
func (n *next) begin(way Way) {
	n.way, n.entries = way, nil
	for file := range n.sources {
		if strings.HasPrefix(file, docs+"cases/") {
			delete(n.sources, file)
		}
	}
}

func (n *next) tag(file, tag string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if tag != "" {
		n.state.Tags[file] = tag
	}
}

// whole is the manifest of the copy, if that is the one that the root promises.
func whole(entries []remote.Entry, root remote.Root) ([]byte, bool) {
	b, err := remote.Manifest(entries)
	return b, err == nil && remote.Sum(b) == root.ManifestSHA256
}

// files are the copy as files to publish.
func (n *next) files() ([]output.File, error) {
	manifest, ok := whole(n.entries, n.root)
	if !ok {
		return nil, fmt.Errorf("the copy would not be whole: the root promises another manifest")
	}
	n.add(manifestFile, bytesOf(manifest))
	state, err := json.Marshal(n.state)
	if err != nil {
		return nil, err
	}
	n.add(stateFile, bytesOf(append(state, '\n')))
	var out []output.File
	for _, file := range slices.Sorted(maps.Keys(n.sources)) {
		kind := output.Data
		if strings.HasPrefix(file, "search/s/") {
			kind = output.Asset // a reader of the index before may still ask for it
		}
		out = append(out, output.File{Path: file, Kind: kind, Render: n.sources[file]})
	}
	return out, nil
}

func bytesOf(b []byte) source {
	return func(dst *bytes.Buffer) error {
		dst.Write(b)
		return nil
	}
}
