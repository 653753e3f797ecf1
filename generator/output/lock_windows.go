package output

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock, or returns ErrBusy. The system releases it when the
// process ends, however that happens.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}

// dropLock releases the lock and removes its file. An open file cannot be
// removed here, so one that another build has opened meanwhile stays.
func dropLock(f *os.File) error {
	err := f.Close()
	_ = os.Remove(f.Name())
	return err
}
