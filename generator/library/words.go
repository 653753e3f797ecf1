package library

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"benchlet.com/incidentlib/generator/incident"
)

// noWord marks a spelling that stands for no word worth comparing.
const noWord = ^uint32(0)

// lexicon numbers the words of one language as they are met. Spellings of one
// word, such as an English plural or a Korean noun with its particle, are one
// word. The language's texts may hold words of the other script; those are
// numbered here too. A number keeps its meaning for ever, so that the libraries
// before and after an edit use one lexicon, which only ever grows.
type lexicon struct {
	mu        sync.Mutex        // held while a wording is made
	numbers   map[string]uint32 // of spellings; noWord for one not worth comparing
	spellings []spelling
	stems     map[string]uint32 // stem → word
	words     []word
	first     int // how many spellings there were when all cases had been read
}

type spelling struct {
	text string
	word uint32
}

type word struct {
	stem      string
	kind      runeKind
	spellings []uint32
}

func newLexicon() *lexicon {
	return &lexicon{numbers: map[string]uint32{}, stems: map[string]uint32{}}
}

// grown reports whether most of what the lexicon knows was met in edits, and may
// be gone again.
func (l *lexicon) grown() bool {
	return len(l.spellings) > 2*l.first+1000
}

func (l *lexicon) stem(w uint32) string { return l.words[w].stem }

// number is that of a spelling, which is learned when it is new.
func (l *lexicon) number(text []byte, kind runeKind) uint32 {
	n, ok := l.numbers[string(text)]
	if !ok {
		n = l.learn(string(text), kind)
	}
	return n
}

// learn numbers a spelling that was not met before.
func (l *lexicon) learn(text string, kind runeKind) uint32 {
	if !worthComparing(text, kind) {
		if strings.Trim(text, "0123456789") != "" { // numbers without end are not kept
			l.numbers[text] = noWord
		}
		return noWord
	}
	stem := text
	if kind == hangul {
		stem = stripKorean(text)
	} else {
		stem = stemLatin(text)
	}
	if stem != text && kind == hangul && isFunctionWord(stem) {
		l.numbers[text] = noWord
		return noWord
	}
	w, ok := l.stems[stem]
	if !ok {
		w = uint32(len(l.words))
		l.stems[stem] = w
		l.words = append(l.words, word{stem: stem, kind: kind})
	}
	n := uint32(len(l.spellings))
	l.spellings = append(l.spellings, spelling{text, w})
	l.words[w].spellings = append(l.words[w].spellings, n)
	l.numbers[text] = n
	return n
}

// tally counts the words of the texts of one library.
type tally struct {
	lex  *lexicon
	uses []uint32 // by spelling: how often it stands in the texts
	seen []uint32 // by word: how many texts have it

	last []uint32 // by word: the last text that had it
	text uint32   // counts texts, from 1
	run  []byte   // the run being read, in lower case
}

func (t *tally) clone() tally {
	return tally{lex: t.lex, uses: slices.Clone(t.uses), seen: slices.Clone(t.seen)}
}

// count adds a case, and returns its words, each once.
func (t *tally) count(c *incident.Case, lang incident.Lang) []uint32 {
	words := t.add(c, lang, 1)
	for _, w := range words {
		t.seen[w]++
	}
	return words
}

// discount takes back what count added.
func (t *tally) discount(c *incident.Case, lang incident.Lang) {
	for _, w := range t.add(c, lang, ^uint32(0)) {
		t.seen[w]--
	}
}

// add counts the spellings of a case by n. The words of the organisation's name
// are not among those that it returns.
func (t *tally) add(c *incident.Case, lang incident.Lang, n uint32) []uint32 {
	t.text++
	t.read(nil, c.Org, n)
	words := t.read(nil, c.Title.In(lang), n)
	words = t.read(words, c.Summary.In(lang), n)
	return t.read(words, c.SymptomsText.In(lang), n)
}

// read appends the words of a text that the case did not have yet.
func (t *tally) read(words []uint32, text string, n uint32) []uint32 {
	text = composed(text)
	start, inside, lower := 0, blank, true
	for at := 0; at < len(text); {
		if size := more(text[at:], inside); size > 0 {
			at += size
			continue
		}
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		kind := kindOf(r)
		if kind != inside {
			words = t.meet(words, text[start:at], inside, lower, n)
			start, inside, lower = at, kind, true
		}
		if kind == letter && ('A' <= r && r <= 'Z' || r >= utf8.RuneSelf) {
			lower = false
		}
		at += size
	}
	return t.meet(words, text[start:], inside, lower, n)
}

// more is how many bytes of a text go on with what it is inside of, where that is
// plain to see: small letters of ASCII in a word, most syllables in Hangul.
func more(text string, inside runeKind) int {
	switch c := text[0]; {
	case inside == letter && 'a' <= c && c <= 'z':
		return 1
	case inside == hangul && (c == 0xEB || c == 0xEC) && len(text) > 2 && text[1]&0xC0 == 0x80 && text[2]&0xC0 == 0x80:
		return hangulBytes
	}
	return 0
}

// meet counts a run of letters and appends its word, unless the case has it
// already.
func (t *tally) meet(words []uint32, run string, kind runeKind, lower bool, n uint32) []uint32 {
	if kind == blank || kind == letter && len(run) < minLetters || kind == hangul && len(run) < 2*hangulBytes {
		return words // at once, what worthComparing would leave out
	}
	t.run = t.run[:0]
	if lower {
		t.run = append(t.run, run...)
	} else {
		for _, r := range run {
			t.run = utf8.AppendRune(t.run, unicode.ToLower(r))
		}
	}
	s := t.lex.number(t.run, kind)
	if s == noWord {
		return words
	}
	w := t.lex.spellings[s].word
	t.uses = reaching(t.uses, s)
	t.seen = reaching(t.seen, w)
	t.last = reaching(t.last, w)
	t.uses[s] += n
	if t.last[w] != t.text {
		t.last[w] = t.text
		words = append(words, w)
	}
	return words
}

// reaching is a slice with zeros up to an index.
func reaching(s []uint32, i uint32) []uint32 {
	for uint32(len(s)) <= i {
		s = append(s, 0)
	}
	return s
}

// shown is a word as the texts spell it. Which text was read first does not
// matter.
func (t *tally) shown(w uint32) string {
	word := &t.lex.words[w]
	shown := ""
	for _, s := range word.spellings {
		if s >= uint32(len(t.uses)) || t.uses[s] == 0 {
			continue
		}
		if shown == "" {
			shown = t.lex.spellings[s].text
		}
		shown = better(shown, t.lex.spellings[s].text, word.stem, word.kind)
	}
	return shown
}

// composed writes a decomposed text, as some systems make it, with one
// character a letter or syllable. Nearly every text is composed already, and
// the bytes that begin combining marks and lone jamo tell so at once.
func composed(text string) string {
	for _, lead := range [...]byte{0xCC, 0xCD, 0xE1} {
		if strings.IndexByte(text, lead) >= 0 {
			return norm.NFC.String(text)
		}
	}
	return text
}

// better is what to print for a word. A Latin word is printed by its shortest
// spelling, since what stems leave is often no word. A Korean one is printed by
// its stem once a second spelling has shown that what was cut is an ending.
// Neither depends on which spelling was met first.
func better(shown, spelling, stem string, kind runeKind) string {
	switch {
	case shown == spelling:
		return shown
	case kind == hangul:
		return stem
	case len(spelling) < len(shown) || len(spelling) == len(shown) && spelling < shown:
		return spelling
	}
	return shown
}

// worthComparing leaves out what says nothing by itself: one and two letters, a
// lone syllable (mostly the particle of a Latin word), numbers, which agree by
// chance, and function words.
func worthComparing(spelling string, kind runeKind) bool {
	if isFunctionWord(spelling) {
		return false
	}
	if kind == hangul {
		return len(spelling) >= 2*hangulBytes
	}
	return utf8.RuneCountInString(spelling) >= minLetters && strings.Trim(spelling, "0123456789_") != ""
}

// minLetters is how many letters a Latin word has at least.
const minLetters = 3

// isFunctionWord knows the words that join others and tell nothing. In a large
// library they are too common to count anyway; in a small one they would seem
// distinctive.
func isFunctionWord(w string) bool {
	switch w {
	case "about", "above", "across", "after", "again", "against", "all", "almost", "along", "already", "also",
		"although", "always", "among", "and", "another", "any", "are", "around", "because", "became", "become",
		"been", "before", "began", "being", "below", "between", "both", "brought", "but", "came", "can", "cannot",
		"could", "did", "does", "down", "due", "during", "each", "either", "enough", "even", "every", "few", "first",
		"followed", "for", "from", "further", "gave", "given", "got", "had", "has", "have", "having", "her", "here",
		"his", "how", "however", "into", "its", "itself", "just", "kept", "last", "later", "least", "less", "like",
		"little", "made", "make", "many", "may", "meant", "might", "more", "most", "much", "must", "near", "nearly",
		"never", "new", "next", "non", "none", "nor", "not", "now", "off", "often", "once", "one", "only", "onto",
		"other", "others", "our", "out", "over", "own", "per", "rather", "remained", "remains", "same", "second",
		"several", "shall", "she", "should", "since", "some", "soon", "still", "such", "than", "that", "the", "their",
		"them", "themselves", "then", "there", "these", "they", "third", "this", "those", "though", "three",
		"through", "thus", "together", "too", "took", "toward", "two", "under", "until", "upon", "use", "used",
		"using", "very", "was", "well", "went", "were", "what", "when", "where", "whether", "which", "while", "who",
		"whole", "whose", "why", "will", "with", "within", "without", "would", "yet", "you", "your":
		return true
	case "것은", "것을", "것이", "것도", "것으로", "그래서", "그러나", "그런데", "그리고", "그동안", "그때", "그전", "거의", "가장", "결국", "계속", "곧바로",
		"다른", "다시", "대한", "대해", "더했다", "따라", "때문", "때문에", "또는", "또한", "모두", "모든", "바로", "밖에서", "별도", "사이", "사이에",
		"새로", "아니라", "아직", "앞서", "약간", "어떤", "없다", "없는", "없이", "없었다", "여러", "위해", "위한", "의해", "이런", "이미", "이후", "있다",
		"있는", "있던", "있어", "있었다", "있었고", "있도록", "였다", "않고", "않는", "않았다", "않아", "일부", "잘못", "전에", "전체", "점점", "정도",
		"주로", "지난", "직접", "직후", "최근", "통해", "하나", "하지만", "함께", "훨씬":
		return true
	}
	return false
}

// runeKind tells Hangul from other letters: in Korean text a Latin word carries
// its particle without a space (Redis를), and the two are words of their own.
type runeKind uint8

const (
	blank runeKind = iota
	letter
	hangul
)

func kindOf(r rune) runeKind {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
		return letter
	case r < utf8.RuneSelf:
		return blank
	case '가' <= r && r <= '힣':
		return hangul
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r):
		return letter
	}
	return blank
}

// stemLatin cuts the endings that English varies most: plural, -ed, -ing and a
// final e. It is a key for comparing, never shown. Ids and words with a digit
// stay whole.
func stemLatin(w string) string {
	if len(w) < 4 || strings.ContainsAny(w, "0123456789_") {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case hasAnySuffix(w, "sses", "xes", "ches", "shes", "zes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is"):
		w = w[:len(w)-1]
	}
	for _, ending := range [...]string{"ing", "ed"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			w = undouble(rest)
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func hasAnySuffix(w string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// undouble makes stopp(ed) the stop it comes from and leaves call(ed),
// pass(ed) and buzz(ed) alone.
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeioulsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// hangulBytes is the length of a Hangul syllable in UTF-8.
const hangulBytes = 3

// maxEnding is the number of syllables of the longest Korean ending.
const maxEnding = 4

// stripKorean cuts the longest particle or verb ending that leaves a word of at
// least two syllables: 데이터베이스에서는 and 데이터베이스를 are 데이터베이스, 복구했다
// is 복구. A noun that happens to end like that loses a syllable everywhere
// alike, which does a comparison no harm.
func stripKorean(w string) string {
	for n := maxEnding; n > 0; n-- {
		cut := len(w) - n*hangulBytes
		if cut >= 2*hangulBytes && isEnding(w[cut:]) {
			return w[:cut]
		}
	}
	return w
}

func isEnding(s string) bool {
	switch s {
	case "이", "가", "은", "는", "을", "를", "의", "에", "로", "도", "만", "와", "과", "나", "들", "씩",
		"으로", "에서", "에게", "에는", "에도", "까지", "부터", "마다", "보다", "처럼", "만큼", "밖에", "조차",
		"이나", "이다", "이고", "이며", "이라", "라는", "라고", "로는", "로도", "로서", "로써", "와의", "과의",
		"와는", "과는", "들이", "들은", "들을", "들의", "들에", "들도", "에서는", "에서도", "에서의", "으로는",
		"으로도", "으로의", "으로써", "으로서", "이라는", "이라고", "이었다", "까지는", "까지의", "부터는",
		"들에서", "들에게", "들에는", "들에서는":
		return true
	case "했다", "했고", "했지만", "했으며", "하다", "하는", "하고", "하며", "하여", "하지", "하면", "하자", "하게",
		"하기", "한다", "해서", "해야", "한", "할", "해", "함", "하도록", "하려고", "하면서", "하던", "했던", "했는데",
		"됐다", "됐고", "됐던", "되다", "되는", "되고", "되며", "되어", "되지", "되면", "되자", "된다", "돼", "된", "될",
		"됨", "되도록", "되면서", "되었다", "됐지만", "됐으며", "시켰다", "시키는", "시켜", "시킨", "시킬", "하지만":
		return true
	}
	return false
}
