package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"
	"time"
)

// Source is where a library is published.
type Source interface {
	// Edition is the library as it is now. While nothing changes it is the same
	// value each time.
	Edition(ctx context.Context) (*Edition, error)
}

// Edition is a state of a published library.
type Edition struct {
	// Key tells this state from every other of the source.
	Key string
	// Open reads a published file by its path, such as "api/v1/vocab.json". The
	// error of a file that is not there is fs.ErrNotExist.
	Open func(ctx context.Context, name string) ([]byte, error)
}

// Folder is a built folder, which may be built anew at any time.
type Folder struct {
	dir string

	mu      sync.Mutex
	looked  time.Time
	edition *Edition
}

// lookEvery is how often a folder is looked at for another build.
const lookEvery = 200 * time.Millisecond

// NewFolder makes a source of a folder that the build command wrote.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// Edition is the build that the folder holds now.
func (f *Folder) Edition(context.Context) (*Edition, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.edition != nil && time.Since(f.looked) < lookEvery {
		return f.edition, nil
	}
	key, err := f.stamp()
	if err != nil {
		return nil, err
	}
	f.looked = time.Now()
	if f.edition != nil && f.edition.Key == key {
		return f.edition, nil
	}
	// Held open, the folder that is read stays the same one while another is put
	// in its place; it is closed when nobody holds the edition any more.
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	f.edition = &Edition{Key: key, Open: func(_ context.Context, name string) ([]byte, error) { return readBelow(root, name) }}
	return f.edition, nil
}

// stampFiles are the files that differ from build to build, whichever way the
// folder is written.
func stampFiles() []string { return []string{".incidentlib-manifest", "api/v1/index.json"} }

func (f *Folder) stamp() (string, error) {
	key, found := "", false
	for _, name := range stampFiles() {
		info, err := os.Stat(path.Join(f.dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		found = true
		key += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	if !found {
		return "", fmt.Errorf("%s holds no built library; make one with: incidentlib build --out %s", f.dir, f.dir)
	}
	return key, nil
}

func readBelow(root *os.Root, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return root.ReadFile(name)
}
