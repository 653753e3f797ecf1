package host

import (
	"fmt"
	"math"
)

// Size is what a host's limits are about.
type Size struct {
	Files       int
	Bytes       int64
	Largest     int64 // bytes of the largest file
	LargestPath string
}

// What the hosts' own documents say they take.
const (
	cloudflareFree    = 20_000
	cloudflarePaid    = 100_000
	cloudflareLargest = 25 << 20
	cloudflareMoves   = 2_000
	cloudflareNamed   = 100
	cloudflareHeaders = 100
	githubBytes       = 1_000_000_000
	githubLargest     = 100 << 20
	netlifyMoves      = 10_000
)

// Largest is how many bytes a file may have on all of the hosts.
func Largest(hosts []Name) int {
	largest := math.MaxInt
	for _, h := range hosts {
		switch h {
		case Cloudflare:
			largest = min(largest, cloudflareLargest)
		case GitHub:
			largest = min(largest, githubLargest)
		}
	}
	return largest
}

// Warnings say where a site passes what a host takes, and what to do.
func (r Rules) Warnings(h Name, s Size) []string {
	var out []string
	say := func(too bool, format string, args ...any) {
		if too {
			out = append(out, string(h)+": "+fmt.Sprintf(format, args...))
		}
	}
	named := 0
	for _, a := range r.Aliases {
		named += min(1, len(a.From.names()))
	}
	switch h {
	case Cloudflare:
		say(s.Files > cloudflarePaid, "%d files; Pages takes %d on a paid plan: publish to S3 or your own server", s.Files, cloudflarePaid)
		say(s.Files > cloudflareFree && s.Files <= cloudflarePaid, "%d files; Pages takes %d on the free plan: use a paid one, which takes %d", s.Files, cloudflareFree, cloudflarePaid)
		say(s.Largest > cloudflareLargest, "%s has %d bytes; Pages takes %d a file: publish to S3 or your own server", s.LargestPath, s.Largest, cloudflareLargest)
		say(len(r.Moves)+len(r.Aliases)-named > cloudflareMoves, "%d redirects; Pages follows %d: the pages of the withdrawn cases lead on without one; to keep the newest redirects, take the oldest from _redirects",
			len(r.Moves)+len(r.Aliases)-named, cloudflareMoves)
		say(named > cloudflareNamed || len(r.joined()) > cloudflareHeaders, "%d rules of headers and %d of names; Pages takes %d of each", len(r.joined()), named, cloudflareHeaders)
	case Netlify:
		say(len(r.Moves) > netlifyMoves, "%d redirects; Netlify advises against more than %d: the pages of the withdrawn cases lead on without one", len(r.Moves), netlifyMoves)
	case GitHub:
		say(s.Bytes > githubBytes, "%d bytes; Pages takes 1 GB: publish to another host", s.Bytes)
		say(s.Largest > githubLargest, "%s has %d bytes; git push takes %d a file: publish with the action for Pages, which uploads no commits, or to another host", s.LargestPath, s.Largest, githubLargest)
	}
	return out
}
