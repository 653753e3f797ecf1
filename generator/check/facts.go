package check

import (
	"slices"
	"strings"
	"unicode"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// facts reports numbers and times that stand in one language's text and nowhere
// in the other's. The two texts are written apart, not translated line by line:
// a number may stand in the summary here and in the symptoms there, so each is
// looked for in all the other texts of the case, and in its dates.
func (r reader) facts(c *incident.Case) []problem.Problem {
	known := map[incident.Lang]keys{}
	for _, l := range incident.Langs() {
		known[l] = keys{}
		known[l].date(c.Date)
		for _, d := range []incident.Duration{c.Timeline.DetectedAfter, c.Timeline.ResolvedAfter} {
			known[l].add(r.read(d.Text, incident.EN))
		}
	}
	texts := slices.Collect(caseTexts(c))
	found := make([]map[incident.Lang][]fact, len(texts))
	for i, p := range texts {
		found[i] = map[incident.Lang][]fact{}
		for _, l := range incident.Langs() {
			found[i][l] = r.read(p.text.In(l), l)
			known[l].add(found[i][l])
			if !p.text.Has(l.Other()) { // a text that exists in one language is read by both
				known[l.Other()].add(found[i][l])
			}
		}
	}
	var ps []problem.Problem
	for i, p := range texts {
		for _, l := range incident.Langs() {
			if alone := known[l.Other()].lacks(found[i][l]); len(alone) > 0 {
				ps = append(ps, p.faultIn(l, 0, "no "+language(l.Other())+" text of the case has "+strings.Join(alone, ", "),
					"check it, and write the same facts in both languages"))
			}
		}
	}
	return ps
}

// keys are the facts of all texts of a language, in every form in which the
// other language may write them.
type keys map[string]bool

func (k keys) add(facts []fact) {
	for _, f := range facts {
		for _, form := range slices.Concat(f.forms, f.also) {
			k[form] = true
		}
	}
}

func (k keys) date(d incident.Date) {
	for _, n := range []int{d.Year, d.Month, d.Day} {
		k[number(float64(n))] = true
	}
}

// lacks lists the facts, as their text writes them, that are not among k.
func (k keys) lacks(facts []fact) []string {
	var out []string
	for _, f := range facts {
		found := f.word
		for _, form := range f.forms {
			found = found || k[form]
		}
		if !found && !slices.Contains(out, f.text) {
			out = append(out, f.text)
		}
	}
	return out
}

// fact is a number or a time in a text.
type fact struct {
	text  string   // as it is written
	forms []string // what it says; one of them in the other language is enough
	also  []string // what else the other language may take it for
	word  bool     // written as a word: answers for a number, and asks for none

	seconds float64 // of a duration
}

// numerals are words and the numbers that they stand for.
type numerals map[string]float64

func english() numerals {
	return numerals{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
		"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
		"once": 1, "twice": 2, "single": 1, "a": 1, "an": 1, "both": 2, "double": 2, "doubled": 2, "doubling": 2, "pair": 2, "triple": 3, "tripled": 3, "half": 50, "halved": 50,
		"quarter": 25, "dozen": 12, "zero": 0, "no": 0, "none": 0, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
		"thousand": 1000, "million": 1e6, "billion": 1e9,
		"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
		"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12}
}

func korean() numerals {
	return numerals{"하나": 1, "한": 1, "첫": 1, "첫째": 1, "둘": 2, "두": 2, "둘째": 2, "셋": 3, "세": 3, "셋째": 3, "넷": 4, "네": 4, "넷째": 4, "다섯": 5, "여섯": 6, "일곱": 7,
		"여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12, "스무": 20, "스물": 20, "서른": 30, "절반": 50, "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "양쪽": 2, "몇": 0,
		"일": 1, "이": 2, "삼": 3, "단일": 1, "백": 100, "천": 1000, "만": 10000}
}

// find lists the numbers that a text spells out.
func (n numerals) find(text string, l incident.Lang) []fact {
	var out []fact
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		value, ok := n[w]
		if !ok && l == incident.KO {
			value, ok = n.counted(w)
		}
		if ok {
			out = append(out, fact{text: w, also: []string{number(value)}, word: true})
		}
	}
	return out
}

// counted is the number in a Korean word that goes on with a counter or a
// particle: 두번, 하나가.
func (n numerals) counted(word string) (float64, bool) {
	for end := range word {
		if value, ok := n[word[:end]]; ok && startsCounter(word[end:]) {
			return value, true
		}
	}
	return 0, false
}

func startsCounter(s string) bool {
	for _, c := range []string{"번", "개", "가지", "시간", "달", "차례", "배", "곳", "명", "째", "건", "대", "주", "해", "가", "를", "는", "와", "의", "로", "쪽", "단계", "군데"} {
		if strings.HasPrefix(s, c) {
			return true
		}
	}
	return false
}
