package output

import "golang.org/x/sys/unix"

// sameMount reports whether files can be linked and renamed between the
// folders a and b. Two mounts of one device differ only in the mount's number,
// two subvolumes of one mount only in the device's.
func sameMount(a, b string) bool {
	var sa, sb unix.Statx_t
	for path, s := range map[string]*unix.Statx_t{a: &sa, b: &sb} {
		if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_MNT_ID, s); err != nil {
			return true // let the rename itself say what is wrong
		}
	}
	return sa.Dev_major == sb.Dev_major && sa.Dev_minor == sb.Dev_minor && sa.Mnt_id == sb.Mnt_id
}
