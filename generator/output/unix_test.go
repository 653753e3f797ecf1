//go:build unix

package output

import (
	"testing"

	"golang.org/x/sys/unix"
)

func mkfifo(t *testing.T, name string) {
	t.Helper()
	must(t, unix.Mkfifo(name, 0o644))
}
