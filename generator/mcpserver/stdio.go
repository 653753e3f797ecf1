package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds a message of a client over stdio.
const maxLine = 1 << 20

// lastAnswers is how long answers may take when no more is asked.
const lastAnswers = 30 * time.Second

// ServeStdio answers the messages of one client, one a line, until there are no
// more or ctx ends. Nothing but messages is written to out.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	replies := &replies{w: out, missing: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}
	lines, feed := io.Pipe()
	go func() {
		err := onlyMessages(in, feed, replies)
		// The SDK drops what it is at work on when there is no more to read.
		last, cancel := context.WithTimeout(ctx, lastAnswers)
		defer cancel()
		replies.wait(last)
		feed.CloseWithError(err)
	}()
	err := s.mcp.Run(ctx, &mcp.IOTransport{Reader: lines, Writer: replies, MaxLineLength: maxLine})
	lines.Close()
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// onlyMessages passes on the lines that are messages. To one that is not it answers
// itself: the SDK would end the session for it.
func onlyMessages(in io.Reader, feed io.Writer, out *replies) error {
	r := bufio.NewReaderSize(in, 64<<10)
	batches := true
	for {
		line, err := readLine(r)
		line = bytes.TrimSpace(line)
		var wrong *jsonrpc.Error
		var id json.RawMessage // null where the client waits for another answer with it
		switch {
		case errors.Is(err, errLongLine):
			wrong, err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the message is too long"}, nil
		case len(line) == 0:
		default:
			if wrong = nonsense(line); wrong != nil {
				id = idOf(line)
				break
			}
			batches = batches && !endsBatches(line)
			if calls, ok := callsIn(line); !ok || line[0] == '[' && !batches || !out.expect(calls) {
				wrong = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the line is no JSON-RPC message, or has the id of one that is not answered yet"}
			}
		}
		if wrong != nil {
			body, errJSON := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": wrong})
			if errJSON != nil {
				return errJSON
			}
			if _, err := out.Write(append(body, '\n')); err != nil {
				return err
			}
		} else if len(line) > 0 {
			if _, err := feed.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

var errLongLine = errors.New("the line is too long")

// readLine reads a line; of one that is too long, nothing is kept.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine-1; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			line = nil
			if err == nil {
				err = errLongLine
			}
		}
		return line, err
	}
}

// endsBatches reports whether a message begins a session in a version that has no
// batches, for one of which the SDK would end it.
func endsBatches(line []byte) bool {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Version string `json:"protocolVersion"`
		} `json:"params"`
	}
	return bytes.Contains(line, []byte("initialize")) && json.Unmarshal(line, &m) == nil && m.Method == "initialize" && m.Params.Version > "2025-03-26"
}

// messages takes JSON apart that is a message or a batch of them; nil where it is
// neither, for which the SDK would end the session.
func messages(line []byte) []jsonrpc.Message {
	var batch []json.RawMessage
	switch {
	case line[0] != '[':
		batch = []json.RawMessage{line}
	case json.Unmarshal(line, &batch) != nil:
		return nil
	}
	var out []jsonrpc.Message
	for _, one := range batch {
		m, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			return nil
		}
		out = append(out, m)
	}
	return out
}

// callsIn are the requests in a line that wait for an answer. It is false for what
// is no message of a client.
func callsIn(line []byte) (calls []jsonrpc.ID, ok bool) {
	for _, m := range messages(line) {
		ok = true
		if r, isRequest := m.(*jsonrpc.Request); isRequest && r.IsCall() {
			calls = append(calls, r.ID)
		} else if !isRequest && line[0] == '[' {
			return nil, false
		}
	}
	return calls, ok
}

// replies are what a client reads: whole messages, whoever writes. They know which
// calls wait for an answer.
type replies struct {
	mu       sync.Mutex
	w        io.Writer
	missing  map[jsonrpc.ID]bool
	answered chan struct{} // has something when an answer was written
}

func (r *replies) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range messages(b) {
		if answer, ok := m.(*jsonrpc.Response); ok {
			delete(r.missing, answer.ID)
		}
	}
	select {
	case r.answered <- struct{}{}:
	default: // it is told already
	}
	return r.w.Write(b)
}

// expect notes calls. It is false where one has the id of another that waits: the
// SDK would never answer it.
func (r *replies) expect(calls []jsonrpc.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, id := range calls {
		if r.missing[id] || slices.Contains(calls[:i], id) {
			return false
		}
	}
	for _, id := range calls {
		r.missing[id] = true
	}
	return true
}

// wait ends when every call has its answer, or ctx ends.
func (r *replies) wait(ctx context.Context) {
	for {
		r.mu.Lock()
		missing := len(r.missing)
		r.mu.Unlock()
		if missing == 0 {
			return
		}
		select {
		case <-r.answered:
		case <-ctx.Done():
			return
		}
	}
}

// Close implements io.Closer; what it writes to is not its own.
func (r *replies) Close() error { return nil }
