package check

import (
	"errors"
	"strconv"

	"benchlet.com/incidentlib/generator/figure"
	"benchlet.com/incidentlib/generator/incident"
	"benchlet.com/incidentlib/generator/markup"
	"benchlet.com/incidentlib/generator/problem"
)

// figures reports figures that texts ask for and that cannot be drawn, and data
// that no figure can be drawn from.
func figures(c *incident.Collection) []problem.Problem {
	var ps []problem.Problem
	m := markup.New(markup.Options{})
	judge := func(file, text string, first int) {
		seen := map[string]bool{}
		for _, mark := range m.Figures(text) {
			if seen[mark.Name] {
				ps = append(ps, problem.Problem{File: file, Line: first + mark.Line - 1, Column: 1, What: "the figure " + strconv.Quote(mark.Name) + " stands twice in this text", Remedy: "leave one of them out"})
			}
			seen[mark.Name] = true
			if what, remedy := figureFault(c, mark.Name); what != "" {
				ps = append(ps, problem.Problem{File: file, Line: first + mark.Line - 1, Column: 1, What: what, Remedy: remedy})
			}
		}
	}
	for _, t := range c.Topics {
		judge(t.File, t.Text, 1)
	}
	for i := range c.Articles {
		a := &c.Articles[i]
		judge(a.Files.EN, a.Body.EN, a.LineEN)
		judge(a.Files.KO, a.Body.KO, a.LineKO)
	}
	for _, f := range c.Figures {
		if p, bad := figureData(f); bad {
			ps = append(ps, p)
		}
	}
	return ps
}

// figureFault says why a figure of a name cannot be shown; "" when it can, or
// when its data is what is wrong.
func figureFault(c *incident.Collection, name string) (what, remedy string) {
	switch {
	case !figure.Known(name):
		return "there is no figure " + strconv.Quote(name), "write the name of one that there is, as in " + strconv.Quote(figure.RetryStorm)
	case c.Figure(name) == nil:
		return "the data of the figure " + strconv.Quote(name) + " is missing", "put it into " + c.File("figures/"+name+".json")
	}
	return "", ""
}

func figureData(f incident.Figure) (p problem.Problem, bad bool) {
	p = problem.Problem{File: f.File, Line: 1, Column: 1}
	if !figure.Known(f.Name) {
		p.What, p.Remedy = "there is no figure "+strconv.Quote(f.Name), "delete the file, or name it after a figure, as in "+strconv.Quote(figure.RetryStorm)
		return p, true
	}
	_, err := figure.ParseStorm(f.Data)
	if err == nil {
		return p, false
	}
	p.What, p.Remedy = err.Error(), "write it anew with: llm-gateway storm --json"
	if e := (*figure.FormatError)(nil); errors.As(err, &e) {
		p.Line, p.What = e.Line, e.What
	}
	return p, true
}
