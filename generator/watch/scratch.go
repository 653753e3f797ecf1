package watch

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Scratch reports whether the last name of a path is one that programs use for
// their own purposes, never the name of content: hidden files, and what editors
// leave beside a file that they save or hold open.
func Scratch(path string) bool {
	name := filepath.Base(path)
	if name == "." || name == ".." {
		return false
	}
	for _, p := range []string{".", "#", "~$"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	for _, s := range []string{"~", ".bak", ".bck", ".tmp", ".orig", ".rej", ".swp", ".swo", ".swn", ".swx", "___jb_tmp___", "___jb_old___", ".crdownload", ".part"} {
		if strings.HasSuffix(name, s) {
			return true
		}
	}
	return isVimProbe(name)
}

// isVimProbe reports whether vim makes a file of this name to see whether the
// folder can be written to: 4913, or if there is one, 123 more, and so on. Years
// are not among them.
func isVimProbe(name string) bool {
	n, err := strconv.Atoi(name)
	return err == nil && n >= 4913 && n < 4913+10*123 && (n-4913)%123 == 0
}
