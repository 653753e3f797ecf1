package search

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
)

// What make bench-search sets: a folder of seeds, and a folder to write pages
// with the same texts to, for another engine to index.
const (
	benchEnv      = "INCIDENTLIB_SEARCH_BENCH"
	benchPagesEnv = "INCIDENTLIB_SEARCH_BENCH_PAGES"
)

// benchLibrary are the cases of a corpus, with sentences of words in all their
// spellings mixed in.
func benchLibrary(tb testing.TB) *library.Library {
	tb.Helper()
	dir := os.Getenv(benchEnv)
	if dir == "" {
		tb.Skip(benchEnv + " names no corpus")
	}
	c := readSeeds(tb, dir)
	nouns := strings.Split("데이터베이스,헬스체크,헬스 체크,체크포인트,체크섬,재시도 폭주,재시도,폭주,락,데드락,커넥션풀,커넥션 풀,메모리 한도,메모리한도,오토스케일링,오토 스케일링,토큰 버킷,토큰버킷,스레드풀,스레드 풀,렌더링,알고리즘,인증서,Cosmos DB,크래시 루프,로드 밸런서,파드,노드,배포,설정,캐시,큐,네트워크,장애,서비스,지표,알림,쿼터,재시작,페일오버", ",")
	particles := strings.Split(",이,가,을,를,에,에서,의,은,는,도,으로", ",")
	verbs := strings.Split("복구했다,복구됐다,실패했다,멈췄다,느려졌다,늘었다,복구하고 있었다", ",")
	english := strings.Split("The pods went into a crash loop.|Pods kept crash-looping.|The node reported CrashLoopBackOff.|Workers were crashlooping for an hour.|An expired certificate was served.|Certificates were renewed by hand.|The database did not fail over.|A fail-over was started.|Failover took minutes.|Retries made it worse.|Clients retried at once.|The health check timed out.|Healthchecks passed.", "|")
	for i, one := range c.Cases {
		edited := *one
		edited.Sum[0] ^= 1
		random := uint32(i)*2654435761 + 12345
		pick := func(list []string) string {
			random = random*1664525 + 1013904223
			return list[int(random>>8)%len(list)]
		}
		for range 6 {
			edited.Summary.KO += " " + pick(nouns) + pick(particles) + " 문제였고 " + pick(nouns) + pick(particles) + " " + pick(verbs) + "."
		}
		edited.Summary.EN += " " + pick(english) + " " + pick(english)
		c.Cases[i] = &edited
	}
	return library.New(c)
}

func gzipped(body []byte) int {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(body)
	w.Close()
	return b.Len()
}

// clientBytes is the compressed size of the browser's engine.
const clientBytes = 5100

// TestBench prints what an index costs and what it finds. The figures are those
// of SEARCH 1.1, of which the limits are here too.
func TestBench(t *testing.T) {
	lib := benchLibrary(t)
	start := time.Now()
	x := New(lib, nil)
	took := time.Since(start)
	edited := *lib.Cases()[len(lib.Cases())/2]
	edited.Summary.EN += " One word more."
	edited.Sum[0] ^= 2
	start = time.Now()
	warm := New(lib.With(replaced(lib, &edited)), x)
	again := time.Since(start)
	changed, shards := newShards(t, x, warm)
	files := rendered(t, x)
	total := 0
	for _, body := range files {
		total += gzipped(body)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d cases: index made in %.1f s, after an edit in %.0f ms (%d of %d shards); %d files, %.2f MB compressed; %d terms; peak %d MB",
		len(lib.Cases()), took.Seconds(), again.Seconds()*1000, changed, shards, len(files), float64(total)/1e6, len(x.terms.keys), m.Sys>>20)
	t.Logf("root %.1f KB, terms %.1f KB, one language %.1f KB", kb(files, "index.json"), kb(files, "p/terms"), kb(files, "p/ko-"))
	want := truth(lib)
	warmReader := readerOf(files)
	worst := 0.0
	for i, p := range probes() {
		found, others := recall(t, warmReader, p, want[i])
		cold, requests := coldQuery(t, files, p.text)
		worst = max(worst, cold)
		part := 1.0
		if len(want[i]) > 0 {
			part = float64(found) / float64(len(want[i]))
		}
		t.Logf("| %s | %d | recall %.2f | precision %.2f | %.0f KB in %d requests |", p.text, len(want[i]), part, float64(found)/float64(max(1, found+others)), cold, requests)
		if part < 1 {
			t.Errorf("%s: recall %.3f", p.text, part)
		}
	}
	if limit := map[bool]float64{true: 60, false: 100}[len(lib.Cases()) < 1000]; worst > limit {
		t.Errorf("a cold query takes %.0f KB", worst)
	}
	readerSpeed(t, files)
	writePages(t, lib, want)
}

func replaced(lib *library.Library, one *incident.Case) *incident.Collection {
	c := *lib.Collection()
	c.Cases = nil
	for _, other := range lib.Cases() {
		if other.ID == one.ID {
			other = one
		}
		c.Cases = append(c.Cases, other)
	}
	return &c
}

func kb(files map[string][]byte, part string) float64 {
	for name, body := range files {
		if strings.Contains(name, part) {
			return float64(gzipped(body)) / 1000
		}
	}
	return 0
}

func langOf(text string) incident.Lang {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) {
		return incident.KO
	}
	return incident.EN
}

// coldQuery is what a browser that has nothing yet fetches for ten results.
func coldQuery(t *testing.T, files map[string][]byte, text string) (kilobytes float64, requests int) {
	t.Helper()
	var bytes, n atomic.Int64
	r := NewReader(func(_ context.Context, name string) ([]byte, error) {
		bytes.Add(int64(gzipped(files[name])))
		n.Add(1)
		return files[name], nil
	})
	if _, err := r.Search(t.Context(), Query{Text: text, Lang: langOf(text), Limit: 10}); err != nil {
		t.Fatal(err)
	}
	return float64(bytes.Load()+clientBytes) / 1000, int(n.Load()) + 1
}

// readerSpeed asks everything again and again on all cores.
func readerSpeed(t *testing.T, files map[string][]byte) {
	t.Helper()
	start := time.Now()
	r := readerOf(files)
	if _, err := r.Search(t.Context(), Query{Text: "데이터베이스", Limit: 8}); err != nil {
		t.Fatal(err)
	}
	first := time.Since(start)
	var n atomic.Int64
	done := make(chan struct{})
	start = time.Now()
	for range 2 {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := 0; time.Since(start) < 2*time.Second; i++ {
				p := probes()[i%len(probes())]
				if _, err := r.Search(t.Context(), Query{Text: p.text, Lang: langOf(p.text), Limit: 8}); err != nil {
					t.Error(err)
				}
				n.Add(1)
			}
		}()
	}
	<-done
	<-done
	start = time.Now()
	if _, err := r.Search(t.Context(), Query{Limit: 20, Facets: true}); err != nil {
		t.Fatal(err)
	}
	t.Logf("reader: first answer after %.1f ms, then %.0f searches/s; all cases with facets %.1f ms", first.Seconds()*1000, float64(n.Load())/2, time.Since(start).Seconds()*1000)
}

// writePages writes the texts as pages, and what the probes have to find.
func writePages(t *testing.T, lib *library.Library, want [][]string) {
	t.Helper()
	dir := os.Getenv(benchPagesEnv)
	if dir == "" {
		return
	}
	write := func(name string, body []byte) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range lib.Cases() {
		texts := strings.Join(textsOf(lib, c), "</p>\n<p>")
		texts = strings.ReplaceAll(html.EscapeString(texts), "&lt;/p&gt;\n&lt;p&gt;", "</p>\n<p>")
		write(filepath.Join("ko", c.ID, "index.html"), fmt.Appendf(nil, "<!doctype html><html lang=ko><title>%s</title><body><h1>%s</h1><p>%s</p>", c.ID, html.EscapeString(c.Title.KO), texts))
	}
	type probed struct {
		Text string   `json:"text"`
		Want []string `json:"want"`
	}
	var list []probed
	for i, p := range probes() {
		list = append(list, probed{p.text, want[i]})
	}
	body, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	write("probes.json", body)
}
