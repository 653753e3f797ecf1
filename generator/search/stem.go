package search

import (
	"bytes"
	"strings"
)

// stem cuts the endings that English varies most: plural, -ed, -ing and a final
// e. It is a key for comparing, never shown. Words with a digit stay whole. The
// result is w or a part of it, which may be written over.
func stem(w []byte) []byte {
	if len(w) < 4 || !isLower(w) {
		return w
	}
	switch {
	case len(w) > 4 && endsIn(w, "ies", "ied"):
		w[len(w)-3] = 'y'
		return w[:len(w)-2]
	case endsIn(w, "sses", "xes", "ches", "shes", "zes"):
		w = w[:len(w)-2]
	case endsIn(w, "s") && !endsIn(w, "ss", "us", "is"):
		w = w[:len(w)-1]
	}
	for _, ending := range [...]string{"ing", "ed"} {
		if n := len(w) - len(ending); n >= 3 && endsIn(w, ending) && bytes.ContainsAny(w[:n], "aeiouy") {
			w = undoubled(w[:n])
			break
		}
	}
	if len(w) > 3 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	return w
}

func isLower(w []byte) bool {
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

func endsIn(w []byte, endings ...string) bool {
	for _, e := range endings {
		if len(w) >= len(e) && string(w[len(w)-len(e):]) == e {
			return true
		}
	}
	return false
}

// undoubled makes stopp(ed) the stop it comes from and leaves call(ed),
// pass(ed) and buzz(ed) alone.
func undoubled(w []byte) []byte {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeioulsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// particles are what Korean nouns carry, alone or behind the plural 들, and
// endings what verbs made of nouns end in. The browser has the same.
const (
	plural    = "들"
	particles = " 가 은 는 을 를 만 씩 나 도 의 이 이나 이고 이며 이다 이라 이라는 이라고 이었다 라는 라고 와 와의 와는 과 과의 과는 로 로는 로도 로서 로써 로의 으로 으로는 으로도 으로서 으로써 으로의 에 에게 에는 에도 에서 에서는 에서도 에서의 까지 까지는 까지의 부터 부터는 마다 보다 처럼 만큼 밖에 조차 "
	endings   = " 했다 했고 했던 했지만 했으며 했는데 됐다 됐고 됐던 됐지만 됐으며 됐는데 하다 하는 하고 하며 하여 하어 하지 하면 하자 하게 하기 하던 하지만 하도록 하려고 하면서 하었다 되다 되는 되고 되며 되여 되어 되지 되면 되자 되게 되기 되던 되지만 되도록 되려고 되면서 되었다 한 한다 된 된다 해 해서 해야 할 함 돼 될 됨 시켰다 시키는 시켜 시킨 시킬 "

	// objects are the particles of one syllable that no noun of two ends in.
	objects = " 을 를 은 는 "

	syllable  = 3 // bytes
	maxEnding = 4 // syllables
)

func listed(list, word string) bool { return strings.Contains(list, " "+word+" ") }

func isParticle(s string) bool {
	rest := strings.TrimPrefix(s, plural)
	return rest == "" && s != "" || listed(particles, rest)
}

// core is a Hangul word without its particle or verb ending, the longest that
// leaves two syllables.
func core(w string) string {
	for n := maxEnding; n > 0; n-- {
		cut := len(w) - n*syllable
		if cut >= 2*syllable && (isParticle(w[cut:]) || listed(endings, w[cut:])) {
			return w[:cut]
		}
	}
	return w
}

// isStopWord tells the words that a question can do without.
func isStopWord(w string) bool {
	switch w {
	case "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or", "that", "the", "this", "to", "was", "were", "with":
		return true
	}
	return false
}
