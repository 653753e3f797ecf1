package preview

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// guard lets through requests that name this server. A page of another site can
// make a browser ask here under a name that it owns (DNS rebinding) or from its
// own origin; both are refused, for seeds may not be public yet. name is what
// the server was told to listen on, "" for none.
func guard(name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		origins, asked := r.Header["Origin"]
		switch {
		case !ownHost(r.Host, name):
			refuse(w, "this name is not this server's; use localhost or the address that it prints")
		case asked && (len(origins) != 1 || !sameOrigin(origins[0], r.Host)):
			refuse(w, "requests from other sites are refused")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			plain(w, r, http.StatusMethodNotAllowed, "only GET and HEAD are answered here")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter, why string) { plain(w, nil, http.StatusForbidden, why) }

// ownHost accepts localhost, addresses in numbers, and the name listened on:
// none of them can be pointed here by a stranger.
func ownHost(hostport, own string) bool {
	name, _, ok := split(hostport)
	if !ok {
		return false
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || name == strings.ToLower(own) {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// split takes a host apart, in lower case and without the dot of the root; a
// port that is not written is that of http. It is not ok when it is no host.
func split(hostport string) (name, port string, ok bool) {
	name, port = hostport, "80"
	if strings.HasPrefix(hostport, "[") && strings.HasSuffix(hostport, "]") {
		name = hostport[1 : len(hostport)-1]
		if !strings.Contains(name, ":") {
			return "", "", false
		}
	} else if strings.Contains(hostport, ":") {
		var err error
		if name, port, err = net.SplitHostPort(hostport); err != nil {
			return "", "", false
		}
		if strings.HasPrefix(hostport, "[") != strings.Contains(name, ":") {
			return "", "", false
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", "", false
		}
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return name, port, name != ""
}

// sameOrigin reports whether an origin is that of the server itself.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" || u.Opaque != "" || u.User != nil {
		return false
	}
	name, port, ok := split(u.Host)
	ownName, ownPort, okOwn := split(host)
	return ok && okOwn && name == ownName && port == ownPort
}
