package output

import "os"

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

// readOwn reads one of the package's own files in the root of a site; nil where
// there is none that can be read.
func readOwn(dir, name string) []byte {
	f, _, notRegular, err := openPublished(join(dir, name))
	if err != nil || notRegular {
		return nil
	}
	f.Close()
	text, err := os.ReadFile(join(dir, name))
	if err != nil {
		return nil
	}
	return text
}
