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

// particles are what Korean nouns carry, and endings what verbs made of nouns
// end in. The browser has the same two lists.
const (
	particles = " 이 가 은 는 을 를 의 에 로 도 만 와 과 나 들 씩 으로 에서 에게 에는 에도 까지 부터 마다 보다 처럼 만큼 밖에 조차 이나 이다 이고 이며 이라 라는 라고 로는 로도 로서 로써 와의 과의 와는 과는 들이 들은 들을 들의 들에 들도 에서는 에서도 에서의 으로는 으로도 으로의 으로써 으로서 이라는 이라고 이었다 까지는 까지의 부터는 들에서 들에게 들에는 들에서는 "
	endings   = " 했다 했고 했지만 했으며 하다 하는 하고 하며 하여 하지 하면 하자 하게 하기 한다 해서 해야 한 할 해 함 하도록 하려고 하면서 하던 했던 했는데 됐다 됐고 됐던 되다 되는 되고 되며 되어 되지 되면 되자 된다 돼 된 될 됨 되도록 되면서 되었다 됐지만 됐으며 시켰다 시키는 시켜 시킨 시킬 하지만 "

	// objects are the particles of one syllable that no noun of two ends in.
	objects = " 을 를 은 는 "

	syllable  = 3 // bytes
	maxEnding = 4 // syllables
)

func listed(list, word string) bool { return strings.Contains(list, " "+word+" ") }

func isParticle(s string) bool { return listed(particles, s) }

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
