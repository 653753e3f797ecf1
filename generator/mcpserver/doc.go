// Package mcpserver answers the questions of AI tools by the Model Context
// Protocol: five tools, and beside them resources, prompts and completions.
//
//	Source ─► Edition ─► library ─► tools, resources, prompts ─► mcp.Server ─► stdio
//	                                                                  └─► Handler ─► HTTP
//
// A [Source] is where a library is published: a built folder, or seeds that are
// rendered as they are asked for. What it has at one moment is an [Edition]: the
// published files, read by name. The server knows nothing else, so a tool says
// what the mirror says: by construction, not by care. A library is an edition with
// what was read of it, in bounded memory. When the source has another edition, the
// library is another one, and a call that met both begins again: no answer mixes
// two.
//
// The protocol is the official SDK's, in both of its eras: sessions that begin with
// "initialize", and requests that carry their version. What surrounds it is ours:
// [Server.Handler] has the rules of HTTP that the SDK leaves to its user, each in a
// small handler of its own.
//
// Texts of cases are quotations of public material. They are data, and the
// instructions of the server say so; characters that cannot be seen or that reorder
// text are taken out of them.
package mcpserver
