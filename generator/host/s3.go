package host

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// s3List is every file with what an upload has to say of it: a store of objects
// keeps media type and caching with each, and learns neither from its name.
func (r Rules) s3List(b *bytes.Buffer, files []string) {
	b.WriteString("path\tcontent_type\tcache_control\n")
	for _, f := range slices.Sorted(slices.Values(files)) {
		if !Hidden(f) {
			fmt.Fprintf(b, "%s\t%s\t%s\n", f, MediaType(f), r.Cache(r.Prefix+"/"+f))
		}
	}
}

// Hidden reports whether a file is for a host, not for those who ask it.
func Hidden(file string) bool {
	return strings.HasPrefix(file, folder) || file == headersName || file == redirectsName || file == noJekyllName
}

// s3Script uploads only what changed, and in the order that a reader needs:
// what pages refer to is there before them, and what is gone goes last.
func (r Rules) s3Script(b *bytes.Buffer, files []string) {
	b.WriteString(`#!/bin/sh
# Written by incidentlib. Uploads a site to S3, or a store that speaks as S3 does,
# with the AWS command line (AWS_PROFILE and AWS_ENDPOINT_URL say which):
#
#   sh .hosts/s3.sh FOLDER s3://BUCKET/PATH
#
# A store keeps media types and caching with each object. Headers of security and
# CORS, and redirects, are not the store's: set them at the CDN before it.
set -eu
from=$1 to=$2
all() { aws s3 sync "$from" "$to" --no-progress "$@" --exclude '.incidentlib-*' --exclude '.hosts/*' --exclude _headers --exclude _redirects --exclude .nojekyll; }
put() { # media type, caching, filters
  media=$1 cache=$2
  shift 2
  all --content-type "$media" --cache-control "$cache" --exclude '*' "$@"
}
`)
	for _, u := range r.uploads(files) {
		fmt.Fprintf(b, "put '%s' '%s' --include '%s'", u.media, u.cache, u.pattern)
		for _, p := range u.but {
			fmt.Fprintf(b, " --exclude '%s'", p)
		}
		b.WriteByte('\n')
	}
	b.WriteString("all --delete\n")
}

// upload is one command: the files of a pattern, which have one media type and
// one way of caching.
type upload struct {
	pattern string   // of the AWS command line: "*" is anything, slashes too
	but     []string // narrower patterns, with commands of their own
	media   string
	cache   string
	rank    int // assets first, pages last
}

// uploads are the commands that take each file exactly once.
func (r Rules) uploads(files []string) []upload {
	byPattern := map[string]upload{}
	for _, f := range files {
		if Hidden(f) {
			continue
		}
		u := upload{pattern: r.s3Pattern(f), media: MediaType(f), cache: r.Cache(r.Prefix + "/" + f), rank: rank(f)}
		byPattern[u.pattern] = u
	}
	var out []upload
	for _, u := range byPattern {
		for p := range byPattern {
			if p != u.pattern && Pattern(u.pattern).covers(Pattern(p)) {
				u.but = append(u.but, p)
			}
		}
		slices.Sort(u.but)
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b upload) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return strings.Compare(a.pattern, b.pattern)
	})
	return out
}

// s3Pattern is the pattern whose command takes a file.
func (r Rules) s3Pattern(file string) string {
	at := r.Prefix + "/" + file
	whole := Pattern(r.Prefix + "/*")
	for _, p := range r.special() {
		if p == whole || !p.Match(at) {
			continue
		}
		pattern := strings.TrimPrefix(string(p), r.Prefix+"/")
		if strings.HasSuffix(pattern, "*") {
			pattern += path.Ext(file)
		}
		return pattern
	}
	if ext := path.Ext(file); ext != "" && ext != path.Base(file) {
		return "*" + ext
	}
	return file
}

// rank is when a file is uploaded.
func rank(file string) int {
	switch {
	case strings.HasPrefix(file, "assets/") || strings.HasPrefix(file, "search/s/"):
		return 0
	case path.Ext(file) == ".html":
		return 2
	}
	return 1
}
