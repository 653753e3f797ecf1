package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// sample is what one process took, and what it made.
type sample struct {
	wall, cpu time.Duration
	peak      int64 // bytes; the most memory it held at once
	files     int
	bytes     int64
}

func measured(c *exec.Cmd) (sample, error) {
	c.Stderr = os.Stderr
	start := time.Now()
	err := c.Run()
	s := sample{wall: time.Since(start)}
	if c.ProcessState != nil {
		s.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		s.peak = peak(c.ProcessState)
	}
	return s, err
}

func (s sample) print(n int, what string, floor, ours sample) {
	made := "– | –"
	if s.files > 0 {
		made = fmt.Sprintf("%d | %.0f", s.files, float64(s.bytes)/1e6)
	}
	fmt.Printf("| %d | %s | %.2f | %.2f | %d | %s | %.2f | %.2f |\n", n, what, s.wall.Seconds(), s.cpu.Seconds(), s.peak>>20, made,
		s.wall.Seconds()/floor.wall.Seconds(), s.wall.Seconds()/ours.wall.Seconds())
}

// writeList writes the names and sizes of a folder's files.
func writeList(dir, list string) (files int, size int64, err error) {
	f, err := os.Create(list)
	if err != nil {
		return 0, 0, err
	}
	w := bufio.NewWriter(f)
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files, size = files+1, size+info.Size()
		rel, err := filepath.Rel(dir, name)
		fmt.Fprintf(w, "%d %s\n", info.Size(), rel)
		return err
	})
	return files, size, errors.Join(err, w.Flush(), f.Close())
}

// writeFloor writes the files of a list, "SIZE NAME" a line, into a new folder:
// with as many goroutines as a build has, each folder made once.
func writeFloor(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: sitebench floor LIST FOLDER")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	made := map[string]bool{}
	for _, line := range lines {
		_, name, _ := strings.Cut(line, " ")
		// The folder of a page is made by who writes the page.
		if dir := filepath.Dir(strings.TrimSuffix(name, "/index.html")); !made[dir] {
			made[dir] = true
			if err := os.MkdirAll(filepath.Join(args[1], dir), 0o755); err != nil {
				return err
			}
		}
	}
	const workers = 2
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, line := range lines[w*len(lines)/workers : (w+1)*len(lines)/workers] {
				if errs[w] == nil {
					errs[w] = writeOne(args[1], line)
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func writeOne(dir, line string) error {
	digits, name, _ := strings.Cut(line, " ")
	size, err := strconv.Atoi(digits)
	if err != nil {
		return err
	}
	name = filepath.Join(dir, name)
	if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.WriteFile(name, make([]byte, size), 0o644) // zeros are written as any bytes are
}
