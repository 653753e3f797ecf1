package output

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"time"
)

// folders remembers what stands where the folders of a tree should be, so
// that each is looked at once. It never looks through a symbolic link. look is
// not for concurrent use; reading known is, once all looking is done.
type folders struct {
	root  string
	known map[string]folderState
}

// folderState is what is at a folder's path.
type folderState struct {
	is    standing
	mode  fs.FileMode
	owner owner
}

type standing uint8

const (
	missing        standing = iota
	present                 // a folder
	blockedByFile           // it, or a folder on the way to it, is a regular file
	blockedByOther          // ... is a symbolic link or another special file
)

// status is what the file system knows of an entry and not everybody asks for.
type status struct {
	// changed is when the entry was last changed, by the clock of its file system: a
	// folder, when an entry of it was made, renamed or removed. Unlike the time of
	// modification nobody can set it back.
	changed time.Time
	folder  bool
	shut    bool // its owner may not list, change and enter it
	others  bool // it is somebody else's, whose rights we cannot change
}

// newFolders starts from a root that exists or not.
func newFolders(root string) (*folders, error) {
	f := &folders{root: root, known: map[string]folderState{}}
	state, err := lookAt(root)
	f.known["."] = state
	return f, err
}

// look says what is at the folder's path.
func (f *folders) look(dir string) (folderState, error) {
	if state, ok := f.known[dir]; ok {
		return state, nil
	}
	state, err := f.look(path.Dir(dir))
	if err == nil && state.is == present {
		state, err = lookAt(join(f.root, dir))
	}
	if err != nil {
		return folderState{}, err
	}
	f.known[dir] = state
	return state, nil
}

// block is the path that is no folder, on the way to a folder that was looked at
// and is blocked.
func (f *folders) block(dir string) string {
	for dir != "." && f.known[path.Dir(dir)].is != present {
		dir = path.Dir(dir)
	}
	return dir
}

func lookAt(name string) (folderState, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return folderState{is: missing}, nil
	case err != nil:
		return folderState{}, err
	case info.IsDir():
		return folderState{is: present, mode: info.Mode(), owner: ownerOf(info)}, nil
	case info.Mode().IsRegular():
		return folderState{is: blockedByFile}, nil
	default:
		return folderState{is: blockedByOther}, nil
	}
}

// regular reports whether the path is a regular file that no symbolic link
// leads to.
func (f *folders) regular(p string) (bool, error) {
	state, err := f.look(path.Dir(p))
	if err != nil || state.is != present {
		return false, err
	}
	info, err := os.Lstat(join(f.root, p))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Mode().IsRegular(), err
}
