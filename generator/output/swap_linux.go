package output

import "golang.org/x/sys/unix"

// canSwap says whether exchange exists at all on this system.
const canSwap = true

// exchange swaps the folders a and b in one step.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
