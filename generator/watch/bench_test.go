//go:build linux

package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkSave measures the time from the last act of a save to its batch. It
// must not depend on the size of the library.
func BenchmarkSave(b *testing.B) {
	for _, size := range []int{567, 20000} {
		for _, how := range []string{"write", "rename"} {
			b.Run(fmt.Sprintf("%s/%d", how, size), func(b *testing.B) {
				dir := b.TempDir()
				for n := range size {
					write(b, filepath.Join(dir, fmt.Sprintf("%d.json", n)), "first")
				}
				w, err := New(b.Context(), []string{dir}, Options{})
				must(b, err)
				defer w.Close()
				var times []time.Duration
				p := filepath.Join(dir, "77.json")
				for n := 0; b.Loop(); n++ {
					b.StopTimer()
					time.Sleep(250 * time.Millisecond) // people do not save faster; some of these meet a sweep
					b.StartTimer()
					begun := save(b, how, p, fmt.Sprint("text ", n))
					<-w.Batches()
					times = append(times, time.Since(begun))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/median")
				b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "ms/max")
			})
		}
	}
}

func save(b *testing.B, how, p, text string) time.Time {
	if how == "write" {
		write(b, p, text)
		return time.Now()
	}
	write(b, p+".tmp", text)
	begun := time.Now()
	must(b, os.Rename(p+".tmp", p))
	return begun
}
