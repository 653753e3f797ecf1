package output

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"weak"
)

// heavy is a file that holds much as long as it can still be made.
//
//go:noinline
func heavy(p string, made func()) (File, weak.Pointer[[64 << 10]byte]) {
	much := new([64 << 10]byte)
	much[0] = p[0]
	return File{
		Path:   p,
		Render: func(dst *bytes.Buffer) error { made(); return dst.WriteByte(much[0]) },
		Key:    func() Key { return Key{much[0]} },
	}, weak.Make(much)
}

// What a file is made from goes when it is made, not when all are.
func TestLetGo(t *testing.T) {
	t.Parallel()
	const n = 20
	var held []weak.Pointer[[64 << 10]byte]
	turn, left := 0, 0
	files := make([]File, n)
	for i := range files {
		f, w := heavy(fmt.Sprintf("f%02d", n-i), func() {
			if turn++; turn < n {
				return
			}
			runtime.GC()
			for _, w := range held {
				if w.Value() != nil {
					left++
				}
			}
		})
		files[i], held = f, append(held, w)
	}
	_, err := Publish(t.Context(), files, Options{Dir: t.TempDir() + "/p", Jobs: 1})
	must(t, err)
	if left != 1 {
		t.Errorf("%d of %d files are still held while the last is made", left, n)
	}
}
