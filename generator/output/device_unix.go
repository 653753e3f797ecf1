//go:build unix && !linux

package output

import (
	"os"
	"syscall"
)

// device is the number of the file system that the file is on.
func device(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev)
	}
	return 0
}
