package output

import "golang.org/x/sys/unix"

// canSwap says whether exchange exists at all on this system.
const canSwap = true

// exchange swaps the folders a and b in one step.
func exchange(a, b string) error {
	return unix.RenamexNp(a, b, unix.RENAME_SWAP)
}
