package main

import "testing"

// TestSlugOf makes slugs of names as the committed cases have them.
func TestSlugOf(t *testing.T) {
	for name, want := range map[string]string{
		"OpenAI": "openai", "Google Cloud": "google-cloud", "Let's Encrypt": "lets-encrypt", "Let’s Encrypt": "lets-encrypt",
		"NU.nl": "nu-nl", "FREE NOW": "free-now", "AT&T": "at-t", "Société Générale": "societe-generale", "ＫＴ": "kt",
		"  (1) 2 -- 3! ": "1-2-3", "네이버 D2": "d2", "카카오": "", "Яндекс": "", "": "", "--": "",
	} {
		if got := slugOf(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
