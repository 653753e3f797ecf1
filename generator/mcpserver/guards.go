package mcpserver

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/time/rate"
)

// hosts are the names that a server is called by. A page of another site can have a
// browser on this machine ask us by making its own name lead here; the browser then
// sends that name, and it is none of these.
type hosts struct {
	names   []string // lower case, without a port
	any     bool
	numbers bool // an address in numbers will do: no name leads there
}

func newHosts(listen string, more []string) *hosts {
	h := &hosts{names: []string{"localhost"}}
	if name, _, err := net.SplitHostPort(listen); err == nil {
		ip, errIP := netip.ParseAddr(name)
		h.numbers = name == "" || errIP == nil && ip.IsUnspecified()
		if name != "" {
			h.names = append(h.names, strings.ToLower(name))
		}
	}
	for _, name := range more {
		h.any = h.any || name == "*"
		h.names = append(h.names, strings.ToLower(name))
	}
	return h
}

func (h *hosts) known(host string) bool {
	if h.any {
		return true
	}
	name := strings.ToLower(withoutPort(host))
	ip, err := netip.ParseAddr(name)
	if err == nil && (ip.IsLoopback() || h.numbers) {
		return true
	}
	return slices.Contains(h.names, name)
}

// withoutPort is the name or number in a host, without its port and brackets.
func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func (h *hosts) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.known(r.Host) {
			refuse(w, http.StatusForbidden, "this server is not called "+quoted(r.Host)+"; start it with --allow-host if it is")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// origins are the sites whose pages may ask. A request without an origin comes from
// no page.
type origins struct {
	list []string
	any  bool
}

func newOrigins(list []string) *origins {
	o := &origins{any: slices.Contains(list, "*")}
	for _, s := range list {
		o.list = append(o.list, strings.ToLower(strings.TrimSuffix(s, "/")))
	}
	return o
}

func (o *origins) known(origin string) bool {
	if o.any || slices.Contains(o.list, strings.ToLower(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return strings.EqualFold(u.Hostname(), "localhost") || err == nil && ip.IsLoopback()
}

// Headers of the protocol that a page sends and reads. A browser asks before it
// sends any of them, and shows a page none that is not named here.
const (
	sentHeaders = "Content-Type, Accept, Authorization, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id"
	readHeaders = "Mcp-Session-Id, MCP-Protocol-Version, Retry-After, Allow"
)

// announce lets known pages read every answer, errors too.
func (o *origins) announce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && o.known(origin) {
			o.allow(w.Header(), origin)
		}
		next.ServeHTTP(w, r)
	})
}

// guard refuses foreign pages and answers what browsers ask beforehand.
func (o *origins) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if given := r.Header.Values("Origin"); len(given) > 1 || len(given) == 1 && !o.known(given[0]) {
			refuse(w, http.StatusForbidden, "pages of "+quoted(given[0])+" may not ask; start the server with --allow-origin if they may")
			return
		}
		if r.Method == http.MethodOptions {
			h := w.Header()
			h.Set("Allow", "POST, OPTIONS")
			if r.URL.Path != endpointPath {
				h.Set("Allow", "GET, OPTIONS")
			}
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (o *origins) allow(h http.Header, origin string) {
	if o.any {
		origin = "*"
	} else {
		h.Add("Vary", "Origin")
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
	h.Set("Access-Control-Allow-Headers", sentHeaders)
	h.Set("Access-Control-Expose-Headers", readHeaders)
	h.Set("Access-Control-Max-Age", "86400")
}

// rates bounds how much one address asks. This machine itself is not bounded: what
// runs here is the user's own, or a proxy that bounds its clients.
type rates struct {
	rate    float64
	buckets *ttlcache.Cache[netip.Prefix, *rate.Limiter]
}

// burst is how many seconds' requests may come at once.
const burst = 4

func newRates(perSecond float64) *rates {
	return &rates{perSecond, ttlcache.New(ttlcache.WithCapacity[netip.Prefix, *rate.Limiter](10_000), ttlcache.WithTTL[netip.Prefix, *rate.Limiter](time.Minute))}
}

// client is whom an address belongs to: of the new kind of addresses everybody has
// a whole network.
func client(remote string) (netip.Prefix, bool) {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}, false
	}
	ip, bits := at.Addr().Unmap().WithZone(""), 32
	if ip.Is6() {
		bits = 64
	}
	p, err := ip.Prefix(bits)
	return p, err == nil && !ip.IsLoopback()
}

func (l *rates) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, bounded := client(r.RemoteAddr)
		if l.rate > 0 && bounded && r.URL.Path != healthPath {
			item, _ := l.buckets.GetOrSetFunc(who, func() *rate.Limiter {
				return rate.NewLimiter(rate.Limit(l.rate), max(1, int(l.rate*burst)))
			})
			if !item.Value().Allow() {
				w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(1/l.rate))))
				refuse(w, http.StatusTooManyRequests, "too many requests from one address; wait, and ask less often")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
