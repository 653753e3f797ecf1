// Package host is what a server that publishes the site has to say about its
// files: media types and security headers. The preview speaks by it, and so
// will the files that configure static hosts: one source, so that what an
// editor sees is what a reader gets.
package host

import "path"

// ContentSecurityPolicy is the policy that every page holds to: nothing inline,
// nothing from elsewhere.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Header is one header of a response.
type Header struct{ Name, Value string }

// PageHeaders are sent with every file.
func PageHeaders() []Header {
	return []Header{
		{"Content-Security-Policy", ContentSecurityPolicy},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "strict-origin-when-cross-origin"},
		{"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
	}
}

// MediaType is the media type of a file of the site, from our own table: the
// system's tables differ from machine to machine.
func MediaType(file string) string {
	switch path.Ext(file) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json; charset=utf-8"
	case ".xml":
		return "application/xml; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".png":
		return "image/png"
	}
	return "application/octet-stream"
}
