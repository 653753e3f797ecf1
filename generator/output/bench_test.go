package output

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkPublish publishes 20,000 pages of 11 KB: into a missing folder, then
// unchanged, then with one of them changed.
func BenchmarkPublish(b *testing.B) {
	pad := bytes.Repeat([]byte("0123456789abcde\n"), 11<<10/16)
	edit := 0
	files := make([]File, 20000)
	for i := range files {
		files[i] = File{Path: fmt.Sprintf("cases/IL-%05d/index.html", i), Kind: Page, Render: func(dst *bytes.Buffer) error {
			if i == 777 {
				fmt.Fprintln(dst, "edit", edit)
			}
			fmt.Fprintln(dst, "case", i)
			dst.Write(pad)
			return nil
		}}
	}
	run := func(b *testing.B, dir func(n int) string, inPlace bool, step int) {
		for n := 0; b.Loop(); n++ {
			edit += step
			if _, err := Publish(b.Context(), files, Options{Dir: dir(n), InPlace: inPlace}); err != nil {
				b.Fatal(err)
			}
		}
	}
	base := b.TempDir()
	b.Run("empty", func(b *testing.B) {
		dir := b.TempDir()
		run(b, func(n int) string { return fmt.Sprint(dir, "/", n) }, false, 0)
	})
	one := func(int) string { return base + "/public" }
	run(b, one, false, 0)
	b.Run("unchanged", func(b *testing.B) { run(b, one, false, 0) })
	b.Run("one changed, swap", func(b *testing.B) { run(b, one, false, 1) })
	b.Run("one changed, in place", func(b *testing.B) { run(b, one, true, 1) })
}
