package mcpserver

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"benchlet.com/incidentlib/generator/replica"
)

// CopyOptions say of which published library to keep a copy.
type CopyOptions struct {
	Address string
	Dir     string        // the folder of the copy
	Every   time.Duration // how often to ask what changed
	Log     *slog.Logger
}

// NewCopy makes a source of the copy of a published library, which is kept fresh
// until ctx ends. Where there is a copy already it answers from that at once; the
// first copy is waited for.
func NewCopy(ctx context.Context, opt CopyOptions) (Source, error) {
	if err := replica.Check(opt.Address, opt.Dir); err != nil { // or another library would be answered from
		return nil, fmt.Errorf("%s cannot be copied: %w", opt.Address, err)
	}
	folder := NewFolder(opt.Dir)
	every := opt.Every
	if _, err := folder.Edition(ctx); err != nil {
		r, err := opt.sync(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be copied: %w", opt.Address, err)
		}
		opt.Log.Info("copied", "address", opt.Address, "folder", opt.Dir, "what", r.String())
	} else {
		every = 0 // who knows how old it is
	}
	go opt.follow(ctx, every)
	return folder, nil
}

func (o CopyOptions) sync(ctx context.Context) (replica.Report, error) {
	return replica.Sync(ctx, replica.Options{Address: o.Address, Dir: o.Dir, All: true})
}

// follow asks again and again, less often while there is no answer.
func (o CopyOptions) follow(ctx context.Context, wait time.Duration) {
	failures := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		r, err := o.sync(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failures = min(failures+1, 5)
			o.Log.Warn("the copy may be old: its library cannot be asked", "address", o.Address, "error", err)
		default:
			failures = 0
			if r.Way != replica.Nothing {
				o.Log.Info("copied", "address", o.Address, "what", r.String())
			}
		}
		wait = o.Every << failures
	}
}
