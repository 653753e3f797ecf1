package preview

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard lets through requests that name this server. A page of another site can
// make a browser ask here under a name that it owns (DNS rebinding) or from its
// own origin; both are refused, for seeds may not be public yet.
func guard(addr net.Addr, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownHost(r.Host, addr) {
			http.Error(w, "this name is not this server's; use localhost or the address it prints", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" && !sameOrigin(origin, r.Host) {
			http.Error(w, "requests from other sites are refused", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownHost accepts localhost, addresses in numbers, and the name listened on:
// none of them can be pointed here by a stranger.
func ownHost(hostport string, addr net.Addr) bool {
	name := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	if addr == nil {
		return false
	}
	own, _, err := net.SplitHostPort(addr.String())
	return err == nil && name == own
}

func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}
