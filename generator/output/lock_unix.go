//go:build unix

package output

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock, or returns ErrBusy. The kernel releases it when the
// process ends, however that happens.
func tryLock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

// dropLock removes the lock's file and releases the lock, in this order: who
// opened the file before sees afterwards that it is gone, and starts over.
func dropLock(f *os.File) error {
	err := os.Remove(f.Name())
	return errors.Join(err, f.Close())
}
