package gateway

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"benchlet.com/incidentlib/cmd/llm-gateway/wire"
)

// action counts one chat by what its caller notices apart: that the message was
// answered, that the answer began to arrive, that it arrived whole.
type action struct {
	ledger  *Ledger
	plan    string
	streams bool
}

func (a *action) count(f Function, via string, o Outcome) {
	a.ledger.Count(Key{a.plan, f, via}, o)
}

// answered counts the message. A stream that has no answer to begin with has
// failed to begin; completing it was never tried.
func (a *action) answered(o Outcome, via string) {
	a.count(Send, via, o)
	if a.streams && o != Good {
		a.count(StreamStart, via, o)
	}
}

// maxPieces bounds a stream: with the delay between pieces it bounds its time.
const maxPieces = 32

// stream sends an answer in pieces, as server-sent events, and then the whole
// reply. A stream that we cut is a failure; one whose reader left is not.
func (g *Gateway) stream(w http.ResponseWriter, r *http.Request, a answer, act *action) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	for i, piece := range pieces(a.text) {
		if i > 0 && g.pause(r.Context()) != nil {
			act.count(StreamComplete, a.via, g.cutBy(r.Context()))
			return
		}
		text, err := json.Marshal(piece)
		if err == nil {
			err = event(w, out, "piece", text)
		}
		switch {
		case err != nil && i == 0:
			act.count(StreamStart, a.via, Left)
			return
		case err != nil:
			act.count(StreamComplete, a.via, Left)
			return
		case i == 0:
			act.count(StreamStart, a.via, Good)
		}
	}
	if event(w, out, "done", a.body) != nil {
		act.count(StreamComplete, a.via, Left)
		return
	}
	act.count(StreamComplete, a.via, Good)
}

// pause waits for the next piece, unless the reader leaves or the gateway closes.
func (g *Gateway) pause(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(g.open, cancel)()
	return wire.Sleep(ctx, g.opt.ChunkDelay)
}

func (g *Gateway) cutBy(reader context.Context) Outcome {
	if reader.Err() != nil {
		return Left
	}
	return Bad
}

func event(w http.ResponseWriter, out *http.ResponseController, name string, data []byte) error {
	if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return err
	}
	return out.Flush()
}

// pieces cuts a text between characters. An empty text is one empty piece, so
// that every stream begins.
func pieces(text string) []string {
	runes := []rune(text)
	size := max(16, (len(runes)+maxPieces-1)/maxPieces)
	var out []string
	for len(runes) > size {
		out = append(out, string(runes[:size]))
		runes = runes[size:]
	}
	return append(out, string(runes))
}

// LongestAnswer is the longest that a chat takes, from its being read to its
// last byte's being sent to a caller who reads.
func (o Options) LongestAnswer() time.Duration {
	return o.longestCall() + maxPieces*o.ChunkDelay
}
