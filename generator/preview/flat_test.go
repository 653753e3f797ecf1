package preview

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"benchlet.com/incidentlib/generator/watch"
)

// A preview that runs all day holds no more after many edits than after a few:
// memory, goroutines and open files. With INCIDENTLIB_EDITS it is 2,000 edits.
func TestNothingPilesUp(t *testing.T) {
	many := 150
	if os.Getenv("INCIDENTLIB_EDITS") != "" {
		many = 2000
	}
	dir := folder(t)
	s, err := New(t.Context(), optionsIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer s.watcher.Close()
	s.watcher.Close()
	file := filepath.Join(dir, "seeds/cases/IL-0001.json")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	batches := make(chan watch.Batch)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.follow(context.Background(), batches)
	}()
	edit := func(i int) {
		next := strings.Replace(string(src), "Title of IL-0001", fmt.Sprintf("Title word%d", i), 1)
		if i%10 == 9 {
			next = next[:len(next)/2] // half written
		}
		if err := os.WriteFile(file, []byte(next), 0o644); err != nil {
			t.Fatal(err)
		}
		build := s.state().build
		batches <- watch.Batch{Changed: []string{file}}
		for s.state().build == build {
			runtime.Gosched()
		}
		for _, path := range []string{"cases/IL-0001/index.html", "api/v1/cases/IL-0002/similar.json"} {
			if _, err := s.state().site.file(path).bytes(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 50 {
		edit(i)
	}
	before := held()
	for i := range many {
		edit(50 + i)
	}
	after := held()
	close(batches)
	<-ended
	t.Logf("before %+v, after %+v", before, after)
	if after.heap > before.heap+1<<20 || after.goroutines > before.goroutines || after.files > before.files {
		t.Errorf("before %+v, after %d edits %+v", before, many, after)
	}
}

// holdings are what a process holds.
type holdings struct {
	heap              uint64
	goroutines, files int
}

func held() holdings {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	open, _ := os.ReadDir("/proc/self/fd") // none elsewhere than on Linux
	return holdings{m.HeapAlloc, runtime.NumGoroutine(), len(open)}
}
