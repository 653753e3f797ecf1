package generator

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"slices"
	"sync"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/library"
	"benchlet.com/incidentlib/generator/output"
)

// Origin is what all files of a build are made from, besides the cases: the
// program with its templates, the settings, and the seeds that are no cases. The
// zero Origin is not known, and no file of its build has a key.
type Origin struct{ sum output.Key }

// Origin is the origin of a build of these seeds, by this program, with these
// settings, which may be any text that tells them apart.
func (f Fingerprint) Origin(program, settings string) Origin {
	return Origin{output.KeyOf("origin", string(f.shared[:]), program, settings)}
}

// markData gives those files a key that say what of the cases they are made from.
func (from Origin) markData(files []output.File) []output.File {
	if from == (Origin{}) {
		return files
	}
	files = slices.Clone(files)
	for i := range files {
		if data, name := files[i].Data, files[i].Path; data != nil {
			files[i].Key = func() output.Key {
				k := data()
				return output.KeyOf("data", string(from.sum[:]), name, string(k[:]))
			}
		}
	}
	return files
}

// marker gives the files of cases their keys.
type marker struct {
	from  Origin
	lib   *library.Library
	times []int64 // of all cases
}

// mark gives the files of a case their keys.
func (m *marker) mark(c *incident.Case, files []output.File) []output.File {
	if m.from == (Origin{}) {
		return files
	}
	around := &surroundings{marker: m, of: c}
	for i := range files {
		if files[i].Key != nil {
			continue // it is made from less than the whole case
		}
		name := files[i].Path
		files[i].Key = func() output.Key {
			k := around.key()
			return output.KeyOf(string(k[:]), name)
		}
	}
	return files
}

// surroundings are what the files of a case are made from. There is one of every
// case throughout a build.
type surroundings struct {
	*marker
	of   *incident.Case
	once sync.Once
	sum  output.Key
}

func (s *surroundings) key() output.Key {
	s.once.Do(func() { s.sum = surrounding(s.lib, s.times, s.of, s.from) })
	return s.sum
}

// surrounding is the key of all that the files of a case are made from: the case,
// and the cases that its files name, whole, in their order and with what is said
// of them, and where its time stands among all times. It errs on the side of
// making too much.
func surrounding(lib *library.Library, times []int64, c *incident.Case, from Origin) (k output.Key) {
	d := digest{sha256.New()}
	d.Write(from.sum[:])
	d.cases(c)
	if t := c.Timeline.ResolvedAfter; t.Known() {
		shorter, longer := library.Standing(times, t.Seconds)
		d.numbers(min(len(times), library.FewestTimes), shorter, longer)
	}
	related := lib.Related(c)
	d.cases(related.Chosen...)
	d.numbers(related.Total)
	for _, s := range related.Shared {
		d.cases(s.Case)
	}
	for _, link := range lib.Chain(c) {
		d.cases(link.Case)
		d.numbers(link.Skipped)
	}
	newer, older := lib.Neighbours(c)
	for _, n := range []*incident.Case{newer, older} {
		if n == nil {
			d.cases()
		} else {
			d.cases(n)
		}
	}
	for _, s := range lib.Similar(c) {
		d.cases(s.Case)
		d.numbers(s.Score)
		for _, part := range s.Parts {
			d.numbers(part.Score)
			d.texts(part.Terms...)
		}
		d.texts(s.WordsEN...)
		d.texts(s.WordsKO...)
	}
	copy(k[:], d.Sum(nil))
	return k
}

// digest takes in lists, each with its length, so that none can pass for another.
type digest struct{ hash.Hash }

func (d digest) numbers(ns ...int) {
	var b []byte
	for _, n := range ns {
		b = binary.AppendVarint(b, int64(n))
	}
	d.Write(b)
}

func (d digest) texts(list ...string) {
	d.numbers(len(list))
	for _, t := range list {
		d.numbers(len(t))
		io.WriteString(d, t)
	}
}

func (d digest) cases(list ...*incident.Case) {
	d.numbers(len(list))
	for _, c := range list {
		d.Write(c.Sum[:])
	}
}
