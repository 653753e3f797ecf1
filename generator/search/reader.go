package search

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/incident"
)

// Sort orders that a [Query] can ask for. Without one, a text is answered by
// relevance, and no text by date.
const (
	SortRelevance = "relevance"
	SortDateDesc  = "date_desc"
	SortDateAsc   = "date_asc"
	SortID        = "id"
	SortUpdated   = "updated_desc"
)

// Sorts are all sort orders.
func Sorts() []string {
	return []string{SortRelevance, SortDateDesc, SortDateAsc, SortID, SortUpdated}
}

// Query is what to look for. An empty text stands for all cases.
type Query struct {
	Text string
	Lang incident.Lang // of what is shown; it does not matter to what is found

	// Filters are values by facet ([Facets]): all of them where a case can have
	// several, else any. A value that no case has leaves none.
	Filters map[string][]string
	// Since and Until are the first and the last date: a day, a month or a year;
	// "" for none.
	Since, Until string

	Sort   string // of [Sorts], or ""
	Offset int
	Limit  int // of the hits; 0 for none
	Facets bool
}

// Result is what was found.
type Result struct {
	Total int
	// Exact is how many of them have all words; the others come after them.
	Exact int
	// Relaxed says that few cases have all words, and that those were added that
	// have most of them.
	Relaxed bool
	Hits    []Hit
	Facets  []Facet // none unless they were asked for
}

// Hit is a case that was found.
type Hit struct {
	ID        string
	Title     string
	Lang      incident.Lang // of the title
	Org       string
	OrgSlug   string
	Date      string
	RootCause string // a slug, or ""
	Lead      string // the beginning of the summary
	LeadLang  incident.Lang
	Score     int
	Close     bool     // has most words, but not all
	Matched   []string // the words of the question that it has
}

// Facet is a facet with the values that the cases found have, the most frequent
// first; years from the newest and durations from the shortest.
type Facet struct {
	Name   string
	Label  string // in the language of the query; "" where the facet is no axis
	Values []FacetValue
}

// FacetValue is how many cases would be found with a value chosen: beside the
// others, where a case can have several, else in their place.
type FacetValue struct {
	Slug     string
	Label    string // in the language of the query; an organisation's name; "" for years and durations
	Count    int
	Selected bool
}

// Reader answers queries from the published files of an index. It is safe for
// concurrent use.
type Reader struct {
	open    func(ctx context.Context, name string) ([]byte, error)
	cache   *cache
	root    atomic.Pointer[root]
	opening sync.Mutex
	scratch sync.Pool // of *scratch
}

// cacheBytes bounds what a reader keeps of the files.
const cacheBytes = 96 << 20

// NewReader makes a reader of a site whose files open reads by their names from
// the site's root, such as "search/index.json". Nothing is read yet.
func NewReader(open func(ctx context.Context, name string) ([]byte, error)) *Reader {
	return &Reader{open: open, cache: newCache(cacheBytes)}
}

// DataVersion says what the index was made from.
func (r *Reader) DataVersion(ctx context.Context) (string, error) {
	x, err := r.current(ctx)
	if err != nil {
		return "", err
	}
	return x.DataVersion, nil
}

// Refresh reads the index's root anew, and says whether it is another one. A
// reader does so by itself when a file is gone.
func (r *Reader) Refresh(ctx context.Context) (changed bool, err error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	return r.refresh(ctx)
}

func (r *Reader) refresh(ctx context.Context) (changed bool, err error) {
	body, err := r.open(ctx, address.SearchIndex)
	if err != nil {
		return false, err
	}
	next, err := parseRoot(body)
	if err != nil {
		return false, err
	}
	before := r.root.Swap(next)
	return before == nil || !before.same(next), nil
}

func (x *root) same(y *root) bool {
	return x.DataVersion == y.DataVersion && x.Terms == y.Terms && x.Dates == y.Dates && x.Updated == y.Updated &&
		sameNames(x.Languages, y.Languages) && sameNames(x.Facets, y.Facets)
}

func sameNames(a, b map[string]string) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

func (r *Reader) current(ctx context.Context) (*root, error) {
	if x := r.root.Load(); x != nil {
		return x, nil
	}
	r.opening.Lock()
	defer r.opening.Unlock()
	if x := r.root.Load(); x != nil {
		return x, nil
	}
	if _, err := r.refresh(ctx); err != nil {
		return nil, err
	}
	return r.root.Load(), nil
}

// Search answers a query. Where a file of the index is gone, the index is
// another one by now: it is opened anew, once.
func (r *Reader) Search(ctx context.Context, q Query) (Result, error) {
	x, err := r.current(ctx)
	if err != nil {
		return Result{}, err
	}
	result, err := r.answer(ctx, x, q)
	if err == nil || ctx.Err() != nil || errors.As(err, new(*QueryError)) {
		return result, err
	}
	if changed, again := r.Refresh(ctx); again != nil || !changed && r.root.Load().same(x) {
		return Result{}, err
	}
	if x, err = r.current(ctx); err != nil {
		return Result{}, err
	}
	return r.answer(ctx, x, q)
}

// QueryError says what is wrong with a query.
type QueryError struct{ What string }

func (e *QueryError) Error() string { return e.What }

// directory says where the terms of an index are.
func (r *Reader) directory(ctx context.Context, x *root) (*directory, error) {
	return load(ctx, r, address.SearchFile(x.Terms), parseDirectory)
}

// eachTerm calls do with the entries that a choice asks for.
func (r *Reader) eachTerm(ctx context.Context, d *directory, c choice, do func(list []byte) error) error {
	to, left := c.to, maxTerms
	if to == "" {
		to, left = c.term, 1
	}
	first := max(d.shardOf(c.term), 0)
	for i := first; i < min(first+maxShards, len(d.First)) && (i == first || d.First[i] <= to); i++ {
		t, err := load(ctx, r, address.SearchFile(address.SearchShardFile(d.Keys[i])), parseTerms)
		if err != nil {
			return err
		}
		for at := t.from(c.term); at < len(t.starts) && left > 0; at++ {
			spelling, list := t.at(at)
			if string(spelling) > to {
				return nil
			}
			if err := do(list); err != nil {
				return err
			}
			left--
		}
	}
	return nil
}
