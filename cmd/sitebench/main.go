// Command sitebench measures whole builds of the site, as processes: beside other
// generators that make the same site of the same cases, and beside the floor, a
// program that does nothing but write files of the same names and sizes. Rows of
// one size come from one run, in turn; the figures to look at are the ratios.
//
//	CORPUS_MAKER='cmd' sitebench -program incidentlib
//
// Settings, all but the first optional:
//
//	CORPUS_MAKER   called with -n N -out FOLDER, writes N cases
//	HUGO           Hugo's program, with HUGO_SITE: layouts and settings for the same site
//	ELEVENTY_SITE  a folder with Eleventy installed that makes the same site of $CORPUS in $OUT
//	BUILD_FLAGS    flags for "incidentlib build"
//
// Every build goes into a folder of its own, and nothing is deleted before the
// end: making files is slow for minutes after many were deleted.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sitebench:", err)
		os.Exit(1)
	}
}

// bench is one call of the program.
type bench struct {
	program, work string
	runs          int
	flags         []string
	made          int // folders so far
}

func run(args []string) error {
	if len(args) > 0 && args[0] == "floor" { // the floor is a process like the others
		return writeFloor(args[1:])
	}
	set := flag.NewFlagSet("sitebench", flag.ContinueOnError)
	program := set.String("program", "incidentlib", "the program to measure")
	sizes := set.String("sizes", "567 5000 20000", "numbers of cases")
	runs := set.Int("runs", 3, "builds for each row, which shows the median by time")
	if err := set.Parse(args); err != nil {
		return err
	}
	if os.Getenv("CORPUS_MAKER") == "" {
		fmt.Println("skipped: set CORPUS_MAKER to a command that writes cases (-n N -out FOLDER)")
		return nil
	}
	work, err := os.MkdirTemp("", "sitebench-")
	if err != nil {
		return err
	}
	b := &bench{program: *program, work: work, runs: *runs, flags: strings.Fields(os.Getenv("BUILD_FLAGS"))}
	err = b.all(strings.Fields(*sizes))
	return errors.Join(err, os.RemoveAll(work))
}

func (b *bench) all(sizes []string) error {
	fmt.Println("| cases | what | wall s | CPU s | peak MB | files | MB | ÷ floor | ÷ ours |")
	fmt.Println("| --: | :-- | --: | --: | --: | --: | --: | --: | --: |")
	for _, s := range sizes {
		n, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("the size %q: %w", s, err)
		}
		if err := b.size(n); err != nil {
			return fmt.Errorf("%d cases: %w", n, err)
		}
	}
	return nil
}

// size measures everything for one number of cases.
func (b *bench) size(n int) error {
	corpus := filepath.Join(b.work, "corpus-"+strconv.Itoa(n))
	maker := exec.Command("sh", "-c", os.Getenv("CORPUS_MAKER")+` -n "$0" -out "$1"`, strconv.Itoa(n), corpus)
	maker.Stderr = os.Stderr
	if err := maker.Run(); err != nil {
		return fmt.Errorf("the corpus maker: %w", err)
	}
	full, floor, last, err := b.pair(corpus)
	if err != nil {
		return err
	}
	full.print(n, "incidentlib build", floor, full)
	floor.print(n, "the floor: the same files, only written", floor, full)
	if err := b.again(n, corpus, last, floor, full); err != nil {
		return err
	}
	return b.peers(n, corpus, floor, full)
}

// pair measures full builds and their floor in turn, and returns the folder of
// the last build.
func (b *bench) pair(corpus string) (full, floor sample, last string, err error) {
	self, err := os.Executable()
	if err != nil {
		return full, floor, "", err
	}
	var builds, floors []sample
	for range b.runs {
		last = b.folder()
		one, err := measured(b.build(corpus, last))
		if err != nil {
			return full, floor, "", err
		}
		list := filepath.Join(b.work, "list")
		if one.files, one.bytes, err = writeList(last, list); err != nil {
			return full, floor, "", err
		}
		builds = append(builds, one)
		low, err := measured(exec.Command(self, "floor", list, b.folder()))
		if err != nil {
			return full, floor, "", err
		}
		low.files, low.bytes = one.files, one.bytes
		floors = append(floors, low)
	}
	return median(builds), median(floors), last, nil
}

// again measures builds over the folder of an earlier one: of the same seeds, and
// after one title changed.
func (b *bench) again(n int, corpus, last string, floor, full sample) error {
	edited := filepath.Join(corpus, "cases", fmt.Sprintf("IL-%04d.json", n/2))
	edits := 0
	edit := func() error {
		edits++
		src, err := os.ReadFile(edited)
		if err != nil {
			return err
		}
		title := []byte(`"title":{"en":"`)
		at := strings.Index(string(src), string(title))
		if at < 0 {
			return fmt.Errorf("%s has no title to change", edited)
		}
		out := append(slices.Clone(src[:at+len(title)]), fmt.Sprintf("Edit%d ", edits)...)
		return os.WriteFile(edited, append(out, src[at+len(title):]...), 0o644)
	}
	for _, row := range []struct {
		what  string
		edit  bool
		flags []string
		runs  int
	}{
		{"… again, nothing changed", false, nil, b.runs},
		{"… again, one title changed, swapped", true, nil, b.runs},
		{"… again, one title changed, in place", true, []string{"--in-place"}, b.runs},
		{"… again, one title changed, swapped, to have a spare", true, []string{"--spare"}, 1},
		{"… again, one title changed, swapped with a spare", true, []string{"--spare"}, b.runs},
	} {
		var all []sample
		for range row.runs {
			if row.edit {
				if err := edit(); err != nil {
					return err
				}
			}
			one, err := measured(b.build(corpus, last, row.flags...))
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		median(all).print(n, row.what, floor, full)
	}
	return nil
}

// peers measures the other generators, where they are at hand.
func (b *bench) peers(n int, corpus string, floor, full sample) error {
	if hugo, site := os.Getenv("HUGO"), os.Getenv("HUGO_SITE"); hugo != "" && site != "" {
		for _, gogc := range []string{"100", "400"} {
			err := b.peer(n, "Hugo, GOGC="+gogc, floor, full, func(out string) (*exec.Cmd, error) {
				c, err := b.hugo(hugo, site, corpus, out)
				if err == nil {
					c.Env = append(os.Environ(), "GOGC="+gogc)
				}
				return c, err
			})
			if err != nil {
				return err
			}
		}
	}
	if site := os.Getenv("ELEVENTY_SITE"); site != "" {
		return b.peer(n, "Eleventy", floor, full, func(out string) (*exec.Cmd, error) {
			c := exec.Command("node", "--max-old-space-size=16000", "node_modules/@11ty/eleventy/cmd.cjs")
			c.Dir, c.Env = site, append(os.Environ(), "CORPUS="+corpus, "OUT="+out)
			return c, nil
		})
	}
	return nil
}

func (b *bench) peer(n int, name string, floor, full sample, command func(out string) (*exec.Cmd, error)) error {
	var all []sample
	for range b.runs {
		out := b.folder()
		c, err := command(out)
		if err != nil {
			return err
		}
		one, err := measured(c)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if one.files, one.bytes, err = writeList(out, os.DevNull); err != nil {
			return err
		}
		all = append(all, one)
	}
	median(all).print(n, name, floor, full)
	return nil
}

// hugo makes Hugo build the cases of a corpus, which it finds where its settings
// mount them.
func (b *bench) hugo(hugo, site, corpus, out string) (*exec.Cmd, error) {
	source := filepath.Join(b.work, "hugo")
	if err := os.CopyFS(source, os.DirFS(site)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	var config strings.Builder
	for _, m := range [][2]string{{"layouts", "layouts"}, {"static", "static"}, {"content", "content"},
		{filepath.Join(corpus, "cases"), "assets/cases"}, {filepath.Join(corpus, "peers-vocab.json"), "data/vocab.json"}} {
		fmt.Fprintf(&config, "[[module.mounts]]\nsource = %q\ntarget = %q\n", m[0], m[1])
	}
	mounts := filepath.Join(b.work, "mounts.toml")
	if err := os.WriteFile(mounts, []byte(config.String()), 0o644); err != nil {
		return nil, err
	}
	return exec.Command(hugo, "--source", source, "--config", "hugo.toml,"+mounts, "--minify", "--noBuildLock", "--quiet", "-d", out), nil
}

func (b *bench) build(corpus, out string, more ...string) *exec.Cmd {
	args := slices.Concat([]string{"build", "--quiet", "--seeds", corpus, "--out", out}, b.flags, more)
	return exec.Command(b.program, args...)
}

// folder names a folder that is not there yet.
func (b *bench) folder() string {
	b.made++
	return filepath.Join(b.work, "out-"+strconv.Itoa(b.made))
}

func median(all []sample) sample {
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.wall, b.wall) })
	return all[(len(all)-1)/2]
}
