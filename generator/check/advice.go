package check

import (
	"fmt"
	"net/url"
	"strings"

	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/problem"
)

// Advice is what is worth mending in seeds that may be published as they are.
func Advice(c *incident.Collection) []problem.Problem {
	var ps []problem.Problem
	texts := newReader()
	for i := range c.Cases {
		one := c.Cases[i]
		ps = append(ps, texts.facts(one)...)
		ps = append(ps, provenance(one)...)
	}
	ps = append(ps, sharedSources(c)...)
	ps = append(ps, nearTitles(c)...)
	ps = append(ps, halves(c)...)
	ps = append(ps, topicHalves(c)...)
	ps = append(ps, wording(c)...)
	for _, a := range c.Articles {
		if l := missing(a.Title); l != "" {
			ps = append(ps, problem.Problem{File: a.Files.EN + a.Files.KO, What: "the article has no text in " + language(l), Remedy: fmt.Sprintf("write %s.%s.md beside it", a.Slug, l)})
		}
	}
	for i := range ps {
		ps[i].Advice = true
	}
	return ps
}

// halves reports texts that exist in one language only. Of topics and articles
// a whole file is missing then.
func halves(c *incident.Collection) []problem.Problem {
	var ps []problem.Problem
	for p := range passages(c) {
		if l := missing(p.text); l != "" && p.inJSON() {
			ps = append(ps, p.fault("the text is missing in "+language(l), "translate it"))
		}
	}
	return ps
}

// missing is the language that a text lacks, or "" for one that has both or none.
func missing(t incident.Text) incident.Lang {
	for _, l := range incident.Langs() {
		if !t.IsZero() && !t.Has(l) {
			return l
		}
	}
	return ""
}

func language(l incident.Lang) string {
	if l == incident.KO {
		return "Korean"
	}
	return "English"
}

// topicHalves reports topics whose prose exists in one language only.
func topicHalves(c *incident.Collection) []problem.Problem {
	there := map[incident.TermRef]map[incident.Lang]bool{}
	for _, t := range c.Topics {
		if there[t.Term] == nil {
			there[t.Term] = map[incident.Lang]bool{}
		}
		there[t.Term][t.Lang] = true
	}
	var ps []problem.Problem
	for _, t := range c.Topics {
		if other := t.Lang.Other(); !there[t.Term][other] {
			ps = append(ps, problem.Problem{File: t.File, What: "the topic has no text in " + language(other),
				Remedy: fmt.Sprintf("write %s.%s.md beside it", t.Term.Slug, other)})
		}
	}
	return ps
}

// provenance reports what a reader cannot check, or nobody has checked.
func provenance(c *incident.Case) []problem.Problem {
	var ps []problem.Problem
	if len(c.Sources) == 0 {
		ps = append(ps, fault(c, "/sources", "the case has no source", "name where its facts come from"))
	}
	for i, s := range c.Sources {
		if s.Archived == "" {
			ps = append(ps, fault(c, pointerTo("sources/%d/archived", i), "the source has no archived copy", "archive it, and write the copy's address"))
		}
	}
	if c.Review.ReviewedAt == "" || c.Review.ReviewedBy == "" {
		ps = append(ps, fault(c, "/review", "nobody has reviewed the case", "check it against its sources, and write who did so and when"))
	}
	if c.RootCause == "" {
		ps = append(ps, fault(c, "/root_cause", "the case has no root cause", "name it, if a source does"))
	}
	return ps
}

// sharedSources reports a source that an earlier case, or the same one, names
// already.
func sharedSources(c *incident.Collection) []problem.Problem {
	var ps []problem.Problem
	first := map[string]string{} // source → id
	for i := range c.Cases {
		one := c.Cases[i]
		for j, s := range one.Sources {
			key := sameSource(s.URL)
			switch id, again := first[key]; {
			case !again:
				first[key] = one.ID
			case id == one.ID:
				ps = append(ps, fault(one, pointerTo("sources/%d/url", j), "the case names this source twice", "delete one of the two"))
			default:
				ps = append(ps, fault(one, pointerTo("sources/%d/url", j), "this is a source of "+id+" too", "make sure that the two are not one incident"))
			}
		}
	}
	return ps
}

// sameSource is an address without what does not tell one document from
// another: scheme, case of the host, "www.", fragment and closing slash.
func sameSource(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return s
	}
	key := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + strings.TrimRight(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		key += "?" + u.RawQuery
	}
	return key
}
