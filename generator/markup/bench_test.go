package markup

import (
	"strings"
	"testing"
)

// summary is a text of a real kind and size: about 500 bytes.
func summary() string {
	return "The **control plane** lost quorum after `etcd` ran out of disk; see [the timeline](/cases/IL-0123/#timeline) " +
		"and [the report](https://example.com/report \"Report\").\n\n- **타임아웃(timeout)**을 늘렸다\n- `ndots:5`를 낮췄다\n" +
		"- restarted the *stuck* pods\n\nAlerts fired after 39 minutes, because the rule looked at averages. " +
		"요청의 3~5%가 실패했고, 재시도가 부하를 키웠다. Nothing was lost & all writes were replayed."
}

func BenchmarkBlock(b *testing.B) {
	r := New(Options{})
	prose := strings.NewReplacer("*", "", "`", "", "[", "", "&", "and", "\n- ", "\n").Replace(summary())
	for name, src := range map[string]string{"markup": summary(), "prose": prose} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = r.Block(dst[:0], src, 2)
			}
		})
	}
}

func BenchmarkInline(b *testing.B) {
	r := New(Options{})
	for name, src := range map[string]string{"markup": "**카카오(Kakao)**의 `etcd` 디스크 부족", "plain": "카카오의 etcd 디스크 부족"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				dst = r.Inline(dst[:0], src, false)
			}
		})
	}
}

func BenchmarkPlain(b *testing.B) {
	r := New(Options{})
	b.ReportAllocs()
	for b.Loop() {
		_ = r.Plain(summary())
	}
}
