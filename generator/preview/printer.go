package preview

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	maxLines  = 1000                   // that wait for a terminal that takes none
	lastWords = 200 * time.Millisecond // how long the end waits for it
)

// printer writes lines to a terminal that may take its time, or none at all: a
// pipe that nobody reads must stop neither a build nor the end of the program.
type printer struct {
	lines   chan string
	done    chan struct{}
	mu      sync.Mutex
	dropped int
}

func newPrinter(w io.Writer) *printer {
	lines := make(chan string, maxLines)
	p := &printer{lines: lines, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		for line := range lines {
			if n := p.takeDropped(); n > 0 {
				fmt.Fprintf(w, "(%d lines were lost)\n", n)
			}
			fmt.Fprintln(w, line) // nobody can be told that it failed
		}
	}()
	return p
}

// print never waits: lines that do not fit are counted.
func (p *printer) print(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lines == nil {
		return
	}
	select {
	case p.lines <- line:
	default:
		p.dropped++
	}
}

func (p *printer) takeDropped() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.dropped
	p.dropped = 0
	return n
}

// close lets what waits be printed, if the terminal takes it soon.
func (p *printer) close() {
	p.mu.Lock()
	if p.lines != nil {
		close(p.lines)
		p.lines = nil
	}
	p.mu.Unlock()
	select {
	case <-p.done:
	case <-time.After(lastWords):
	}
}
