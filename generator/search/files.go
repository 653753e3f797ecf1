package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
)

var errMalformed = errors.New("the search index is damaged; build the site anew")

// terms is a shard as it is read: the entries stay as they are written until
// one is asked for.
type terms struct {
	body   []byte
	starts []uint32 // of each term's spelling
}

func parseTerms(body []byte) (*terms, error) {
	t := &terms{body: body}
	for at := 0; ; {
		open := bytes.IndexByte(body[at:], '"')
		if open < 0 {
			return t, nil
		}
		start := at + open + 1
		end := bytes.IndexByte(body[start:], ']')
		if end < 0 || !bytes.Contains(body[start:start+end], []byte(`":[`)) {
			return nil, errMalformed
		}
		t.starts = append(t.starts, uint32(start))
		at = start + end + 1
	}
}

// at is the spelling of a term and its list.
func (t *terms) at(i int) (term, list []byte) {
	rest := t.body[t.starts[i]:]
	term, rest, _ = bytes.Cut(rest, []byte(`":[`))
	return term, rest[:bytes.IndexByte(rest, ']')]
}

// from is the place of the first term that is not before one.
func (t *terms) from(term string) int {
	return sort.Search(len(t.starts), func(i int) bool {
		spelling, _ := t.at(i)
		return string(spelling) >= term
	})
}

// numbers reads a list of numbers.
type numbers struct {
	list []byte
	bad  bool
}

func (n *numbers) more() bool { return len(n.list) > 0 && !n.bad }

func (n *numbers) next() uint32 {
	v, i := uint64(0), 0
	for i < len(n.list) && '0' <= n.list[i] && n.list[i] <= '9' && i < 10 {
		v = v*10 + uint64(n.list[i]-'0')
		i++
	}
	n.bad = n.bad || i == 0 || v > 1<<32-1 || i < len(n.list) && n.list[i] != ','
	n.list = n.list[min(i+1, len(n.list)):]
	return uint32(v)
}

// eachPosting calls do with the cases of an entry and the impact in them.
func eachPosting(list []byte, do func(doc uint32, impact int)) error {
	n := numbers{list: list}
	for n.more() {
		impact, count, doc := int(n.next()), n.next(), uint32(0)
		for ; count > 0 && n.more(); count-- {
			doc += n.next()
			do(doc, impact)
		}
		n.bad = n.bad || count > 0
	}
	if n.bad {
		return errMalformed
	}
	return nil
}

func parseJSON[T any](body []byte) (*T, error) {
	v := new(T)
	if err := json.Unmarshal(body, v); err != nil {
		return nil, fmt.Errorf("%w (%w)", errMalformed, err)
	}
	return v, nil
}

func parseRoot(body []byte) (*root, error) {
	r, err := parseJSON[root](body)
	if err != nil {
		return nil, err
	}
	if r.Version != version {
		return nil, fmt.Errorf("the search index has version %d, and this program reads version %d", r.Version, version)
	}
	return r, nil
}

func parseDirectory(body []byte) (*directory, error) {
	d, err := parseJSON[directory](body)
	if err == nil && len(d.First) != len(d.Keys) {
		err = errMalformed
	}
	return d, err
}

// shardOf is the place of the shard that has a term, if one has it.
func (d *directory) shardOf(term string) int {
	return sort.Search(len(d.First), func(i int) bool { return d.First[i] > term }) - 1
}

// spoken is a language file, ready.
type spoken struct {
	keys   map[uint32]string // of the runs
	labels map[string]map[string]string
}

func parseLanguage(body []byte) (*spoken, error) {
	l, err := parseJSON[language](body)
	if err != nil {
		return nil, err
	}
	if len(l.Runs) != len(l.Keys) {
		return nil, errMalformed
	}
	s := &spoken{map[uint32]string{}, l.Labels}
	number := uint32(0)
	for i, gap := range l.Runs {
		number += gap
		s.keys[number] = l.Keys[i]
	}
	return s, nil
}

// rows are the cases of a run by their numbers.
type rows map[uint32][]string

func parseRows(body []byte) (rows, error) {
	list, err := parseJSON[[][]string](body)
	if err != nil {
		return nil, err
	}
	out := rows{}
	for _, row := range *list {
		if len(row) < 7 {
			return nil, errMalformed
		}
		number, ok := Number(row[0])
		if !ok {
			return nil, errMalformed
		}
		out[number] = row
	}
	return out, nil
}

// facetValue is a value of a facet with its cases.
type facetValue struct {
	slug, name string // name is an organisation's
	docs       []uint32
}

// facet are the values of a facet, by slug.
type facet []facetValue

func parseFacet(body []byte) (facet, error) {
	raw, err := parseJSON[map[string]json.RawMessage](body)
	if err != nil {
		return nil, err
	}
	var out facet
	for slug, list := range *raw {
		v := facetValue{slug: slug}
		list = bytes.TrimSuffix(bytes.TrimPrefix(list, []byte("[")), []byte("]"))
		if bytes.HasPrefix(list, []byte(`"`)) {
			end := bytes.LastIndexByte(list, '"') + 1
			if json.Unmarshal(list[:end], &v.name) != nil {
				return nil, errMalformed
			}
			list = bytes.TrimPrefix(list[end:], []byte(","))
		}
		doc := uint32(0)
		n := numbers{list: list}
		for n.more() {
			doc += n.next()
			v.docs = append(v.docs, doc)
		}
		if n.bad {
			return nil, errMalformed
		}
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return strings.Compare(out[i].slug, out[j].slug) < 0 })
	return out, nil
}

func (f facet) value(slug string) *facetValue {
	i := sort.Search(len(f), func(i int) bool { return f[i].slug >= slug })
	if i < len(f) && f[i].slug == slug {
		return &f[i]
	}
	return nil
}

// day is a date as [incident.Date.Order] has it, with its cases.
type day struct {
	order uint32
	docs  []uint32
}

func parseDates(body []byte) ([]day, error) {
	var out []day
	n := numbers{list: inner(body)}
	for n.more() {
		d := day{order: n.next()}
		doc, count := uint32(0), n.next()
		for ; count > 0 && n.more(); count-- {
			doc += n.next()
			d.docs = append(d.docs, doc)
		}
		n.bad = n.bad || count > 0
		out = append(out, d)
	}
	if n.bad {
		return nil, errMalformed
	}
	return out, nil
}

func parseUpdated(body []byte) ([]uint32, error) {
	var out []uint32
	n := numbers{list: inner(body)}
	for n.more() {
		out = append(out, n.next())
	}
	if n.bad {
		return nil, errMalformed
	}
	return out, nil
}

// inner is what stands in the brackets of a list.
func inner(body []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("[")), []byte("]"))
}
