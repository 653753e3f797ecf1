//go:build !linux

package main

import "os"

// peak is the most memory that a process held at once; it is not asked for here.
func peak(*os.ProcessState) int64 { return 0 }
