// Package preview serves a library from memory while editors work on it.
//
// A [Server] holds one site at a time, the last that could be made, and swaps
// it whole: a request sees the old site or the new one. A site is the list of
// files that a build would write; each is rendered when it is first asked for,
// so a change costs what is looked at, not what the library holds, and what is
// served is what a build writes, byte for byte, but for the two elements that
// the preview adds to a page ([inject]).
//
// Browsers listen on a stream of server-sent events. After a swap each is told
// the state of the seeds, and to reload when the bytes of its own page changed.
// A browser that does not read delays nobody: it is sent the newest state when
// it comes back, and is cut off when it does not.
//
// When seeds or templates are broken the last good site stays, and every page
// shows the problems over itself until they are mended. They are also on stderr
// and, as JSON, at /_preview/problems.json.
package preview
