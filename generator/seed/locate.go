package seed

import (
	"bytes"
	"io/fs"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"benchlet.com/incidentlib/generator/problem"
)

// Place fills in the line and column of problems that know only their file and
// pointer, as the rules between files do. A file that is gone or changed since
// leaves them at its beginning.
func Place(fsys fs.FS, dir string, ps []problem.Problem) {
	sources := map[string][]byte{}
	r := &reader{fsys: fsys, dir: dir}
	for i := range ps {
		p := &ps[i]
		if p.Line > 0 {
			continue
		}
		src, known := sources[p.File]
		if !known {
			name := strings.TrimPrefix(strings.TrimPrefix(p.File, strings.TrimSuffix(dir, "/")), "/")
			src, _ = r.load(name, maxFile)
			src = bytes.TrimPrefix(src, []byte("\ufeff"))
			sources[p.File] = src
		}
		if src != nil {
			p.Line, p.Column = position(src, offsetOf(src, p.Pointer))
		}
	}
}

// offsetOf finds the value that a pointer names; 0 when there is none.
func offsetOf(src []byte, pointer string) int {
	dec := newDecoder("", src, nil)
	for pointer != "" {
		kind := dec.json.PeekKind()
		if kind != '{' && kind != '[' {
			return 0
		}
		dec.json.ReadToken()
		for {
			k := dec.json.PeekKind()
			if k == '}' || k == ']' || k == 0 {
				return 0
			}
			if kind == '{' {
				dec.json.ReadToken()
			}
			here := string(dec.json.StackPointer())
			if kind == '[' {
				here = nextIndex(dec.json)
			}
			if pointer == here {
				return dec.at()
			}
			if strings.HasPrefix(pointer, here+"/") {
				break
			}
			if dec.json.SkipValue() != nil {
				return 0
			}
		}
	}
	return dec.at()
}

// nextIndex is the pointer of the list entry that is read next.
func nextIndex(dec *jsontext.Decoder) string {
	depth := dec.StackDepth()
	_, n := dec.StackIndex(depth)
	parent := string(dec.StackPointer())
	if n > 0 {
		parent = parent[:strings.LastIndexByte(parent, '/')]
	}
	return parent + "/" + strconv.FormatInt(n, 10)
}
