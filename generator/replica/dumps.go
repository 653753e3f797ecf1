package replica

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"benchlet.com/incidentlib/generator/address"
	"benchlet.com/incidentlib/generator/remote"
)

const (
	maxDump     = 64 << 20  // bytes of a file
	maxUnpacked = 256 << 20 // of what is in it
)

// anew makes the copy of the dumps: a few files, each held to its digest. The
// documents in them make the manifest that the root promises, or nothing is made
// of them. A library without dumps is fetched one document after the other.
func (s *run) anew(ctx context.Context, n *next) error {
	r, err := s.get(ctx, s.at(dumpsFile), "", 0)
	if errors.Is(err, remote.ErrNotFound) {
		entries, err := s.manifest(ctx, n.root)
		if err != nil {
			return err
		}
		n.begin(Manifest)
		return s.take(ctx, n, entries)
	}
	if err != nil {
		return err
	}
	var list remote.Dumps
	if err := remote.Decode(r, &list); err != nil {
		return err
	}
	if list.DataVersion != n.root.DataVersion {
		return fmt.Errorf("%s belongs to another state of the library than the root: %w", r.URL, errStale)
	}
	n.begin(Dumps)
	for _, d := range list.Files {
		if d.Kind != remote.DumpCases || d.Format != remote.DumpGzip {
			continue
		}
		if err := s.dump(ctx, n, d); err != nil {
			return err
		}
	}
	if _, ok := whole(n.entries, n.root); !ok {
		return fmt.Errorf("the dumps hold other cases than the root promises: %w", errStale)
	}
	return nil
}

// dump fetches one file and takes the documents in it.
func (s *run) dump(ctx context.Context, n *next, d remote.Dump) error {
	if !remote.ValidDumpName(d.Name) || d.Size <= 0 || d.Size > maxDump {
		return fmt.Errorf("the list of dumps names %q of %d bytes, which is none", d.Name, d.Size)
	}
	file := address.MirrorFile(address.DumpDoc(d.Name))
	right := func(b []byte) bool { return remote.Sum(b) == d.SHA256 }
	if _, ok := s.stage.find(file, d.SHA256, right); !ok {
		r, err := s.get(ctx, s.at(file), "", d.Size)
		if err != nil {
			return err
		}
		if !right(r.Body) {
			return fmt.Errorf("%s has %d bytes with another digest than the list of dumps says, of %d bytes: %w", r.URL, len(r.Body), d.Size, errStale)
		}
		if err := s.stage.put(file, d.SHA256, r.Body, ""); err != nil {
			return err
		}
	}
	packed, err := os.Open(s.stage.name(file, d.SHA256))
	if err != nil {
		return err
	}
	defer packed.Close()
	return s.unpack(n, d, packed)
}

// unpack writes what is in a dump to a file of the stage, from which documents
// are read as they are asked for: memory never holds the library.
func (s *run) unpack(n *next, d remote.Dump, packed io.Reader) error {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	out, err := os.Create(s.stage.name(d.Name, d.SHA256) + ".ndjson")
	if err != nil {
		return err
	}
	defer out.Close()
	in, w := bufio.NewReaderSize(io.LimitReader(z, maxUnpacked+1), maxCase), bufio.NewWriter(out)
	for at := int64(0); ; {
		line, err := in.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			break
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("a case in %s: %w: %d bytes", d.Name, remote.ErrTooLarge, maxCase)
		}
		if err != nil {
			return fmt.Errorf("%s breaks off after %d bytes: %w", d.Name, at, err)
		}
		e, err := remote.EntryOf(line)
		if err != nil {
			return fmt.Errorf("%s after %d bytes: %w", d.Name, at, err)
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		if n.entries = append(n.entries, e); len(n.entries) > n.root.Counts.Cases {
			return fmt.Errorf("the dumps hold more cases than the root counts: %w", errStale)
		}
		n.add(caseFile(e.ID), part(out.Name(), at, len(line)))
		if at += int64(len(line)); at > maxUnpacked {
			return fmt.Errorf("%s: %w", d.Name, remote.ErrTooLarge)
		}
	}
	return w.Flush()
}

// part is a part of a file.
func part(name string, at int64, size int) source {
	return func(dst *bytes.Buffer) error {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.CopyN(dst, io.NewSectionReader(f, at, int64(size)), int64(size))
		return err
	}
}
