package watch

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// fileID tells one file from another that has its name; zero where the system
// does not say.
type fileID struct{ dev, ino uint64 }

// state is what the system says of a file. If any of it is different, the file
// was changed. Size and time alone would miss a file that was put in its place
// by a program that keeps times, as cp -p and rsync -a do.
type state struct {
	id     fileID
	mode   fs.FileMode
	size   int64
	mtime  int64
	ctime  int64 // of the last change of anything, which no program can set; zero where the system does not say
	failed bool  // the system refuses to say anything
}

// stamp is the state of an entry and, if it is a link, of what that leads to.
type stamp struct {
	state
	link   string
	target state
}

// entry is an entry of a folder as it was last seen.
type entry struct {
	stamp
	// young says that it was changed just before it was looked at. It may have
	// been changed again since, at the same tick of the file system's clock, and
	// have the same stamp.
	young bool
}

// complete reports whether the entry holds something, unlike a file that is
// about to be written.
func (e entry) complete() bool {
	if e.link != "" {
		return e.target.size > 0
	}
	return e.size > 0
}

// renamed reports whether the last thing that happened to a file was not a
// write, but something like a rename.
func (e entry) renamed() bool { return e.ctime > e.mtime }

type kind int

const (
	missing kind = iota
	file         // anything that is not a folder
	folderKind
)

// examine looks at a path. It opens nothing, so that pipes and devices do no
// harm.
func examine(path string) (entry, kind) {
	info, err := os.Lstat(path)
	if isMissing(err) {
		return entry{}, missing
	}
	if err != nil {
		return entry{stamp: stamp{state: state{failed: true}}}, file
	}
	if info.IsDir() {
		return entry{stamp: stamp{state: state{id: identify(info)}}}, folderKind
	}
	e := entry{stamp: stamp{state: stateOf(info)}}
	e.young = isYoung(e.state, time.Now())
	if info.Mode()&fs.ModeSymlink != 0 {
		e.follow(path)
	}
	return e, file
}

// follow adds what a link says and leads to. Of a folder, only that it is one:
// such links are not followed.
func (e *entry) follow(path string) {
	e.link, _ = os.Readlink(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		e.target = state{failed: true}
	case info.IsDir():
		e.target = state{mode: fs.ModeDir}
	default:
		e.target = stateOf(info)
		e.young = e.young || isYoung(e.target, time.Now())
	}
}

func stateOf(info fs.FileInfo) state {
	return state{id: identify(info), mode: info.Mode(), size: info.Size(), mtime: info.ModTime().UnixNano(), ctime: changeTime(info)}
}

// isYoung allows for clocks of file systems that tick 50 times a second, or, if
// they have no fractions of seconds, every other second. A time in the future is
// young; then the file is told once too often.
func isYoung(s state, now time.Time) bool {
	last := s.ctime
	if last == 0 {
		last = s.mtime
	}
	tick := 20 * time.Millisecond
	if last%int64(time.Second) == 0 {
		tick = 2100 * time.Millisecond
	}
	return now.UnixNano()-last < int64(tick)
}

func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func folderID(path string) (fileID, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return fileID{}, false
	}
	return identify(info), true
}
