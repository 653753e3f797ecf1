package mcpserver

import (
	"encoding/base64"
	"hash/fnv"
	"strconv"
	"strings"
)

// shortVersion is enough of a version to tell it from others.
func shortVersion(version string) string { return firstRunes(version, 16) }

// cursorText is where a list goes on: in which state of the library, for which
// call, at which entry.
func cursorText(version string, call uint64, offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(shortVersion(version) + " " + strconv.FormatUint(call, 36) + " " + strconv.Itoa(offset)))
}

// readCursor is the entry that a cursor leads to; 0 when there is none. The error
// is a [fault].
func readCursor(cursor, version string, call uint64) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(b), " ")
	if err != nil || len(parts) != 3 {
		return 0, fault("cursor is not one that this server gave; leave it out to start again")
	}
	offset, err := strconv.Atoi(parts[2])
	switch {
	case err != nil || offset < 0:
		return 0, fault("cursor is not one that this server gave; leave it out to start again")
	case parts[0] != shortVersion(version):
		return 0, fault("the list changed, start again: call without cursor")
	case parts[1] != strconv.FormatUint(call, 36):
		return 0, fault("cursor belongs to a call with other arguments; repeat those, or leave it out to start again")
	}
	return offset, nil
}

// callKey tells calls apart by what they ask for.
func callKey(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p + "\x00"))
	}
	return h.Sum64()
}
