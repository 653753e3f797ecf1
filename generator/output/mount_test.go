//go:build linux

package output

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// mount puts a small file system in memory at dir, or skips the test where we
// may not.
func mount(t *testing.T, dir string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	if err := unix.Mount("incidentlib-test", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("cannot mount a file system here: ", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

// A full disk stops the build, with the old site whole and staging gone.
func TestFullDisk(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		disk := t.TempDir()
		mount(t, disk)
		dir := disk + "/public"
		publish(t, dir, site{"a": "1", "b": "2"}, inPlace)
		write(t, dir, "CNAME", "example.org")
		before := snapshot(t, dir)
		files := append(site{"a": "3"}.files(), File{Path: "big", Render: func(dst *bytes.Buffer) error {
			_, err := dst.ReadFrom(io.LimitReader(rand.Reader, 2<<20))
			return err
		}})
		_, err := Publish(t.Context(), files, Options{Dir: dir, InPlace: inPlace})
		if !errors.Is(err, unix.ENOSPC) {
			t.Errorf("err = %v, want that no space is left", err)
		}
		sameTree(t, snapshot(t, dir), before)
		noWork(t, dir)
	})
}

// A folder on a disk that cannot be written stays as it is.
func TestReadOnly(t *testing.T) {
	bothModes(t, func(t *testing.T, inPlace bool) {
		disk := t.TempDir()
		mount(t, disk)
		dir := disk + "/public"
		publish(t, dir, site{"a": "1"}, inPlace)
		must(t, unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
		before := snapshot(t, dir)
		_, err := Publish(t.Context(), site{"a": "2"}.files(), Options{Dir: dir, InPlace: inPlace})
		if !errors.Is(err, unix.EROFS) {
			t.Errorf("err = %v, want that the file system is read-only", err)
		}
		sameTree(t, snapshot(t, dir), before)
	})
}

// A folder that is a mount point, even of the same disk, cannot be swapped,
// but in place it works.
func TestMountPoint(t *testing.T) {
	t.Parallel()
	for _, bind := range []bool{false, true} {
		dir := t.TempDir() + "/public"
		mount(t, dir)
		if bind {
			must(t, os.MkdirAll(dir+"/real", 0o755))
			must(t, os.MkdirAll(dir+"/bound", 0o755))
			must(t, unix.Mount(dir+"/real", dir+"/bound", "", unix.MS_BIND, ""))
			bound := dir + "/bound"
			t.Cleanup(func() { must(t, unix.Unmount(bound, unix.MNT_DETACH)) })
			dir = bound
		}
		for _, s := range []site{{"a": "1", "d/b": "2"}, {"a": "2", "d": "3"}} {
			if _, err := Publish(t.Context(), s.files(), Options{Dir: dir}); !errors.Is(err, ErrNoSwap) {
				t.Errorf("bind %v: err = %v, want ErrNoSwap", bind, err)
			}
			publish(t, dir, s, true)
			for _, d := range diffContents(snapshot(t, dir), s, nil, false) {
				t.Errorf("bind %v: %s", bind, d)
			}
		}
	}
}

// Something mounted inside the folder cannot be linked into a new tree: an
// error that says so, before anything changes.
func TestMountInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/public"
	publish(t, dir, site{"a": "1"}, false)
	mount(t, dir+"/theirs")
	write(t, dir, "theirs/file", "mine")
	before := snapshot(t, dir)
	if _, err := Publish(t.Context(), site{"a": "2"}.files(), Options{Dir: dir}); !errors.Is(err, ErrNoSwap) {
		t.Errorf("err = %v, want ErrNoSwap", err)
	}
	sameTree(t, snapshot(t, dir), before)
	noWork(t, dir)
	publish(t, dir, site{"a": "2"}, true)
	write(t, dir, "theirs/file", "mine")
	for _, d := range diffContents(snapshot(t, dir), site{"a": "2"}, foreignOf(before, site{"a": ""}), false) {
		t.Error(d)
	}
}
