package main

import (
	"os"
	"syscall"
)

// peak is the most memory that a process held at once, in bytes.
func peak(s *os.ProcessState) int64 {
	if use, ok := s.SysUsage().(*syscall.Rusage); ok {
		return use.Maxrss << 10 // Linux counts in KiB
	}
	return 0
}
