package card

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/png"
	"os"
	"strings"
	"sync"
	"testing"
)

func newDrawer(t testing.TB) *Drawer {
	t.Helper()
	b, err := os.ReadFile("../../assets/fonts/Pretendard-SemiBold.otf")
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func english() Card {
	return Card{"incidentlib", "IL-0123", "A response buffer allocated anew in a loop made OpenAI's routing layer nodes hit their memory limits and fail readiness checks on a morning with more completions than any day before, causing 502 and 503 errors across all models", "OpenAI", "8 November 2023", "Software defect"}
}

func korean() Card {
	return Card{"incidentlib", "IL-0371", "데이터베이스 백업이 하나도 남아 있지 않아 여섯 시간 전의 스냅숏으로 되돌렸다", "깃랩(GitLab)", "2017년 1월 31일", "절차가 없거나 지켜지지 않음"}
}

func draw(t testing.TB, d *Drawer, c Card) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Draw(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pixels is the digest of what a card looks like.
func pixels(t *testing.T, src []byte) string {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	p, ok := img.(*image.Paletted)
	if !ok || p.Rect != image.Rect(0, 0, Width, Height) {
		t.Fatalf("%T of %v", img, img.Bounds())
	}
	sum := sha256.Sum256(p.Pix)
	return hex.EncodeToString(sum[:8])
}

// Cards look alike on every processor: these digests were taken on one and hold
// on all. They change when the design of the card does.
func TestPixels(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	for want, c := range map[string]Card{"31ca68d6fd2d1e28": english(), "5915a28210210898": korean()} {
		src := draw(t, d, c)
		if got := pixels(t, src); got != want {
			t.Errorf("%s is %s, want %s", c.ID, got, want)
		}
		if len(src) > 30_000 {
			t.Errorf("%s has %d bytes", c.ID, len(src))
		}
	}
}

// What was drawn before leaves no trace, and any number draw at once.
func TestDrawnAgain(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	want := draw(t, newDrawer(t), korean())
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				draw(t, d, english())
				if !bytes.Equal(draw(t, d, korean()), want) {
					t.Error("the card differs")
				}
			}
		})
	}
	all.Wait()
}

// A text of any kind makes a card: empty, without a space, of one endless word,
// in a script that the font lacks, with what is not seen.
func TestAnyText(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	blank := pixels(t, draw(t, d, Card{}))
	seen := map[string]string{}
	for _, s := range []string{strings.Repeat("가", 400), strings.Repeat("W", 400), strings.Repeat("word ", 200), "ภาษาไทย 🧯", "漢字", "x"} {
		got := pixels(t, draw(t, d, Card{s, "IL-123456789", s, s, s, s}))
		if got == blank || seen[got] != "" {
			t.Errorf("%q looks like %q", s, seen[got])
		}
		seen[got] = s
	}
	for _, s := range []string{" ", "\u200b\u202e\ufeff", "\x00\x07", "\t\n"} {
		if got := pixels(t, draw(t, d, Card{Title: s})); got != blank {
			t.Errorf("%q is drawn", s)
		}
	}
	composed, apart := Card{Title: "각"}, Card{Title: "\u1100\u1161\u11a8"}
	if pixels(t, draw(t, d, composed)) != pixels(t, draw(t, d, apart)) {
		t.Error("a syllable in parts is drawn otherwise than whole")
	}
}

// Lines break between words, in Korean too; what does not fit ends in "…".
func TestWrapping(t *testing.T) {
	t.Parallel()
	v := newCanvas(newDrawer(t).font)
	var words []word
	for _, text := range strings.Fields(korean().Title) {
		words = append(words, word{text, v.advances(text, nil)})
	}
	lines := v.wrapped(words, 68)
	if strings.Join(lines, " ") != korean().Title || len(lines) < 2 {
		t.Errorf("%q", lines)
	}
	for _, s := range []string{korean().Title, strings.Repeat("가", 90)} {
		cut := v.cut(s, 68, 400)
		if !strings.HasSuffix(cut, "…") || v.width(cut, 68) > 400 || !strings.HasPrefix(s, strings.TrimSuffix(cut, "…")) {
			t.Errorf("%q", cut)
		}
	}
	if v.cut("short", 68, 400) != "short" {
		t.Error("what fits is cut")
	}
}

// A key is of all that a card is made from, and of nothing else.
func TestKey(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	seen := map[string]bool{}
	for _, c := range []Card{{}, {Site: "a"}, {ID: "a"}, {Title: "a"}, {Org: "a"}, {Date: "a"}, {Cause: "a"}, {Site: "a", ID: "b"}, {Site: "ab"}, {Site: "1:a"}} {
		k := d.Key(c)
		if seen[k] || k != newDrawer(t).Key(c) {
			t.Errorf("the key of %v is %s", c, k)
		}
		seen[k] = true
	}
}

// What is no font is refused when the drawer is made.
func TestNoFont(t *testing.T) {
	t.Parallel()
	if _, err := New([]byte("no font")); err == nil || !strings.Contains(err.Error(), "font") {
		t.Error(err)
	}
}

func BenchmarkDraw(b *testing.B) {
	d := newDrawer(b)
	var buf bytes.Buffer
	for b.Loop() {
		buf.Reset()
		if err := d.Draw(&buf, english()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(buf.Len()), "bytes")
}
