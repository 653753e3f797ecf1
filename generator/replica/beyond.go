package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"benchlet.com/incidentlib/generator/remote"
)

// Beyond reads what a copy does not hold, such as the cases similar to one, from
// where the library is published. What it has read it keeps, up to a bound: make
// another one for another state of the library. It is safe for concurrent use.
type Beyond struct {
	client *remote.Client
	kept   *ttlcache.Cache[string, []byte]
}

// How much is kept.
const (
	keptFiles = 4096
	keptBytes = 32 << 20
)

// NewBeyond makes a reader of the library at an address. The client may be nil.
func NewBeyond(address string, client *http.Client, timeout time.Duration) (*Beyond, error) {
	c, err := remote.New(address, remote.Options{HTTP: client, Timeout: timeout, Agent: "incidentlib"})
	if err != nil {
		return nil, err
	}
	cost := ttlcache.WithMaxCost[string, []byte](keptBytes, func(i ttlcache.CostItem[string, []byte]) uint64 {
		return uint64(len(i.Key) + len(i.Value))
	})
	return &Beyond{client: c, kept: ttlcache.New(ttlcache.WithCapacity[string, []byte](keptFiles), cost)}, nil
}

// Open reads a published file by the path that it has in a copy. The error of a
// file that is not there is fs.ErrNotExist.
func (b *Beyond) Open(ctx context.Context, name string) ([]byte, error) {
	if !fs.ValidPath(name) || !strings.HasPrefix(name, docs) && !strings.HasPrefix(name, "search/") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if item := b.kept.Get(name); item != nil {
		return item.Value(), nil
	}
	r, err := b.client.Get(ctx, name, "", maxDump)
	if errors.Is(err, remote.ErrNotFound) {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, err
	}
	if path.Ext(name) == ".json" && !json.Valid(r.Body) {
		return nil, remote.Decode(r, &json.RawMessage{})
	}
	b.kept.Set(name, r.Body, ttlcache.NoTTL)
	return r.Body, nil
}
