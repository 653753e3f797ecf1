package page

import "testing"

func TestBound(t *testing.T) {
	t.Parallel()
	const no = "\u00a0"
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"PITR 을 켠", "PITR" + no + "을 켠"},
		{"API 는 키가 필요 없다", "API" + no + "는 키가 필요 없다"},
		{"IP 로 간 연결, (v2) 와의 차이.", "IP" + no + "로 간 연결, (v2)" + no + "와의 차이."},
		{"<strong>DNS</strong> 가", "<strong>DNS</strong>" + no + "가"},
		{"<code>x 를 y</code> 를 쓴다", "<code>x 를 y</code>" + no + "를 쓴다"},
		{`<pre tabindex="0"><code>x 를</code></pre> 이`, `<pre tabindex="0"><code>x 를</code></pre>` + no + "이"},
		{`<a href="/x" title="A 는 b">A 는</a>`, `<a href="/x" title="A 는 b">A` + no + "는</a>"},
		{"데이터 의 값", "데이터 의 값"},
		{"API 가격", "API 가격"},
		{"an API that", "an API that"},
		{"API 는", "API" + no + "는"},
		{"<unclosed 는", "<unclosed 는"},
		{"see IL-0119.", `see <span class="whole">IL-0119</span>.`},
		{"IL-0119 와 IL-12345 는", `<span class="whole">IL-0119</span>` + no + `와 <span class="whole">IL-12345</span>` + no + "는"},
		{`<a href="/cases/IL-0119/">IL-0119</a>`, `<a href="/cases/IL-0119/"><span class="whole">IL-0119</span></a>`},
		{"<code>IL-0119</code> XIL-0119 IL-01 IL", "<code>IL-0119</code> XIL-0119 IL-01 IL"},
	} {
		if got := string(bound(nil, []byte(c.in))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}
