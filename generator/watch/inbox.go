package watch

import (
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// maxMail is the most paths that an inbox holds. With more, looking at
// everything is cheaper than remembering what to look at.
const maxMail = 1 << 16

// errorPause is kept after an error of the system. If it fails over and over,
// this is what keeps it from taking a processor for that; it cannot go on before
// its error is taken.
const errorPause = 100 * time.Millisecond

// hint is what events said of one path.
type hint struct {
	ops   fsnotify.Op
	moved bool // it came here by a rename, complete, and was not written to since
}

// mail is all that happened since the inbox was emptied last.
type mail struct {
	paths       map[string]hint
	lost        bool // events were dropped: anything may have changed
	dead        bool // no event will come any more
	first, last time.Time
}

// inbox takes the events of the system as fast as they come, so that its queue
// does not overflow, and merges them by path until somebody has time for them.
type inbox struct {
	ready chan struct{} // holds one value if there is mail
	mu    sync.Mutex
	mail  mail
}

func newInbox() *inbox { return &inbox{ready: make(chan struct{}, 1)} }

// pump puts what the system sends into the inbox until it is closed. It must not
// be the goroutine that adds and removes watches: fsnotify holds its lock while
// it sends some errors, and the two would wait for each other.
func (b *inbox) pump(sys system) {
	events, errs := sys.events(), sys.errors()
	afterRename := false
	for events != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				break
			}
			// The two halves of a rename come one after the other.
			b.add(filepath.Clean(e.Name), hint{e.Op, afterRename && e.Op == fsnotify.Create})
			afterRename = e.Op.Has(fsnotify.Rename)
		case err, ok := <-errs:
			if !ok {
				errs = nil
				break
			}
			b.lose()
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				time.Sleep(errorPause)
			}
		}
	}
	b.update(func(m *mail) { m.dead = true })
}

func (b *inbox) add(path string, h hint) {
	b.update(func(m *mail) {
		if m.paths == nil {
			m.paths = make(map[string]hint)
		}
		if before, ok := m.paths[path]; ok {
			h.moved = h.moved || before.moved && !h.ops.Has(fsnotify.Write)
			h.ops |= before.ops
		}
		m.paths[path] = h
		if len(m.paths) > maxMail {
			m.paths, m.lost = nil, true
		}
	})
}

func (b *inbox) lose() { b.update(func(m *mail) { m.lost = true }) }

func (b *inbox) update(change func(*mail)) {
	b.mu.Lock()
	m := &b.mail
	m.last = time.Now()
	if m.first.IsZero() {
		m.first = m.last
	}
	change(m)
	b.mu.Unlock()
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// take empties the inbox. It reports false if nothing was in it.
func (b *inbox) take() (mail, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mail
	b.mail = mail{}
	return m, !m.first.IsZero()
}
