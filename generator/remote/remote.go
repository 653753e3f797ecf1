// Package remote asks a published library, wherever it is: a host that may be
// slow, stale, half copied or somebody else's. A [Client] never leaves the
// origin that it was given, takes no more bytes and waits no longer than it was
// told, follows few redirects, and says in words what went wrong.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Options say how to ask.
type Options struct {
	HTTP    *http.Client  // nil for one of the package's own
	Timeout time.Duration // of one request; 0 means a minute
	Tries   int           // of a request that fails for a reason that may pass; 0 means three
	Agent   string        // who asks
}

// Client asks one library. It is safe for concurrent use.
type Client struct {
	http    *http.Client
	base    *url.URL // of the site, its path without "/" at the end
	timeout time.Duration
	tries   int
	agent   string

	requests, bytes atomic.Int64
}

const (
	maxRedirects   = 5
	defaultTimeout = time.Minute
	defaultTries   = 3
	firstPause     = 200 * time.Millisecond
	longestPause   = 10 * time.Second
)

// What can be told apart with errors.Is.
var (
	// ErrNotFound: there is nothing at the address.
	ErrNotFound = errors.New("there is nothing there")
	// ErrElsewhere: the address leads to another origin.
	ErrElsewhere = errors.New("it leads to another host")
	// ErrLoop: the redirects do not end.
	ErrLoop = errors.New("its redirects do not end")
	// ErrTooLarge: there is more than was asked for.
	ErrTooLarge = errors.New("it is larger than it may be")
)

// New makes a client of the library at an address: that of its site.
func New(address string, opt Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no http or https address; write one such as https://example.org/incidents", address)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q has a user, a query or a fragment; leave them out", u.Redacted())
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	c := &Client{base: u, timeout: opt.Timeout, tries: opt.Tries, agent: opt.Agent}
	if c.timeout <= 0 {
		c.timeout = defaultTimeout
	}
	if c.tries <= 0 {
		c.tries = defaultTries
	}
	if c.agent == "" {
		c.agent = "incidentlib"
	}
	var own http.Client
	if opt.HTTP != nil {
		own = *opt.HTTP
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // see follow
	c.http = &own
	return c, nil
}

// Base is the address of the site, without "/" at its end.
func (c *Client) Base() string { return c.base.String() }

// At is the client of the same host for a site below or above; counts begin
// anew.
func (c *Client) At(path string) *Client {
	u := *c.base
	u.Path, u.RawPath = strings.TrimRight(path, "/"), ""
	return &Client{http: c.http, base: &u, timeout: c.timeout, tries: c.tries, agent: c.agent}
}

// Path is the path of the site on its host, without "/" at its end.
func (c *Client) Path() string { return c.base.Path }

// Spent is what was asked and received so far: requests, and bytes of answers
// once they are unpacked.
func (c *Client) Spent() (requests int, bytes int64) {
	return int(c.requests.Load()), c.bytes.Load()
}

// Request is what to ask for.
type Request struct {
	Path   string            // below the site: "api/v1/index.json"; "" is the site itself
	Limit  int64             // of bytes; 0 means 16 MB
	Header map[string]string // beside our own
	Method string            // GET unless it is set
	Still  bool              // follow no redirect
	Once   bool              // do not try again
}

// Response is an answer, whole.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	URL    string   // that answered
	Via    []string // the addresses that led there
}

const defaultLimit = 16 << 20

// Do asks until there is an answer: one that may be of any status. Answers that
// say that the host is busy or broken are asked for again, and so is what
// breaks off.
func (c *Client) Do(ctx context.Context, r Request) (Response, error) {
	pause := firstPause
	for try := 1; ; try++ {
		resp, err := c.follow(ctx, r)
		if err == nil && !passing(resp.Status) {
			return resp, nil
		}
		if final := r.Once || try >= c.tries || ctx.Err() != nil || permanent(err); final {
			return resp, err
		}
		wait := pause
		if s, errAfter := strconv.Atoi(resp.header("Retry-After")); errAfter == nil && s >= 0 {
			wait = time.Duration(s) * time.Second
		}
		pause *= 2
		select {
		case <-ctx.Done():
			return resp, context.Cause(ctx)
		case <-time.After(min(wait, longestPause)):
		}
	}
}

func (r Response) header(name string) string { return r.Header.Get(name) }

// passing reports whether a status may be another one soon.
func passing(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
}

func permanent(err error) bool {
	return errors.Is(err, ErrElsewhere) || errors.Is(err, ErrLoop) || errors.Is(err, ErrTooLarge)
}

// follow asks, and follows redirects within the origin.
func (c *Client) follow(ctx context.Context, r Request) (Response, error) {
	at := c.URL(r.Path)
	var via []string
	for {
		resp, err := c.once(ctx, at, r)
		if err != nil {
			return resp, fmt.Errorf("%s: %w", at, err)
		}
		resp.Via = via
		location := resp.Header.Get("Location")
		if r.Still || location == "" || resp.Status < 300 || resp.Status >= 400 {
			return resp, nil
		}
		next, err := c.resolve(at, location)
		if err != nil {
			return resp, fmt.Errorf("%s: %w", at, err)
		}
		via = append(via, at)
		if len(via) > maxRedirects {
			return resp, fmt.Errorf("%s: %w after %d", c.URL(r.Path), ErrLoop, maxRedirects)
		}
		at = next
	}
}

// URL is the absolute address of a path of the site.
func (c *Client) URL(path string) string {
	return c.base.String() + "/" + strings.TrimPrefix(path, "/")
}

func (c *Client) resolve(at, location string) (string, error) {
	u, err := url.Parse(at)
	if err != nil {
		return "", err
	}
	next, err := u.Parse(location)
	if err != nil {
		return "", fmt.Errorf("it leads to %q, which is no address", location)
	}
	if next.Scheme != c.base.Scheme || next.Host != c.base.Host {
		return "", fmt.Errorf("%w, %s; if that is where the library is, give that address", ErrElsewhere, next.Redacted())
	}
	return next.String(), nil
}

// once asks one address one time.
func (c *Client) once(ctx context.Context, at string, r Request) (Response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, fmt.Errorf("no whole answer within %v", c.timeout))
	defer cancel()
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(ctx, method, at, nil)
	if err != nil {
		return Response{}, err
	}
	req.Header.Set("User-Agent", c.agent)
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	c.requests.Add(1)
	resp, err := c.http.Do(req)
	if err != nil {
		return Response{}, reason(ctx, err)
	}
	defer resp.Body.Close()
	out := Response{Status: resp.StatusCode, Header: resp.Header, URL: at}
	limit := r.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	out.Body, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	c.bytes.Add(int64(len(out.Body)))
	switch {
	case err != nil:
		return out, fmt.Errorf("the answer breaks off: %w", reason(ctx, err))
	case int64(len(out.Body)) > limit:
		return out, fmt.Errorf("%w: %d bytes", ErrTooLarge, limit)
	}
	return out, nil
}

// reason is why a request ended: that its time was up rather than how it broke.
func reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		return u.Err
	}
	return err
}

// Get asks for a document that has to be there, unless what the client has of it
// by its tag is the same: then the body is nil.
func (c *Client) Get(ctx context.Context, path, tag string, limit int64) (Response, error) {
	r := Request{Path: path, Limit: limit, Header: map[string]string{}}
	if tag != "" {
		r.Header["If-None-Match"] = tag
	}
	resp, err := c.Do(ctx, r)
	switch {
	case err != nil:
		return resp, err
	case resp.Status == http.StatusNotModified && tag != "":
		resp.Body = nil
		return resp, nil
	case resp.Status == http.StatusNotFound || resp.Status == http.StatusGone:
		return resp, fmt.Errorf("%s: %w (%d)", resp.URL, ErrNotFound, resp.Status)
	case resp.Status != http.StatusOK:
		return resp, fmt.Errorf("%s answers %d %s", resp.URL, resp.Status, http.StatusText(resp.Status))
	}
	return resp, nil
}
