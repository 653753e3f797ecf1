package library

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func wordsOf(text string) string {
	counts := tally{lex: newLexicon(), text: 1}
	var out []string
	for _, w := range counts.read(nil, text, 1) {
		out = append(out, counts.shown(w))
	}
	return strings.Join(out, " ")
}

// What is plain to see of a text's next character is what its kind is.
func TestMoreIsOfOneKind(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		for _, inside := range []runeKind{blank, letter, hangul} {
			if n := more(string(r), inside); n > 0 && (n != utf8.RuneLen(r) || kindOf(r) != inside) {
				t.Errorf("%U is taken for %d bytes of kind %d", r, n, inside)
			}
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "",
		"OpenAI's `responseBuffer`, 502s": "openai responsebuffer 502s",
		"a 12 of 2023 10_000":             "",
		"The nodes were not there, 그래서 모든 노드가 일부는": "nodes 노드가",
		"nodes node Node NODES":                     "node",
		"us-east-1 statement_timeout x509":          "east statement_timeout x509",
		"Redis를 껐다가 Redis가":                         "redis 껐다가",
		"데이터베이스에서는 데이터베이스 데이터베이스를":                  "데이터베이스",
		"락을 한다":                                     "락을 한다",
		"Überlast über ÜBERLAST":                    "überlast über",
		"[link](https://example.com/a) bad\xffbyte": "link https example com bad byte",
	} {
		equal(t, text, wordsOf(text), want)
		equal(t, "decomposed "+text, wordsOf(norm.NFD.String(text)), want)
	}
}

func TestSpellingsOfOneWord(t *testing.T) {
	t.Parallel()
	for _, same := range []string{
		"restart restarts restarted restarting",
		"query queries",
		"class classes",
		"stop stopped stopping",
		"cache caches cached caching",
		"allocate allocated allocating",
		"fix fixes fixed",
		"call calls called",
		"복구 복구했다 복구하는 복구된 복구를 복구가",
		"서버 서버는 서버들이 서버에서도 서버로",
		"인스턴스 인스턴스의 인스턴스까지",
	} {
		equal(t, same, wordsOf(same), strings.Fields(same)[0])
	}
	for _, apart := range []string{
		"status stats", "bus buses2", "string strong", "red reds3", "제한 제거", "권한 권장", "이유 이하",
	} {
		equal(t, apart, wordsOf(apart), apart)
	}
}
