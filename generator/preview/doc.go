// Package preview serves a library from memory while editors work on it.
//
//	watch ─► edits ─► builder ─► state ─► pages, as they are asked for
//	                               └────► hub ─► browsers
//
// A [Server] holds one state at a time and swaps it whole: a request sees the
// site before an edit or the one after it. A site plans and renders a file when
// it is first asked for, so a change costs what is looked at, not what the
// library holds, and what is served is what a build writes, byte for byte, but
// for the two elements that the preview adds to a page ([inject]).
//
// An edit that comes while the one before is being built ends that build: what
// it read is kept, and one build makes both.
//
// Browsers listen on a stream of server-sent events. After a swap each is told
// the state of the seeds, and to reload when the bytes of its own page changed.
// A browser that does not read delays nobody: it is sent the newest state when
// it comes back, and is cut off when it does not.
//
// When seeds or templates are broken the last good ones stay, and every page
// shows the problems over itself until they are mended. They are also on stderr
// and, as JSON, at /_preview/problems.json.
package preview
