package output

import (
	"errors"
	"io"
	"os"
)

// memory is what the next build may take from this one; nil where there is nothing.
func (b *build) memory() []byte {
	if b.opt.Memory == nil {
		return nil
	}
	return b.opt.Memory()
}

// Memory reads what the last build into a folder left for the next one; nil where
// there is none that can be read. Nobody vouches for it: it has to tell by itself
// whether it is whole.
func Memory(dir string) []byte { return readOwn(dir, MemoryName) }

// largestOwn is how long one of the package's own files may be: that of millions
// of files is shorter, and one that is longer is not read into memory.
const largestOwn = 1 << 30

var errTooLong = errors.New("longer than any that a build writes")

// readOwn reads one of the package's own files in the root of a site; nil where
// there is none that can be read.
func readOwn(dir, name string) []byte {
	text, _, _, err := readAtMost(join(dir, name), largestOwn)
	if err != nil {
		return nil
	}
	return text
}

// readAtMost reads a file of so many bytes at most. It is not an error where
// something else than a regular file is there.
func readAtMost(name string, most int64) (text []byte, info os.FileInfo, notRegular bool, err error) {
	f, info, notRegular, err := openPublished(name)
	if err != nil || notRegular {
		return nil, info, notRegular, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, info, false, errTooLong
	}
	text = make([]byte, info.Size())
	_, err = io.ReadFull(f, text)
	return text, info, false, err
}
