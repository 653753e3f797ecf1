//go:build unix

package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// openPublished opens a file for comparing. It follows no symbolic link in the
// last segment and does not wait for the other end of a pipe; notRegular
// reports whether something else than a regular file is there.
func openPublished(path string) (f *os.File, info os.FileInfo, notRegular bool, err error) {
	f, err = os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		// A link, or a socket or device with nobody behind it.
		return nil, nil, errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) || errors.Is(err, unix.ENXIO), err
	}
	info, err = f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, info, err == nil, err
	}
	return f, info, false, nil
}

// linkEntry makes new another name of the file, pipe or symbolic link at old,
// not following it. Where links have no second names, a copy is made.
func linkEntry(old, new string, mode fs.FileMode) error {
	err := unix.Linkat(unix.AT_FDCWD, old, unix.AT_FDCWD, new, 0)
	if err == nil || mode&fs.ModeSymlink == 0 || errors.Is(err, fs.ErrExist) {
		return wrapLink(old, new, err)
	}
	target, err := os.Readlink(old)
	if err != nil {
		return err
	}
	return os.Symlink(target, new)
}

func wrapLink(old, new string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: "link", Old: old, New: new, Err: err}
}

// identity tells a folder from any other that exists at the same time.
func identity(info os.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}

// statusOf is what the file system says of an entry, not following a link.
func statusOf(name string) (status, error) {
	var st unix.Stat_t
	err := unix.Lstat(name, &st)
	for errors.Is(err, unix.EINTR) {
		err = unix.Lstat(name, &st)
	}
	if err != nil {
		return status{}, &os.PathError{Op: "lstat", Path: name, Err: err}
	}
	me := os.Geteuid()
	return status{
		changed: time.Unix(st.Ctim.Unix()),
		folder:  st.Mode&unix.S_IFMT == unix.S_IFDIR,
		shut:    st.Mode&0o700 != 0o700,
		others:  me != 0 && int(st.Uid) != me,
	}, nil
}

// owner is the user and group of a file.
type owner struct{ uid, gid uint32 }

func ownerOf(info os.FileInfo) owner {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return owner{st.Uid, st.Gid}
	}
	return owner{}
}

// giveTo makes path the owner's, where we may: only root can give files away,
// and for anybody else the folder is theirs already.
func giveTo(path string, to owner) {
	_ = os.Lchown(path, int(to.uid), int(to.gid))
}

func setModTime(path string, t time.Time) error { return os.Chtimes(path, time.Time{}, t) }

// writable says why entries of the folder cannot be changed, or nil.
func writable(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{Op: "write to", Path: dir, Err: err}
	}
	return nil
}

// noLink reports whether err means that this file system, or this user, cannot
// link or swap there, rather than that something went wrong.
func noLink(err error) bool {
	for _, e := range []error{
		unix.EXDEV, unix.EINVAL, unix.ENOSYS, unix.EBUSY, unix.ENOTSUP, unix.EOPNOTSUPP, unix.EMLINK, unix.EPERM,
		errors.ErrUnsupported,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
