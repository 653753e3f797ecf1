// Package conform looks at a published library as its users do, and says where
// it falls short: addresses, media types, who may read it from where, what is
// asked again for nothing, what a missing address answers, whether every document
// is what its schema says, and whether the list of changes, the manifest and the
// dumps tell of the same cases.
//
// It knows nothing of how a library is made; only what is promised of one.
package conform

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"benchlet.com/incidentlib/generator/remote"
)

// Options say what to look at, and how closely.
type Options struct {
	Address string        // of the published site, or of its API's own host
	All     bool          // look at every document, not at some of each kind
	HTTP    *http.Client  // nil for one of the package's own
	Timeout time.Duration // of one request; 0 means a minute
	Jobs    int           // requests under way at once; 0 means eight

	Progress func(check string) // what is looked at now; may be nil
}

// Report is what was found.
type Report struct {
	Address  string  `json:"address"`
	Checks   []Check `json:"checks"`
	Requests int     `json:"requests"`
	Bytes    int64   `json:"bytes"`
}

// Short reports whether anything falls short.
func (r Report) Short() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Result == Short })
}

// Check is one promise, and whether it is kept.
type Check struct {
	Name   string   `json:"name"`
	What   string   `json:"what"`
	Result Result   `json:"result"`
	Looked int      `json:"looked"` // at how many things
	Faults []Fault  `json:"faults"` // at most twenty
	More   int      `json:"more"`   // faults that are not told
	Notes  []string `json:"notes"`
}

// checking is a check under way, which several goroutines add to.
type checking struct {
	Check
	mu sync.Mutex
}

// Result is how a check ended.
type Result string

// The results.
const (
	Kept    Result = "kept"
	Short   Result = "falls short"
	Skipped Result = "skipped" // there is nothing of the kind, or no way to look
)

// Fault is where something falls short, and how.
type Fault struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

const maxFaults = 20

// short notes a fault.
func (c *checking) short(where, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.Faults) == maxFaults {
		c.More++
		return
	}
	c.Faults = append(c.Faults, Fault{where, bounded(fmt.Sprintf(format, args...))})
}

// maxTold is how many bytes of what a host says are repeated.
const maxTold = 500

func bounded(s string) string {
	if len(s) <= maxTold {
		return s
	}
	return strings.ToValidUTF8(s[:maxTold], "") + "…"
}

// note adds what is worth knowing and no fault.
func (c *checking) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := bounded(fmt.Sprintf(format, args...)); len(c.Notes) < maxFaults && !slices.Contains(c.Notes, text) {
		c.Notes = append(c.Notes, text)
	}
}

// looked counts what was looked at.
func (c *checking) looked(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Looked += n
}

func (c *checking) end() {
	switch {
	case len(c.Faults) > 0:
		c.Result = Short
	case c.Looked == 0:
		c.Result = Skipped
	default:
		c.Result = Kept
	}
	slices.SortFunc(c.Faults, func(a, b Fault) int {
		if a.Where != b.Where {
			return compare(a.Where, b.Where)
		}
		return compare(a.What, b.What)
	})
}

func compare(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// promise is a check and who makes it.
type promise struct {
	name, what string
	look       func(*visit, context.Context, *checking)
}

// promises are all checks. A later one uses what earlier ones fetched.
func promises() []promise {
	return []promise{
		{"root", "the root document is there and says what there is", (*visit).root},
		{"schemas", "every schema is at its address and is JSON Schema 2020-12", (*visit).schemas},
		{"manifest", "the manifest is the one that the root promises", (*visit).manifest},
		{"cases", "every case is what its schema, the manifest and its address say", (*visit).cases},
		{"similar", "every list of similar cases is what its schema says", (*visit).similar},
		{"lists", "the lists of cases hold every case once", (*visit).lists},
		{"groups", "topics, organisations, years and vocabulary are what their schemas say and agree", (*visit).groups},
		{"changes", "the list of changes tells of every case, newest first", (*visit).changes},
		{"tombstones", "an id that is no longer published says why, or leads on", (*visit).tombstones},
		{"dumps", "the dumps are what their list says and hold every case once", (*visit).dumps},
		{"openapi", "the description of the API is OpenAPI 3.1", (*visit).openapi},
		{"types", "every kind of document has its media type", (*visit).types},
		{"cors", "scripts of any site may read documents and their tags", (*visit).cors},
		{"unchanged", "what did not change costs no bytes: ETag, and 304 for it", (*visit).unchanged},
		{"caching", "documents are kept for a while, and files named by their content for ever", (*visit).caching},
		{"missing", "what is not there is answered with 404", (*visit).missing},
		{"aliases", "short addresses of documents lead to them", (*visit).aliases},
		{"pages", "pages carry the headers of their policy, in both languages", (*visit).pages},
		{"slashes", "a page without its slash leads to it, once", (*visit).slashes},
		{"search", "the search index is there and belongs to the data", (*visit).search},
		{"feeds", "feeds, sitemap and catalogue are there with their media types", (*visit).beside},
	}
}

// Run looks at a library. The error is for an address that cannot be one; what
// cannot be reached falls short.
func Run(ctx context.Context, opt Options) (Report, error) {
	client, err := remote.New(opt.Address, remote.Options{HTTP: opt.HTTP, Timeout: opt.Timeout, Agent: "incidentlib-conform"})
	if err != nil {
		return Report{}, err
	}
	if opt.Jobs <= 0 {
		opt.Jobs = 8
	}
	v := &visit{opt: opt, client: client, answers: map[string]remote.Response{}}
	r := Report{Address: client.Base()}
	for _, p := range promises() {
		c := &checking{Check: Check{Name: p.name, What: p.what, Faults: []Fault{}, Notes: []string{}}}
		if opt.Progress != nil {
			opt.Progress(p.name)
		}
		if v.known || p.name == "root" {
			p.look(v, ctx, c)
		}
		c.end()
		r.Checks = append(r.Checks, c.Check)
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
	}
	r.Requests, r.Bytes = client.Spent()
	return r, nil
}
