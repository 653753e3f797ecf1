package seed

import (
	"bytes"
	"io/fs"
	"strconv"
	"strings"

	"benchlet.com/incidentlib/generator/problem"
)

// Place fills in the line and column of problems that know only their file and
// pointer, as the rules between files do. dir is the one that [Read] was given.
// A pointer that leads nowhere is placed at the innermost value that is there;
// a problem without a pointer is about the file as a whole and stays as it is,
// and so does one of a file that cannot be read any more.
func Place(fsys fs.FS, dir string, ps []problem.Problem) {
	r := &reader{fsys: fsys, dir: dir}
	byFile := map[string][]int{}
	for i, p := range ps {
		if p.Line == 0 && p.Pointer != "" {
			byFile[p.File] = append(byFile[p.File], i)
		}
	}
	for file, problems := range byFile {
		src, _ := r.load(r.inside(file), maxFile)
		src = bytes.TrimPrefix(src, []byte(byteOrderMark))
		if src == nil {
			continue
		}
		for _, i := range problems {
			ps[i].Line, ps[i].Column = position(src, offsetOf(src, ps[i].Pointer))
		}
	}
}

// offsetOf finds the value that a pointer names, or the innermost value around
// it that is there.
func offsetOf(src []byte, pointer string) int {
	d := newDecoder("", src, nil)
	found := d.at()
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if !d.enter(part) {
			return found
		}
		found = d.at()
	}
	return found
}

// enter moves to the member or the entry of the next value that a part of a
// pointer names; false when there is none.
func (d *decoder) enter(part string) bool {
	kind := d.json.PeekKind()
	if kind != '{' && kind != '[' {
		return false
	}
	if _, err := d.json.ReadToken(); err != nil {
		return false
	}
	for i := 0; ; i++ {
		name := strconv.Itoa(i)
		switch k := d.json.PeekKind(); {
		case k == '}' || k == ']' || k == 0:
			return false
		case kind == '{':
			token, err := d.json.ReadToken()
			if err != nil {
				return false
			}
			name = token.String()
		}
		if name == part {
			return true
		}
		if d.json.SkipValue() != nil {
			return false
		}
	}
}
