package preview

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// disk is a folder with seeds, templates and assets that is edited at random, as
// editors and their programs do it. It knows which names an edit touched.
type disk struct {
	*rapid.T
	dir     string
	touched map[string]bool   // by their names on disk
	good    map[string][]byte // what the files held before they were broken
	tokens  int
}

func newDisk(t *rapid.T, dir string) *disk {
	d := &disk{T: t, dir: dir, touched: map[string]bool{}, good: map[string][]byte{}}
	for name, from := range map[string]string{"seeds": "../../cmd/incidentlib/testdata/seeds", "templates": "../../templates", "assets": "../../assets"} {
		d.must(os.CopyFS(d.path(name), os.DirFS(from)))
	}
	for i := range 4 {
		d.put(fmt.Sprintf("seeds/cases/IL-%04d.json", 10+i), d.newCase(fmt.Sprintf("IL-%04d", 10+i)))
	}
	clear(d.touched)
	return d
}

func (d *disk) must(err error) {
	if err != nil {
		d.Fatal(err)
	}
}

func (d *disk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func (d *disk) get(name string) []byte {
	b, err := os.ReadFile(d.path(name))
	d.must(err)
	return b
}

// put saves a file, in place or as most editors do: by renaming another.
func (d *disk) put(name string, b []byte) {
	file := d.path(name)
	d.must(os.MkdirAll(filepath.Dir(file), 0o755))
	if d.tokens++; d.tokens%2 == 0 {
		d.must(os.WriteFile(file+".tmp", b, 0o644))
		d.must(os.Rename(file+".tmp", file))
	} else {
		d.must(os.WriteFile(file, b, 0o644))
	}
	d.touched[file] = true
}

func (d *disk) remove(name string) {
	d.must(os.Remove(d.path(name)))
	d.touched[d.path(name)] = true
}

// below are the files in a folder, by their names from the disk's.
func (d *disk) below(folder string) []string {
	var out []string
	filepath.WalkDir(d.path(folder), func(file string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(d.dir, file)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// pick is one of the files in a folder; "" when there is none.
func (d *disk) pick(folder string) string {
	files := d.below(folder)
	if len(files) == 0 {
		return ""
	}
	return files[rapid.IntRange(0, len(files)-1).Draw(d.T, folder)]
}

func (d *disk) n(most int, what string) int { return rapid.IntRange(0, most).Draw(d.T, what) }

// words makes texts that differ, and that sometimes agree.
func (d *disk) words() string {
	list := []string{"database", "databases", "stopped", "queue", "큐가", "데이터베이스를", "데이터베이스가", "**굵게(bold)**는", "`code`", "<b>", "42", "[x](https://e.example)", "[y](/cases/IL-0001/)"}
	var out []string
	for range 1 + d.n(5, "words") {
		out = append(out, list[d.n(len(list)-1, "word")])
	}
	return strings.Join(out, " ")
}

func (d *disk) newCase(id string) []byte {
	src := strings.ReplaceAll(string(d.source("cases/IL-0001.json")), "IL-0001", id)
	return []byte(src)
}

// source is a seed as it was at first.
func (d *disk) source(name string) []byte {
	b, err := os.ReadFile("../../cmd/incidentlib/testdata/seeds/" + name)
	d.must(err)
	return b
}

func (d *disk) id() string { return fmt.Sprintf("IL-%04d", 1+d.n(19, "id")) }

// change edits the JSON of a file, if it is any.
func (d *disk) change(name string, edit func(v map[string]any)) {
	var v map[string]any
	if name == "" || json.Unmarshal(d.get(name), &v) != nil {
		return
	}
	edit(v)
	b, err := json.MarshalIndent(v, "", "  ")
	d.must(err)
	d.put(name, b)
}

// edit does one edit, and says which.
func (d *disk) edit() string {
	all := d.kinds()
	i := d.n(len(all)-1, "edit")
	all[i].do()
	return all[i].name
}

type kind struct {
	name string
	do   func()
}

func (d *disk) kinds() []kind {
	edits := []kind{
		{"add a case", func() { id := d.id(); d.put("seeds/cases/"+id+".json", d.newCase(id)) }},
		{"add a case in a folder", func() { id := d.id(); d.put("seeds/cases/a/"+id+".json", d.newCase(id)) }},
		{"delete a case", func() {
			if f := d.pick("seeds/cases"); f != "" {
				d.remove(f)
			}
		}},
		{"rename a case", d.rename},
		{"swap two cases", d.swap},
		{"break a file", d.breakFile},
		{"mend a file", d.mend},
		{"mend all files", d.mendAll},
		{"save without a change", func() {
			if f := d.pick("seeds"); f != "" {
				d.put(f, d.get(f))
			}
		}},
		{"edit the vocabulary", d.vocabulary},
		{"edit the site", d.site},
		{"write a topic", func() {
			d.put("seeds/topics/components/shared-part.ko.md", []byte(d.words()+"\n\n## 확인 {#check}\n\n"+d.words()))
		}},
		{"write an article", func() {
			d.put("seeds/articles/a.en.md", []byte("---\ntitle: "+d.words()+"\nsummary: S\npublished: 2026-01-01\n---\n\n"+d.words()+" [x](/cases/"+d.id()+"/)\n"))
		}},
		{"write a figure", func() {
			b, err := os.ReadFile("../../seeds/figures/retry-storm.json")
			d.must(err)
			d.put("seeds/figures/retry-storm.json", b[:len(b)-d.n(1, "cut")*100])
		}},
		{"delete prose", func() {
			for _, f := range slices.Concat(d.below("seeds/articles"), d.below("seeds/topics"), d.below("seeds/figures")) {
				d.remove(f)
			}
		}},
		{"withdraw", func() {
			d.put("seeds/withdrawn.json", []byte(`{"withdrawn":[{"id":"`+d.id()+`","since":"2026-01-01","reason":{"en":"Merged."},"replaced_by":null}]}`))
		}},
		{"withdraw nothing", func() {
			if slices.Contains(d.below("seeds"), "seeds/withdrawn.json") {
				d.remove("seeds/withdrawn.json")
			}
		}},
		{"edit a template", d.template},
		{"edit an asset", func() { d.put("assets/style.css", []byte(fmt.Sprintf("a{order:%d}", d.n(5, "order")))) }},
		{"replace the folder of cases", func() { d.replace("seeds/cases") }},
		{"replace all seeds", func() { d.replace("seeds") }},
		{"restore a revision", d.checkout},
	}
	// Most of the time editors edit fields, and mend what they broke.
	for range 12 {
		edits = append(edits, kind{"edit a field", d.field})
	}
	for range 4 {
		edits = append(edits, kind{"mend all files", d.mendAll})
	}
	return edits
}

func (d *disk) field() {
	d.change(d.pick("seeds/cases"), func(v map[string]any) {
		text := map[string]any{"en": d.words(), "ko": d.words()}
		if d.n(5, "languages") == 0 {
			delete(text, "ko")
		}
		values := []func(){
			func() { v["title"] = text }, func() { v["summary"] = text }, func() { v["symptoms_text"] = text },
			func() { v["trigger"] = text }, func() { v["lessons"] = text },
			func() { v["components"] = []string{"shared-part"}[:d.n(1, "components")] },
			func() { v["domain"] = []string{"area"}[:d.n(1, "domains")] },
			func() { v["root_cause"] = []any{"common", nil}[d.n(1, "cause")] },
			func() { v["severity"] = []any{"major", "unknown"}[d.n(1, "severity")] },
			func() { v["date"] = []string{"2024", "2024-02", "2024-02-29", "2019-12-31"}[d.n(3, "date")] },
			func() {
				v["org"], v["org_slug"] = []string{"Acme", "Acme"}[d.n(1, "org")], []string{"acme", "acme-2"}[d.n(1, "org_slug")]
			},
			func() { v["org"], v["org_slug"] = "Other", "other" },
			func() { v["related"] = []string{d.id()} }, func() { v["related"] = []string{} },
			func() { v["recurrence_of"] = d.id() }, func() { v["recurrence_of"] = nil },
			func() { v["updated_at"] = fmt.Sprintf("2026-01-%02dT00:00:00Z", 1+d.n(27, "day")) },
			func() { v["timeline"] = map[string]any{"detected_after": nil, "resolved_after": "1h 3m"} },
			func() { v["sources"] = []any{} },
			func() { v["remediation"] = []any{map[string]any{"text": text}} },
			func() { v["url"] = "https://h.example/lib/cases/" + d.id() },
		}
		values[d.n(len(values)-1, "field")]()
	})
}

func (d *disk) rename() {
	from := d.pick("seeds/cases")
	if from == "" {
		return
	}
	old, id := strings.TrimSuffix(filepath.Base(from), ".json"), d.id()
	b := bytes.ReplaceAll(d.get(from), []byte(old), []byte(id))
	d.remove(from)
	d.put("seeds/cases/"+id+".json", b)
}

func (d *disk) swap() {
	a, b := d.pick("seeds/cases"), d.pick("seeds/cases")
	if a == "" || a == b {
		return
	}
	idA, idB := []byte(strings.TrimSuffix(filepath.Base(a), ".json")), []byte(strings.TrimSuffix(filepath.Base(b), ".json"))
	srcA, srcB := bytes.ReplaceAll(d.get(a), idA, idB), bytes.ReplaceAll(d.get(b), idB, idA)
	d.put(a, srcB)
	d.put(b, srcA)
}

func (d *disk) breakFile() {
	f := d.pick([]string{"seeds", "seeds/cases", "templates", "assets"}[d.n(3, "where")])
	if f == "" {
		return
	}
	b := d.get(f)
	if d.good[f] == nil {
		d.good[f] = b
	}
	broken := [][]byte{b[:len(b)/2], nil, append(bytes.Clone(b), "}"...), bytes.ReplaceAll(b, []byte("unknown"), []byte("unknwon")),
		bytes.Replace(b, []byte("{"), []byte("{{"), 1), bytes.ReplaceAll(b, []byte("common"), []byte("comon"))}
	d.put(f, broken[d.n(len(broken)-1, "how")])
}

func (d *disk) mend() {
	for _, f := range slices.Sorted(maps.Keys(d.good)) {
		d.put(f, d.good[f])
		delete(d.good, f)
		return
	}
}

// mendAll takes the disk back to where it is likely without a fault.
func (d *disk) mendAll() {
	for len(d.good) > 0 {
		d.mend()
	}
	for _, f := range slices.Concat(d.below("seeds/cases"), d.below("seeds/articles"), d.below("seeds/topics"), d.below("seeds/figures")) {
		d.remove(f)
	}
	for _, f := range []string{"site.json", "vocab.json", "cases/IL-0001.json", "cases/IL-0002.json"} {
		d.put("seeds/"+f, d.source(f))
	}
	if slices.Contains(d.below("seeds"), "seeds/withdrawn.json") {
		d.remove("seeds/withdrawn.json")
	}
	for i := range 3 {
		id := fmt.Sprintf("IL-%04d", 3+i)
		d.put("seeds/cases/"+id+".json", d.newCase(id))
	}
}

func (d *disk) vocabulary() {
	d.change("seeds/vocab.json", func(v map[string]any) {
		axes, _ := v["axes"].([]any)
		if len(axes) == 0 {
			return
		}
		axis, _ := axes[d.n(len(axes)-1, "axis")].(map[string]any)
		terms, _ := axis["terms"].([]any)
		label := map[string]any{"en": d.words(), "ko": d.words()}
		switch d.n(3, "vocabulary") {
		case 0:
			axis["label"] = label
		case 1:
			axis["terms"] = append(terms, map[string]any{"slug": fmt.Sprint("t", d.n(3, "slug")), "label": label, "summary": label})
		case 2:
			axis["terms"] = terms[:max(0, len(terms)-1)]
		case 3:
			if len(terms) > 0 {
				term, _ := terms[0].(map[string]any)
				term["label"] = label
			}
		}
	})
}

func (d *disk) site() {
	d.change("seeds/site.json", func(v map[string]any) {
		switch d.n(4, "site") {
		case 0:
			v["title"] = map[string]any{"en": d.words()}
		case 1:
			v["base_url"] = []string{"https://h.example/lib", "https://h.example", "https://h.example/x/한글"}[d.n(2, "base")]
		case 2:
			v["default_language"] = []string{"en", "ko"}[d.n(1, "language")]
		case 3:
			v["api_url"] = []string{"", "https://api.example"}[d.n(1, "api")]
		case 4:
			v["base_url"] = "nowhere"
		}
	})
}

func (d *disk) template() {
	f := []string{"templates/case.html", "templates/frame.html", "templates/lists.html"}[d.n(2, "template")]
	b := d.get(f)
	if d.good[f] == nil {
		d.good[f] = b
	}
	d.put(f, append(bytes.Clone(d.good[f]), []string{"", "<!-- x -->", `{{define "none"}}{{.No.Such}}{{end}}`, "{{if}}"}[d.n(3, "tail")]...))
}

// replace puts another folder of the same name in place of one, without some of
// its files.
func (d *disk) replace(folder string) {
	old := d.path(folder)
	if _, err := os.Stat(old); err != nil {
		return
	}
	for _, f := range d.below(folder) {
		d.touched[d.path(f)] = true
	}
	d.must(os.Rename(old, old+"-old"))
	d.must(os.CopyFS(old, os.DirFS(old+"-old")))
	d.must(os.RemoveAll(old + "-old"))
	if files := d.below("seeds/cases"); len(files) > 0 {
		d.remove(files[0])
	}
}

// checkout changes many files at once.
func (d *disk) checkout() {
	for i, f := range d.below("seeds/cases") {
		switch i % 3 {
		case 0:
			d.remove(f)
		case 1:
			id := strings.TrimSuffix(filepath.Base(f), ".json")
			d.put(f, d.newCase(id))
		}
	}
}
