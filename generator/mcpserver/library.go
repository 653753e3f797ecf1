package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/jellydator/ttlcache/v3"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// Bounds of what is kept of a library, in bytes.
const (
	maxCards   = 64 << 20
	maxAnswers = 32 << 20
)

// library is an edition with what was read of it. It is safe for concurrent use.
type library struct {
	edition *Edition
	index   index
	cards   *ttlcache.Cache[string, *card]
	answers *ttlcache.Cache[string, *answer]

	vocabulary lazy[*vocabulary]
	about      lazy[*about]
	orgs       lazy[[]candidate]
	ids        lazy[[]string]
}

func newLibrary(e *Edition, index func(*Edition) index) *library {
	return &library{edition: e, index: index(e),
		cards:   ttlcache.New(ttlcache.WithMaxCost(maxCards, func(i ttlcache.CostItem[string, *card]) uint64 { return i.Value.size() })),
		answers: ttlcache.New(ttlcache.WithMaxCost(maxAnswers, func(i ttlcache.CostItem[string, *answer]) uint64 { return i.Value.size() + uint64(len(i.Key)) }))}
}

// lazy is a value that is made when it is first asked for, and tried again while
// making it fails.
type lazy[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
}

func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made {
		return l.value, nil
	}
	v, err := make()
	if err == nil {
		l.value, l.made = v, true
	}
	return v, err
}

// document reads a document of the mirror.
func (l *library) document(ctx context.Context, d address.Doc) ([]byte, error) {
	return l.edition.Open(ctx, address.MirrorFile(d))
}

// decode reads a document of the mirror into a value.
func (l *library) decode(ctx context.Context, d address.Doc, to any) error {
	doc, err := l.document(ctx, d)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(cleanJSON(doc), to); err != nil {
		return fmt.Errorf("the document %s: %w", d, err)
	}
	return nil
}

// vocab is the vocabulary.
func (l *library) vocab(ctx context.Context) (*vocabulary, error) {
	return l.vocabulary.get(func() (*vocabulary, error) {
		doc, err := l.document(ctx, address.VocabDoc)
		if err != nil {
			return nil, err
		}
		return readVocabulary(doc)
	})
}

// record is the document of a case; nil when there is none of that id.
func (l *library) record(ctx context.Context, id string) (*record, error) {
	doc, err := l.document(ctx, address.CaseDoc(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readRecord(id, doc)
}

// card is what lists show of a case; nil when there is none of that id, or it is no
// longer published.
func (l *library) card(ctx context.Context, id string) (*card, error) {
	if item := l.cards.Get(id); item != nil {
		return item.Value().published(), nil
	}
	r, err := l.record(ctx, id)
	if r == nil || err != nil {
		return nil, err
	}
	c, err := newCard(id, r)
	if err != nil {
		return nil, err
	}
	l.cards.Set(id, c, ttlcache.NoTTL)
	return c.published(), nil
}

func (c *card) published() *card {
	if c.gone {
		return nil
	}
	return c
}

// about is what the root of the mirror says of the library.
type about struct {
	DataVersion string `json:"data_version"`
	UpdatedAt   string `json:"updated_at"`
}

// root is what the mirror's root document says. The version is never empty.
func (l *library) root(ctx context.Context) (*about, error) {
	return l.about.get(func() (*about, error) {
		a := &about{}
		if err := l.decode(ctx, address.RootDoc, a); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if a.DataVersion == "" {
			sum := sha256.Sum256([]byte(l.edition.Key))
			a.DataVersion = hex.EncodeToString(sum[:8])
		}
		return a, nil
	})
}

// organisations are the slugs and names of all organisations.
func (l *library) organisations(ctx context.Context) ([]candidate, error) {
	return l.orgs.get(func() ([]candidate, error) {
		var d struct {
			Items []struct {
				Slug string `json:"slug"`
				Org  string `json:"org"`
				Name string `json:"name"`
			} `json:"items"`
		}
		err := l.decode(ctx, address.OrgsDoc, &d)
		out := make([]candidate, len(d.Items))
		for i, o := range d.Items {
			out[i] = candidate{o.Slug, []string{o.Slug, o.Org, o.Name}}
		}
		return out, err
	})
}

// caseIDs are the ids of all published cases, ascending.
func (l *library) caseIDs(ctx context.Context) ([]string, error) {
	return l.ids.get(func() ([]string, error) {
		doc, err := l.edition.Open(ctx, "api/v1/manifest.ndjson")
		if err != nil {
			return nil, err
		}
		var out []string
		for line := range strings.Lines(string(doc)) {
			var m struct {
				ID        string `json:"id"`
				Withdrawn bool   `json:"withdrawn"`
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				return nil, fmt.Errorf("the manifest: %w", err)
			}
			if incident.ValidID(m.ID) && !m.Withdrawn {
				out = append(out, m.ID)
			}
		}
		return out, nil
	})
}
