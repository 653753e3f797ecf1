package preview

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"benchlet.com/incidentlib/assets"
	"benchlet.com/incidentlib/templates"
)

// BenchmarkEdit edits one case's title after the other in a large library and
// asks for its page: what a save costs beyond the event of the file system.
// "similar" is that and the list of similar cases, which every case may change.
// INCIDENTLIB_CORPUS names a folder of seeds, which is changed.
func BenchmarkEdit(b *testing.B) {
	dir := os.Getenv("INCIDENTLIB_CORPUS")
	if dir == "" {
		b.Skip("INCIDENTLIB_CORPUS names no folder of seeds")
	}
	w := &builder{opt: Options{Seeds: dir, Templates: templates.Files(), Assets: assets.Files(), Jobs: runtime.GOMAXPROCS(0)}}
	st := w.build(context.Background(), nil, edits{all: true})
	if len(st.problems) > 0 || st.site == nil {
		b.Fatal(st.problems)
	}
	cases := st.site.plan.Collection().Cases
	show := func(id string) {
		for _, page := range []string{"cases/" + id + "/index.html", "ko/cases/" + id + "/index.html"} {
			if _, err := st.site.file(page).bytes(); err != nil {
				b.Fatal(err)
			}
		}
	}
	if _, err := st.site.file("api/v1/cases/" + cases[0].ID + "/similar.json").bytes(); err != nil { // as [Server.probe] does
		b.Fatal(err)
	}
	var took, built, near []time.Duration
	step := max(1, len(cases)/53)
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		c := cases[(7+i*step)%len(cases)]
		file := filepath.Join(dir, "cases", c.ID+".json")
		src, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		src = bytes.Replace(src, []byte(`"title":{"en":"`), fmt.Appendf(nil, `"title":{"en":"Edited%d `, i), 1)
		if err := os.WriteFile(file, src, 0o644); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		start := time.Now()
		st = w.build(context.Background(), st, edits{files: map[string]bool{file: true}})
		built = append(built, time.Since(start))
		show(c.ID)
		took = append(took, time.Since(start))
		if _, err := st.site.file("api/v1/cases/" + c.ID + "/similar.json").bytes(); err != nil {
			b.Fatal(err)
		}
		near = append(near, time.Since(start))
	}
	if len(st.problems) > 0 || !strings.HasPrefix(st.site.plan.Find(cases[7].ID).Title.EN, "Edited0 ") {
		b.Fatal("the edits are not in the site", st.problems)
	}
	for name, all := range map[string][]time.Duration{"built": built, "shown": took, "similar": near} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1e3, name+"-p50-ms")
		b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1e3, name+"-p95-ms")
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB")
	b.ReportMetric(float64(m.Sys)/1e6, "sys-MB")
}
