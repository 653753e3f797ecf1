package host

import "path"

// MediaType is the media type of a file of the site, from our own table: the
// system's tables differ from machine to machine.
func MediaType(file string) string {
	switch path.Base(file) {
	case "feed.xml":
		return "application/atom+xml; charset=utf-8"
	case "feed.json":
		return "application/feed+json; charset=utf-8"
	case "opensearch.xml":
		return "application/opensearchdescription+xml; charset=utf-8"
	case "api-catalog":
		return "application/linkset+json"
	case headersName, redirectsName, noJekyllName:
		return "text/plain; charset=utf-8"
	}
	for _, t := range byExtension() {
		if path.Ext(file) == t.ext {
			return t.media
		}
	}
	return "application/octet-stream"
}

type extension struct{ ext, media string }

// byExtension are the media types that the end of a name tells.
func byExtension() []extension {
	return []extension{
		{".html", "text/html; charset=utf-8"},
		{".css", "text/css; charset=utf-8"},
		{".js", "text/javascript; charset=utf-8"},
		{".json", "application/json; charset=utf-8"},
		{".ndjson", "application/x-ndjson; charset=utf-8"},
		{".xml", "application/xml; charset=utf-8"},
		{".yaml", "application/yaml; charset=utf-8"},
		{".csv", "text/csv; charset=utf-8"},
		{".txt", "text/plain; charset=utf-8"},
		{".md", "text/markdown; charset=utf-8"},
		{".webmanifest", "application/manifest+json; charset=utf-8"},
		{".svg", "image/svg+xml"},
		{".png", "image/png"},
		{".ico", "image/x-icon"},
		{".woff2", "font/woff2"},
		{".gz", "application/gzip"},
		{".wasm", "application/wasm"},
	}
}
